"""The card about newer versions: their state, and the buttons to look for one, install it, and read what is new."""

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from client.api.answers import Done, Status
from client.api.errors import ClientError
from client.api.snapshot import Snapshot
from client.api.updates import (
    CheckForUpdate,
    InstallUpdate,
    PutOffUpdate,
    ShowNews,
    UpdateHold,
    UpdateStage,
    UpdateView,
)
from gui.design.tokens import Space
from gui.link.link import AppLink
from gui.widgets.accessibility import announce, follow_layout
from gui.widgets.buttons import PrimaryButton, QuietButton
from gui.widgets.cards import Card
from gui.widgets.labels import FaultNote, Tone, body, strong, title
from gui.widgets.layouts import FlowLayout
from gui.widgets.progress import ProgressBar
from gui.wording.codes import problem_words
from gui.wording.updates import update_detail, update_title

_WIDTH = 420
"""Smallest width of the dialogue's content in logical pixels."""
_INSTALLABLE = (UpdateStage.OFFERED, UpdateStage.FETCHED)
_NOT_BY_ITSELF = (UpdateHold.PACKAGE_MANAGER, UpdateHold.BY_PACKAGE, UpdateHold.BY_HAND)


class UpdateCard(Card):
    """Shows the state of updates; hidden where this installation looks for none."""

    def __init__(self, link: AppLink, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Updates"), parent)
        self._link, self._shown_title = link, ""
        self._state, self._detail = strong("", self), body("", self)
        self._detail.set_tone(Tone.SOFT)
        self._fault, self._progress = FaultNote(self), ProgressBar(self)
        self.install = PrimaryButton(self.tr("&Install now"), self)
        self.later = QuietButton(self.tr("&Not now"), self)
        self.news = QuietButton(self.tr("&What's new"), self)
        self.check = QuietButton(self.tr("&Look for updates"), self)
        self.install.clicked.connect(lambda: self._link.ask(InstallUpdate()))
        self.later.clicked.connect(lambda: self._link.ask(PutOffUpdate()))
        self.check.clicked.connect(lambda: self._link.ask(CheckForUpdate()))
        self.news.clicked.connect(self.show_news)
        self.dialog: NewsDialog | None = None
        self._lay_out()
        self.hide()

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Show what a snapshot holds about updates."""
        view = snapshot.update if snapshot is not None else None
        self.setVisible(view is not None)
        if snapshot is None or view is None:
            return
        self._say(update_title(view, snapshot.version), update_detail(view))
        fault = (
            problem_words(view.problem.code, view.problem.what, view.problem.remedy)[1]
            if view.problem
            else ""
        )
        self._fault.say(fault)
        self._show_progress(view)
        may_install = view.stage in _INSTALLABLE and view.hold not in _NOT_BY_ITSELF
        self.install.setVisible(may_install)
        self.later.setVisible(may_install and view.hold is not UpdateHold.PUT_OFF)
        self.news.setVisible(view.has_news)
        self.check.setEnabled(not view.is_looking)

    def show_news(self) -> None:
        """Ask for the text of what is new in the app's language, and show it."""
        self._link.ask(ShowNews(language=QLocale().name()), self._open, self._refuse)

    def _open(self, answer: Done | Status) -> None:
        if not isinstance(answer, Done):
            return
        if self.dialog is None:
            self.dialog = NewsDialog(self)
        update = self._link.snapshot.update if self._link.snapshot else None
        self.dialog.show_text(update.version if update else "", answer.text)

    def _refuse(self, error: ClientError) -> None:
        self._fault.say(problem_words(error.code, error.what, error.remedy)[1])

    def _say(self, text: str, detail: str) -> None:
        self._state.setText(text)
        self._detail.setText(detail)
        self._detail.setVisible(bool(detail))
        if self._shown_title and text != self._shown_title:
            announce(self, "\n".join(filter(None, (text, detail))))
        self._shown_title = text

    def _show_progress(self, view: UpdateView) -> None:
        is_fetched = view.stage is UpdateStage.FETCHING
        self._progress.setVisible(is_fetched or view.stage is UpdateStage.UNPACKING)
        self._progress.set_busy(not is_fetched)
        if is_fetched:
            self._progress.set(view.done / view.total if view.total else 0.0)

    def _lay_out(self) -> None:
        for part in (self._state, self._detail, self._progress, self._fault):
            self.body.addWidget(part)
        buttons = FlowLayout(spacing=Space.S)
        for button in (self.install, self.later, self.news, self.check):
            buttons.addWidget(button)
        self.body.addLayout(buttons)
        follow_layout(self)


class NewsDialog(QDialog):
    """Shows the text of what is new in a version; Escape and Return close it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self.text = title(parent=self), body(parent=self)
        self.close_button = PrimaryButton(self.tr("&Close"), self)
        self.close_button.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        column.setSpacing(Space.M)
        for part in (self._title, self.text):
            column.addWidget(part)
        column.addSpacing(Space.S)
        column.addLayout(buttons)
        column.addStrut(_WIDTH)

    def show_text(self, version: str, text: str) -> None:
        """Open with the text about a version, which is shown as it is, without any markup."""
        what = self.tr("What's new in Idlebrush {version}").format(version=version)
        self.setWindowTitle(what)
        self._title.setText(what)
        self.text.setText(text)
        self.setAccessibleName(what)
        self.setAccessibleDescription(text)
        self.close_button.setDefault(True)
        self.close_button.setFocus()
        self.adjustSize()
        self.open()
        self.raise_()
        self.activateWindow()
