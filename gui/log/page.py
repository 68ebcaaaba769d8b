"""The page Log: what the parts of Idlebrush have written down, to look for a reason and to pass it on."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPlainTextEdit, QStackedWidget, QVBoxLayout, QWidget

from client.api.snapshot import NoticeView, Snapshot
from gui.background import Background
from gui.design import fonts
from gui.design.tokens import Space
from gui.link.link import Link
from gui.log.follower import Follower
from gui.log.lines import Level, LogLine
from gui.log.model import LogModel
from gui.log.tail import log_files
from gui.log.view import LogView
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.buttons import QuietButton
from gui.widgets.empty import EmptyState
from gui.widgets.labels import caption, heading
from gui.widgets.search_field import SearchField
from gui.widgets.switch import Switch
from gui.window.page import Page

_LEVELS = (Level.DEBUG, Level.INFO, Level.WARNING, Level.ERROR)
_DETAIL_HEIGHT = 116


class LogPage(Page):
    """Files are read only while it is visible."""

    name = "log"
    icon = "log"

    def __init__(self, link: Link, parent: QWidget | None = None) -> None:
        super().__init__(link, parent)
        self._background, self.follower = Background(self), Follower(self)
        self._folder: Path | None = None
        self._notices: tuple[NoticeView, ...] = ()
        self.model = LogModel(self)
        self.view = LogView(self.model, self)
        self.files, self.levels = QComboBox(self), QComboBox(self)
        self.search = SearchField(self.tr("Find in the log"), self)
        self.follow = Switch(self.tr("Follow"), self)
        self.copy = QuietButton(self.tr("Copy"), self, icon="copy")
        self.open = QuietButton(self.tr("Open folder"), self, icon="folder")
        self.detail, self._amount = QPlainTextEdit(self), caption("", self)
        self.banner = Banner(self)
        self.empty = EmptyState("log", "", "", "", self)
        self._lay_out()
        self._fill_in()
        self._connect()
        self._count()

    def title(self) -> str:
        return self.tr("Log")

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Notices are in it; of the files it tells where they are."""
        if snapshot is None:
            return
        if snapshot.notices != self._notices:
            self._notices = snapshot.notices
            if self.path is None:
                self._show_notices()
        if snapshot.logs and self._folder != Path(snapshot.logs):
            self._folder = Path(snapshot.logs)
            self._find_files()

    def shown(self) -> None:
        """There may be more files by now."""
        self._find_files()

    @property
    def path(self) -> Path | None:
        """Of the file that is shown; None: the notices are."""
        path = self.files.currentData()
        return path if isinstance(path, Path) else None

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.follower.set_awake(True)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self.follower.set_awake(False)

    # --- which log ------------------------------------------------------------------------------------------------

    def _find_files(self) -> None:
        if self._folder is not None:
            self._background.run(partial(log_files, self._folder), self._offer)

    def _offer(self, found: tuple[Path, ...]) -> None:
        before = self.path
        with QSignalBlocker(self.files):
            self.files.clear()
            self.files.addItem(self.tr("Notices"))
            for path in found:
                self.files.addItem(path.name, path)
            self.files.setCurrentIndex(found.index(before) + 1 if before in found else 0)
        if self.path != before:
            self._change_file()

    def _change_file(self) -> None:
        self.banner.hide()
        self.model.show_only()
        self.follower.follow(self.path)
        if self.path is None:
            self._show_notices()
        self._count()

    def _show_notices(self) -> None:
        self.model.show_only(_line_of(notice) for notice in self._notices)
        self._arrived()

    # --- lines ----------------------------------------------------------------------------------------------------

    def _take(self, lines: list[LogLine]) -> None:
        self.banner.hide()
        self.model.append(lines)
        self._arrived()

    def _arrived(self) -> None:
        self._count()
        if self.follow.isChecked():
            self.view.scrollToBottom()

    def _say_failed(self, why: str) -> None:
        what = self.tr("This log cannot be read")
        self.banner.show_message(BannerKind.WARNING, what, why)

    def _filter(self) -> None:
        self.model.set_filter(self.search.text(), self.levels.currentData())
        self._arrived()

    def _count(self) -> None:
        """How many lines there are; or why there are none."""
        shown = self.model.rowCount()
        self._amount.setText(self.tr("%Ln line(s)", "", shown))
        self.copy.setEnabled(shown > 0)
        self._stack.setCurrentWidget(self.view if shown else self.empty)
        if shown == 0 and self.model.held:
            self.empty.show_state(
                "search", self.tr("Nothing found"), self.tr("No line holds these words at this level.")
            )
        elif shown == 0:
            self.empty.show_state(
                "log", self.tr("Nothing here yet"), self.tr("What happens is written here.")
            )

    def _show_detail(self) -> None:
        lines = self.view.chosen()
        self.detail.setPlainText("\n".join(line.raw for line in lines))
        self.detail.setVisible(bool(lines))
        if lines and self.view.currentIndex().row() < self.model.rowCount() - 1:
            self.follow.setChecked(False)

    def _copy(self) -> None:
        """What is selected, or all that is shown."""
        lines = self.view.chosen() or [self.model.line(row) for row in range(self.model.rowCount())]
        QGuiApplication.clipboard().setText("\n".join(line.raw for line in lines) + "\n")

    def _set_follow(self, follow: bool) -> None:
        if follow:
            self.view.clearSelection()
            self.view.scrollToBottom()

    def _leave_end(self, left: bool) -> None:
        with QSignalBlocker(self.follow):
            self.follow.setChecked(not left)
        self.follow.update()

    def _open_folder(self) -> None:
        if self._folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder)))

    # --- parts ----------------------------------------------------------------------------------------------------

    def _fill_in(self) -> None:
        self.files.setAccessibleName(self.tr("Which log"))
        self.files.addItem(self.tr("Notices"))
        self.files.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.levels.setAccessibleName(self.tr("Which lines"))
        names = (
            self.tr("All lines"),
            self.tr("Without details"),
            self.tr("Warnings and errors"),
            self.tr("Errors"),
        )
        for name, level in zip(names, _LEVELS, strict=True):
            self.levels.addItem(name, level)
        self.follow.setChecked(True)
        self.copy.setToolTip(self.tr("Copies the selected lines, or all that are shown"))
        self.detail.setReadOnly(True)
        self.detail.setFont(fonts.code())
        self.detail.setAccessibleName(self.tr("The selected lines in full"))
        self.detail.setTabChangesFocus(True)
        self.detail.setFixedHeight(_DETAIL_HEIGHT)
        self.detail.hide()

    def _connect(self) -> None:
        self.files.currentIndexChanged.connect(self._change_file)
        self.levels.currentIndexChanged.connect(self._filter)
        self.search.searched.connect(self._filter)
        self.follow.toggled.connect(self._set_follow)
        self.copy.clicked.connect(self._copy)
        self.open.clicked.connect(self._open_folder)
        self.follower.came.connect(self._take)
        self.follower.failed.connect(self._say_failed)
        self.view.left_end.connect(self._leave_end)
        self.view.selectionModel().selectionChanged.connect(self._show_detail)
        self.model.modelReset.connect(self._show_detail)
        QShortcut(
            QKeySequence.StandardKey.Copy, self.view, self._copy, context=Qt.ShortcutContext.WidgetShortcut
        )

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(Space.S)
        head.addWidget(heading(self.title()), 1)
        head.addWidget(self.copy)
        head.addWidget(self.open)
        tools = QHBoxLayout()
        tools.setSpacing(Space.S)
        tools.addWidget(self.files)
        tools.addWidget(self.search, 1)
        tools.addWidget(self.levels)
        tools.addSpacing(Space.S)
        tools.addWidget(self.follow)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.view)
        self._stack.addWidget(self.empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        column.setSpacing(Space.M)
        column.addLayout(head)
        column.addWidget(self.banner)
        column.addLayout(tools)
        column.addWidget(self._stack, 1)
        column.addWidget(self.detail)
        column.addWidget(self._amount)


def _line_of(notice: NoticeView) -> LogLine:
    raw = f"{notice.time:%Y-%m-%dT%H:%M:%SZ} {notice.text}"
    return LogLine(raw, Level.INFO, notice.text, notice.time)
