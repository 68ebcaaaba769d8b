"""Leaves the swarm at no cost for the other peers."""

import time
from collections.abc import Callable

from core.swarm.collaborative import CollaborativeOptimizer
from core.swarm.phase import Phase

_LOOK_SECONDS = 0.02


def finish_round(
    optimizer: CollaborativeOptimizer, seconds: float, clock: Callable[[], float] = time.monotonic
) -> None:
    """Advance ``optimizer`` until no round or update is under way, for at most ``seconds``.

    ``clock`` gives the present time in seconds.
    """
    deadline = clock() + seconds
    while optimizer.phase in (Phase.AVERAGING, Phase.UPDATING) and clock() < deadline:
        optimizer.advance()
        time.sleep(_LOOK_SECONDS)


def linger(
    optimizer: CollaborativeOptimizer, seconds: float, clock: Callable[[], float] = time.monotonic
) -> None:
    """Wait until the other peers have the last epoch of ``optimizer`` too, for at most ``seconds``.

    No peer then has to fetch that epoch from one that is gone. ``clock`` gives the present time in seconds.
    """
    deadline = clock() + seconds
    while clock() < deadline and _is_awaited(optimizer):
        time.sleep(_LOOK_SECONDS)


def _is_awaited(optimizer: CollaborativeOptimizer) -> bool:
    behind = (item for item in optimizer.view.others if item.epoch == optimizer.epoch - 1)
    return any(item.synchronised and not item.paused for item in behind)
