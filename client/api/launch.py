"""Brings a front end to the daemon: to the one that runs, or to one that it starts and leaves on its own."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from client.api.connection import Connection
from client.api.endpoint import ENDED, local_endpoint
from client.api.errors import AlreadyRunning, DaemonFailed, DaemonSilent, NoDaemon
from client.api.questions import GetStatus
from client.paths import Paths
from client.service.channel.lock import holder, holding, is_held
from core.children import logs
from core.children.processes import kill
from core.storage.files import read_bounded

START_SECONDS = 20.0
PASS_VARIABLE = "IDLEBRUSH_PASS"
"""Variable with the content of a pass to a run that has a gate (`client.admission.server_pass`)."""
_POLL = 0.05
_BEFORE_ANOTHER = 0.5
"""Pause after a daemon that found the lock taken: the other daemon may be starting, or about to end."""
_LAST_WORDS = 64 * 1024


@dataclass(frozen=True)
class DaemonProgram:
    """Program that is started as the daemon."""

    module: str = "client.daemon"
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    """Environment of the daemon; it has to lead to the same `Paths` as the front end's own."""


_DAEMON = DaemonProgram()


class Launching:
    """Starts a daemon for a front end that connects in its own way and never blocks.

    Each time that no daemon answers, the front end calls `step`, and connects again a little later::

        launching = Launching(paths)
        while the front end wants a daemon:
            connect; on NoDaemon: launching.step()
    """

    def __init__(self, paths: Paths, *, program: DaemonProgram = _DAEMON) -> None:
        """Prepare to start a daemon; `step` starts it.

        Args:
            paths: Folders of this user's client.
            program: Program to start as the daemon.
        """
        self._paths = paths
        self._program = program
        self._log = paths.log("daemon-start")
        self._process: subprocess.Popen[bytes] | None = None
        self._status: int | None = None
        """Exit status as of one step ago.

        A daemon that ended since then may have made way for another daemon's socket.
        """
        self._again = 0.0

    def step(self) -> None:
        """Start the daemon, or another one after a daemon that found the lock taken.

        Raises DaemonFailed if it cannot be started, or has ended during its start.
        """
        if self._process is None:
            self._start()
        elif self._status == AlreadyRunning.STATUS:
            if time.monotonic() >= self._again:
                self._start()
        elif self._status is not None:
            failure = _failed(self._status, self._log)
            if not self._is_taken_back(failure):
                raise failure
        else:
            self._look()

    def silence(self) -> DaemonSilent:
        """Return the error for a daemon that runs, or was started, and has not answered for too long."""
        return DaemonSilent(holder(self._paths.lock))

    def _start(self) -> None:
        try:
            self._paths.prepare()
            self._process, self._status = _start(self._program, self._log), None
        except OSError as error:
            raise DaemonFailed(
                f"The daemon cannot be started: {error.strerror or error}.",
                f"Check that the disk has space, and that you may write to {self._log.parent}.",
            ) from error

    def _is_taken_back(self, failure: DaemonFailed) -> bool:
        """Return true if an earlier version's daemon will be started, as this one's is on trial and failed."""
        from client.installed import read_installation
        from client.updates import handover  # which few need, and which imports this module

        installation, environment = read_installation(), self._program.environment
        if not handover.take_back_if_on_trial(self._paths, environment, failure.what, installation):
            return False
        self._process = self._status = None
        return True

    def _look(self) -> None:
        assert self._process, "it was started"
        self._status = self._process.poll()
        self._again = time.monotonic() + _BEFORE_ANOTHER


def connect(paths: Paths, seconds: float) -> socket.socket:
    """Connect a socket to the daemon, for a front end with an event loop of its own.

    Args:
        paths: Folders of this user's client.
        seconds: Time limit.

    Raises:
        NoDaemon: No daemon listens, or none accepted in time while no process holds the daemon's lock.
        DaemonSilent: A process holds the lock, and does not accept the connection.
    """
    try:
        return local_endpoint(paths.socket).connect(seconds)
    except DaemonSilent:
        if is_held(paths.lock):
            raise DaemonSilent(holder(paths.lock)) from None
        raise NoDaemon(ENDED) from None


