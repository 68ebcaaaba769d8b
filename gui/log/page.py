"""The page Log: log files and notices, with search, filter and copy."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QStackedWidget, QVBoxLayout, QWidget

from client.api.snapshot import NoticeView, Snapshot
from gui.background import Background
from gui.design import fonts
from gui.design.tokens import Space
from gui.link.link import AppLink
from gui.log.follower import Follower, log_files
from gui.log.lines import Level, LogLine, LogModel
from gui.log.tools import LogTools
from gui.log.view import LogView
from gui.widgets.accessibility import follow_layout
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.buttons import QuietButton
from gui.widgets.cards import EmptyState
from gui.widgets.labels import heading
from gui.window.pages import AppPage, page_title

_DETAIL_HEIGHT = 96


class LogPage(AppPage):
    """Shows notices or one log file; files are read only while the page is visible."""

    name = "log"

    def __init__(self, link: AppLink, parent: QWidget | None = None) -> None:
        super().__init__(link, parent)
        self._background, self.follower = Background(self), Follower(self)
        self._folder: Path | None = None
        self._notices: tuple[NoticeView, ...] = ()
        self.model = LogModel(self)
        self.view = LogView(self.model, self)
        self.tools = LogTools(self)
        self.copy = QuietButton(self.tr("Copy"), self, icon="copy")
        self.open = QuietButton(self.tr("Open folder"), self, icon="folder")
        self.detail = QPlainTextEdit(self)
        self.banner = Banner(self)
        self.empty = EmptyState("log", "", "", "", self)
        self._lay_out()
        self._fill_in()
        self._connect()
        follow_layout(self)
        self._count()

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Show the snapshot's notices, and use its folder of log files."""
        if snapshot is None:
            return
        if snapshot.notices != self._notices:
            self._notices = snapshot.notices
            if self.tools.path is None:
                self._show_notices()
        if snapshot.logs and self._folder != Path(snapshot.logs):
            self._folder = Path(snapshot.logs)
            self._find_files()

    def shown(self) -> None:
        """Look for new files."""
        self._find_files()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.follower.set_awake(True)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self.follower.set_awake(False)

    # --- which log ------------------------------------------------------------------------------------------------

    def _find_files(self) -> None:
        if self._folder is not None:
            self._background.run(partial(log_files, self._folder), self.tools.offer)

    def _change_file(self) -> None:
        self.banner.hide()
        self.model.show_only()
        self.follower.follow(self.tools.path)
        if self.tools.path is None:
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
        if self.tools.follow.isChecked():
            self.view.scrollToBottom()

    def _say_failed(self, why: str) -> None:
        what = self.tr("This log cannot be read")
        self.banner.show_message(BannerKind.WARNING, what, why)

    def _filter(self) -> None:
        self.model.set_filter(self.tools.search.text(), self.tools.level)
        self._arrived()

    def _count(self) -> None:
        """Show the number of lines, or why there are none."""
        shown = self.model.rowCount()
        self.tools.show_amount(shown)
        self.copy.setEnabled(shown > 0)
        self._stack.setCurrentWidget(self.view if shown else self.empty)
        if shown == 0 and self.model.held:
            self.empty.show_state(
                "search", self.tr("Nothing found"), self.tr("No line at this level contains these words.")
            )
        elif shown == 0:
            self.empty.show_state("log", self.tr("Nothing here yet"), self.tr("New lines appear here."))

    def _show_detail(self) -> None:
        lines = self.view.chosen()
        self.detail.setPlainText("\n".join(line.raw for line in lines))
        if lines and self.view.currentIndex().row() < self.model.rowCount() - 1:
            self.tools.follow.setChecked(False)
        if self.detail.isVisible() is not bool(lines):
            self.detail.setVisible(bool(lines))
            QTimer.singleShot(0, self.view, self._keep_in_view)

    def _keep_in_view(self) -> None:
        """Keep the current line visible after the view has become smaller."""
        self.view.scrollTo(self.view.currentIndex())

    def _copy(self) -> None:
        """Copy the selected lines, or all shown lines."""
        lines = self.view.chosen() or [self.model.line(row) for row in range(self.model.rowCount())]
        QGuiApplication.clipboard().setText("\n".join(line.raw for line in lines) + "\n")

    def _set_follow(self, follow: bool) -> None:
        if follow:
            self.view.clearSelection()
            self.view.scrollToBottom()

    def _leave_end(self, left: bool) -> None:
        self.tools.show_following(follows=not left)

    def _open_folder(self) -> None:
        if self._folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder)))

    # --- parts ----------------------------------------------------------------------------------------------------

    def _fill_in(self) -> None:
        self.copy.setToolTip(self.tr("Copies the selected lines, or all lines shown"))
        self.detail.setReadOnly(True)
        self.detail.setFont(fonts.code())
        self.detail.setAccessibleName(self.tr("Full text of the selected lines"))
        self.detail.setTabChangesFocus(True)
        self.detail.setFixedHeight(_DETAIL_HEIGHT)
        self.detail.hide()

    def _connect(self) -> None:
        self.tools.file_changed.connect(self._change_file)
        self.tools.filter_changed.connect(self._filter)
        self.tools.follow.toggled.connect(self._set_follow)
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
        head.addWidget(heading(page_title(self.name)), 1)
        head.addWidget(self.copy)
        head.addWidget(self.open)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.view)
        self._stack.addWidget(self.empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.XL)
        column.setSpacing(Space.M)
        column.addLayout(head)
        column.addWidget(self.banner)
        column.addWidget(self.tools)
        column.addWidget(self._stack, 1)
        column.addWidget(self.detail)


def _line_of(notice: NoticeView) -> LogLine:
    raw = f"{notice.time:%Y-%m-%dT%H:%M:%SZ} {notice.text}"
    return LogLine(raw, Level.INFO, notice.text, notice.time)
