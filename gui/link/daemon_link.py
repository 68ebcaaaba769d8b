"""The link to a real daemon: connects, starts one where there is none, notices one that hangs, and comes back.

One that has ended in order stays ended until somebody starts it; one that crashed is started again, a few times.
"""

import time
from collections import deque
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer

from client.api.answers import Answer, Status
from client.api.commands import Quit
from client.api.connection import line_of
from client.api.errors import (
    ClientError,
    ControlError,
    DaemonFailed,
    DaemonForeign,
    DaemonOld,
    DaemonSilent,
    NoDaemon,
)
from client.api.launch import Launching
from client.api.questions import GetStatus, Watch
from client.api.requests import AnyRequest
from gui.link.access import DaemonAccess
from gui.link.asking import Asking, call
from gui.link.channel import Channel
from gui.link.link import Answered, Link, Refusal
from gui.link.state import LinkEvent, LinkState, transition
from gui.link.timing import Timing

_EVENTS: dict[type[ControlError], LinkEvent] = {
    DaemonSilent: LinkEvent.MUTED,
    DaemonOld: LinkEvent.OUTDATED,
    DaemonForeign: LinkEvent.REFUSED,
}
_WATCH, _PROBE = 1, 2


class DaemonLink(Link):
    """Watches over one connection; each request goes over another."""

    def __init__(
        self,
        access: DaemonAccess,
        timing: Timing | None = None,
        clock: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._access, self._timing, self._clock = access, timing or Timing(), clock
        self._channel: Channel | None = None
        self._launching: Launching | None = None
        self._launched = 0.0
        self._is_wanted = False
        """Whether a daemon is to be started where there is none."""
        self._crashes: deque[float] = deque(maxlen=self._timing.collapses)
        self._again = QTimer(self, singleShot=True)
        self._again.timeout.connect(self._connect)
        self._quiet = QTimer(self, singleShot=True)
        self._quiet.timeout.connect(self._mind_silence)
        self._is_probed = False

    def start(self) -> None:
        self._is_wanted = True
        self._move(LinkEvent.TRIED)
        self._connect()

    def stop(self) -> None:
        self._again.stop()
        self._let_go()

    def restart_daemon(self) -> None:
        self._is_wanted = True
        if self.state is LinkState.SILENT and self._access.end_by_force():
            self._look_again(self._timing.settle)
        elif self.state is LinkState.ABSENT or self.state is LinkState.FAILED:
            self._launching = None
            self.start()
        else:
            self._end_in_order()

    def ask(self, request: AnyRequest, done: Answered | None = None, failed: Refusal | None = None) -> None:
        failed = failed or self.refused.emit
        try:
            channel = Channel(self._access.connect())
        except ControlError as error:
            QTimer.singleShot(0, self, partial(call, failed, error))
            return
        Asking(channel, request, self._timing.seconds_for(request), done, failed, self)

    def _end_in_order(self) -> None:
        """Any version of the daemon understands that; what it answers does not matter."""
        self._let_go()
        try:
            channel = Channel(self._access.connect(), self)
        except ControlError:
            pass
        else:
            channel.ended.connect(channel.deleteLater)
            channel.send(line_of(Quit(), _WATCH))
        self._launching = None
        self._look_again(self._timing.settle)

    def _connect(self) -> None:
        self._let_go()
        try:
            channel = Channel(self._access.connect(), self)
        except NoDaemon:
            self._do_without()
        except ControlError as error:
            self._trouble(error)
        else:
            self._channel = channel
            channel.received.connect(self._receive)
            channel.ended.connect(self._lose)
            self._expect_word(self._timing.sign_of_life, is_probed=True)
            channel.send(line_of(Watch(), _WATCH))

    def _receive(self, answer: Answer) -> None:
        self._expect_word(self._timing.quiet, is_probed=False)
        if not isinstance(answer, Status):
            return
        self._launching, self._is_wanted = None, False
        if answer.id == _WATCH:
            self.snapshot = answer.snapshot
        if self.state is not LinkState.CONNECTED:
            self._move(LinkEvent.ANSWERED)
        if answer.id == _WATCH:
            self.snapshot_changed.emit(answer.snapshot)

    def _expect_word(self, seconds: float, is_probed: bool) -> None:
        self._is_probed = is_probed
        self._quiet.start(int(1000 * seconds))

    def _mind_silence(self) -> None:
        """Nothing was heard for a while: ask whether it lives, or take it for hung if it was asked."""
        if self._is_probed:
            self._move(LinkEvent.MUTED)
        elif self._channel is not None:
            self._expect_word(self._timing.sign_of_life, is_probed=True)
            self._channel.send(line_of(GetStatus(), _PROBE))

    def _lose(self, error: ClientError) -> None:
        """The connection is over: because the daemon is gone, or because it cannot be understood."""
        if isinstance(error, NoDaemon):
            if self.state is LinkState.CONNECTED:
                self._move(LinkEvent.ENDED)
            self._look_again(self._timing.settle)
        elif isinstance(error, ControlError):
            self._trouble(error)

    def _trouble(self, error: ControlError) -> None:
        self._let_go()
        self.error = error
        self._move(_EVENTS.get(type(error), LinkEvent.MUTED))
        self._look_again(self._timing.look)

    def _do_without(self) -> None:
        """Nobody listens: start a daemon, wait for one that was started, or leave it at that."""
        if self._launching is not None or self._is_wanted:
            self._bring_up()
        elif self.state is not LinkState.FAILED and self._access.is_left_behind() and self._may_launch():
            self._is_wanted = True
            self._bring_up()
        else:
            self._move(LinkEvent.ENDED)
            self._look_again(self._timing.look)

    def _may_launch(self) -> bool:
        """Whether it has not crashed too often of late; counts this time."""
        now, most = self._clock(), self._timing.collapses
        if len(self._crashes) == most and now - self._crashes[0] < self._timing.patience:
            return False
        self._crashes.append(now)
        return True

    def _bring_up(self) -> None:
        if self._launching is None:
            self._launching, self._launched = self._access.launching(), self._clock()
            self._move(LinkEvent.LAUNCHED)
        try:
            self._launching.step()
        except DaemonFailed as error:
            self._give_up(error)
        else:
            if self._clock() - self._launched > self._timing.start:
                self._give_up(self._launching.silence())
            else:
                self._look_again(self._timing.poll)

    def _give_up(self, error: ControlError) -> None:
        self._launching, self._is_wanted = None, False
        self.error = error
        self._move(LinkEvent.COLLAPSED)
        self._look_again(self._timing.look)

    def _look_again(self, seconds: float) -> None:
        self._again.start(int(1000 * seconds))

    def _let_go(self) -> None:
        self._quiet.stop()
        if self._channel is not None:
            self._channel.close()
            self._channel.deleteLater()
            self._channel = None

    def _move(self, event: LinkEvent) -> None:
        state = transition(self.state, event)
        if state is not self.state:
            self.state = state
            if state is not LinkState.CONNECTED:
                self.snapshot = self.snapshot if state is LinkState.SILENT else None
            self.changed.emit(state)
