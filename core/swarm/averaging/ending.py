"""Passes orders to the averager's process, and outcomes to the trainer, which waits for them in another one."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from multiprocessing.connection import Connection
from typing import Any

from hivemind.averaging.matchmaking import MatchmakingException
from hivemind.p2p import P2PDaemonError, P2PHandlerError
from hivemind.utils import MPFuture

from core.swarm.rounds.round import NothingToCommit, RoundFailed
from core.swarm.state.donors import StateUnavailable

_log = logging.getLogger(__name__)

_PIECE_SECONDS = 1.0

_BROKEN_OFF = (
    MatchmakingException,
    P2PDaemonError,
    P2PHandlerError,
    ConnectionError,
    TimeoutError,
    AssertionError,  # hivemind's checks of what a leader says
    StopAsyncIteration,
    asyncio.InvalidStateError,
    asyncio.CancelledError,
)
"""Errors with which rounds end when peers come and go."""


class SharedPipe:
    """An end of a pipe to which threads of one process send, each message whole.

    Python writes a message of more than 16 KiB in two pieces, between which another thread's would come.
    """

    def __init__(self, end: "Connection[Any, Any]") -> None:
        """Send to ``end`` from now on, before it is forked: another process must not find the lock held."""
        self._end, self._lock = end, threading.Lock()

    def send(self, message: Any) -> None:
        """Send a ``message`` once those of other threads are written."""
        with self._lock:
            self._end.send(message)


def answer(future: MPFuture, seconds: float, clock: Callable[[], float] = time.monotonic) -> Any:
    """Return the result of ``future`` once the other process gives it; raise TimeoutError after ``seconds``.

    It is waited for in pieces of a second at most, and a piece that took much longer by ``clock`` does not count:
    this process was stopped meanwhile, as a paused trainer is, and the answer may be there without having been read.
    """
    while seconds > 0:
        piece, began = min(seconds, _PIECE_SECONDS), clock()
        try:
            return future.result(timeout=piece)
        except TimeoutError:
            if future.done():
                return future.result(timeout=0)
            if clock() - began < piece + _PIECE_SECONDS:
                seconds -= piece
    raise TimeoutError


async def fulfil(future: MPFuture, work: Coroutine[Any, Any, Any]) -> None:
    """Await ``work``, and pass its result or error to ``future`` as ``resolve`` does."""
    outcomes: Sequence[Any] = await asyncio.gather(work, return_exceptions=True)
    resolve(future, outcomes[0])


def resolve(future: MPFuture, outcome: Any) -> None:
    """Set ``outcome``, a result or an error, on ``future``, unless that is done already.

    Any unexpected error in a round may be the doing of other peers: it is logged, and becomes a RoundFailed.
    """
    if future.done():
        return
    if not isinstance(outcome, BaseException):
        future.set_result(outcome)
    elif isinstance(outcome, RoundFailed | StateUnavailable):
        if not isinstance(outcome, NothingToCommit):
            _log.warning("%s", outcome)
        future.set_exception(outcome)
    else:
        if not isinstance(outcome, _BROKEN_OFF):
            _log.warning("A round failed unexpectedly.", exc_info=outcome)
        elif not isinstance(outcome, asyncio.CancelledError):
            _log.warning("A round broke off: %r", outcome)
        future.set_exception(RoundFailed(f"The round broke off ({outcome!r})."))
