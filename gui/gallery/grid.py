"""Pictures in columns of one width that fill their row, each with its name beneath where it has one."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.design.tokens import Space
from gui.widgets.flow import FlowLayout
from gui.widgets.labels import caption
from gui.widgets.picture import PictureButton

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
    """As many columns as find room, none narrower than ``least`` pixels."""

    def __init__(self, parent: QWidget | None = None, *, least: int = 128, spacing: int = Space.M) -> None:
        super().__init__(parent, spacing=spacing)
        self._least = least

    def clear(self) -> None:
        """Remove all that is in it."""
        while (item := self.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()

    def minimumSize(self) -> QSize:  # noqa: N802
        width = _LEAST_COLUMNS * self._least // 2 + self.spacing()
        return QSize(width, 0)

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(4 * self._least, self.heightForWidth(4 * self._least))

    def columns(self, width: int) -> int:
        """That find room in so many pixels."""
        return max(_LEAST_COLUMNS, (width + self.spacing()) // (self._least + self.spacing()))

    def _lay_out(self, rect: QRect, *, move: bool) -> int:
        columns, gap = self.columns(rect.width()), self.spacing()
        side = max(1, (rect.width() - gap * (columns - 1)) // columns)
        top = rect.y()
        for first in range(0, self.count(), columns):
            row = self._items[first : first + columns]
            height = max(item.heightForWidth(side) if item.hasHeightForWidth() else side for item in row)
            if move:
                for column, item in enumerate(row):
                    size = QSize(side, height)
                    item.setGeometry(QRect(self._corner(rect, column * (side + gap), top, size), size))
            top += height + gap
        return max(0, top - gap - rect.y())
