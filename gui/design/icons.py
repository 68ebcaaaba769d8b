"""The project's own icons, in the colours of the theme: drawn as SVG on a grid of 24 pixels."""

from enum import Enum

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from gui.design.assets import asset
from gui.design.theme import current
from gui.design.tokens import mix

_SIZES = (16, 20, 24, 32, 40, 48)
"""In device pixels: what the app's sizes are at 100, 150 and 200 %."""
TRAY_SIZES = (16, 22, 24, 32, 44, 48, 64)


def icon(name: str, colour: str | None = None) -> QIcon:
    """Of that name, in that colour or the theme's for text; fetch it anew when the theme changed."""
    palette = current().palette
    colour = colour or palette.soft
    modes = {  # the other two take the first one's
        QIcon.Mode.Normal: colour,
        QIcon.Mode.Disabled: mix(palette.faint, palette.paper, 0.5),
    }
    made = QIcon()
    for mode, tone in modes.items():
        for size in _SIZES:
            made.addPixmap(_drawn(f"icons/{name}", size, tone), mode)
    return made


def pixmap(name: str, size: int, colour: str | None = None, scale: float = 1.0) -> QPixmap:
    """That many logical pixels wide, for a display of that scale."""
    drawn = QPixmap(_drawn(f"icons/{name}", round(size * scale), colour or current().palette.soft))
    drawn.setDevicePixelRatio(scale)
    return drawn


def tray_icon(face: Enum) -> QIcon:
    """How the tray shows that face, on panels of any colour; one file per name of a face."""
    made = QIcon()
    for size in TRAY_SIZES:
        made.addPixmap(_drawn(f"tray/{face.name.lower()}", size, ""))
    return made


def tray_pixmap(face: Enum, size: int, scale: float = 1.0) -> QPixmap:
    """The same within the window."""
    drawn = QPixmap(_drawn(f"tray/{face.name.lower()}", round(size * scale), ""))
    drawn.setDevicePixelRatio(scale)
    return drawn


def logo(size: int, scale: float = 1.0) -> QPixmap:
    """The mark of Idlebrush."""
    drawn = QPixmap(_drawn("logo-dark" if current().is_dark else "logo", round(size * scale), ""))
    drawn.setDevicePixelRatio(scale)
    return drawn


def app_icon() -> QIcon:
    """Of windows and of the task bar."""
    made = QIcon()
    for file in sorted(asset("app").glob("*.png")):
        made.addFile(str(file))
    return made


def svg(name: str, colour: str) -> bytes:
    """The drawing of that name in that colour."""
    return asset("icons", f"{name}.svg").read_bytes().replace(b"currentColor", colour.encode())


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
