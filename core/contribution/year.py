"""A year of days as a calendar of weeks, with the intensity of what was contributed on each day."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

WEEKS = 53
"""Weeks of a calendar: a year of days, whatever the day of the week."""
LEVELS = 4
"""Levels of intensity above zero."""
_DAYS = 7


@dataclass(frozen=True)
class CalendarDay:
    """A day of the calendar and its contribution."""

    day: date
    amount: float
    """The contribution in the unit of the calendar, such as samples; 0 for none."""
    level: int
    """Number of the intensity, from 0 for nothing to `LEVELS`."""


@dataclass(frozen=True)
class YearCalendar:
    """The latest weeks, from Monday to Sunday; the last one ends with today."""

    weeks: tuple[tuple[CalendarDay, ...], ...]

    @property
    def days(self) -> Iterator[CalendarDay]:
        """Yield the days in rising order."""
        for week in self.weeks:
            yield from week

    @property
    def active_days(self) -> int:
        """Number of days with a contribution."""
        return sum(1 for day in self.days if day.level)

    @property
    def total(self) -> float:
        """Sum of the amounts of all days."""
        return sum(day.amount for day in self.days)

    @property
    def months(self) -> tuple[tuple[int, date], ...]:
        """Number of the week in which each month begins, and the month's first day.

        The month that the calendar begins in is left out unless its first day is in the calendar.
        """
        return tuple(
            (number, day.day) for number, week in enumerate(self.weeks) for day in week if day.day.day == 1
        )


def year_of(amounts: Mapping[date, float], today: date) -> YearCalendar:
    """Return the calendar that ends with ``today``.

    A day's level tells the share of the active days that have at most as much: the best quarter of them has the
    highest level. So a single record day does not make all others pale.

    Args:
        amounts: contribution by day; days outside the calendar, and amounts that are not positive, are ignored.
        today: last day of the calendar.
    """
    first = today - timedelta(days=today.weekday() + _DAYS * (WEEKS - 1))
    known = {day: amount for day, amount in amounts.items() if first <= day <= today and amount > 0}
    ordered = sorted(known.values())
    days = [first + timedelta(days=number) for number in range((today - first).days + 1)]
    shown = [CalendarDay(day, known.get(day, 0), _level(known.get(day, 0), ordered)) for day in days]
    return YearCalendar(tuple(tuple(shown[start : start + _DAYS]) for start in range(0, len(shown), _DAYS)))


def _level(amount: float, ordered: list[float]) -> int:
    """Return the level of an amount among those of all active days, in rising order."""
    if amount <= 0:
        return 0
    return -(-LEVELS * bisect_right(ordered, amount) // len(ordered))
