"""The table of a leaderboard, which loads as it is scrolled and always shows the volunteer's own row."""

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from gui.leaderboard.rows import BoardModel, RowDelegate
from gui.leaderboard.view import NAME, BoardWindow, longest_texts

_ROW = 40


class Table(QTableView):
    """Base of the app's tables: columns fit their content, and one of them takes the rest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setAlternatingRowColors(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)


class BoardTable(Table):
    """Shows the board; the own row is pinned to an edge while it is scrolled out of view."""

    above_wanted = Signal()
    """Emitted when the rows above are needed."""
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

    def show_window(self, window: BoardWindow) -> None:
        """Show other rows; rows in view keep their position."""
        before, bar = self._board.window, self.verticalScrollBar()
        chosen = self.currentIndex().row() + before.offset - window.offset
        top = bar.value() + (before.offset - window.offset) * self._row_height
        is_same = bool(before.rows) and before.query == window.query
        has_chosen = is_same and self.currentIndex().isValid() and 0 <= chosen < len(window.rows)
        self._board.show_window(window)
        self.pinned.show_own(window)
        self._fit_columns(window)
        self.executeDelayedItemsLayout()  # otherwise the scroll bar has the range of the former rows
        if has_chosen:
            self.setCurrentIndex(self._board.index(chosen, NAME))
        bar.setValue(top if is_same else 0)
        self._pin()

    def seek_own(self) -> bool:
        """Scroll to the own row; returns whether it is loaded."""
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
        """Fit each column to its longest possible text, because measuring all rows of a long board takes long."""
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
    """The own row, drawn over the other rows of the table."""

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
