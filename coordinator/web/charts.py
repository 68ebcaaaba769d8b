"""Draws curves, bars and calendars as SVG on the server, for readers without scripts as well."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from markupsafe import Markup

from coordinator.web.wording import day as written_day
from coordinator.web.wording import short, whole
from core.contribution.year import WEEKS, CalendarDay, YearCalendar

_WIDTH, _HEIGHT = 560, 210
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 8, 10, 26
_TICKS = 4
_LEAST_DAYS, _MOST_DAYS = 14, 90
_PITCH, _SIDE = 14, 11
"""Distance of two days of a calendar, and the side of each."""
_ABOVE, _BESIDE = 20, 34
"""Room for the names of months and of days of the week."""
_WEEKDAYS = {0: "Mon", 2: "Wed", 4: "Fri", 6: "Sun"}

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Scale:
    """Labels of a chart's axis, and bounds of its values."""

    written: Callable[[float], str]
    counts: bool = False
    """True if only whole numbers label the axis."""
    from_zero: bool = False
    most: float = math.inf
    """Largest possible value: a rank, drawn as its negative, is -1 at best."""

    def ticks(self, low: float, high: float) -> list[float]:
        """Return round numbers that enclose the values between ``low`` and ``high``."""
        if self.from_zero:
            low = min(0.0, low)
        return [tick for tick in _ticks(low, high, 1.0 if self.counts else 0.0) if tick <= self.most]


def curve(
    points: Points, title: str, colour: str, scale: Scale, placed: Callable[[float], str] = whole
) -> Markup:
    """Draw a curve of (x, y), x ascending; ``colour`` is a CSS class; ``placed`` formats the ends of x."""
    if len(points) < 2:
        return Markup('<div class="empty">The curve begins with its second point.</div>')
    span = (points[0][0], points[-1][0])
    values = [value for _, value in points]
    ticks = scale.ticks(min(values), max(values))
    low, high = min(ticks[0], *values), max(ticks[-1], *values)

    def place(x: float, value: float) -> str:
        across = _LEFT + (x - span[0]) / (span[1] - span[0]) * (_WIDTH - _LEFT - _RIGHT)
        return f"{across:.1f},{_height(value, low, high):.1f}"

    first, last = placed(span[0]), placed(span[1])
    label = f"{title}: {scale.written(values[0])} at {first}, {scale.written(values[-1])} at {last}"
    drawn = Markup('<polyline class="curve {}" points="{}"/>').format(
        colour, " ".join(place(*point) for point in points)
    )
    return _chart(label, (*_grid(ticks, low, high, scale.written), drawn), first, last)


def bars(values: Sequence[tuple[date, int]], today: date) -> Markup:
    """Draw a bar for each day from the first with a value; 14 days at least, and 90 at most."""
    since = min((day for day, value in values if value), default=today)
    days = min(_MOST_DAYS, max(_LEAST_DAYS, (today - since).days + 1))
    first = today - timedelta(days=days - 1)
    known = {day: value for day, value in values if value and first <= day <= today}
    ticks = Scale(short, counts=True, from_zero=True).ticks(0, max(known.values(), default=1))
    step = (_WIDTH - _LEFT - _RIGHT) / days
    drawn = (
        _bar(_LEFT + step * ((day - first).days + 0.14), step * 0.72, value, ticks[-1], day)
        for day, value in sorted(known.items())
    )
    label = f"Samples a day, {whole(max(known.values(), default=0))} at most"
    return _chart(label, (*_grid(ticks, 0, ticks[-1], short), *drawn), written_day(first), "today")


def _bar(x: float, width: float, value: int, high: float, day: date) -> Markup:
    bottom = _HEIGHT - _BOTTOM
    height = max(2.0, bottom - _height(value, 0, high))
    return Markup(
        '<rect class="c1" x="{}" y="{}" width="{}" height="{}" rx="1.5"><title>{}</title></rect>'
    ).format(
        f"{x:.1f}",
        f"{bottom - height:.1f}",
        f"{width:.1f}",
        f"{height:.1f}",
        f"{written_day(day)}: {whole(value)} samples",
    )


def year(calendar: YearCalendar, label: str, told: Callable[[CalendarDay], str]) -> Markup:
    """Draw a square for each day of a calendar, a column for each week.

    Args:
        calendar: days with their levels, which are CSS classes from ``v0`` to ``v4``.
        label: description of the whole drawing.
        told: words about one day, shown under the pointer.
    """
    size = _BESIDE + WEEKS * _PITCH, _ABOVE + 7 * _PITCH
    head = Markup('<svg viewBox="0 0 {} {}" role="img" aria-label="{}">').format(*size, label)
    squares = (
        _square(week, number, day, told(day))
        for week, days in enumerate(calendar.weeks)
        for number, day in enumerate(days)
    )
    return Markup("").join((head, *_calendar_names(calendar), *squares, Markup("</svg>")))


def _calendar_names(calendar: YearCalendar) -> Iterator[Markup]:
    """Yield the names of the months, above, and of some days of the week, at the left."""
    text = Markup('<text x="{}" y="{}">{}</text>')
    for week, first in calendar.months:
        yield text.format(_BESIDE + week * _PITCH, _ABOVE - 7, f"{first:%b}")
    for number, name in _WEEKDAYS.items():
        yield text.format(0, _ABOVE + number * _PITCH + _SIDE - 1, name)


def _square(week: int, number: int, day: CalendarDay, words: str) -> Markup:
    return Markup(
        '<rect class="v{}" x="{}" y="{}" width="{}" height="{}" rx="2.5"><title>{}</title></rect>'
    ).format(day.level, _BESIDE + week * _PITCH, _ABOVE + number * _PITCH, _SIDE, _SIDE, words)


def _chart(label: str, parts: Sequence[Markup], first: str, last: str) -> Markup:
    head = Markup('<svg viewBox="0 0 {} {}" role="img" aria-label="{}">').format(_WIDTH, _HEIGHT, label)
    return Markup("").join((head, *parts, *_ends(first, last), Markup("</svg>")))


def _height(value: float, low: float, high: float) -> float:
    return _TOP + (high - value) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)


def _grid(
    ticks: Sequence[float], low: float, high: float, written: Callable[[float], str]
) -> Iterator[Markup]:
    for tick in ticks:
        y = f"{_height(tick, low, high):.1f}"
        yield Markup('<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/>').format(
            _LEFT, _WIDTH - _RIGHT, y, y
        )
        yield Markup('<text x="{}" y="{}" dy="4" text-anchor="end">{}</text>').format(
            _LEFT - 8, y, written(tick)
        )


def _ends(first: str, last: str) -> Iterator[Markup]:
    text = Markup('<text x="{}" y="{}" text-anchor="{}">{}</text>')
    yield text.format(_LEFT, _HEIGHT - 6, "start", first)
    yield text.format(_WIDTH - _RIGHT, _HEIGHT - 6, "end", last)


def _ticks(low: float, high: float, least: float) -> list[float]:
    """Return round numbers, at least ``least`` apart, from at most ``low`` to at least ``high``."""
    if high <= low:
        low, high = low - abs(low) * 0.05 - 0.5e-3, high + abs(high) * 0.05 + 0.5e-3
    raw = (high - low) / _TICKS
    unit = 10.0 ** math.floor(math.log10(raw))
    step = max(least, next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= raw))
    first = math.floor(low / step)
    return [step * number for number in range(first, math.ceil(high / step) + 1)]
