"""Quitting the app: the question whether training continues, and the end of the daemon if it does not."""

from enum import Enum, auto

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from client.api.answers import Done, Status
from client.api.commands import Quit
from client.api.errors import ClientError, NoDaemon
from client.api.snapshot import Activity, Snapshot
from gui.design.tokens import Space
from gui.link.link import AppLink, LinkState
from gui.settings import AppSettings, AtQuitting
from gui.widgets.buttons import PrimaryButton, QuietButton
from gui.widgets.labels import Tone, body, title
from gui.widgets.progress import ProgressBar
from gui.wording.codes import problem_words

_WIDTH = 420
"""Smallest width of the dialog's content."""
_TICK_MILLISECONDS = 100
_TICKS = 200
"""Number of ticks in 20 s, the time for the daemon to end in order; it continues to end by itself."""


class QuitDialog(QDialog):
    """Shows the question, the progress, or an error; Escape cancels."""

    answered = Signal(bool, bool)
    """Emitted with whether training continues, and whether to remember the answer."""
    left = Signal()
    """Emitted when the volunteer no longer waits for the daemon."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Quit Idlebrush"))
        self._title, self._text = title(parent=self), body(parent=self)
        self._text.set_tone(Tone.SOFT)
        for label in (self._title, self._text):
            label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._bar = ProgressBar(self)
        self._bar.setAccessibleName(self.tr("Elapsed share of the time limit"))
        self.remember = QCheckBox(self.tr("&Remember my answer"), self)
        self.cancel = QuietButton(self.tr("&Cancel"), self)
        self.stop = QuietButton(self.tr("&Stop training"), self, icon="stop")
        self.keep = PrimaryButton(self.tr("&Keep training"), self, icon="play")
        self.leave = QuietButton(parent=self)
        self._connect()
        self._arrange()

    def show_question(self) -> None:
        self._title.setText(self.tr("Keep training while Idlebrush is closed?"))
        self._text.setText(
            self.tr(
                "This computer continues in the background as your preferences allow. You can see "
                "what it did when you open Idlebrush again."
            )
        )
        self.remember.setChecked(True)
        self._show(self.remember, self.cancel, self.stop, self.keep)
        self.keep.setDefault(True)
        self.keep.setFocus()

    def show_progress(self) -> None:
        self._title.setText(self.tr("Stopping training"))
        self._text.setText(self.tr("This computer is leaving the swarm. This takes a few seconds."))
        self.leave.setText(self.tr("&Do not wait"))
        self.set_waited(0.0)
        self._show(self._bar, self.leave)
        self.leave.setFocus()

    def set_waited(self, share: float) -> None:
        """Set the elapsed share of the time limit."""
        self._bar.set(share)

    def show_failure(self, what: str, remedy: str) -> None:
        """Show that training could not be stopped."""
        self._title.setText(what)
        self._text.setText(remedy)
        self.leave.setText(self.tr("&Quit anyway"))
        self._show(self.cancel, self.leave)
        self.cancel.setFocus()

    def _show(self, *widgets: QWidget) -> None:
        for widget in (self._bar, self.remember, self.cancel, self.stop, self.keep, self.leave):
            widget.setVisible(widget in widgets)
        self.setAccessibleName(self._title.text())
        self.setAccessibleDescription(self._text.text())
        self.adjustSize()

    def _connect(self) -> None:
        self.keep.clicked.connect(self._answer_keep)
        self.stop.clicked.connect(self._answer_stop)
        self.leave.clicked.connect(self.left)
        self.cancel.clicked.connect(self.reject)

    def _arrange(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(Space.S)
        buttons.addWidget(self.cancel)
        buttons.addStretch(1)
        for button in (self.stop, self.keep, self.leave):
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        column.setSpacing(Space.M)
        for widget in (self._title, self._text, self._bar, self.remember):
            column.addWidget(widget)
        column.addSpacing(Space.S)
        column.addLayout(buttons)
        column.addStrut(_WIDTH)

    def _answer_keep(self) -> None:
        self.answered.emit(True, self.remember.isChecked())

    def _answer_stop(self) -> None:
        self.answered.emit(False, self.remember.isChecked())


class QuitDecision(Enum):
    """The decision whether the daemon ends with the app."""

    ASK = auto()
    KEEP = auto()
    STOP = auto()


def decision(setting: AtQuitting, snapshot: Snapshot | None, state: LinkState) -> QuitDecision:
    """Return the decision at quitting; the volunteer is not asked if there is no daemon or nothing to train."""
    if state is not LinkState.CONNECTED or snapshot is None:
        return QuitDecision.KEEP
    if setting != "ask":
        return QuitDecision.KEEP if setting == "keep" else QuitDecision.STOP
    is_over = snapshot.run is None or snapshot.activity is Activity.COMPLETE
    return QuitDecision.STOP if is_over and not snapshot.generations else QuitDecision.ASK


class QuitQuestion(QObject):
    """Asks only if there is a decision to make, and waits for a limited time."""

    decided = Signal()
    """Emitted when the app may end: the daemon continues or has ended. Not emitted if the volunteer cancels."""

    def __init__(self, link: AppLink, settings: AppSettings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._link, self._settings = link, settings
        self.dialog = QuitDialog(parent)
        self.dialog.answered.connect(self._take_answer)
        self.dialog.left.connect(self._decide)
        self.dialog.rejected.connect(self._cancel)
        self._ticks = 0
        self._clock = QTimer(self, interval=_TICK_MILLISECONDS)
        self._clock.timeout.connect(self._wait)

    def ask(self) -> None:
        """Begin; safe to repeat."""
        if self.dialog.isVisible() or self._clock.isActive():
            self._show_dialog()
            return
        match decision(self._settings.at_quitting, self._link.snapshot, self._link.state):
            case QuitDecision.KEEP:
                self.decided.emit()
            case QuitDecision.STOP:
                self._stop()
            case QuitDecision.ASK:
                self.dialog.show_question()
                self._show_dialog()

    def _show_dialog(self) -> None:
        self.dialog.open()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def _take_answer(self, keeps: bool, remembered: bool) -> None:
        if remembered:
            self._settings.at_quitting = "keep" if keeps else "stop"
        if keeps:
            self._decide()
        else:
            self._stop()

    def _stop(self) -> None:
        """Stop the daemon; the time limit starts now, because a hung daemon does not answer."""
        self._ticks = 0
        self.dialog.show_progress()
        self._link.changed.connect(self._handle_link_change)
        self._clock.start()
        self._link.ask(Quit(), self._finish_if_gone, self._refuse)

    def _finish_if_gone(self, _: Done | Status) -> None:
        """Finish if the daemon is gone; otherwise the link reports its end."""
        if self._clock.isActive() and self._link.state is not LinkState.CONNECTED:
            self._decide()

    def _wait(self) -> None:
        self._ticks += 1
        self.dialog.set_waited(self._ticks / _TICKS)
        if self._ticks == _TICKS:
            self._decide()
        elif self._ticks == 3:  # a dialog appears only if stopping takes a while
            self._show_dialog()

    def _handle_link_change(self, state: LinkState) -> None:
        if state is not LinkState.CONNECTED:
            self._decide()

    def _refuse(self, error: ClientError) -> None:
        if not self._clock.isActive():  # the wait is over
            return
        if isinstance(error, NoDaemon):
            self._decide()
            return
        self._stop_waiting()
        self.dialog.show_failure(*problem_words(error.code, error.what, error.remedy))
        self._show_dialog()

    def _cancel(self) -> None:
        """End the wait if its progress was closed; change nothing if the question was closed."""
        if self._clock.isActive():
            self._decide()

    def _decide(self) -> None:
        self._stop_waiting()
        self.dialog.hide()
        self.decided.emit()

    def _stop_waiting(self) -> None:
        if self._clock.isActive():
            self._clock.stop()
            self._link.changed.disconnect(self._handle_link_change)
