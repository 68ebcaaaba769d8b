"""Axes are marked at round numbers."""

import math

import pytest

from gui.widgets.ticks import around, digits, nice_step, ticks


@pytest.mark.parametrize(
    ("low", "high", "most", "marks"),
    [
        (0, 10, 5, (0, 2, 4, 6, 8, 10)),
        (0, 100, 4, (0, 50, 100)),
        (1, 320, 6, (100, 200, 300)),
        (1.97, 6.6, 5, (2, 3, 4, 5, 6)),
        (0, 0.03, 3, (0, 0.01, 0.02, 0.03)),
        (-3, 3, 3, (-2, 0, 2)),
        (7, 7, 5, (7,)),
        (1e9, 5e9, 4, (1e9, 2e9, 3e9, 4e9, 5e9)),
    ],
)
def test_marks_are_round_and_within_the_span(
    low: float, high: float, most: int, marks: tuple[float, ...]
) -> None:
    assert ticks(low, high, most) == pytest.approx(marks)


@pytest.mark.parametrize(("low", "high", "most"), [(math.nan, 1, 5), (0, math.inf, 5), (0, 1, 0)])
def test_what_cannot_be_marked_has_no_marks(low: float, high: float, most: int) -> None:
    assert ticks(low, high, most) == ()


@pytest.mark.parametrize(
    ("least", "step"), [(0.9, 1), (1, 1), (1.1, 2), (2.3, 5), (5.1, 10), (0.013, 0.02), (3000, 5000)]
)
def test_a_step_is_one_two_or_five_times_a_power_of_ten(least: float, step: float) -> None:
    assert nice_step(least) == pytest.approx(step)


@pytest.mark.parametrize(("step", "decimals"), [(1, 0), (50, 0), (0.5, 1), (0.2, 1), (0.01, 2), (0.002, 3)])
def test_marks_are_written_with_as_many_decimals_as_tell_them_apart(step: float, decimals: int) -> None:
    assert digits(step) == decimals


@pytest.mark.parametrize(
    ("low", "high", "widened"),
    [(1.97, 6.6, (1, 7)), (0, 10, (0, 10)), (5, 5, (4.4, 5.6)), (0, 0, (-1, 1)), (-2, -2, (-2.2, -1.8))],
)
def test_a_span_is_widened_to_round_numbers(low: float, high: float, widened: tuple[float, float]) -> None:
    assert around(low, high, 6) == pytest.approx(widened)
