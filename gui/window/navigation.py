"""The navigation of the window: its pages with name and icon, and the status at the bottom."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QFont, QIcon, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from gui.design import fonts, icons
from gui.design.theme import current
from gui.design.tokens import Space, Type
from gui.window.pages import PageEntry, page_title

WIDE = 212
NARROW = 64
"""Width with icons only."""
_ICON = 20
_LOGO = 26
_ENTRY_HEIGHT = 38


class Navigation(QFrame):
    """A list with one chosen page; arrow keys move within it, and Tab leaves it."""

    chosen = Signal(str)
    """Emitted with the name of a page."""

    def __init__(self, entries: Sequence[PageEntry], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("navigation")
        self.setAccessibleName(self.tr("Pages"))
        self._buttons: dict[str, _NavigationEntry] = {}
        self._group = QButtonGroup(self)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(Space.M, Space.L, Space.M, Space.M)
        column.setSpacing(Space.XS // 2)
        self._brand = _Brand(self)
        column.addWidget(self._brand)
        column.addSpacing(Space.L)
        for number, entry in enumerate(entries, start=1):
            button = _NavigationEntry(entry, number, self)
            button.clicked.connect(self._choose)
            self._buttons[entry.name] = button
            self._group.addButton(button)
            column.addWidget(button)
        column.addStretch(1)
        self._is_narrow = False
        self.setFixedWidth(WIDE)
        current().changed.connect(self._redraw)

    def add_foot(self, widget: QWidget) -> None:
        """Add a widget at the bottom."""
        self._column.addWidget(widget)

    def choose(self, name: str) -> None:
        """Mark a page as shown."""
        button = self._buttons[name]
        button.setChecked(True)
        for other in self._buttons.values():
            other.setFocusPolicy(Qt.FocusPolicy.StrongFocus if other is button else Qt.FocusPolicy.ClickFocus)

    def narrow(self, is_narrow: bool) -> None:
        """Show icons only, for a narrow window."""
        if is_narrow == self._is_narrow:
            return
        self._is_narrow = is_narrow
        self.setFixedWidth(NARROW if is_narrow else WIDE)
        side = Space.S if is_narrow else Space.M
        self._column.setContentsMargins(side, Space.L, side, Space.M)
        self._brand.narrow(is_narrow)
        for button in self._buttons.values():
            button.narrow(is_narrow)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        names = list(self._buttons)
        at = next((i for i, name in enumerate(names) if self._buttons[name].isChecked()), 0)
        self.chosen.emit(names[(at + step) % len(names)])
        self._buttons[names[(at + step) % len(names)]].setFocus(Qt.FocusReason.TabFocusReason)

    def _choose(self) -> None:
        button = self.sender()
        assert isinstance(button, _NavigationEntry)
        self.chosen.emit(button.page)

    def _redraw(self) -> None:
        self._brand.redraw()
        for button in self._buttons.values():
            button.redraw()


class _Brand(QWidget):
    """The logo and the name."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        row = self._row = QHBoxLayout(self)
        row.setSpacing(Space.S)
        self._mark = QLabel(self)
        self._name = QLabel("Idlebrush", self)
        self._name.setFont(fonts.heading(Type.TITLE - 1, QFont.Weight.Bold))
        row.addWidget(self._mark)
        row.addWidget(self._name, 1)
        self.narrow(False)
        self.redraw()

    def narrow(self, is_narrow: bool) -> None:
        self._name.setVisible(not is_narrow)
        self._row.setContentsMargins(
            (NARROW - 2 * Space.S - _LOGO) // 2 if is_narrow else Space.XS + 1, 0, 0, 0
        )

    def redraw(self) -> None:
        self._mark.setPixmap(icons.logo(_LOGO, self.devicePixelRatioF()))


class _NavigationEntry(QToolButton):
    """The button of one page."""

    def __init__(self, entry: PageEntry, number: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.page = entry.name
        self._icon = entry.icon
        self.setProperty("navigation", True)
        title = page_title(entry.name)
        self.setText(title)
        self.setAccessibleName(title)
        self.setToolTip(self.tr("{page} (Ctrl+{number})").format(page=title, number=number))
        self.setShortcut(f"Ctrl+{number}")
        self.setCheckable(True)
        self.setFixedHeight(_ENTRY_HEIGHT)
        self.setSizePolicy(self.sizePolicy().Policy.Expanding, self.sizePolicy().Policy.Fixed)
        self._gap = 0
        self.toggled.connect(self.redraw)
        self.narrow(False)

    def narrow(self, is_narrow: bool) -> None:
        style = Qt.ToolButtonStyle
        self.setToolButtonStyle(style.ToolButtonIconOnly if is_narrow else style.ToolButtonTextBesideIcon)
        self._gap = 0 if is_narrow else Space.XS + 2
        self.setIconSize(QSize(_ICON + self._gap, _ICON))
        self.redraw()

    def redraw(self) -> None:
        """Draw the icon with its distance to the text included, because Qt's own distance is 4 pixels."""
        palette, scale = current().palette, self.devicePixelRatioF()
        mark = icons.pixmap(self._icon, _ICON, palette.accent if self.isChecked() else palette.soft, scale)
        whole = QPixmap((QSizeF(_ICON + self._gap, _ICON) * scale).toSize())
        whole.setDevicePixelRatio(scale)
        whole.fill(Qt.GlobalColor.transparent)
        painter = QPainter(whole)
        painter.drawPixmap(QPointF(self._gap if self.isRightToLeft() else 0, 0), mark)
        painter.end()
        self.setIcon(QIcon(whole))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            self.redraw()
