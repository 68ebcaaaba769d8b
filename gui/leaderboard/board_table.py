"""The table of a leaderboard: it loads as one scrolls, and one's own row never leaves it."""

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QWidget

from gui.leaderboard.board_model import BoardModel
from gui.leaderboard.row_delegate import RowDelegate
from gui.leaderboard.view import NAME, longest_texts
from gui.leaderboard.window import BoardWindow
from gui.widgets.table import Table


class BoardTable(Table):
    """While the own row is scrolled away, it is pinned to the edge beyond which it lies."""

    above_wanted = Signal()
    """The rows above are looked for."""
    below_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Leaderboard"))
        self._board = BoardModel(self)
        self._board.more_wanted.connect(self.below_wanted)
        self.setModel(self._board)
        self.setItemDelegate(RowDelegate(self))
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.pinned = _Pinned(self)
        self.horizontalHeader().sectionResized.connect(self._size_column)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._scrolled)
        bar.rangeChanged.connect(self._pin)

    @property
    def window_shown(self) -> BoardWindow:
        return self._board.window

    def show_window(self, window: BoardWindow) -> None:
        """Other rows; those in view stay where they are."""
        before, bar = self._board.window, self.verticalScrollBar()
        chosen = self.currentIndex().row() + before.offset - window.offset
        top = bar.value() + (before.offset - window.offset) * self._row_height
        is_same = bool(before.rows) and before.query == window.query
        has_chosen = is_same and self.currentIndex().isValid() and 0 <= chosen < len(window.rows)
        self._board.show_window(window)
        self.pinned.show_own(window)
        self._fit_columns(window)
        self.executeDelayedItemsLayout()  # else the scroll bar knows only the rows before
        if has_chosen:
            self.setCurrentIndex(self._board.index(chosen, NAME))
        bar.setValue(top if is_same else 0)
        self._pin()

    def seek_own(self) -> bool:
        """Scroll to the own row; whether it is among those that are known."""
        place = self._board.window.own_place
        if place is None:
            return False
        self.scrollTo(self._board.index(place, NAME), self.ScrollHint.PositionAtCenter)
        self.setCurrentIndex(self._board.index(place, NAME))
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._pin()

    @property
    def _row_height(self) -> int:
        return self.verticalHeader().defaultSectionSize()

    def _fit_columns(self, window: BoardWindow) -> None:
        """By the longest text that may stand in each: looking at all of them takes long on a long board."""
        for column, texts in longest_texts(window.rows).items():
            needed = max(RowDelegate.width(text) for text in texts)
            header = self.horizontalHeader().sectionSizeFromContents(column).width()
            self.setColumnWidth(column, max(needed, header))

    def _scrolled(self, value: int) -> None:
        self._pin()
        if value == 0 and self._board.window.has_above:
            self.above_wanted.emit()

    def _pin(self) -> None:
        window, area = self._board.window, self.viewport().geometry()
        is_above = window.is_own_above
        if (place := window.own_place) is not None:
            top = self.rowViewportPosition(place)
            is_above = top < 0
            if top >= 0 and top + self._row_height <= area.height():
                self.pinned.hide()
                return
        edge = area.top() if is_above else area.bottom() + 1 - self._row_height
        self.pinned.setGeometry(QRect(area.left(), edge, area.width(), self._row_height))
        self.pinned.setVisible(window.own is not None and bool(window.rows))

    def _size_column(self, column: int, _: int, size: int) -> None:
        self.pinned.setColumnWidth(column, size)


class _Pinned(Table):
    """One's own row, drawn over the table's others."""

    def __init__(self, table: BoardTable) -> None:
        super().__init__(table)
        self.setAccessibleName(self.tr("Your row"))
        self._own = BoardModel(self)
        self.setModel(self._own)
        self.setItemDelegate(RowDelegate(self, has_edge=True))
        self.horizontalHeader().hide()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(self.SelectionMode.NoSelection)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_own(self, window: BoardWindow) -> None:
        self._own.show_own(window)
