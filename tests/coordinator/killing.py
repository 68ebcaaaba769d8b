"""Processes that die, as by kill -9, before the n-th statement that they send to a database."""

import os
import signal
from collections.abc import Callable

from sqlalchemy import Engine, event


def dies_at_statement(number: int, work: Callable[[], object]) -> bool:
    """Run ``work`` in a forked process that is killed so; whether it lived to send that many."""
    if child := os.fork():
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            return True
        assert os.waitstatus_to_exitcode(status) == 0, "the process failed before it was killed"
        return False
    try:
        event.listen(Engine, "before_cursor_execute", _Killer(number))
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
