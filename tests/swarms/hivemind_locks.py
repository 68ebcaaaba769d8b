"""hivemind's process-wide locks, which forked processes share: one that ends or stops with a lock keeps it."""

import multiprocessing
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from hivemind.utils.asyncio import _AsyncContextWrapper
from hivemind.utils.mpfuture import MPFuture, SharedBytes


def own_locks() -> None:
    """Replace the locks that this process was forked with, so that it shares none with its parent's other children.

    A real trainer is a program of its own and has its own locks. Call it before hivemind is used.
    """
    MPFuture.reset_backend()
    _AsyncContextWrapper.EXECUTOR_LOCK = multiprocessing.Lock()


@contextmanager
def locks_held() -> Iterator[None]:
    """Hold this process's locks: a process that shares them and is killed or stopped meanwhile holds none."""
    with ExitStack() as held:
        for lock in (
            MPFuture._initialization_lock,
            MPFuture._update_lock,
            SharedBytes._lock,
            _AsyncContextWrapper.EXECUTOR_LOCK,
        ):
            held.enter_context(lock)
        yield


def semaphores(pid: int) -> set[str]:
    """Inodes of the semaphores, which all locks between processes are, that a process has mapped."""
    lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
    return {line.split()[4] for line in lines if "/sem." in line}
