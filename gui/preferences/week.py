"""The hours of a week as a value of all minutes, converted from and to a schedule."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

from client.api.choices import Schedule, Span

DAYS, HOURS = 7, 24
_HOUR = 60
_DAY = HOURS * _HOUR
_WEEK = DAYS * _DAY
_OFF, _ON = b"\0", b"\1"

Cell = tuple[int, int]
"""Day, from Monday as 0, and hour."""


@dataclass(frozen=True)
class Week:
    """The allowed minutes; hours that are not painted keep their minutes."""

    minutes: bytes

    @classmethod
    def of(cls, schedule: Schedule) -> Self:
        if not schedule.spans:
            return cls(_ON * _WEEK)
        minutes = bytearray(_WEEK)
        for span in schedule.spans:
            for day in span.days:
                _fill(minutes, day * _DAY + span.start, (span.end - span.start - 1) % _DAY + 1)
        return cls(bytes(minutes))

    def share(self, cell: Cell) -> float:
        """Return the allowed share of an hour, 0 to 1."""
        start = _start(cell)
        return sum(self.minutes[start : start + _HOUR]) / _HOUR

    def painted(self, cells: Iterable[Cell], allowed: bool) -> "Week":
        """Return the week with these whole hours allowed, or forbidden if ``allowed`` is false."""
        minutes = bytearray(self.minutes)
        for cell in cells:
            start = _start(cell)
            minutes[start : start + _HOUR] = (_ON if allowed else _OFF) * _HOUR
        return Week(bytes(minutes))

    @property
    def is_empty(self) -> bool:
        """True if nothing is allowed, which no schedule can express."""
        return _ON not in self.minutes

    def schedule(self) -> Schedule:
        """Return the schedule of the week; days with equal times share a span. Raise ValueError if it `is_empty`."""
        if self.is_empty:
            raise ValueError("no hour of the week is allowed")
        if _OFF not in self.minutes:
            return Schedule()
        days: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for start, length in self._runs():
            for day, begin, end in _pieces(start, length):
                days[begin, end].append(day)
        spans = [Span(tuple(sorted(on)), begin, end) for (begin, end), on in days.items()]
        return Schedule(tuple(sorted(spans, key=lambda span: (span.days[0], span.start))))

    def _runs(self) -> Iterator[tuple[int, int]]:
        """Yield start and length of each allowed period; Sunday's last minute is followed by Monday's first."""
        first_off = self.minutes.index(_OFF)
        turned = self.minutes[first_off:] + self.minutes[:first_off]
        start = turned.find(_ON)
        while start >= 0:
            end = turned.find(_OFF, start)
            end = end if end >= 0 else _WEEK
            yield (first_off + start) % _WEEK, end - start
            start = turned.find(_ON, end)


def _start(cell: Cell) -> int:
    day, hour = cell
    return day * _DAY + hour * _HOUR


def _fill(minutes: bytearray, start: int, length: int) -> None:
    end = min(start + length, _WEEK)
    minutes[start:end] = _ON * (end - start)
    rest = start + length - end
    minutes[:rest] = _ON * rest


def _pieces(start: int, length: int) -> Iterator[tuple[int, int, int]]:
    """Split a period into spans of day, begin and end: one over midnight, or whole days between its ends."""
    while length > 0:
        day, begin = divmod(start % _WEEK, _DAY)
        crosses = begin + length > _DAY > length
        taken = length if crosses else min(length, _DAY - begin)
        yield day, begin, begin + taken - (_DAY if crosses else 0)
        start, length = start + taken, length - taken
