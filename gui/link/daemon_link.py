"""The link to a real daemon: connects, starts a missing daemon, notices a hung one, and reconnects.

A daemon that has ended in order stays ended; one that crashed is restarted a few times.
"""

import logging
import time
from collections import deque
from functools import partial

from PySide6.QtCore import QTimer

from client.api.answers import DaemonAnswer, Status
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
from gui.link.channel import DaemonChannel, PendingRequest, call_if_alive
from gui.link.daemon_access import DaemonAccess, Timing
from gui.link.link import Answered, AppLink, LinkEvent, LinkState, Refusal, transition

_log = logging.getLogger(__name__)

_EVENTS: dict[type[ControlError], LinkEvent] = {
    DaemonSilent: LinkEvent.MUTED,
    DaemonOld: LinkEvent.OUTDATED,
    DaemonForeign: LinkEvent.REFUSED,
}
_UNREACHABLE = (LinkState.SILENT, LinkState.OLD, LinkState.FOREIGN, LinkState.FAILED)
_WATCH, _PROBE = 1, 2


class DaemonLink(AppLink):
    """Keeps one connection for snapshots; each request has a connection of its own."""

    def __init__(self, access: DaemonAccess, timing: Timing | None = None) -> None:
        super().__init__()
        self._access, self._timing = access, timing or Timing()
        self._channel: DaemonChannel | None = None
        self._launching: Launching | None = None
        self._launched = 0.0
        self._is_wanted = False
        """True if a missing daemon is to be started."""
        self._crashes: deque[float] = deque(maxlen=self._timing.collapses)
        self._again = QTimer(self, singleShot=True)
        self._again.timeout.connect(self._connect)
        self._quiet = QTimer(self, singleShot=True)
        self._quiet.timeout.connect(self._handle_silence)
        self._is_probed = False

    def start(self) -> None:
        self._is_wanted = True
        self._move(LinkEvent.TRIED)
        self._connect()

    def stop(self) -> None:
        self._again.stop()
        self._close_channel()

    def restart_daemon(self) -> None:
        self._is_wanted = True
        if self.state is LinkState.SILENT and self._access.end_by_force():
            self._retry_in(self._timing.settle)
        elif self.state is LinkState.ABSENT or self.state is LinkState.FAILED:
            self._launching = None
            self.start()
        else:
            self._end_in_order()

    def ask(self, request: AnyRequest, done: Answered | None = None, failed: Refusal | None = None) -> None:
        self._ask(request, done, failed or self.refused.emit, time.monotonic() + self._timing.answer)

    def _ask(self, request: AnyRequest, done: Answered | None, failed: Refusal, deadline: float) -> None:
        """Send a request; a daemon that is too busy to be connected to at once is tried until the deadline."""
        try:
            channel = DaemonChannel(self._access.connect())
        except ControlError as error:
            if isinstance(error, DaemonSilent) and time.monotonic() < deadline:
                again = partial(self._ask, request, done, failed, deadline)
                QTimer.singleShot(int(1000 * self._timing.poll), self, again)
            else:
                QTimer.singleShot(0, self, partial(call_if_alive, failed, error))
            return
        PendingRequest(channel, request, self._timing.seconds_for(request), done, failed, self)

    def _end_in_order(self) -> None:
        """Ask the daemon to end, and wait until it has; every version understands this request.

        Its answer does not matter. A daemon that ends serves front ends until its trainer is gone.
        """
        self._close_channel()
        self._launching = None
        self._move(LinkEvent.TRIED)
        try:
            channel = DaemonChannel(self._access.connect(), self)
        except ControlError:
            self._retry_in(self._timing.settle)
        else:
            self._channel = channel
            channel.ended.connect(self._handle_end)
            self._expect_answer(self._timing.start, is_probed=True)
            channel.send(line_of(Quit(), _WATCH))

    def _connect(self) -> None:
        self._close_channel()
        try:
            channel = DaemonChannel(self._access.connect(), self)
        except NoDaemon:
            self._handle_missing_daemon()
        except ControlError as error:
            self._handle_error(error)
        else:
            self._channel = channel
            channel.received.connect(self._receive)
            channel.ended.connect(self._handle_end)
            self._expect_answer(self._timing.sign_of_life, is_probed=True)
            channel.send(line_of(Watch(), _WATCH))

    def _receive(self, answer: DaemonAnswer) -> None:
        self._expect_answer(self._timing.quiet, is_probed=False)
        if not isinstance(answer, Status):
            return
        self._launching, self._is_wanted = None, False
        if answer.id == _WATCH:
            self.snapshot = answer.snapshot
        if self.state is not LinkState.CONNECTED:
            self._move(LinkEvent.ANSWERED)
        if answer.id == _WATCH:
            self.snapshot_changed.emit(answer.snapshot)

    def _expect_answer(self, seconds: float, is_probed: bool) -> None:
        self._is_probed = is_probed
        self._quiet.start(int(1000 * seconds))

    def _handle_silence(self) -> None:
        """Probe a silent daemon; take it for hung if it was probed before."""
        if self._is_probed:
            self._move(LinkEvent.MUTED)
        elif self._channel is not None:
            self._expect_answer(self._timing.sign_of_life, is_probed=True)
            self._channel.send(line_of(GetStatus(), _PROBE))

    def _handle_end(self, error: ClientError) -> None:
        """Handle the end of the connection: the daemon is gone, or cannot be understood."""
        if isinstance(error, NoDaemon):
            if self.state is LinkState.CONNECTED:
                self._move(LinkEvent.ENDED)
            self._retry_in(self._timing.settle)
        elif isinstance(error, ControlError):
            self._handle_error(error)

    def _handle_error(self, error: ControlError) -> None:
        self._close_channel()
        self.error = error
        self._move(_EVENTS.get(type(error), LinkEvent.MUTED))
        self._retry_in(self._timing.look)

    def _handle_missing_daemon(self) -> None:
        """Handle a missing daemon: start one, wait for a started one, or leave it ended."""
        if self._launching is not None or self._is_wanted:
            self._start_daemon()
        elif self.state is not LinkState.FAILED and self._access.is_left_behind() and self._may_launch():
            self._is_wanted = True
            self._start_daemon()
        else:
            self._move(LinkEvent.ENDED)
            self._retry_in(self._timing.look)

    def _may_launch(self) -> bool:
        """Count a crash; returns whether there were few enough to restart the daemon."""
        now, most = time.monotonic(), self._timing.collapses
        if len(self._crashes) == most and now - self._crashes[0] < self._timing.patience:
            return False
        self._crashes.append(now)
        return True

    def _start_daemon(self) -> None:
        if self._launching is None:
            self._launching, self._launched = self._access.launching(), time.monotonic()
            self._move(LinkEvent.LAUNCHED)
        try:
            self._launching.step()
        except DaemonFailed as error:
            self._report_failure(error)
        else:
            if time.monotonic() - self._launched > self._timing.start:
                self._report_failure(self._launching.silence())
            else:
                self._retry_in(self._timing.poll)

    def _report_failure(self, error: ControlError) -> None:
        self._launching, self._is_wanted = None, False
        self.error = error
        self._move(LinkEvent.COLLAPSED)
        self._retry_in(self._timing.look)

    def _retry_in(self, seconds: float) -> None:
        self._again.start(int(1000 * seconds))

    def _close_channel(self) -> None:
        self._quiet.stop()
        if self._channel is not None:
            self._channel.close()
            self._channel.deleteLater()
            self._channel = None

    def _move(self, event: LinkEvent) -> None:
        state = transition(self.state, event)
        if state is not self.state:
            _log_change(self.state, state, self.error)
            self.state = state
            if state is not LinkState.CONNECTED:
                self.snapshot = self.snapshot if state is LinkState.SILENT else None
            self.changed.emit(state)


def _log_change(before: LinkState, after: LinkState, error: ClientError | None) -> None:
    if after in _UNREACHABLE:
        _log.warning("Daemon: %s -> %s: %s", before.name, after.name, error or "it does not answer")
    else:
        _log.info("Daemon: %s -> %s.", before.name, after.name)
