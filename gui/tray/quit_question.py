"""Quitting: asks once whether training goes on without the app, and sees the daemon out if it does not."""

from enum import Enum, auto

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from client.api.answers import Done, Status
from client.api.commands import Quit
from client.api.errors import ClientError, NoDaemon
from client.api.snapshot import Activity, Snapshot
from gui.link.link import Link
from gui.link.state import LinkState
from gui.settings import AtQuitting, Settings
from gui.tray.quit_dialog import QuitDialog
from gui.wording.problems import words

_TICK_MILLISECONDS = 100
_TICKS = 200
"""The daemon has 20 s to end in order; it goes on with that by itself."""


class Decision(Enum):
    """What becomes of the daemon when the app ends."""

    ASK = auto()
    KEEP = auto()
    STOP = auto()


def decision(setting: AtQuitting, snapshot: Snapshot | None, state: LinkState) -> Decision:
    """Nobody is asked where there is nothing to train, or no daemon to be told."""
    if state is not LinkState.CONNECTED or snapshot is None:
        return Decision.KEEP
    if setting != "ask":
        return Decision.KEEP if setting == "keep" else Decision.STOP
    is_over = snapshot.run is None or snapshot.activity is Activity.COMPLETE
    return Decision.STOP if is_over and not snapshot.generations else Decision.ASK


class QuitQuestion(QObject):
    """Asks only where there is something to decide, and never waits for long."""

    decided = Signal()
    """The app may end: the daemon was left alone, or has ended. Nothing is emitted where the volunteer cancels."""

    def __init__(self, link: Link, settings: Settings, parent: QWidget | None = None) -> None:
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
        """Begin; safe to repeat while it is under way."""
        if self.dialog.isVisible() or self._clock.isActive():
            self._bring_up()
            return
        match decision(self._settings.at_quitting, self._link.snapshot, self._link.state):
            case Decision.KEEP:
                self.decided.emit()
            case Decision.STOP:
                self._stop()
            case Decision.ASK:
                self.dialog.show_question()
                self._bring_up()

    def _bring_up(self) -> None:
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
        """Wait from now on, not only from its answer: one that hangs gives none."""
        self._ticks = 0
        self.dialog.show_progress()
        self._link.changed.connect(self._mind_link)
        self._clock.start()
        self._link.ask(Quit(), self._see_out, self._refuse)

    def _see_out(self, _: Done | Status) -> None:
        """It ends, which the link tells of, and may have told before."""
        if self._clock.isActive() and self._link.state is not LinkState.CONNECTED:
            self._decide()

    def _wait(self) -> None:
        self._ticks += 1
        self.dialog.set_waited(self._ticks / _TICKS)
        if self._ticks == _TICKS:
            self._decide()
        elif self._ticks == 3:  # what takes no time is not worth a window
            self._bring_up()

    def _mind_link(self, state: LinkState) -> None:
        if state is not LinkState.CONNECTED:
            self._decide()

    def _refuse(self, error: ClientError) -> None:
        if not self._clock.isActive():  # nobody waits for it any more
            return
        if isinstance(error, NoDaemon):
            self._decide()
            return
        self._wait_no_longer()
        self.dialog.show_failure(*words(error.code, error.what, error.remedy))
        self._bring_up()

    def _cancel(self) -> None:
        """Who closes the progress does not want to wait; who closes the question goes on as before."""
        if self._clock.isActive():
            self._decide()

    def _decide(self) -> None:
        self._wait_no_longer()
        self.dialog.hide()
        self.decided.emit()

    def _wait_no_longer(self) -> None:
        if self._clock.isActive():
            self._clock.stop()
            self._link.changed.disconnect(self._mind_link)
