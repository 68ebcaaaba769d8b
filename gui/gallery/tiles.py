"""Pictures in columns of one width that fill their row, each with its name beneath where it has one."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QLayoutItem, QSizePolicy, QWidget

from gui.design.tokens import Space
from gui.widgets.flow import FlowLayout
from gui.widgets.labels import caption
from gui.widgets.picture import PictureButton
from gui.widgets.scroll import VerticalScroll

_LEAST_COLUMNS = 2


class Tile(QWidget):
    """A picture that can be chosen, as high as it is wide."""

    def __init__(self, name: str, words: str = "", parent: QWidget | None = None) -> None:
        """``name`` is for those who do not see it, ``words`` are shown."""
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
    """As many columns as find room, none narrower than ``least`` pixels; fewer where all can be seen larger."""

    def __init__(self, parent: QWidget | None = None, *, least: int = 128, spacing: int = Space.M) -> None:
        self._least, self._room = least, QSize()
        self._heights: dict[int, int] = {}
        """By width: layouts above ask again and again."""
        super().__init__(parent, spacing=spacing)

    def invalidate(self) -> None:
        self._heights.clear()
        super().invalidate()

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        if width not in self._heights:
            self._heights[width] = super().heightForWidth(width)
        return self._heights[width]

    def set_room(self, room: QSize) -> None:
        """What can be seen at a time."""
        if room != self._room:
            self._room = room
            self.invalidate()

    def clear(self) -> None:
        """Remove all that is in it."""
        while (item := self.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()

    def minimumSize(self) -> QSize:  # noqa: N802
        return QSize(_LEAST_COLUMNS * self._least // 2 + self.spacing(), 0)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(4 * self._least, self.heightForWidth(4 * self._least))

    def columns(self, width: int) -> int:
        """For so many pixels."""
        most = max(_LEAST_COLUMNS, (width + self.spacing()) // (self._least + self.spacing()))
        if not self._room.isValid():
            return most
        # By the room's width, which a scroll bar that comes and goes does not change.
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
    """Pictures that are as large as they can be with all of them seen; else it scrolls."""

    def __init__(self, least: int, parent: QWidget | None = None) -> None:
        sheet = QWidget()
        self.grid = GridLayout(sheet, least=least, spacing=Space.L)
        self.grid.setContentsMargins(0, 0, 0, Space.XL)
        super().__init__(sheet, parent)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self.grid.set_room(self.maximumViewportSize())
        super().resizeEvent(event)
