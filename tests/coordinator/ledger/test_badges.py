"""Tests of badges and days in a row."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from coordinator.ledger.badges import BADGES, EARLY_VOLUNTEERS, Achievements, badges, streaks

NOTHING = Achievements(samples=0, compute_seconds=0.0, epochs=0, longest_streak=0, place=1)
TODAY = date(2026, 11, 22)


def keys(done: Achievements) -> set[str]:
    return {badge.key for badge in badges(done)}


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"samples": 1_000}, "samples_1000"),
        ({"samples": 10_000}, "samples_10000"),
        ({"samples": 100_000}, "samples_100000"),
        ({"samples": 1_000_000}, "samples_1000000"),
        ({"compute_seconds": 86_400.0}, "hours_24"),
        ({"compute_seconds": 3.6e6}, "hours_1000"),
        ({"longest_streak": 7}, "streak_7"),
        ({"longest_streak": 30}, "streak_30"),
        ({"epochs": 1, "place": EARLY_VOLUNTEERS}, "early"),
        ({"epochs": 1, "place": EARLY_VOLUNTEERS + 1}, "epochs_1"),
        ({"epochs": 1_000}, "epochs_1000"),
    ],
)
def test_a_badge_is_earned_at_its_mark_and_not_before(change: dict[str, int | float], key: str) -> None:
    first, mark = next(iter(change.items()))
    at = replace(NOTHING, **change)  # type: ignore[arg-type]
    below = replace(at, **{first: mark - 1})  # type: ignore[arg-type]
    assert key in keys(at) - keys(below)


def test_who_came_late_is_no_early_volunteer() -> None:
    assert "early" not in keys(replace(NOTHING, epochs=1, place=EARLY_VOLUNTEERS + 1))


def test_each_badge_is_one_of_its_own() -> None:
    assert len({badge.key for badge in BADGES}) == len({badge.title for badge in BADGES}) == len(BADGES)
    assert badges(NOTHING) == ()


@pytest.mark.parametrize(
    ("ago", "current", "longest"),
    [
        ([], 0, 0),
        ([0], 1, 1),
        ([1], 1, 1),  # today may still come
        ([2], 0, 1),
        ([3, 2, 1, 0], 4, 4),
        ([9, 8, 7, 5, 1, 0], 2, 3),
        ([9, 8, 7, 5], 0, 3),
    ],
)
def test_days_in_a_row(ago: list[int], current: int, longest: int) -> None:
    found = streaks([TODAY - timedelta(days=days) for days in ago], TODAY)
    assert (found.current, found.longest) == (current, longest)
