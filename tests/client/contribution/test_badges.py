"""A badge has a date on which it was earned, or the progress towards its goal."""

from datetime import date, timedelta

import pytest

from client.contribution.badges import BADGES, ContributedDays, badges
from client.contribution.tally import Amounts
from coordinator.ledger import badges as of_the_coordinator

TODAY = date(2026, 5, 6)


def ago(days: int) -> date:
    return TODAY - timedelta(days=days)


def in_a_row(*days_ago: int) -> dict[date, Amounts]:
    return {ago(days): Amounts(samples=1) for days in days_ago}


@pytest.mark.parametrize(
    ("code", "days", "reached", "progress"),
    [
        ("epochs_1", {}, None, 0.0),
        ("epochs_1", {ago(3): Amounts(samples=2, epochs=1), ago(0): Amounts(samples=2, epochs=1)}, ago(3), 1.0),
        ("samples_100", {ago(2): Amounts(samples=40), ago(1): Amounts(samples=35)}, None, 0.75),
        ("samples_100", {ago(2): Amounts(samples=40), ago(1): Amounts(samples=60)}, ago(1), 1.0),
        ("hours_10", {ago(2): Amounts(compute_seconds=9_000)}, None, 0.25),
        ("hours_10", {ago(9): Amounts(compute_seconds=36_000), ago(1): Amounts(compute_seconds=9)}, ago(9), 1.0),
        ("streak_3", in_a_row(2, 1, 0), ago(0), 1.0),
        ("streak_3", in_a_row(9, 8, 7, 6), ago(7), 1.0),
        ("streak_3", in_a_row(2, 1), None, 2 / 3),
        ("streak_3", in_a_row(9, 8), None, 0.0),
        ("streak_7", in_a_row(20, 19, 18, 17, 0), None, 1 / 7),
        (
            "streak_3",
            {ago(2): Amounts(samples=1), ago(1): Amounts(bytes_sent=5), ago(0): Amounts(samples=1)},
            None,
            1 / 3,
        ),
    ],
)  # fmt: skip
def test_a_badge_is_earned_on_the_day_its_goal_is_reached(
    code: str, days: dict[date, Amounts], reached: date | None, progress: float
) -> None:
    (badge,) = (badge for badge in badges(ContributedDays(days, set()), TODAY) if badge.code == code)
    assert badge.reached == reached
    assert badge.progress == pytest.approx(progress)


def test_nights_are_counted_one_by_one() -> None:
    one, thirty = (
        badge
        for badge in badges(ContributedDays({}, {ago(days) for days in range(6)}), TODAY)
        if badge.code.startswith("nights")
    )
    assert (one.reached, thirty.reached, thirty.progress) == (ago(5), None, 0.2)


def test_the_coordinators_badges_have_the_same_codes_here() -> None:
    theirs = {badge.key for badge in of_the_coordinator.BADGES} - {"early"}
    assert theirs <= {badge.code for badge in BADGES}
