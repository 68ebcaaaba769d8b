"""Work done in forked processes: by several at once, or by one that dies in the middle."""

import os
import signal
import sys
from collections.abc import Callable

from sqlalchemy import Engine, event

_CHANGES = {"shutil.copyfile", "os.rename", "os.remove", "os.link"}
Work = Callable[[], object]


def at_once(processes: int, work: Work) -> list[int]:
    """The exit statuses of the processes, when all have ended."""
    children = [_fork(work) for _ in range(processes)]
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


def dies_at_statement(number: int, work: Work) -> bool:
    """Do ``work`` in a process that is gone, as by kill -9, before the n-th statement that it sends to a database.

    Returns whether it came so far.
    """

    def killed() -> None:
        event.listen(Engine, "before_cursor_execute", _Killer(number))
        work()

    return _dies(killed)


def dies_at_change_of_files(number: int, work: Work) -> bool:
    """The same before the n-th time that it copies, renames or removes a file."""

    def killed() -> None:
        kill = _Killer(number)
        sys.addaudithook(lambda name, arguments: kill() if name in _CHANGES else None)
        work()

    return _dies(killed)


def _dies(killed: Work) -> bool:
    status = os.waitpid(_fork(killed), 0)[1]
    assert os.WIFSIGNALED(status) or os.waitstatus_to_exitcode(status) == 0, "it failed before it was killed"
    return os.WIFSIGNALED(status)


def _fork(work: Work) -> int:
    if child := os.fork():
        return child
    try:
        work()
        os._exit(0)
    finally:
        os._exit(1)


class _Killer:
    def __init__(self, number: int) -> None:
        self._left = number

    def __call__(self, *statement: object) -> None:
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
