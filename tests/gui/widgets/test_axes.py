"""Values find their places, gaps stay gaps, and thinning is not seen."""

import math

import pytest
from PySide6.QtCore import QPointF, QRectF

from gui.widgets.axes import (
    Axis,
    along,
    around,
    digits,
    finite,
    nice_step,
    place,
    stretches,
    thinned,
    ticks,
    upright,
)


def test_the_ends_of_an_axis_are_the_edges_of_the_frame() -> None:
    axis, frame = Axis(10, 20), QRectF(0, 0, 100, 50)

    assert place(frame, axis.share(10), axis.share(10)) == QPointF(0, 50)
    assert place(frame, axis.share(20), axis.share(20)) == QPointF(100, 0)
    assert Axis(10, 20, inverted=True).share(10) == 1
    assert Axis(3, 3).share(3) == 0.5, "a single value stands in the middle"


@pytest.mark.parametrize(
    ("values", "marks", "exact"),
    [
        ([2.134, 6.5], ["2", "3", "4", "5", "6", "7"], "2.13"),
        ([0.0112, 0.0387], ["0.01", "0.02", "0.03", "0.04"], "0.0112"),
        ([1, 12_000], ["0", "5,000", "10,000", "15,000"], "1"),
        ([1, 3], ["1", "2", "3"], "1"),
        ([4, 4], ["4"], "4"),
    ],
)
def test_heights_are_marked_in_round_numbers_and_read_out_finer(
    values: list[float], marks: list[str], exact: str
) -> None:
    axis = upright(values, 5)

    assert [axis.words(mark) for mark in axis.marks] == marks
    assert axis.exact(values[0]) == exact
    assert axis.low <= min(values) <= max(values) <= axis.high


def test_bars_stand_on_zero_even_if_all_are_empty() -> None:
    assert (upright([3.5, 8], 4, zero=True).low, upright([0, 0], 4, zero=True).high) == (0, 1)


@pytest.mark.parametrize(
    ("ranks", "marks"),
    [
        ([62, 3, 1], (1, 20, 40, 60, 80)),
        ([1, 1, 1], (1,)),
        ([250, 210], (210, 220, 230, 240, 250)),
        ([2, 1], (1, 2)),
    ],
)
def test_ranks_begin_with_the_first_and_have_it_above(ranks: list[float], marks: tuple[float, ...]) -> None:
    axis = upright(ranks, 4, inverted=True)

    assert axis.marks == marks
    assert axis.share(min(ranks)) >= axis.share(max(ranks))
    assert all(0 <= axis.share(rank) <= 1 for rank in ranks)


def test_words_of_ones_own_are_used_for_marks_and_values() -> None:
    axis = along([0, 60], 3, lambda minutes: f"{minutes:.0f} min")
    assert (axis.words(20), axis.exact(21)) == ("20 min", "21 min")


def test_what_is_not_a_number_leaves_a_gap() -> None:
    points = [(1, 1), (2, math.nan), (3, 3), (4, 4), (5, math.inf), (math.nan, 6), (7, 7)]

    assert stretches(points) == [[(1, 1)], [(3, 3), (4, 4)], [(7, 7)]]
    assert finite(points) == [(1, 1), (3, 3), (4, 4), (7, 7)]
    assert stretches([]) == []


def test_a_thinned_curve_keeps_its_extremes_in_each_pixel_and_their_order() -> None:
    points = [QPointF(i / 100, (i * 7919) % 1000) for i in range(1000)]
    kept = thinned(points)

    assert len(kept) <= 4 * 10
    assert kept[0] == points[0]
    assert kept[-1] == points[-1]
    assert [point.x() for point in kept] == sorted(point.x() for point in kept)
    for column in range(10):
        here = [point.y() for point in points if int(point.x()) == column]
        left = [point.y() for point in kept if int(point.x()) == column]
        assert (min(here), max(here)) == (min(left), max(left))


def test_a_sparse_curve_is_left_as_it_is() -> None:
    points = [QPointF(i * 10.0, i) for i in range(20)]
    assert thinned(points) == points


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
