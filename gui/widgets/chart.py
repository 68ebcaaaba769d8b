"""Charts of a series of values: a line through points, or bars."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QWidget

from gui.design.theme import current
from gui.design.tokens import mix
from gui.widgets.axes import (
    NOTHING,
    ChartPoint,
    FormatMark,
    along,
    finite,
    place,
    stretches,
    thinned,
    upright,
)
from gui.widgets.plot import Plot

_LINE = 2.0
_MANY = 400
"""Number of points from which the shape of their joints is invisible."""
_DOT = 4.5
_WIDEST_BAR = 44.0
_GAP = 0.3
"""Gap between bars, as a share of the room of each bar."""
_CORNER = 4.0


class LineChart(Plot):
    """A line chart; values that are not finite leave a gap."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._points: Sequence[ChartPoint] = ()
        self._known: list[ChartPoint] = []
        self._words: tuple[FormatMark | None, FormatMark | None] = (None, None)
        self._inverted = False
        self._curve: tuple[QRectF, list[list[QPointF]]] | None = None

    def set_series(
        self, points: Sequence[ChartPoint], x_label: str = "", y_label: str = "", *,
        x_text: FormatMark | None = None, y_text: FormatMark | None = None, inverted: bool = False,
    ) -> None:  # fmt: skip
        """Set points by rising x; numbers are formatted by the locale or by ``x_text`` and ``y_text``."""
        self._points, self._known = points, finite(points)
        self._words, self._inverted = (x_text, y_text), inverted
        self.name_axes(x_label, y_label)
        self.renew()

    def count(self) -> int:
        return len(self._known)

    def position(self, index: int) -> QPointF:
        return self._place(self._known[index], self.frame())

    def readout(self, index: int) -> tuple[str, str]:
        at, value = self._known[index]
        return f"{self.x_label} {self.x_axis.exact(at)}".strip(), self.y_axis.exact(value)

    def summary(self) -> str:
        at, height = self.x_axis.exact, self.y_axis.exact
        first, last = self._known[0], self._known[-1]
        heights = [value for _, value in self._known]
        text = self.tr(
            "From {first} at {start} to {last} at {end}. The lowest is {low}, the highest "
            "{high}. Use the arrow keys to read single values."
        )
        return text.format(
            first=height(first[1]), start=at(first[0]), last=height(last[1]), end=at(last[0]),
            low=height(min(heights)), high=height(max(heights)),
        )  # fmt: skip

    def measure(self, across: int, up: int) -> None:
        self._curve = None
        if self._known:
            self.x_axis = along([at for at, _ in self._known], across, self._words[0])
            heights = [value for _, value in self._known]
            self.y_axis = upright(heights, up, self._words[1], inverted=self._inverted)

    def ticks(self, frame: QRectF) -> list[tuple[float, str]]:
        return [
            (place(frame, self.x_axis.share(mark), 0).x(), self.x_axis.words(mark))
            for mark in self.x_axis.marks
        ]

    def paint_values(self, painter: QPainter, frame: QRectF) -> None:
        palette = current().palette
        for stretch in self._drawn(frame):
            _paint_curve(painter, stretch)
        # The brush stroke of the logo marks the latest value.
        _paint_dot(painter, self._place(self._known[-1], frame), palette.vermilion)
        if self.read is not None:
            at = self._place(self._known[self.read], frame)
            x = round(at.x()) + 0.5
            painter.setPen(QColor(palette.control))
            painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()))
            _paint_dot(painter, at, palette.accent)

    def _drawn(self, frame: QRectF) -> list[list[QPointF]]:
        """Return the curve in widget coordinates, which are cached while the pointer moves across it."""
        if self._curve is None or self._curve[0] != frame:
            pieces = stretches(self._points)
            self._curve = frame, [thinned([self._place(point, frame) for point in piece]) for piece in pieces]
        return self._curve[1]

    def _place(self, point: ChartPoint, frame: QRectF) -> QPointF:
        return place(frame, self.x_axis.share(point[0]), self.y_axis.share(point[1]))


