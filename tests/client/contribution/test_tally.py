from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from client.contribution.tally import (
    Amounts,
    Calendar,
    Period,
    PeriodTally,
    Streak,
    in_spans,
    streak,
)

BERLIN = Calendar(ZoneInfo("Europe/Berlin"))
KOLKATA = Calendar(ZoneInfo("Asia/Kolkata"))


def test_tallies_add_up() -> None:
    assert Amounts(1, 2, 3.5, 4, 5, 6, 7.5) + Amounts(10, 20, 30.0, 40, 50, 60, 70.0) == Amounts(
        11, 22, 33.5, 44, 55, 66, 77.5
    )


@pytest.mark.parametrize(
    ("calendar", "period", "moment", "start"),
    [
        (BERLIN, Period.HOUR, "2026-05-06T10:59:59+00:00", "2026-05-06T12:00:00+02:00"),
        (BERLIN, Period.DAY, "2026-05-06T22:30:00+00:00", "2026-05-07T00:00:00+02:00"),
        (BERLIN, Period.WEEK, "2026-05-06T10:00:00+00:00", "2026-05-04T00:00:00+02:00"),
        (BERLIN, Period.WEEK, "2026-05-04T00:00:00+02:00", "2026-05-04T00:00:00+02:00"),
        (BERLIN, Period.MONTH, "2026-05-31T22:30:00+00:00", "2026-06-01T00:00:00+02:00"),
        (BERLIN, Period.MONTH, "2026-03-31T12:00:00+02:00", "2026-03-01T00:00:00+01:00"),  # summer began
        (KOLKATA, Period.HOUR, "2026-05-06T10:10:00+00:00", "2026-05-06T15:00:00+05:30"),
        # The hour that comes twice when summer ends
        (BERLIN, Period.HOUR, "2026-10-25T00:30:00+00:00", "2026-10-25T02:00:00+02:00"),
        (BERLIN, Period.HOUR, "2026-10-25T01:30:00+00:00", "2026-10-25T02:00:00+01:00"),
    ],
)
def test_periods_begin_by_the_volunteers_clock(
    calendar: Calendar, period: Period, moment: str, start: str
) -> None:
    assert calendar.start(period, datetime.fromisoformat(moment)) == datetime.fromisoformat(start).timestamp()


def test_a_day_on_which_the_clock_changes_is_one_period() -> None:
    now = datetime(2026, 10, 26, 12, tzinfo=UTC)
    sunday, monday = BERLIN.latest(Period.DAY, 2, now)
    assert monday - sunday == 25 * 3600
    hours = BERLIN.latest(Period.HOUR, 30, datetime(2026, 10, 25, 12, tzinfo=UTC))
    assert {later - earlier for earlier, later in pairwise(hours)} == {3600}


def test_the_systems_own_zone_is_the_default() -> None:
    now = datetime(2026, 5, 6, 10, 30, tzinfo=UTC)
    midnight = Calendar().local(Calendar().start(Period.DAY, now))
    assert (midnight.hour, midnight.minute) == (0, 0)
    assert timedelta() <= now - midnight < timedelta(hours=26)


def test_spans_hold_what_lies_in_them_and_nothing_older() -> None:
    now = datetime(2026, 5, 6, 10, 30, tzinfo=UTC)
    day = int(datetime(2026, 5, 6, tzinfo=UTC).timestamp())
    hours = [
        (day - 2 * 86_400 - 1, Amounts(samples=100)),
        (day - 86_400, Amounts(samples=1)),
        (day - 3600, Amounts(samples=2)),
        (day, Amounts(samples=4)),
    ]
    assert in_spans(hours, Period.DAY, 3, now, Calendar(UTC)) == (
        PeriodTally(datetime(2026, 5, 4, tzinfo=UTC), Amounts()),
        PeriodTally(datetime(2026, 5, 5, tzinfo=UTC), Amounts(samples=3)),
        PeriodTally(datetime(2026, 5, 6, tzinfo=UTC), Amounts(samples=4)),
    )


TODAY = date(2026, 5, 6)


@pytest.mark.parametrize(
    ("days_ago", "expected"),
    [
        ((), Streak(0, 0)),
        ((0,), Streak(1, 1)),
        ((1,), Streak(1, 1)),
        ((2,), Streak(0, 1)),
        ((0, 1, 2, 5, 6), Streak(3, 3)),
        ((1, 2, 10, 11, 12, 13), Streak(2, 4)),
        ((3, 4, 5), Streak(0, 3)),
    ],
)
def test_streaks_are_days_in_a_row(days_ago: tuple[int, ...], expected: Streak) -> None:
    assert streak({TODAY - timedelta(days=ago) for ago in days_ago}, TODAY) == expected
