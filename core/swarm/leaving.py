"""How a peer leaves its swarm so that it costs the others nothing."""

import time
from collections.abc import Callable

from core.swarm.collaborative import CollaborativeOptimizer
from core.swarm.phase import Phase

_LOOK_SECONDS = 0.02


def finish_round(
    optimizer: CollaborativeOptimizer, seconds: float, clock: Callable[[], float] = time.monotonic
) -> None:
    """Wait for a round or an update that is under way."""
    deadline = clock() + seconds
    while optimizer.phase in (Phase.AVERAGING, Phase.UPDATING) and clock() < deadline:
        optimizer.advance()
        time.sleep(_LOOK_SECONDS)


def linger(
    optimizer: CollaborativeOptimizer, seconds: float, clock: Callable[[], float] = time.monotonic
) -> None:
    """Stay until the others have the last epoch too, so that none has to fetch it from a peer that is gone."""
    deadline = clock() + seconds
    while clock() < deadline and _is_awaited(optimizer):
        time.sleep(_LOOK_SECONDS)


def _is_awaited(optimizer: CollaborativeOptimizer) -> bool:
    behind = (item for item in optimizer.view.others if item.epoch == optimizer.epoch - 1)
    return any(item.synchronised and not item.paused for item in behind)
