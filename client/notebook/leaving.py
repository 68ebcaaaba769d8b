"""Has a daemon leave the swarm in order, and waits for its end; a cell and the kernel's keeper do it alike."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from client.api.answers import Status
from client.api.commands import Quit
from client.api.connection import Connection
from client.api.errors import ClientError, DaemonSilent
from client.api.questions import GetStatus
from client.api.snapshot import Snapshot
from client.paths import Paths
from client.service.channel.lock import holder, is_held

LEAVE_SECONDS = 180.0
"""Seconds in which a daemon has to end, with its trainer."""
_LOOK_SECONDS = 0.1


def leave_swarm(
    paths: Paths,
    *,
    pid: int | None = None,
    connect: Callable[[Path], Connection] = Connection.open,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> bool:
    """Make the daemon leave, and wait until its process has ended, as its trainer has by then.

    A daemon that does not answer is asked again.

    Args:
        paths: Folders of the daemon's client.
        pid: Process id of the daemon that is meant; another one is left alone. None: whichever runs.
        connect: Connects to the daemon that listens at a path.
        clock: Returns the time in seconds.
        sleep: Waits for that many seconds.

    Returns:
        True if a daemon took the order and has ended; False if none ran that was meant, or it ended by itself.

    Raises:
        DaemonSilent: It has not ended after `LEAVE_SECONDS`.
    """
    until, is_told = clock() + LEAVE_SECONDS, False
    while is_held(paths.lock):
        if not is_told:
            with suppress(ClientError), connect(paths.socket) as daemon:
                if pid is not None and snapshot_of(daemon).pid != pid:
                    return False
                daemon.ask(Quit())
                is_told = True
        if clock() > until:
            raise DaemonSilent(holder(paths.lock))
        sleep(_LOOK_SECONDS)
    return is_told


def snapshot_of(daemon: Connection) -> Snapshot:
    """Return the snapshot of the ``daemon`` at the other end of a connection; raises ClientError as `ask` does."""
    answer = daemon.ask(GetStatus())
    assert isinstance(answer, Status)
    return answer.snapshot
