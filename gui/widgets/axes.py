"""The axes of a chart: round marks, and the mapping between values and places."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QPointF, QRectF

from gui.wording import amounts

ChartPoint = tuple[float, float]
FormatMark = Callable[[float], str]


def ticks(low: float, high: float, most: int) -> tuple[float, ...]:
    """Return at most ``most`` round marks from low to high; a single value has one mark. Both must be finite."""
    if most < 1 or not (math.isfinite(low) and math.isfinite(high)):
        return ()
    if high <= low:
        return (float(low),)
    step = nice_step((high - low) / max(most, 1))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return tuple(number * step for number in range(first, last + 1))


def nice_step(least: float) -> float:
    """Return the smallest round step that is not smaller than ``least``."""
    power = 10.0 ** math.floor(math.log10(least))
    return next((factor * power for factor in (1, 2, 5) if factor * power >= least * (1 - 1e-9)), 10 * power)


def digits(step: float) -> int:
    """Return the number of decimals that distinguish marks of that distance."""
    return max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0


def around(low: float, high: float, most: int) -> tuple[float, float]:
    """Return the range widened to round numbers; an empty range gets some room."""
    if high <= low:
        room = abs(low) * 0.1 or 1.0
        low, high = low - room, high + room
    step = nice_step((high - low) / max(most, 1))
    return math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step


@dataclass(frozen=True)
class Axis:
    """One direction of a chart."""

    low: float
    high: float
    marks: tuple[float, ...] = ()
    words: FormatMark = field(default=str)
    """Function that formats the label of a mark."""
    exact: FormatMark = field(default=str)
    """Formats a value for the readout, more precisely than the marks."""
    inverted: bool = False
    """True if small values are on top, as for ranks."""

    def share(self, value: float) -> float:
        """Return the position of a value along the axis, 0 to 1."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return 1 - share if self.inverted else share


NOTHING = Axis(0, 1)
"""Axis of a chart without values."""
_FINER = 2
"""Number of decimals by which values are more precise than marks."""


def along(values: Sequence[float], most: int, words: FormatMark | None = None) -> Axis:
    """Return the horizontal axis, from the first to the last value."""
    return _axis(min(values), max(values), most, values, words)


def upright(
    values: Sequence[float], most: int, words: FormatMark | None = None, *, zero: bool = False, inverted: bool = False
) -> Axis:  # fmt: skip
    """Return the vertical axis, between round numbers.

    The axis begins at zero if ``zero``, and at the first rank, on top, if ``inverted``.
    """
    low, high = min(values), max(values)
    if zero:
        low, high = 0.0, high if high > 0 else 1.0
    axis = _axis(*around(low, high, most), most, values, words)
    if not inverted:
        return axis
    first = max(axis.low, 1.0)
    marks = (first, *(mark for mark in axis.marks if mark > first))
    return replace(axis, low=first, marks=marks, inverted=True)


def _axis(low: float, high: float, most: int, values: Sequence[float], words: FormatMark | None) -> Axis:
    marks = ticks(low, high, most)
    whole = _are_whole(values)
    if whole:
        # Epochs and ranks are whole numbers.
        marks = tuple(mark for mark in marks if mark.is_integer())
    step = marks[1] - marks[0] if len(marks) > 1 else 1.0
    places = 0 if whole or _are_whole(marks) else digits(step)
    finer = 0 if whole else places + _FINER
    return Axis(low, high, marks, words or _decimals(places), words or _decimals(finer))


def _decimals(places: int) -> FormatMark:
    return lambda value: amounts.decimal(value, places)


def _are_whole(values: Sequence[float]) -> bool:
    return all(float(value).is_integer() for value in values)


def finite(points: Sequence[ChartPoint]) -> list[ChartPoint]:
    """Return the points with finite coordinates."""
    return [point for point in points if math.isfinite(point[0]) and math.isfinite(point[1])]


def stretches(points: Sequence[ChartPoint]) -> list[list[ChartPoint]]:
    """Return the pieces of a curve between its gaps."""
    pieces: list[list[ChartPoint]] = [[]]
    for point in points:
        if math.isfinite(point[0]) and math.isfinite(point[1]):
            pieces[-1].append(point)
        elif pieces[-1]:
            pieces.append([])
    return [piece for piece in pieces if piece]


def thinned(points: Sequence[QPointF]) -> list[QPointF]:
    """Return a curve with the same look and fewer points: for each pixel the first, the extremes and the last."""
    kept: list[QPointF] = []
    start = 0
    for end in range(1, len(points) + 1):
        if end < len(points) and int(points[end].x()) == int(points[start].x()):
            continue
        here = range(start, end)
        chosen = {
            start,
            end - 1,
            min(here, key=lambda i: points[i].y()),
            max(here, key=lambda i: points[i].y()),
        }
        kept.extend(points[i] for i in sorted(chosen))
        start = end
    return kept


def place(frame: QRectF, across: float, up: float) -> QPointF:
    """Return the point at these shares of width and height, each 0 to 1."""
    return QPointF(frame.left() + across * frame.width(), frame.bottom() - up * frame.height())
