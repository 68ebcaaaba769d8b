"""Draws a curve as SVG for a cell of a notebook, without a library of figures."""

import math
from collections.abc import Callable, Iterator, Sequence
from html import escape

_WIDTH, _HEIGHT = 640, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 10, 12, 26
_TICKS = 4
_GRID = "rgba(128,128,128,.3)"

CurvePoints = Sequence[tuple[float, float]]


def curve(points: CurvePoints, title: str, colour: str, written: Callable[[float], str]) -> str:
    """Return a figure with a curve as HTML.

    Args:
        points: Pairs of epoch and value, by rising epoch; at least two with different epochs.
        title: Name of the values, as text.
        colour: Colour of the curve, as CSS writes it.
        written: Returns the text of a value, for the axis.
    """
    first, last = points[0][0], points[-1][0]
    ticks = _ticks(min(value for _, value in points), max(value for _, value in points))
    low, high = ticks[0], ticks[-1]

    def place(epoch: float, value: float) -> str:
        across = _LEFT + (epoch - first) / (last - first) * (_WIDTH - _LEFT - _RIGHT)
        return f"{across:.1f},{_height(value, low, high):.1f}"

    line = " ".join(place(*point) for point in points)
    label = f"{title}: {written(points[0][1])} at epoch {first:,.0f}, {written(points[-1][1])} at {last:,.0f}"
    ends = _text(_LEFT, _HEIGHT - 6, "start", f"epoch {first:,.0f}") + _text(
        _WIDTH - _RIGHT, _HEIGHT - 6, "end", f"{last:,.0f}"
    )
    return (
        f'<figure style="margin:.6rem 0;max-width:{_WIDTH}px"><figcaption>{escape(title)}</figcaption>'
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="100%" role="img" aria-label="{escape(label)}" fill="none">'
        f"{''.join(_grid(ticks, low, high, written))}"
        f'<polyline points="{line}" stroke="{colour}" stroke-width="2" stroke-linejoin="round"/>{ends}</svg></figure>'
    )


def _grid(ticks: Sequence[float], low: float, high: float, written: Callable[[float], str]) -> Iterator[str]:
    for tick in ticks:
        y = _height(tick, low, high)
        yield f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="{_GRID}"/>'
        yield _text(_LEFT - 8, y + 4, "end", written(tick))


def _text(x: float, y: float, anchor: str, text: str) -> str:
    return (
        f'<text x="{x:.0f}" y="{y:.1f}" text-anchor="{anchor}" font-size="12" fill="currentColor" '
        f'opacity=".75">{escape(text)}</text>'
    )


def _height(value: float, low: float, high: float) -> float:
    return _TOP + (high - value) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)


def _ticks(low: float, high: float) -> list[float]:
    """Return round numbers from at most ``low`` to at least ``high``."""
    if high <= low:
        low, high = low - abs(low) * 0.05 - 0.5e-3, high + abs(high) * 0.05 + 0.5e-3
    raw = (high - low) / _TICKS
    unit = 10.0 ** math.floor(math.log10(raw))
    step = next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= raw)
    return [step * number for number in range(math.floor(low / step), math.ceil(high / step) + 1)]
