"""The controls above a log: file, search words, level, and whether to follow new lines."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.design.tokens import Space
from gui.log.lines import Level
from gui.widgets.fields import ChoiceField, SearchField
from gui.widgets.labels import caption
from gui.widgets.switches import Switch

_LEVELS = (Level.DEBUG, Level.INFO, Level.WARNING, Level.ERROR)


class LogTools(QWidget):
    """The controls; the first entry of the files is the list of notices."""

    file_changed = Signal()
    filter_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.files, self.levels = ChoiceField(self), ChoiceField(self)
        self.search = SearchField(self.tr("Find in the log"), self)
        self.follow = Switch(self.tr("Follow new lines"), self)
        self._amount = caption("", self)
        self._fill_in()
        self._lay_out()
        self.files.currentIndexChanged.connect(self.file_changed)
        self.levels.currentIndexChanged.connect(self.filter_changed)
        self.search.searched.connect(self.filter_changed)

    @property
    def path(self) -> Path | None:
        """Path of the chosen file; None for the notices."""
        path = self.files.currentData()
        return path if isinstance(path, Path) else None

    @property
    def level(self) -> Level:
        """The lowest level to show."""
        return _LEVELS[self.levels.currentIndex()]

    def offer(self, found: Sequence[Path]) -> None:
        """Offer the notices and these files; the chosen file stays chosen if it is among them."""
        before = self.path
        with QSignalBlocker(self.files):
            self.files.clear()
            self.files.addItem(self.tr("Notices"))
            for path in found:
                self.files.addItem(path.name, path)
            self.files.setCurrentIndex(1 + found.index(before) if before in found else 0)
        if self.path != before:
            self.file_changed.emit()

    def show_following(self, *, follows: bool) -> None:
        """Set the switch without a signal."""
        with QSignalBlocker(self.follow):
            self.follow.setChecked(follows)
        self.follow.update()

    def show_amount(self, lines: int) -> None:
        """Show the number of lines."""
        self._amount.setText(self.tr("%Ln line(s)", "", lines))

    def _fill_in(self) -> None:
        self.files.set_name(self.tr("Log file"))
        self.files.setSizeAdjustPolicy(ChoiceField.SizeAdjustPolicy.AdjustToContents)
        self.files.addItem(self.tr("Notices"))
        self.levels.set_name(self.tr("Level"))
        self.levels.addItems(
            (
                self.tr("All lines"),
                self.tr("Without details"),
                self.tr("Warnings and errors"),
                self.tr("Errors"),
            )
        )
        self.follow.setChecked(True)

    def _lay_out(self) -> None:
        self._amount.setWordWrap(False)
        first, second = QHBoxLayout(), QHBoxLayout()
        first.addWidget(self.files)
        first.addWidget(self.search, 1)
        second.addWidget(self.levels)
        second.addSpacing(Space.S)
        second.addWidget(self.follow)
        second.addStretch(1)
        second.addWidget(self._amount, 0, Qt.AlignmentFlag.AlignVCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        for row in (first, second):
            row.setSpacing(Space.S)
            column.addLayout(row)
