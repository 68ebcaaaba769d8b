"""Between values and places in a chart: pure geometry, and no more points than there are pixels."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QPointF, QRectF

from gui.widgets.ticks import around, digits, ticks
from gui.wording import amounts

Point = tuple[float, float]
Words = Callable[[float], str]


@dataclass(frozen=True)
class Axis:
    """One direction of a chart."""

    low: float
    high: float
    marks: tuple[float, ...] = ()
    words: Words = field(default=str)
    """How a mark is written."""
    exact: Words = field(default=str)
    """How a value is read out: finer than the marks."""
    inverted: bool = False
    """Small values are high, as ranks are."""

    def share(self, value: float) -> float:
        """How far along the axis it lies, 0 to 1."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return 1 - share if self.inverted else share


NOTHING = Axis(0, 1)
"""Of a chart without values."""
_FINER = 2
"""Decimals that a value has more than the marks beside it."""


def along(values: Sequence[float], most: int, words: Words | None = None) -> Axis:
    """The horizontal axis: from the first to the last value."""
    return _axis(min(values), max(values), most, values, words)


def upright(
    values: Sequence[float], most: int, words: Words | None = None, *, zero: bool = False, inverted: bool = False
) -> Axis:  # fmt: skip
    """The vertical axis: between round numbers, from zero if it is to be so; ranks begin with the first."""
    low, high = min(values), max(values)
    if zero:
        low, high = 0.0, high if high > 0 else 1.0
    axis = _axis(*around(low, high, most), most, values, words)
    if not inverted:
        return axis
    first = max(axis.low, 1.0)
    marks = (first, *(mark for mark in axis.marks if mark > first))
    return replace(axis, low=first, marks=marks, inverted=True)


def _axis(low: float, high: float, most: int, values: Sequence[float], words: Words | None) -> Axis:
    marks = ticks(low, high, most)
    whole = _are_whole(values)
    if whole:
        # Epochs and ranks know no halves.
        marks = tuple(mark for mark in marks if mark.is_integer())
    step = marks[1] - marks[0] if len(marks) > 1 else 1.0
    places = 0 if whole or _are_whole(marks) else digits(step)
    finer = 0 if whole else places + _FINER
    return Axis(low, high, marks, words or _decimals(places), words or _decimals(finer))


def _decimals(places: int) -> Words:
    return lambda value: amounts.decimal(value, places)


def _are_whole(values: Sequence[float]) -> bool:
    return all(float(value).is_integer() for value in values)


def finite(points: Sequence[Point]) -> list[Point]:
    """Those that can be drawn."""
    return [point for point in points if math.isfinite(point[0]) and math.isfinite(point[1])]


def stretches(points: Sequence[Point]) -> list[list[Point]]:
    """The pieces of a curve between its gaps."""
    pieces: list[list[Point]] = [[]]
    for point in points:
        if math.isfinite(point[0]) and math.isfinite(point[1]):
            pieces[-1].append(point)
        elif pieces[-1]:
            pieces.append([])
    return [piece for piece in pieces if piece]


def thinned(points: Sequence[QPointF]) -> list[QPointF]:
    """The same curve to the eye: of all points over one pixel, the first, the extremes and the last."""
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
    """The point that lies so far to the right and so far up, both 0 to 1."""
    return QPointF(frame.left() + across * frame.width(), frame.bottom() - up * frame.height())