def without_pass(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for a daemon, which needs no pass and could show it for days."""
    return {name: value for name, value in environment.items() if name != PASS_VARIABLE}


def end_silent_daemon(paths: Paths) -> bool:
    """Kill the daemon that runs and does not answer, with all that it has started.

    A process that has come to have the daemon's former process id is left alone.

    Args:
        paths: Folders of this user's client.

    Returns:
        True if there was such a daemon.
    """
    pid = holding(paths.lock)
    if pid is None:
        return False
    with suppress(OSError):
        kill(pid)
    return True


def ensure_daemon(
    paths: Paths, seconds: float = START_SECONDS, *, program: DaemonProgram = _DAEMON
) -> Connection:
    """Return a connection to a daemon that answers; start one if there is none.

    If several front ends start one, all are connected to the same daemon. Where a daemon is still ending,
    another is started once it has released its lock.

    Args:
        paths: Folders of this user's client.
        seconds: Time limit.
        program: Program to start as the daemon.

    Raises:
        DaemonFailed: The daemon cannot be started, or ended during its start.
        DaemonSilent: The daemon does not answer in time.
        ControlError: The daemon cannot be reached for another reason.
    """
    deadline = time.monotonic() + seconds
    launching = Launching(paths, program=program)
    while True:
        try:
            return _answering(paths, deadline)
        except NoDaemon:
            launching.step()
        if time.monotonic() >= deadline:
            raise launching.silence()
        time.sleep(_POLL)


def _answering(paths: Paths, deadline: float) -> Connection:
    """Return a connection over which the daemon has answered.

    Accepting a connection does not yet mean that it is awake.
    """
    seconds = max(deadline - time.monotonic(), _POLL)
    try:
        with ExitStack() as undo:
            connection = undo.enter_context(Connection.open(paths.socket, seconds))
            connection.ask(GetStatus(), seconds)
            undo.pop_all()
    except DaemonSilent as error:
        raise DaemonSilent(holder(paths.lock)) from error
    return connection


def _start(program: DaemonProgram, log: Path) -> "subprocess.Popen[bytes]":
    """Start the daemon in a session of its own, so that neither terminal nor front end ends it."""
    with logs.appending(log, emptied=True) as writing:
        process = subprocess.Popen(
            [sys.executable, "-m", program.module],
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=writing,
            cwd=Path(sys.executable).anchor,
            env=without_pass(program.environment),
            **detached(),
        )
    # A front end that outlives the daemon has to collect it.
    threading.Thread(target=process.wait, name="daemon's end", daemon=True).start()
    return process


def detached(*, leaves_job: bool = False, platform: str = sys.platform) -> dict[str, Any]:
    """Return the options with which `subprocess.Popen` starts a process that outlives this one and its terminal.

    Args:
        leaves_job: True for a process that must not end with the Job Object of this one (`tie_children`); Windows
            refuses it with an OSError where another program has put this process into a job that forbids it.
        platform: One of the names of `sys.platform`.
    """
    if platform != "win32":
        return {"start_new_session": True}
    from core.children.windows import win32  # whose ctypes no other system needs

    leaving = win32.CREATE_BREAKAWAY_FROM_JOB if leaves_job else 0
    return {"creationflags": win32.DETACHED_PROCESS | win32.CREATE_NEW_PROCESS_GROUP | leaving}


def _failed(status: int | None, log: Path) -> DaemonFailed:
    try:
        lines = read_bounded(log, _LAST_WORDS).decode(errors="replace").split("\n")
    except (OSError, ValueError):
        lines = []
    words = next((line.strip() for line in reversed(lines) if line.strip()), f"exit status {status}")
    return DaemonFailed(
        f"The daemon ended during its start: {words}",
        f"Correct the cause and try again. {log} has the details.",
    )
