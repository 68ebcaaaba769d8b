"""Pictures in columns of equal width that fill their row, with optional captions."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QLayoutItem, QSizePolicy, QWidget

from gui.design.tokens import Space
from gui.widgets.labels import caption
from gui.widgets.layouts import FlowLayout, VerticalScroll
from gui.widgets.picture import PictureButton

_LEAST_COLUMNS = 2


class Tile(QWidget):
    """A square picture that can be chosen."""

    def __init__(self, name: str, words: str = "", parent: QWidget | None = None) -> None:
        """Create a tile; ``name`` is its accessible name, ``words`` is its caption."""
        super().__init__(parent)
        self.button = PictureButton(name, Space.HUGE, None, self)
        self._words = caption(words, self)
        self._words.setAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignTop)
        self._words.setVisible(bool(words))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_image(self, image: QImage | None) -> None:
        self.button.set_image(image)

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        if self._words.isHidden():
            return width
        return width + Space.XS + self._words.heightForWidth(width)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(128, self.heightForWidth(128))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        width = self.width()
        self.button.setFixedSize(width, width)
        self._words.setGeometry(0, width + Space.XS, width, self.height() - width - Space.XS)


class GridLayout(FlowLayout):
    """A grid with as many columns as fit at ``least`` pixels each; fewer if all tiles then remain visible."""

    def __init__(self, parent: QWidget | None = None, *, least: int = 128, spacing: int = Space.M) -> None:
        self._least, self._room = least, QSize()
        self._heights: dict[int, int] = {}
        """Heights by width, cached because parent layouts ask repeatedly."""
        super().__init__(parent, spacing=spacing)

    def invalidate(self) -> None:
        self._heights.clear()
        super().invalidate()

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        if width not in self._heights:
            self._heights[width] = super().heightForWidth(width)
        return self._heights[width]

    def set_room(self, room: QSize) -> None:
        """Set the size of the visible area."""
        if room != self._room:
            self._room = room
            self.invalidate()

    def clear(self) -> None:
        """Remove all widgets."""
        while (item := self.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()

    def minimumSize(self) -> QSize:  # noqa: N802
        return QSize(_LEAST_COLUMNS * self._least // 2 + self.spacing(), 0)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(4 * self._least, self.heightForWidth(4 * self._least))

    def columns(self, width: int) -> int:
        """Return the number of columns for a width in pixels."""
        most = max(_LEAST_COLUMNS, (width + self.spacing()) // (self._least + self.spacing()))
        if not self._room.isValid():
            return most
        # The room's width does not change when a scroll bar appears.
        high = (self._height(self._room.width(), fewer) for fewer in range(_LEAST_COLUMNS, most))
        seen = (number for number, height in enumerate(high, _LEAST_COLUMNS) if height <= self._room.height())
        return next(seen, most)

    def _lay_out(self, rect: QRect, *, move: bool) -> int:
        columns = self.columns(rect.width())
        if move:
            self._place(rect, columns)
        return self._height(rect.width(), columns)

    def _place(self, rect: QRect, columns: int) -> None:
        side, top = self._side(rect.width(), columns), rect.y()
        for row in self._rows(columns):
            size = QSize(side, _highest(row, side))
            for column, item in enumerate(row):
                corner = self._corner(rect, column * (side + self.spacing()), top, size)
                item.setGeometry(QRect(corner, size))
            top += size.height() + self.spacing()

    def _height(self, width: int, columns: int) -> int:
        side = self._side(width, columns)
        heights = [_highest(row, side) for row in self._rows(columns)]
        gaps = self.spacing() * max(0, len(heights) - 1)
        return sum(heights) + gaps + self.contentsMargins().bottom()

    def _side(self, width: int, columns: int) -> int:
        return max(1, (width - self.spacing() * (columns - 1)) // columns)

    def _rows(self, columns: int) -> list[list[QLayoutItem]]:
        return [self._items[first : first + columns] for first in range(0, self.count(), columns)]


def _highest(row: list[QLayoutItem], side: int) -> int:
    return max(item.heightForWidth(side) for item in row)


class TileScroll(VerticalScroll):
    """Shows all tiles as large as they fit, or scrolls."""

    def __init__(self, least: int, parent: QWidget | None = None) -> None:
        sheet = QWidget()
        self.grid = GridLayout(sheet, least=least, spacing=Space.L)
        self.grid.setContentsMargins(0, 0, 0, Space.XL)
        super().__init__(sheet, parent)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self.grid.set_room(self.maximumViewportSize())
        super().resizeEvent(event)
