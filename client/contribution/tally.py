"""Amounts that were contributed in a period, and the volunteer's calendar by which they are counted: pure values."""

from bisect import bisect_right
from collections.abc import Iterable, Set
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from typing import Self


@dataclass(frozen=True)
class Amounts:
    """Contribution in a span of time; spans add up."""

    samples: int = 0
    """Samples of epochs that the swarm committed."""
    micro_steps: int = 0
    compute_seconds: float = 0.0
    epochs: int = 0
    """Epochs that this peer took part in with at least one sample."""
    bytes_sent: int = 0
    bytes_received: int = 0
    joules: float = 0.0
    """Energy of the GPU, where the driver reports it."""
    cpu_joules: float = 0.0
    """Our part of the energy of the processor, where the system reports it."""
    cost: float = 0.0
    """Cost of both in the volunteer's currency, where a price was entered."""
    carbon_grams: float = 0.0
    """CO2 of both, where a carbon intensity was entered."""

    @property
    def energy(self) -> float:
        """Energy of GPU and processor in joules."""
        return self.joules + self.cpu_joules

    def __add__(self, other: Self) -> Self:
        sums = {name: getattr(self, name) + getattr(other, name) for name in COLUMNS}
        return type(self)(**sums)


COLUMNS = tuple(column.name for column in fields(Amounts))


class Period(StrEnum):
    """Length of a period by which contribution is summed, in the volunteer's calendar."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"  # from Monday on
    MONTH = "month"


@dataclass(frozen=True)
class Calendar:
    """Calendar in which the volunteer's hours, days and months begin; starts are seconds since 1970, in any zone."""

    zone: tzinfo | None = None
    """Time zone of the days; None: the system's, with its rules for summer and winter."""

    def local(self, seconds: int) -> datetime:
        return datetime.fromtimestamp(seconds, UTC).astimezone(self.zone)

    def start(self, period: Period, moment: datetime) -> int:
        """Start of the period that contains the moment."""
        local = moment.astimezone(self.zone)
        if period is Period.HOUR:
            return int(local.replace(minute=0, second=0, microsecond=0).timestamp())
        return self._midnight(first_day(period, local.date()))

    def latest(self, period: Period, count: int, now: datetime) -> list[int]:
        """Return the starts of the ``count`` latest periods, the current one last."""
        starts = [self.start(period, now)]
        while len(starts) < count:
            starts.append(self.start(period, datetime.fromtimestamp(starts[-1] - 1, UTC)))
        return starts[::-1]

    def _midnight(self, day: date) -> int:
        midnight = datetime.combine(day, time())
        return int((midnight.replace(tzinfo=self.zone) if self.zone else midnight).timestamp())


@dataclass(frozen=True)
class PeriodTally:
    """A period and what was counted in it."""

    start: datetime
    tally: Amounts


def in_spans(
    hours: Iterable[tuple[int, Amounts]],
    period: Period,
    count: int,
    now: datetime,
    calendar: Calendar,
) -> tuple[PeriodTally, ...]:
    """Return the ``count`` latest periods, also those without anything.

    `hours` come with the second they began at.
    """
    starts = calendar.latest(period, count, now)
    tallies = [Amounts()] * count
    for hour, tally in hours:
        if hour >= starts[0]:
            place = bisect_right(starts, hour) - 1
            tallies[place] += tally
    return tuple(
        PeriodTally(calendar.local(start), tally) for start, tally in zip(starts, tallies, strict=True)
    )


@dataclass(frozen=True)
class Streak:
    """Days in a row with at least one sample."""

    current: int = 0
    """Days in a row up to today, or up to yesterday while nothing was contributed today."""
    longest: int = 0


def streak(days: Set[date], today: date) -> Streak:
    """Return the streaks in a set of days."""
    first_days = [day for day in days if day - timedelta(days=1) not in days]
    lengths = {day: _length(days, day) for day in first_days}
    last = today if today in days else today - timedelta(days=1)
    current = [length for day, length in lengths.items() if day + timedelta(days=length - 1) == last]
    return Streak(max(current, default=0), max(lengths.values(), default=0))


def _length(days: Set[date], first: date) -> int:
    length = 1
    while first + timedelta(days=length) in days:
        length += 1
    return length


def first_day(period: Period, day: date) -> date:
    """Return the first day of the day's week or month, or the day itself."""
    if period is Period.MONTH:
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if period is Period.WEEK else day
