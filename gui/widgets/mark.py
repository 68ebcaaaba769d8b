"""An icon beside words, in a colour of the theme; who does not see it misses nothing."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLabel, QWidget

from gui.design.icons import pixmap
from gui.design.theme import current
from gui.widgets.labels import Tone


class Mark(QLabel):
    """As wide as it is high."""

    def __init__(self, icon: str, tone: Tone, size: int, parent: QWidget | None = None) -> None:
        """``size`` is in logical pixels."""
        super().__init__(parent)
        self._icon, self._tone, self._size = icon, tone, size
        self.setFixedSize(size, size)
        self._paint_icon()

    def set_icon(self, icon: str) -> None:
        """Another one from now on."""
        self._icon = icon
        self._paint_icon()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_icon()

    def _paint_icon(self) -> None:
        colour = getattr(current().palette, self._tone.value)
        self.setPixmap(pixmap(self._icon, self._size, colour, self.devicePixelRatioF()))
