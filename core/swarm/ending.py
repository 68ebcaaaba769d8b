"""How a round ends for the trainer that waits for it in another process: with its outcome, or as one that failed."""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from typing import Any

from hivemind.averaging.matchmaking import MatchmakingException
from hivemind.p2p import P2PDaemonError, P2PHandlerError
from hivemind.utils import MPFuture

from core.swarm.donors import StateUnavailable
from core.swarm.round import RoundFailed

_log = logging.getLogger(__name__)

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
"""How rounds end when peers come and go."""


async def fulfil(future: MPFuture, work: Coroutine[Any, Any, Any]) -> None:
    """Do the work, and tell what came of it."""
    outcomes: Sequence[Any] = await asyncio.gather(work, return_exceptions=True)
    tell(future, outcomes[0])


def tell(future: MPFuture, outcome: Any) -> None:
    """Pass a result or an error on, unless the future was cancelled.

    Whatever else goes wrong in a round, other peers may have caused it: it is logged, and the round has failed.
    """
    if future.done():
        return
    if not isinstance(outcome, BaseException):
        future.set_result(outcome)
    elif isinstance(outcome, RoundFailed | StateUnavailable):
        future.set_exception(outcome)
    else:
        if not isinstance(outcome, _BROKEN_OFF):
            _log.warning("A round failed unexpectedly", exc_info=outcome)
        future.set_exception(RoundFailed(f"The round broke off ({outcome!r})."))
