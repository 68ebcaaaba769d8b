"""Amounts as people read them."""

import pytest

from client.console.amounts import in_bytes, in_time


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1_500_000, "1.5 MB"), (3 * 10**13, "30.0 TB")],
)
def test_bytes_are_shown_in_a_unit_that_fits(count: int, words: str) -> None:
    assert in_bytes(count) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, "–"),
        (0.2, "0 s"),
        (59.4, "59 s"),
        (60, "1 min 00 s"),
        (3599.6, "1 h 00 min"),
        (7_380, "2 h 03 min"),
        (3_600_000, "1,000 h 00 min"),
    ],
)
def test_spans_of_time_are_shown_in_two_units_at_most(seconds: float | None, words: str) -> None:
    assert in_time(seconds) == words
