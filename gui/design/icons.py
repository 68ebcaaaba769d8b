"""The project's own icons, in the colours of the theme: drawn as SVG on a grid of 24 pixels."""

from enum import Enum

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from gui.design.assets import asset
from gui.design.theme import current
from gui.design.tokens import mix

_SIZES = (16, 20, 24, 32, 40, 48)
"""Icon sizes in device pixels, for the app's sizes at 100, 150 and 200 %."""
TRAY_SIZES = (16, 22, 24, 32, 44, 48, 64)


def icon(name: str, colour: str | None = None) -> QIcon:
    """Return an icon in that colour, or in the theme's colour for text.

    The icon must be fetched again after a change of theme.
    """
    palette = current().palette
    colour = colour or palette.soft
    modes = {  # the two other modes use the normal one
        QIcon.Mode.Normal: colour,
        QIcon.Mode.Disabled: mix(palette.faint, palette.paper, 0.5),
    }
    made = QIcon()
    for mode, tone in modes.items():
        for size in _SIZES:
            made.addPixmap(_drawn(f"icons/{name}", size, tone), mode)
    return made


def pixmap(name: str, size: int, colour: str | None = None, scale: float = 1.0) -> QPixmap:
    """Return an icon with that width in logical pixels, for a display of that scale."""
    drawn = QPixmap(_drawn(f"icons/{name}", round(size * scale), colour or current().palette.soft))
    drawn.setDevicePixelRatio(scale)
    return drawn


def tray_icon(face: Enum) -> QIcon:
    """Return the tray icon for a face, for panels of any colour; each face has a file of its name."""
    made = QIcon()
    for size in TRAY_SIZES:
        made.addPixmap(_drawn(f"tray/{face.name.lower()}", size, ""))
    return made


def tray_pixmap(face: Enum, size: int, scale: float = 1.0) -> QPixmap:
    """Return the tray icon for a face at one size, for use in the window."""
    drawn = QPixmap(_drawn(f"tray/{face.name.lower()}", round(size * scale), ""))
    drawn.setDevicePixelRatio(scale)
    return drawn


def logo(size: int, scale: float = 1.0) -> QPixmap:
    """Return the logo of Idlebrush."""
    drawn = QPixmap(_drawn("logo-dark" if current().is_dark else "logo", round(size * scale), ""))
    drawn.setDevicePixelRatio(scale)
    return drawn


def app_icon() -> QIcon:
    """Return the icon of windows and of the task bar."""
    made = QIcon()
    for file in sorted(asset("app").glob("*.png")):
        made.addFile(str(file))
    return made


def _drawn(path: str, size: int, colour: str) -> QPixmap:
    key = f"idlebrush:{path}:{size}:{colour}"
    drawn = QPixmap()
    if not QPixmapCache.find(key, drawn):
        drawn = _draw(asset(f"{path}.svg").read_bytes().replace(b"currentColor", colour.encode()), size)
        QPixmapCache.insert(key, drawn)
    return drawn


def _draw(source: bytes, size: int) -> QPixmap:
    drawn = QPixmap(QSize(size, size))
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    QSvgRenderer(QByteArray(source)).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return drawn
