"""Buttons: at most one primary button on a page; all others are quiet."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from gui.design.icons import icon
from gui.design.theme import current

_ICON = QSize(18, 18)


class _Button(QPushButton):
    """A push button whose icon has the colour of its text."""

    tone = "ink"
    """Name of the palette colour of the icon."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, icon: str = "") -> None:
        super().__init__(text, parent)
        self._icon = icon
        self.setIconSize(_ICON)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAutoDefault(False)
        self._tint()

    def set_icon(self, name: str) -> None:
        """Set an icon of `gui.design.icons`; empty for none."""
        self._icon = name
        self._tint()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()  # Qt handles only Space outside of dialogs
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tint()

    def _tint(self) -> None:
        if self._icon:
            self.setIcon(icon(self._icon, getattr(current().palette, self.tone)))


class PrimaryButton(_Button):
    """The main action of a page."""

    tone = "on_accent"


class QuietButton(_Button):
    """A further action."""


class LinkButton(_Button):
    """A link within text."""

    tone = "accent"


class IconButton(QToolButton):
    """A button with an icon only; its tooltip is its accessible name."""

    def __init__(self, name: str, tooltip: str, parent: QWidget | None = None, *, size: int = 20) -> None:
        super().__init__(parent)
        self._icon = name
        self.setIconSize(QSize(size, size))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_tooltip(tooltip)
        self._tint()

    def set_icon(self, name: str, tooltip: str) -> None:
        """Replace icon and tooltip, for a button whose action changes."""
        self._icon = name
        self.set_tooltip(tooltip)
        self._tint()

    def set_tooltip(self, tooltip: str) -> None:
        """Set the tooltip, which names the action in a few words."""
        self.setToolTip(tooltip)
        self.setAccessibleName(tooltip)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tint()

    def _tint(self) -> None:
        self.setIcon(icon(self._icon))
