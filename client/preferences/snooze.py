"""A pause for a time: how long it was asked for, in words people type, and when it is over."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Self

from client.api.errors import DurationError

LONGEST = timedelta(days=366)
MORNING = 6
"""The hour at which "tomorrow" begins."""
SHORTEST_NIGHT = timedelta(hours=4)
"""Shortest snooze until "tomorrow": at five in the morning it is the morning after the next night."""

_PART = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*", re.ASCII)
_SECONDS = {
    **dict.fromkeys(("s", "sec", "second", "seconds"), 1),
    **dict.fromkeys(("m", "min", "minute", "minutes"), 60),
    **dict.fromkeys(("h", "hour", "hours"), 3600),
    **dict.fromkeys(("d", "day", "days"), 86_400),
}


def parse_duration(text: str) -> timedelta:
    """Read a length of time such as ``15m``, ``1h30m``, ``90 min`` or ``2 days``; ValueError for anything else."""
    seconds, position, rest = 0.0, 0, text.strip().lower()
    while position < len(rest):
        part = _PART.match(rest, position)
        if part is None or part[2] not in _SECONDS:
            raise ValueError(f"{text!r} is not a length of time")
        seconds += float(part[1]) * _SECONDS[part[2]]
        position = part.end()
    if not 1 <= seconds <= LONGEST.total_seconds():
        raise ValueError(f"{text!r} is not a length of time that can be waited for")
    return timedelta(seconds=seconds)


def snooze_end(text: str, now: datetime, zone: tzinfo | None = None) -> datetime:
    """Return the end of a pause that was requested in these words.

    ``tomorrow`` is the next six o'clock in the morning that is at least four hours away.

    Args:
        text: Length as `parse_duration` reads it, or ``tomorrow``.
        now: Present time with its zone.
        zone: Zone whose mornings count; None: the system's, with its rules for summer and winter.

    Raises:
        DurationError: The text is neither.
    """
    if text.strip().lower() == "tomorrow":
        return _next_morning(now, zone)
    try:
        return now.astimezone(UTC) + parse_duration(text)
    except (ValueError, OverflowError):
        raise DurationError(text) from None


def snooze_seconds(text: str, now: datetime) -> float:
    """Return the seconds from now to the end of a pause that was requested in these words.

    Args:
        text: Length such as ``15m``, or ``tomorrow``.
        now: Present time with its zone.

    Raises:
        DurationError: The text is neither.
    """
    return snooze_end(text, now).timestamp() - now.timestamp()


@dataclass(frozen=True)
class Snooze:
    """A pause that ends by itself. `until - seen` only ever shrinks, so no clock makes it longer than asked."""

    until: datetime
    seen: datetime
    """Latest time at which the snooze was looked at."""

    @classmethod
    def of(cls, length: timedelta, now: datetime) -> Self:
        now = now.astimezone(UTC)
        return cls(now + min(length, LONGEST), now)

    def at(self, now: datetime) -> "Snooze | None":
        """Return the rest of the pause at ``now``, or None if it is over.

        It is called often, and again after each start.
        """
        now = now.astimezone(UTC)
        # A clock that was set back takes the end back with it.
        until = min(self.until, now + (self.until - self.seen))
        return Snooze(until, now) if now < until else None


def _next_morning(now: datetime, zone: tzinfo | None) -> datetime:
    earliest, day = now.timestamp() + SHORTEST_NIGHT.total_seconds(), now.astimezone(zone).date()
    while (morning := _morning(day, zone)).timestamp() < earliest:
        day += timedelta(days=1)
    return morning


def _morning(day: date, zone: tzinfo | None) -> datetime:
    wall = datetime.combine(day, time(MORNING))
    return wall.replace(tzinfo=zone) if zone else wall.astimezone()
