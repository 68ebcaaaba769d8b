"""Draws curves as SVG on the server: what readers without scripts see, in the place of the live charts."""

import math
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta

from markupsafe import Markup

from coordinator.web.wording import day as written_day
from coordinator.web.wording import whole

_WIDTH, _HEIGHT = 560, 210
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 8, 10, 26
_TICKS = 4
_BARS = 120

Points = Sequence[tuple[float, float]]


def curve(
    points: Points,
    title: str,
    colour: str,
    written: Callable[[float], str],
    placed: Callable[[float], str] = whole,
    *,
    counts: bool = False,
) -> Markup:
    """A curve of (x, y), x ascending; ``colour`` is a class; ``written`` writes values, ``placed`` the ends of x.

    Of values that are ``counts`` only whole ones are on the axis.
    """
    if len(points) < 2:
        return Markup('<div class="empty">The curve begins with its second point.</div>')
    span = (points[0][0], points[-1][0])
    values = [value for _, value in points]
    ticks = _ticks(min(values), max(values), 1.0 if counts else 0.0)
    low, high = min(ticks[0], *values), max(ticks[-1], *values)

    def place(epoch: float, value: float) -> tuple[float, float]:
        x = _LEFT + (epoch - span[0]) / (span[1] - span[0]) * (_WIDTH - _LEFT - _RIGHT)
        y = _TOP + (high - value) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)
        return x, y

    drawn = " ".join("{:.1f},{:.1f}".format(*place(*point)) for point in points)
    first, last = placed(span[0]), placed(span[1])
    label = f"{title}: {written(values[0])} at {first}, {written(values[-1])} at {last}"
    return Markup("").join(
        (
            Markup('<svg viewBox="0 0 {} {}" role="img" aria-label="{}">').format(_WIDTH, _HEIGHT, label),
            *_grid(ticks, place, span[0], written),
            *_ends(first, last),
            Markup('<polyline class="curve {}" points="{}"/></svg>').format(colour, drawn),
        )
    )


def _grid(
    ticks: Sequence[float],
    place: Callable[[float, float], tuple[float, float]],
    first: float,
    written: Callable[[float], str],
) -> Iterator[Markup]:
    for tick in ticks:
        y = f"{place(first, tick)[1]:.1f}"
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


def bars(values: Sequence[tuple[date, int]], today: date, days: int = 90) -> Markup:
    """A bar for each of the last days; those without a value stay empty."""
    known = dict(values)
    most = max(known.values(), default=0) or 1
    first = today - timedelta(days=days - 1)
    step = (_WIDTH - _RIGHT) / days
    drawn = [
        Markup(
            '<rect class="c1" x="{}" y="{}" width="{}" height="{}" rx="1.5"><title>{}</title></rect>'
        ).format(
            f"{number * step:.1f}",
            f"{_BARS - height:.1f}",
            f"{step * 0.72:.1f}",
            f"{height:.1f}",
            f"{written_day(day)}: {whole(known[day])} samples",
        )
        for number, day in ((number, first + timedelta(days=number)) for number in range(days))
        if known.get(day) and (height := max(3.0, known[day] / most * (_BARS - 8)))
    ]
    label = f"Samples a day, {whole(most)} at most"
    return Markup("").join(
        (
            Markup('<svg viewBox="0 0 {} {}" role="img" aria-label="{}">').format(_WIDTH, _BARS + 24, label),
            Markup('<line class="grid" x1="0" x2="{}" y1="{}" y2="{}"/>').format(_WIDTH, _BARS, _BARS),
            *drawn,
            Markup('<text x="0" y="{}">{}</text>').format(_BARS + 18, written_day(first)),
            Markup('<text x="{}" y="{}" text-anchor="end">today</text></svg>').format(_WIDTH, _BARS + 18),
        )
    )


def _ticks(low: float, high: float, least: float) -> list[float]:
    """Round numbers, at least so far apart, that reach from at most ``low`` to at least ``high``."""
    if high <= low:
        low, high = low - abs(low) * 0.05 - 0.5e-3, high + abs(high) * 0.05 + 0.5e-3
    raw = (high - low) / _TICKS
    unit = 10.0 ** math.floor(math.log10(raw))
    step = max(least, next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= raw))
    first = math.floor(low / step)
    return [step * number for number in range(first, math.ceil(high / step) + 1)]
