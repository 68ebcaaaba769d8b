"""Buttons: one of them on a page is the primary one, the others are quiet."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from gui.design.icons import icon
from gui.design.theme import current

_ICON = QSize(18, 18)


class _Button(QPushButton):
    """A push button whose icon takes the colour of its text."""

    tone = "ink"
    """Of the palette, for the icon."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, icon: str = "") -> None:
        super().__init__(text, parent)
        self._icon = icon
        self.setIconSize(_ICON)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAutoDefault(False)
        self._tint()

    def set_icon(self, name: str) -> None:
        """One of `gui.design.icons`; empty: none."""
        self._icon = name
        self._tint()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()  # as Space does, which Qt leaves alone outside of dialogs
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
    """What one came for."""

    tone = "on_accent"


class QuietButton(_Button):
    """What one may do as well."""


class DangerButton(_Button):
    """What cannot be undone, or ends something."""

    tone = "vermilion"


class LinkButton(_Button):
    """Leads elsewhere; stands among text."""

    tone = "accent"


class IconButton(QToolButton):
    """An icon alone; its tooltip is its name for those who do not see it."""

    def __init__(self, name: str, tooltip: str, parent: QWidget | None = None, *, size: int = 20) -> None:
        super().__init__(parent)
        self._icon = name
        self.setIconSize(QSize(size, size))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_tooltip(tooltip)
        self._tint()

    def set_icon(self, name: str, tooltip: str) -> None:
        """Such as when what it does next has changed."""
        self._icon = name
        self.set_tooltip(tooltip)
        self._tint()

    def set_tooltip(self, tooltip: str) -> None:
        """What it does, in two words."""
        self.setToolTip(tooltip)
        self.setAccessibleName(tooltip)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tint()

    def _tint(self) -> None:
        self.setIcon(icon(self._icon))
