"""Contribution by hours, days, weeks and months of the volunteer's calendar, whatever their clocks do."""

from datetime import UTC, datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from client.api.history import MOST_RUNS, ContributionHistory, Period
from client.contribution.history import HourlyAmounts, by_run, history_of
from client.contribution.tally import Amounts, Calendar

UTC_HERE = Calendar(UTC)
BERLIN = Calendar(ZoneInfo("Europe/Berlin"))
KOLKATA = Calendar(ZoneInfo("Asia/Kolkata"))
NOW = "2026-05-06T10:30+00:00"


def hours(*moments: str) -> HourlyAmounts:
    """One sample more in each."""
    return [
        (int(datetime.fromisoformat(moment).timestamp()), Amounts(samples=number))
        for number, moment in enumerate(moments, 1)
    ]


def history(
    given: HourlyAmounts, by: Period, calendar: Calendar = UTC_HERE, now: str = NOW, periods: int = 400
) -> ContributionHistory:
    return history_of(given, by, periods, datetime.fromisoformat(now), calendar)


@pytest.mark.parametrize(
    ("calendar", "by", "moments", "expected"),
    [
        (UTC_HERE, Period.DAY, ["2026-05-04T23:00+00:00", "2026-05-05T00:00+00:00"],
         {"2026-05-04T00:00": 1, "2026-05-05T00:00": 2}),
        (BERLIN, Period.DAY, ["2026-05-04T21:00+00:00", "2026-05-04T22:00+00:00"],
         {"2026-05-04T00:00": 1, "2026-05-05T00:00": 2}),
        (UTC_HERE, Period.WEEK, ["2026-05-03T10:00+00:00", "2026-05-04T10:00+00:00", "2026-05-06T10:00+00:00"],
         {"2026-04-27T00:00": 1, "2026-05-04T00:00": 5}),
        (UTC_HERE, Period.MONTH, ["2025-12-31T23:00+00:00", "2026-02-01T00:00+00:00"],
         {"2025-12-01T00:00": 1, "2026-02-01T00:00": 2}),
        # Summer ends: the hour that comes twice is one
        (BERLIN, Period.HOUR, ["2025-10-26T00:00+00:00", "2025-10-26T01:00+00:00", "2025-10-26T02:00+00:00"],
         {"2025-10-26T02:00": 3, "2025-10-26T03:00": 3}),
        # Summer begins: there is no hour at two
        (BERLIN, Period.HOUR, ["2026-03-29T00:00+00:00", "2026-03-29T01:00+00:00"],
         {"2026-03-29T01:00": 1, "2026-03-29T03:00": 2}),
        # Counted in Europe, looked at in India, where hours begin half an hour later
        (KOLKATA, Period.HOUR, ["2026-05-05T10:00+00:00", "2026-05-05T11:00+00:00"],
         {"2026-05-05T15:00": 1, "2026-05-05T16:00": 2}),
        (KOLKATA, Period.DAY, ["2026-05-04T18:00+00:00", "2026-05-04T19:00+00:00"],
         {"2026-05-04T00:00": 1, "2026-05-05T00:00": 2}),
    ],
)  # fmt: skip
def test_periods_are_those_of_the_clock_on_the_wall(
    calendar: Calendar, by: Period, moments: list[str], expected: dict[str, int]
) -> None:
    rows = history(hours(*moments), by, calendar).rows
    assert {row.start.isoformat(timespec="minutes"): row.samples for row in rows} == expected


@pytest.mark.parametrize("by", Period)
def test_the_total_is_of_all_time_though_only_the_newest_periods_are_reported(by: Period) -> None:
    given = hours("2024-01-01T10:00+00:00", "2025-01-01T10:00+00:00", "2026-05-06T09:00+00:00")
    found = history(given, by, periods=2)
    assert [row.samples for row in found.rows] == [2, 3]
    assert (found.total.samples, found.total.start.year) == (6, 2024)
    assert all(one.start < other.start for one, other in pairwise(found.rows))


def test_a_new_volunteer_has_given_nothing_since_now() -> None:
    found = history([], Period.HOUR)
    assert (found.rows, found.streak_days, found.longest_streak_days) == ((), 0, 0)
    assert found.total.start == datetime(2026, 5, 6, 10)
    assert {badge.reached for badge in found.badges} == {None}


def test_hours_in_which_nothing_was_counted_are_left_out() -> None:
    second = int(datetime.fromisoformat(NOW).timestamp())
    assert history([(second, Amounts())], Period.DAY).rows == ()
    assert history([(second, Amounts(bytes_received=1))], Period.DAY).rows[0].bytes_received == 1


@pytest.mark.parametrize(
    ("calendar", "now", "streak"),
    [
        (UTC_HERE, "2026-05-06T23:59+00:00", 3),
        (UTC_HERE, "2026-05-07T00:00+00:00", 3),  # today may still follow
        (UTC_HERE, "2026-05-08T00:00+00:00", 0),
        (BERLIN, "2026-05-07T21:59+00:00", 3),
        (BERLIN, "2026-05-07T22:00+00:00", 0),  # there it is the eighth
    ],
)
def test_a_streak_lasts_until_a_whole_day_has_passed(calendar: Calendar, now: str, streak: int) -> None:
    given = hours("2026-05-04T12:00+00:00", "2026-05-05T12:00+00:00", "2026-05-06T12:00+00:00")
    found = history(given, Period.DAY, calendar, now)
    assert (found.streak_days, found.longest_streak_days) == (streak, 3)


def test_a_change_of_clocks_breaks_no_streak() -> None:
    # In Berlin: the last hours of the 28th, 29th and 30th, and the first of the 31st
    days = [f"2026-03-{day}T{hour}:00+00:00" for day, hour in ((28, 22), (29, 21), (30, 21), (30, 22))]
    assert history(hours(*days), Period.DAY, BERLIN, "2026-03-31T10:00+00:00").streak_days == 4


def test_what_was_given_between_midnight_and_morning_is_a_nights() -> None:
    given = hours("2026-05-04T22:00+00:00", "2026-05-05T03:00+00:00", "2026-05-06T04:00+00:00")
    (badge,) = (badge for badge in history(given, Period.DAY, BERLIN).badges if badge.code == "nights_1")
    assert badge.reached is not None
    assert badge.reached.isoformat() == "2026-05-05", "at six in the morning the night is over"


def test_runs_are_listed_by_what_was_given_and_those_never_trained_are_left_out() -> None:
    totals = {
        "a": ("lists of runs", Amounts(bytes_received=5)),
        "b": ("little", Amounts(samples=1)),
        "c": ("begun", Amounts(compute_seconds=2.0)),
        "d": ("much", Amounts(samples=9, epochs=3, compute_seconds=7.0)),
    }
    assert [(run.name, run.samples, run.epochs) for run in by_run(totals)] == [
        ("much", 9, 3),
        ("little", 1, 0),
        ("begun", 0, 0),
    ]
    many = {str(place): ("run", Amounts(samples=place + 1)) for place in range(MOST_RUNS + 1)}
    assert len(by_run(many)) == MOST_RUNS
