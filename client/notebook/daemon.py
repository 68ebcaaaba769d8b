"""The daemon of a notebook: started with the keeper that ends it, asked with patience, and ended in order."""

from client.api.commands import CancelSignIn, JoinCandidate, LookAtRun
from client.api.errors import DaemonSilent
from client.api.launch import ensure_daemon
from client.api.snapshot import Snapshot
from client.notebook.cells import NotebookError
from client.notebook.keeper import end_keeper, keeper_of
from client.notebook.leaving import leave_swarm, snapshot_of
from client.notebook.machine import NotebookMachine
from client.preferences.preferences_file import change
from client.unattended.terms import limits_given, unattended_preferences

_START_SECONDS = 60.0
_SILENCE_SECONDS = 300.0
"""Time limit in seconds for a daemon that does not answer, as on a machine that is short of memory."""


class NotebookDaemon:
    """The daemon of a notebook, of which the cells ask and see."""

    def __init__(self, machine: NotebookMachine) -> None:
        """Prepare to reach the daemon of ``machine``."""
        self._machine = machine
        self._paths = machine.paths

    def begin(self) -> None:
        """Start the daemon and what ends it with the kernel, and set the preferences of an unattended machine.

        Raises:
            NotebookError: Another notebook trains on this machine.
            ClientError: The daemon cannot be started.
        """
        program = self._machine.program
        self._paths.prepare()
        limits = limits_given((), program.environment)
        keeper = keeper_of(program)
        change(self._paths.preferences, lambda now: unattended_preferences(now, limits))
        ensure_daemon(self._paths, _START_SECONDS, program=program).close()
        keeper.keep(self.look().pid)

    def ask(self, request: LookAtRun | JoinCandidate | CancelSignIn) -> None:
        """Send a ``request`` to the daemon; raises ClientError as `Connection.ask` does."""
        with self._machine.connect(self._paths.socket) as daemon:
            daemon.ask(request)

    def look(self) -> Snapshot:
        """Return the daemon's snapshot; one that does not answer is asked again for some minutes.

        Raises:
            NoDaemon: No daemon runs.
            DaemonSilent: It has not answered for `_SILENCE_SECONDS`.
        """
        until = self._machine.clock() + _SILENCE_SECONDS
        while True:
            try:
                return self.glance()
            except DaemonSilent:
                if self._machine.clock() >= until:
                    raise
            self._machine.sleep(self._machine.look_seconds)

    def glance(self) -> Snapshot:
        """Return the daemon's snapshot; raises ClientError if it does not answer at once."""
        with self._machine.connect(self._paths.socket) as daemon:
            return snapshot_of(daemon)

    def end(self) -> bool:
        """Make the daemon leave in order, and wait for its last process; return False if none took the order.

        Raises:
            NotebookError: It does not end.
        """
        machine = self._machine
        try:
            is_left = leave_swarm(
                self._paths, connect=machine.connect, clock=machine.clock, sleep=machine.sleep
            )
        except DaemonSilent as error:
            log = self._paths.log("daemon")
            raise NotebookError(
                "The daemon does not end.", f"Restart the kernel; {log} tells more."
            ) from error
        end_keeper(machine.program)
        return is_left
