"""A thinned curve keeps its ends and extremes, and curves from several sources are merged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.api.history import EpochPoint
from client.contribution.history import merged, thinned


def curve(*losses: float) -> list[EpochPoint]:
    return [EpochPoint(epoch=epoch, loss=loss, samples=1) for epoch, loss in enumerate(losses, 1)]


@given(st.lists(st.floats(-1e6, 1e6), max_size=300), st.integers(2, 60))
def test_a_thinned_curve_keeps_its_ends_and_its_extremes(losses: list[float], most: int) -> None:
    points = curve(*losses)
    kept = thinned(points, most)
    assert len(kept) <= most
    assert list(kept) == [point for point in points if point in kept], "in their order"
    if points:
        assert {points[0], points[-1]} <= set(kept)
    if points and most >= 4:
        losses_kept = {point.loss for point in kept}
        assert {min(losses), max(losses)} <= losses_kept


def test_a_curve_that_is_short_enough_stays_as_it_is() -> None:
    assert thinned(curve(3.0, 2.0, 1.0), 3) == tuple(curve(3.0, 2.0, 1.0))
    assert thinned([], 2) == ()


def point(epoch: int, own: int = 0, loss: float = 1.0) -> EpochPoint:
    return EpochPoint(epoch=epoch, loss=loss, samples=64, own_samples=own)


@pytest.mark.parametrize(
    ("reported", "own", "expected"),
    [
        ([], [], []),
        ([], [point(3, 5)], [point(3, 5)]),
        ([point(1), point(5)], [], [point(1), point(5)]),
        (
            [point(1), point(5, loss=2.0)],
            [point(3, 7), point(5, 4, loss=9.0), point(6, 2)],
            [point(1), point(5, 4, loss=2.0), point(6, 2)],
        ),
    ],
)
def test_the_coordinators_curve_has_the_own_samples_and_what_came_after_it(
    reported: list[EpochPoint], own: list[EpochPoint], expected: list[EpochPoint]
) -> None:
    assert merged(reported, own) == expected
