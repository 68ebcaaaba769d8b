"""Lays widgets out like words: in rows that wrap, from the leading edge."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

from gui.design.tokens import Space


class FlowLayout(QLayout):
    """As high as its width makes it."""

    def __init__(self, parent: QWidget | None = None, *, spacing: int = Space.M) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def insert_widget(self, index: int, widget: QWidget) -> None:
        """At that place; `addWidget` puts it last."""
        self.addWidget(widget)
        self._items.insert(index, self._items.pop())
        self.invalidate()

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        return self._lay_out(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802
        super().setGeometry(rect)
        self._lay_out(rect, move=True)

    def sizeHint(self) -> QSize:  # noqa: N802
        return self.minimumSize()

    def minimumSize(self) -> QSize:  # noqa: N802
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        margins = self.contentsMargins()
        return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def _lay_out(self, rect: QRect, *, move: bool) -> int:
        """Its height; widgets are put in their places if they are to move."""
        area = rect.marginsRemoved(self.contentsMargins())
        x, y, row = 0, area.y(), 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            if x and x + size.width() > area.width():
                x, y, row = 0, y + row + self.spacing(), 0
            if move:
                item.setGeometry(QRect(self._corner(area, x, y, size), size))
            x += size.width() + self.spacing()
            row = max(row, size.height())
        return y + row - rect.y() + self.contentsMargins().bottom()

    def _corner(self, area: QRect, x: int, y: int, size: QSize) -> QPoint:
        widget = self.parentWidget()
        if widget is not None and widget.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            return QPoint(area.right() + 1 - x - size.width(), y)
        return QPoint(area.x() + x, y)
