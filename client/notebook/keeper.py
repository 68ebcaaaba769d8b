"""Has the daemon leave the swarm in order once the notebook's kernel has ended, however that happened.

`python -m client.notebook.keeper` reads its standard input, whose other end only the kernel holds. The end of it is
the kernel's: a shut down, restarted or killed one cannot leave by itself. Each line is the process id of the kernel's
daemon, the last one counts. The keeper holds a lock, so that one kernel trains in a folder, and that a restarted one
begins once the daemon of the one before has ended.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from client.api.errors import ClientError
from client.api.launch import DaemonProgram, detached, without_pass
from client.notebook.cells import NotebookError
from client.notebook.leaving import LEAVE_SECONDS, leave_swarm
from client.paths import HOME_VARIABLE, Paths
from core.storage.file_lock import alone

MODULE = "client.notebook.keeper"
_LEAVING = "leaving"
"""Content of the lock's file while the holder's daemon ends."""
_KEEPS, _TAKEN = b"keeps\n", b"taken\n"
_PATIENCE = 3.0
"""Seconds for which a keeper waits for a lock whose holder does not say that it leaves."""


class NotebookKeeper:
    """The process that has this kernel's daemon leave once the kernel has ended."""

    def __init__(self, program: DaemonProgram) -> None:
        """Start the process for the daemon of ``program``; raises NotebookError if another kernel has a keeper."""
        self._process: subprocess.Popen[bytes] = subprocess.Popen(
            [sys.executable, "-m", MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=Path(sys.executable).anchor,
            env=without_pass(program.environment),
            **detached(),  # the signals of a kernel go to its whole group
        )
        if (line := self._first_line()) != _KEEPS:
            self.end()
            raise (
                _second_notebook()
                if line == _TAKEN
                else NotebookError(
                    "The process that ends training with the kernel does not start.",
                    "Restart the kernel and try again.",
                )
            )

    @property
    def is_there(self) -> bool:
        """True while the process runs."""
        return self._process.poll() is None

    def keep(self, pid: int) -> None:
        """Note that the daemon with that process id is to leave once this process has ended."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"%d\n" % pid)
        self._process.stdin.flush()

    def end(self) -> None:
        """End the process, which has a daemon leave that still runs."""
        self._process.communicate()

    def _first_line(self) -> bytes:
        assert self._process.stdout is not None
        try:
            return self._process.stdout.readline()
        except BaseException:
            self._process.kill()
            self._process.wait()
            raise


def _second_notebook() -> NotebookError:
    return NotebookError(
        "Another notebook of yours trains on this machine.",
        "End that notebook's kernel, or set another folder for this one: "
        f'os.environ["{HOME_VARIABLE}"] = "..." in a cell before.',
    )


_KEEPERS: dict[str, NotebookKeeper] = {}
"""Keepers of this process by folder: a cell that runs again goes on with the daemon of its first run."""


def keeper_of(program: DaemonProgram) -> NotebookKeeper:
    """Return this process's keeper for the daemon of ``program``; start it if there is none."""
    home = program.environment[HOME_VARIABLE]
    if home not in _KEEPERS or not _KEEPERS[home].is_there:
        _KEEPERS[home] = NotebookKeeper(program)
    return _KEEPERS[home]


def end_keeper(program: DaemonProgram) -> None:
    """End this process's keeper for the daemon of ``program``, if there is one."""
    keeper = _KEEPERS.pop(program.environment[HOME_VARIABLE], None)
    if keeper is not None:
        keeper.end()


def main() -> None:
    """Wait for the end of the kernel, then have its daemon leave; one that has left already is no error."""
    paths = Paths.of_user()
    try:
        with _alone(paths.notebook_lock):
            _keep(paths)
    except BlockingIOError:
        _say(_TAKEN)


def _keep(paths: Paths) -> None:
    paths.notebook_lock.write_text("")
    _say(_KEEPS)
    daemons = sys.stdin.buffer.read().split()
    paths.notebook_lock.write_text(_LEAVING)
    if daemons:
        with suppress(ClientError):
            leave_swarm(paths, pid=int(daemons[-1]))


def _say(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """Hold the lock; an earlier holder that leaves has the time for it. Raises BlockingIOError as `alone` does."""
    until = time.monotonic() + LEAVE_SECONDS
    while True:
        try:
            with alone(file, _PATIENCE):
                yield
                return
        except BlockingIOError:
            if time.monotonic() > until or file.read_text() != _LEAVING:
                raise


if __name__ == "__main__":
    main()
