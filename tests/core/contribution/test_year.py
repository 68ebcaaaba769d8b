"""The calendar of a year: which days it has, and how intense each is."""

from datetime import date, timedelta

import pytest

from core.contribution.year import LEVELS, WEEKS, CalendarDay, year_of

TODAY = date(2026, 11, 25)
"""A Wednesday."""


def ago(days: int) -> date:
    return TODAY - timedelta(days=days)


def levels(*amounts: float) -> list[int]:
    """The levels of amounts on the latest days, today's last."""
    given = {ago(number): amount for number, amount in enumerate(reversed(amounts))}
    return [day.level for day in year_of(given, TODAY).days][-len(amounts) :]


@pytest.mark.parametrize("today", [TODAY, date(2026, 11, 23), date(2026, 11, 29), date(2024, 2, 29)])
def test_it_has_whole_weeks_from_monday_on_and_ends_today(today: date) -> None:
    calendar = year_of({}, today)
    days = [day.day for day in calendar.days]
    assert len(calendar.weeks) == WEEKS
    assert [len(week) for week in calendar.weeks[:-1]] == [7] * (WEEKS - 1)
    assert (days[0].weekday(), days[-1]) == (0, today)
    assert days == [days[0] + timedelta(days=number) for number in range(len(days))]
    assert len(days) > 364


@pytest.mark.parametrize(
    ("amounts", "expected"),
    [
        ((0, 0), [0, 0]),
        ((0, 5), [0, 4]),
        ((7, 7, 7), [4, 4, 4]),
        ((1, 2, 3, 4), [1, 2, 3, 4]),
        ((1, 2, 3, 1_000_000), [1, 2, 3, 4]),
        ((1, 2, 3, 4, 5, 6, 7, 8), [1, 1, 2, 2, 3, 3, 4, 4]),
        ((1, 1, 1, 9), [3, 3, 3, 4]),
        ((0.25, -3, 0.5), [2, 0, 4]),
    ],
)
def test_a_level_tells_the_share_of_active_days_with_at_most_as_much(
    amounts: tuple[float, ...], expected: list[int]
) -> None:
    assert levels(*amounts) == expected
    assert max(expected) <= LEVELS


def test_days_outside_do_not_count() -> None:
    given = {ago(0): 3, ago(5): 4, ago(400): 1e9, TODAY + timedelta(days=1): 1e9}
    calendar = year_of(given, TODAY)
    assert (calendar.active_days, calendar.total) == (2, 7)
    assert list(calendar.days)[-1] == CalendarDay(TODAY, 3, 2)


def test_months_are_at_the_weeks_that_they_begin_in() -> None:
    calendar = year_of({}, TODAY)
    months = calendar.months
    assert [first.month for _, first in months] == [12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    for number, first in months:
        assert first in {day.day for day in calendar.weeks[number]}
