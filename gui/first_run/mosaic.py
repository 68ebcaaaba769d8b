"""The picture beside the first run: a landscape of small strokes that emerges from noise with each step."""

import math
from functools import lru_cache
from random import Random

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QFrame, QWidget

_CELL = 22
"""Size of a stroke's cell in logical pixels; cells cover the whole widget."""
_SKY = ((38, 52, 150), (247, 178, 122))
_SUN, _GLOW = (255, 226, 150), (252, 146, 96)
_SEA, _SHORE, _HILL = (36, 92, 128), (24, 60, 78), (44, 38, 92)
_HORIZON, _SUN_AT = 0.62, (0.64, 0.50)

_Colour = tuple[float, float, float]


class Mosaic(QFrame):
    """Paints the picture, which emerges from noise from top to bottom with the progress."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._progress = 0.0
        self._drawn = QPixmap()
        self.setAccessibleName(
            self.tr("A sunset over the sea in small brush strokes, which emerges from noise")
        )

    def set_progress(self, progress: float) -> None:
        """Set the progress, from 0 (nearly all noise) to 1 (the whole picture)."""
        if progress != self._progress:
            self._progress = progress
            self._drawn = QPixmap()
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        ratio = self.devicePixelRatioF()
        size = (self.size().toSizeF() * ratio).toSize()
        if self._drawn.size() != size:
            self._drawn = QPixmap.fromImage(_painted(size.width(), size.height(), ratio, self._progress))
        QPainter(self).drawPixmap(0, 0, self._drawn)


@lru_cache(maxsize=4)
def _painted(width: int, height: int, ratio: float, progress: float) -> QImage:
    """Return the picture in a size in pixels; painted once for a user who goes back and forth."""
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    _paint(image, width / ratio, height / ratio, progress)
    return image


def _paint(onto: QImage, width: float, height: float, progress: float) -> None:
    columns = max(1, round(width / _CELL))
    cell = width / columns
    rows = math.ceil(height / cell)
    painter = QPainter(onto)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    for row in range(rows):
        for column in range(columns):
            draws = Random(row * 1000 + column)  # the same stroke at every size
            x, y = (column + 0.5) / columns, (row + 0.5) / rows
            clarity = _clarity(y, progress, draws)
            painter.save()
            painter.translate((column + 0.5) * cell, (row + 0.5) * cell)
            _stroke(painter, cell, clarity, _coloured(x, y, clarity, columns / rows, draws), draws)
            painter.restore()
    painter.end()


def _stroke(painter: QPainter, cell: float, clarity: float, colour: QColor, draws: Random) -> None:
    side = cell * (0.34 + 0.58 * clarity) * (0.9 + 0.18 * draws.random())
    shift = (1 - clarity) * cell * 0.35
    painter.translate(draws.uniform(-shift, shift), draws.uniform(-shift, shift))
    painter.rotate(draws.gauss(0, 4 + 22 * (1 - clarity)))
    painter.setBrush(colour)
    painter.drawRoundedRect(QRectF(-side / 2, -side * 0.46, side, side * 0.92), side / 5, side / 5)


def _clarity(down: float, progress: float, draws: Random) -> float:
    """Return a stroke's clarity, 0 (noise) to 1 (picture), along a soft edge that moves down with the progress."""
    edge = 0.1 + 1.15 * progress
    return 1 / (1 + math.exp(-11 * (edge - down + draws.uniform(-0.09, 0.09))))


def _coloured(x: float, y: float, clarity: float, shape: float, draws: Random) -> QColor:
    noise = QColor.fromHslF(draws.random(), 0.15 + 0.2 * draws.random(), 0.45 + 0.3 * draws.random())
    picture = _landscape(x, y, shape, draws)
    red, green, blue = _mix((noise.red(), noise.green(), noise.blue()), picture, clarity)
    return QColor(round(red), round(green), round(blue))


def _landscape(x: float, y: float, shape: float, draws: Random) -> _Colour:
    """Return the picture's colour at a place; ``shape`` is the ratio of width to height."""
    far = math.dist((x * shape, y), (_SUN_AT[0] * shape, _SUN_AT[1]))
    hill = (
        _HORIZON
        - 0.02
        - 0.13 * math.exp(-(((x - 0.96) / 0.16) ** 2))
        - 0.08 * math.exp(-(((x - 0.26) / 0.2) ** 2))
    )
    if y < _HORIZON:
        if far < 0.075:
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


def _mix(one: _Colour, other: _Colour, share: float) -> _Colour:
    red, green, blue = (a + (b - a) * share for a, b in zip(one, other, strict=True))
    return red, green, blue


def _varied(colour: _Colour, by: float, draws: Random) -> _Colour:
    shift = draws.gauss(0, by)
    red, green, blue = (min(255.0, max(0.0, value + shift)) for value in colour)
    return red, green, blue
