"""How a page stands in the window: one column of a comfortable width that scrolls, and pairs that stack."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.design.tokens import Space
from gui.widgets.scroll import VerticalScroll

_WIDEST = 1040
"""Logical pixels; wider ones are hard to take in."""
_SIDE_BY_SIDE_FROM = 640


class Column(VerticalScroll):
    """In the middle of the page; what it holds goes to `body`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        page, sheet = QWidget(), QWidget()
        sheet.setMaximumWidth(_WIDEST)
        row = QHBoxLayout(page)
        row.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.XXL)
        row.setSpacing(0)
        row.addStretch(1)
        row.addWidget(sheet, 10_000)  # all there is, up to its greatest width
        row.addStretch(1)
        self.body = QVBoxLayout(sheet)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(Space.L)
        super().__init__(page, parent)


class Pair(QWidget):
    """Two widgets side by side where there is room, else one below the other."""

    def __init__(
        self,
        first: QWidget,
        second: QWidget,
        stretches: tuple[int, int] = (1, 1),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(Space.L)
        for widget, stretch in zip((first, second), stretches, strict=True):
            self._line.addWidget(widget, stretch)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        wide = event.size().width() >= _SIDE_BY_SIDE_FROM
        direction = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        if self._line.direction() is not direction:
            self._line.setDirection(direction)
