"""Layouts of pages: rows that wrap, columns that scroll, and widgets side by side where they fit."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui.design.tokens import Space

_WIDEST = 1040
"""Largest width in logical pixels, because wider pages are hard to read."""
_PAIRED_FROM = 640
"""Smallest width at which two cards stand side by side."""


class FlowLayout(QLayout):
    """A layout in rows that wrap; its height follows from its width."""

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
        """Arrange the items, and move them if ``move``; returns the height."""
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


class VerticalScroll(QScrollArea):
    """Scrolls content of the window's width vertically, and scrolls focused widgets into view."""

    def __init__(self, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(content)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, N802
        moved = super().focusNextPrevChild(next)
        reached = self.focusWidget()
        if moved and reached is not None:
            self.ensureWidgetVisible(reached, Space.XL, Space.XL)
        return moved

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        # Content that cannot shrink further would be cut off.
        content = self.widget()
        if content is not None and watched is content and event.type() is QEvent.Type.LayoutRequest:
            self.setMinimumWidth(content.minimumSizeHint().width())
        return super().eventFilter(watched, event)


class PageColumn(VerticalScroll):
    """A centred, scrolling column for a page; content belongs in `body`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        page, sheet = QWidget(), QWidget()
        sheet.setMaximumWidth(_WIDEST)
        row = QHBoxLayout(page)
        row.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.XXL)
        row.setSpacing(0)
        row.addStretch(1)
        row.addWidget(sheet, 10_000)  # the whole width, up to the largest
        row.addStretch(1)
        self.body = QVBoxLayout(sheet)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(Space.L)
        super().__init__(page, parent)


class SideBySide(QWidget):
    """Widgets side by side if they fit, else one below the other."""

    def __init__(
        self,
        *parts: QWidget,
        stretches: Sequence[int] = (),
        spacing: int = Space.M,
        fits_from: int | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Place the widgets side by side from a width of ``fits_from``; None for the sum of their widths."""
        super().__init__(parent)
        self._parts, self._fits_from = parts, fits_from
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(spacing)
        for part, stretch in zip(parts, stretches or [0] * len(parts), strict=True):
            self._line.addWidget(part, stretch)
        if not any(stretches):
            self._line.addStretch()  # together at the leading end

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        fits = event.size().width() >= (self._side_by_side if self._fits_from is None else self._fits_from)
        direction = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
        if self._line.direction() is not direction:
            self._line.setDirection(direction)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._side_by_side, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        widths = [max(part.minimumWidth(), part.minimumSizeHint().width()) for part in self._shown]
        return QSize(max(widths, default=0), super().minimumSizeHint().height())

    @property
    def _shown(self) -> list[QWidget]:
        return [part for part in self._parts if not part.isHidden()]

    @property
    def _side_by_side(self) -> int:
        widths = [max(part.minimumWidth(), part.sizeHint().width()) for part in self._shown]
        return sum(widths) + self._line.spacing() * max(0, len(widths) - 1)


class Pair(SideBySide):
    """Two cards that share the width, or stand one below the other in a narrow window."""

    def __init__(
        self,
        first: QWidget,
        second: QWidget,
        stretches: tuple[int, int] = (1, 1),
        fits_from: int = _PAIRED_FROM,
    ) -> None:
        super().__init__(first, second, stretches=stretches, spacing=Space.L, fits_from=fits_from)


class PageHead(SideBySide):
    """The title of a page, with controls for the whole page at the other end."""

    def __init__(self, title: QWidget, *choices: QWidget) -> None:
        super().__init__(title, SideBySide(*choices), stretches=(1, 0))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
