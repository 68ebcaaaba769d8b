"""The picture that greets: a landscape in small strokes, coming out of noise as the model's own pictures do."""

import math
from random import Random

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

_COLUMNS, _ROWS = 20, 22

_SKY = ((38, 52, 150), (247, 178, 122))
_SUN, _GLOW = (255, 226, 150), (252, 146, 96)
_SEA, _SHORE, _HILL = (36, 92, 128), (24, 60, 78), (44, 38, 92)
_HORIZON, _SUN_AT = 0.62, (0.64, 0.50)

Colour = tuple[float, float, float]


class Mosaic(QWidget):
    """Fills its width; drawn once for each size."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(
            self.tr("A sunset over the sea, painted in small strokes that come out of noise")
        )
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(320, 352)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(200, 220)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        cell = min(self.width() / _COLUMNS, self.height() / _ROWS)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.translate((self.width() - cell * _COLUMNS) / 2, (self.height() - cell * _ROWS) / 2)
        draws = Random(20)
        for row in range(_ROWS):
            for column in range(_COLUMNS):
                _stroke(painter, column, row, cell, draws)


def _stroke(painter: QPainter, column: int, row: int, cell: float, draws: Random) -> None:
    x, y = (column + 0.5) / _COLUMNS, (row + 0.5) / _ROWS
    clarity = _clarity(y, draws)
    noise = QColor.fromHslF(draws.random(), 0.15 + 0.2 * draws.random(), 0.45 + 0.3 * draws.random())
    mixed = _mix((noise.red(), noise.green(), noise.blue()), _landscape(x, y, draws), clarity)
    side = cell * (0.34 + 0.58 * clarity) * (0.9 + 0.18 * draws.random())
    shift = (1 - clarity) * cell * 0.35
    painter.save()
    painter.translate(
        (column + 0.5) * cell + draws.uniform(-shift, shift),
        (row + 0.5) * cell + draws.uniform(-shift, shift),
    )
    painter.rotate(draws.gauss(0, 4 + 22 * (1 - clarity)))
    painter.setBrush(QColor(*(round(channel) for channel in mixed)))
    painter.drawRoundedRect(QRectF(-side / 2, -side * 0.46, side, side * 0.92), side / 5, side / 5)
    painter.restore()


def _clarity(along: float, draws: Random) -> float:
    """From 0, noise at the bottom, to 1, the picture; along a soft edge."""
    above = 1 - along + draws.uniform(-0.09, 0.09)
    return 1 / (1 + math.exp(-13 * (above - 0.22)))


def _landscape(x: float, y: float, draws: Random) -> Colour:
    far = math.dist((x * _COLUMNS / _ROWS, y), (_SUN_AT[0] * _COLUMNS / _ROWS, _SUN_AT[1]))
    hill = (
        _HORIZON
        - 0.02
        - 0.13 * math.exp(-(((x - 0.96) / 0.16) ** 2))
        - 0.08 * math.exp(-(((x - 0.26) / 0.2) ** 2))
    )
    if y < _HORIZON:
        if far < 0.105:
            return _varied(_SUN, 6, draws)
        if y > hill:
            return _varied(_HILL, 9, draws)
        sky = _mix(_SKY[0], _SKY[1], (y / _HORIZON) ** 1.35)
        return _varied(_mix(sky, _GLOW, 0.75 * math.exp(-far * 4.2)), 9, draws)
    if y > 0.92 + 0.04 * math.sin(7 * x):
        return _varied(_SHORE, 8, draws)
    glint = math.exp(-(((x - _SUN_AT[0]) / (0.06 + 0.24 * (y - _HORIZON))) ** 2)) * (
        0.5 + 0.5 * draws.random()
    )
    return _varied(_mix(_mix(_SEA, _SKY[1], 0.35 * (0.9 - y)), _SUN, glint), 10, draws)


def _mix(one: Colour, other: Colour, share: float) -> Colour:
    red, green, blue = (a + (b - a) * share for a, b in zip(one, other, strict=True))
    return red, green, blue


def _varied(colour: Colour, by: float, draws: Random) -> Colour:
    shift = draws.gauss(0, by)
    red, green, blue = (min(255.0, max(0.0, value + shift)) for value in colour)
    return red, green, blue