@dataclass(frozen=True)
class ChartBar:
    """One bar of a bar chart."""

    label: str
    """Text below the bar, if there is room."""
    value: float
    """Height of the bar, at least zero; a value that is not finite has no bar."""
    tip: str = ""
    """Text of the readout; empty for label and value."""


class BarChart(Plot):
    """A bar chart from zero."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bars: Sequence[ChartBar] = ()

    def set_bars(self, bars: Sequence[ChartBar], y_label: str = "") -> None:
        """Set the bars from left to right; values are formatted by the locale."""
        self._bars = bars
        self.name_axes("", y_label)
        self.renew()

    def count(self) -> int:
        return len(self._bars)

    def position(self, index: int) -> QPointF:
        bar = self._bar(index, self.frame())
        return QPointF(bar.center().x(), bar.top())

    def readout(self, index: int) -> tuple[str, str]:
        bar = self._bars[index]
        value, _, rest = bar.tip.partition("\n")
        return (rest or bar.label, value) if bar.tip else (bar.label, self.y_axis.exact(_height(bar)))

    def summary(self) -> str:
        best = max(self._bars, key=_height)
        text = self.tr(
            "%Ln value(s) from {start} to {end}. The highest is {high} at {best}. Use the arrow "
            "keys to read single values.",
            "",
            len(self._bars),
        )
        return text.format(
            start=self._bars[0].label,
            end=self._bars[-1].label,
            high=self.y_axis.exact(_height(best)),
            best=best.label,
        )

    def measure(self, across: int, up: int) -> None:
        self.y_axis = upright([_height(bar) for bar in self._bars], up, zero=True) if self._bars else NOTHING

    def ticks(self, frame: QRectF) -> list[tuple[float, str]]:
        return [(self._bar(index, frame).center().x(), bar.label) for index, bar in enumerate(self._bars)]

    def paint_values(self, painter: QPainter, frame: QRectF) -> None:
        palette = current().palette
        for index, bar in enumerate(self._bars):
            if _height(bar) > 0:
                others = self.read is not None and self.read != index
                colour = mix(palette.accent, palette.raised, 0.45) if others else palette.accent
                painter.fillPath(_rounded(self._bar(index, frame)), QColor(colour))

    def _bar(self, index: int, frame: QRectF) -> QRectF:
        pitch = frame.width() / len(self._bars)
        width = min(max(pitch * (1 - _GAP), 1.0), _WIDEST_BAR)
        height = self.y_axis.share(_height(self._bars[index])) * frame.height()
        left = frame.left() + pitch * (index + 0.5) - width / 2
        return QRectF(left, frame.bottom() - height, width, height)


def _height(bar: ChartBar) -> float:
    return max(bar.value, 0.0) if math.isfinite(bar.value) else 0.0


def _rounded(bar: QRectF) -> QPainterPath:
    """Return the outline of a bar with round upper corners."""
    corner = min(_CORNER, bar.width() / 2, bar.height())
    path = QPainterPath()
    path.setFillRule(path.fillRule().WindingFill)
    path.addRoundedRect(bar, corner, corner)
    path.addRect(bar.adjusted(0, corner, 0, 0))
    return path


def _paint_curve(painter: QPainter, points: Sequence[QPointF]) -> None:
    """Paint single lines, because joined lines take Qt fifty times as long: 0.2 s for a dense curve."""
    many = len(points) > _MANY
    ends = Qt.PenCapStyle.SquareCap if many else Qt.PenCapStyle.RoundCap
    painter.setPen(QPen(QColor(current().palette.accent), _LINE, Qt.PenStyle.SolidLine, ends))
    if len(points) == 1:
        painter.drawPoint(points[0])
    painter.drawLines([QLineF(start, end) for start, end in pairwise(points)])


def _paint_dot(painter: QPainter, at: QPointF, colour: str) -> None:
    painter.setPen(QPen(QColor(current().palette.raised), _LINE))
    painter.setBrush(QColor(colour))
    painter.drawEllipse(at, _DOT, _DOT)
