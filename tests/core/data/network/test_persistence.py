"""Attempts grow rarer, and those of many peers spread."""

import pytest

from core.data.network.persistence import delay


@pytest.mark.parametrize(
    ("failures", "draw", "asked_for", "seconds"),
    [
        (1, 0.0, None, 0.5),
        (1, 1.0, None, 1.0),
        (2, 0.0, None, 1.0),
        (4, 0.5, None, 6.0),
        (7, 0.0, None, 30.0),
        (7, 1.0, None, 60.0),
        (10_000, 1.0, None, 60.0),
        (1, 0.0, 20.0, 20.0),
        (9, 1.0, 20.0, 60.0),
        (1, 0.0, 1e9, 600.0),
    ],
)
def test_delays(failures: int, draw: float, asked_for: float | None, seconds: float) -> None:
    assert delay(failures, draw, asked_for) == seconds
