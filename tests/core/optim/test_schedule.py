"""Warm-up and decay, as a table."""

import pytest

from core.optim.learning_rate import linear_schedule


@pytest.mark.parametrize(
    ("epoch", "warmup", "total", "expected"),
    [
        (0, 3125, 31_250, 0.0),
        (1, 3125, 31_250, 2.5e-3 / 3125),
        (3124, 3125, 31_250, 2.5e-3 * 3124 / 3125),
        (3125, 3125, 31_250, 2.5e-3),
        (17_187, 3125, 31_250, 2.5e-3 * 14_063 / 28_125),
        (31_249, 3125, 31_250, 2.5e-3 / 28_125),
        (31_250, 3125, 31_250, 0.0),
        (40_000, 3125, 31_250, 0.0),
        (0, 0, 10, 2.5e-3),
        (9, 0, 10, 2.5e-4),
        (9, 10, 10, 2.25e-3),
        (10, 10, 10, 0.0),
        (0, 0, 0, 0.0),
    ],
)
def test_linear_schedule(epoch: int, warmup: int, total: int, expected: float) -> None:
    assert linear_schedule(epoch, peak=2.5e-3, warmup=warmup, total=total) == pytest.approx(
        expected, abs=1e-15
    )


@pytest.mark.parametrize(("epoch", "warmup", "total"), [(-1, 1, 10), (0, 11, 10), (0, -1, 10)])
def test_nonsense_is_refused(epoch: int, warmup: int, total: int) -> None:
    with pytest.raises(ValueError, match="warmup"):
        linear_schedule(epoch, peak=1.0, warmup=warmup, total=total)
