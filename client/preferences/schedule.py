"""The hours of the week in which training is allowed, by the clock on the wall."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Self

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_FULL = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY_MINUTES = 24 * 60
_GROUPS = {
    "daily": tuple(range(7)),
    "weekdays": tuple(range(5)),
    "weekend": (5, 6),
    "weekends": (5, 6),
}
_TIMES = re.compile(r"(\d{1,2})(?::(\d\d))?\s*-\s*(\d{1,2})(?::(\d\d))?$", re.ASCII)
_DAY_RANGE = re.compile(r"([a-z]+)(?:\s*-\s*([a-z]+))?\s*", re.ASCII)
_MOST_SPANS = 64


@dataclass(frozen=True)
class Span:
    """A time of the day on some days; where it ends before it starts, it goes on until the next day."""

    days: tuple[int, ...]
    """Days on which it starts, in order; Monday is 0."""
    start: int = 0
    """First minute, counted since midnight."""
    end: int = _DAY_MINUTES
    """Minute of the end, counted since midnight; this minute is outside."""

    def holds(self, day: int, minute: int) -> bool:
        if self.start < self.end:
            return day in self.days and self.start <= minute < self.end
        begun_today = day in self.days and minute >= self.start
        return begun_today or ((day - 1) % 7 in self.days and minute < self.end)

    def __str__(self) -> str:
        days = _days_in_words(self.days)
        if (self.start, self.end) == (0, _DAY_MINUTES):
            return days
        return f"{days} {_clock(self.start)}-{_clock(self.end)}"


@dataclass(frozen=True)
class Schedule:
    """Hours of the week in which training is allowed, as spans; none: always."""

    spans: tuple[Span, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``mon-fri 18:00-08:00, sat-sun``, ``22-6``, ``mon wed fri 8:30-12`` or ``always``.

        Spans are separated by commas. One without days is for all of them, one without times for whole days.

        Raises:
            ValueError: it is none of these.
        """
        text = text.strip().lower()
        if text == "always":
            return cls()
        spans = tuple(_span(part.strip()) for part in text.split(","))
        if len(spans) > _MOST_SPANS:
            raise ValueError(f"more than {_MOST_SPANS} spans of time")
        return cls(spans)

    def allows(self, now: datetime) -> bool:
        """Return true if training is allowed at this local time."""
        day, minute = now.weekday(), now.hour * 60 + now.minute
        return not self.spans or any(span.holds(day, minute) for span in self.spans)

    def next_change(self, now: datetime) -> datetime | None:
        """Return the next time at which `allows` changes its answer, in the zone of ``now``; None: it never does.

        Changes to and from summer time in between are taken into account, where the zone has them.
        """
        allowed = self.allows(now)
        return next_moment(self.spans, now, lambda local: self.allows(local) != allowed)

    def __str__(self) -> str:
        return ", ".join(map(str, self.spans)) or "always"


def next_moment(spans: Iterable[Span], now: datetime, holds: Callable[[datetime], bool]) -> datetime | None:
    """Return the next start or end of a span, or change of the clocks, at which something holds.

    Args:
        spans: Spans of the week whose starts and ends count.
        now: Present time with its zone.
        holds: Returns true if the local time is such a moment.

    Returns:
        The moment in the zone of ``now``; None: there is none within eight days.
    """
    for moment in sorted(_boundaries(spans, now) | _shifts(now)):
        local = moment.astimezone(now.tzinfo)
        if moment > now.astimezone(UTC) and holds(local):
            return local
    return None


def _boundaries(spans: Iterable[Span], now: datetime) -> set[datetime]:
    """Return each start and end of the next days, twice if clocks are set back over it."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    minutes = {minute % _DAY_MINUTES for span in spans for minute in (span.start, span.end)}
    return {
        (midnight + timedelta(days=day, minutes=minute)).replace(fold=fold).astimezone(UTC)
        for day in range(9)
        for minute in minutes
        for fold in (0, 1)
    }


def _shifts(now: datetime) -> set[datetime]:
    """Return the times in the next days at which the zone's clocks are set forward or back.

    No zone does so twice a day.
    """
    start = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    days = [start + timedelta(days=day) for day in range(10)]
    offsets = [_offset(day, now) for day in days]
    return {
        _shift(before, now)
        for before, old, new in zip(days, offsets, offsets[1:], strict=False)
        if old != new
    }


def _shift(day: datetime, now: datetime) -> datetime:
    """Return the first minute of the 24 hours after `day` that has another offset."""
    old = _offset(day, now)
    minutes = range(_DAY_MINUTES + 1)
    first = bisect_left(
        minutes, True, key=lambda minute: _offset(day + timedelta(minutes=minute), now) != old
    )
    return day + timedelta(minutes=first)


def _offset(moment: datetime, now: datetime) -> timedelta | None:
    """Return the offset of the zone of ``now`` at a moment."""
    return moment.astimezone(now.tzinfo).utcoffset()


def _span(text: str) -> Span:
    days: set[int] = set()
    position = 0
    while found := _DAY_RANGE.match(text, position):
        days |= _days(found[1], found[2])
        position = found.end()
    times = text[position:]
    if not times:
        if not days:
            raise ValueError("a span of time is empty")
        return Span(tuple(sorted(days)))
    start, end = _times(times)
    return Span(tuple(sorted(days)) or _GROUPS["daily"], start, end)


def _days(first: str, last: str | None) -> set[int]:
    if last is None and first in _GROUPS:
        return set(_GROUPS[first])
    start = _day(first)
    end = _day(last) if last else start
    return {day % 7 for day in range(start, (end if end >= start else end + 7) + 1)}


def _day(name: str) -> int:
    for day, full in enumerate(_FULL):
        if len(name) >= 3 and full.startswith(name):
            return day
    raise ValueError(f"{name!r} is not a day of the week")


def _times(text: str) -> tuple[int, int]:
    found = _TIMES.match(text)
    if not found:
        raise ValueError(f"{text!r} is not a time of the day such as 18:00-08:00")
    start, end = _minute(found[1], found[2]), _minute(found[3], found[4])
    if start in (end, _DAY_MINUTES):
        raise ValueError(f"{text!r} has no length")
    return start, end


def _minute(hour: str, minute: str | None) -> int:
    at = int(hour) * 60 + int(minute or 0)
    if at > _DAY_MINUTES or int(minute or 0) > 59:
        raise ValueError(f"{hour}:{minute or '00'} is not a time of the day")
    return at


def _clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"


def _days_in_words(days: tuple[int, ...]) -> str:
    if days == _GROUPS["daily"]:
        return "daily"
    runs: list[list[int]] = []
    for day in days:
        if runs and runs[-1][-1] == day - 1:
            runs[-1].append(day)
        else:
            runs.append([day])
    return " ".join(DAYS[run[0]] if len(run) == 1 else f"{DAYS[run[0]]}-{DAYS[run[-1]]}" for run in runs)
