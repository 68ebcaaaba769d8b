"""Draws the app's icon in the sizes that desktops ask for.

python -m assets.app.draw
"""

import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

HERE = Path(__file__).parent
SIZES = (16, 24, 32, 48, 64, 128, 256, 512)


def draw(size: int) -> QImage:
    """Return the icon, ``size`` pixels wide."""
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(HERE / "idlebrush.svg")).render(painter)
    painter.end()
    return image


def main() -> None:
    """Write all sizes beside the drawing."""
    QGuiApplication(sys.argv)
    for size in SIZES:
        draw(size).save(str(HERE / f"idlebrush-{size}.png"))


if __name__ == "__main__":
    main()
