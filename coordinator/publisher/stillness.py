"""Whether a swarm stands still: then a checkpoint is due, to keep what may be lost or to see what ails it.

Peers leave out gradients that are not numbers, so a run whose parameters give nothing else makes no more epochs, and
none of its losses tells of it; the held-out loss of its state does.
"""

from collections.abc import Callable

_LEAST_SECONDS = 600.0
_EPOCHS = 4
"""Times as long as the epoch before took: a slow swarm does not stand still."""


class Stillness:
    """One swarm's, by the epochs that are seen."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._epoch: int | None = None
        self._since = self._before = 0.0

    def is_still(self, epoch: int) -> bool:
        """Whether the swarm, which is at that epoch now, has been there for long."""
        now = self._clock()
        if epoch != self._epoch:
            self._before = now - self._since if self._epoch is not None else 0.0
            self._epoch, self._since = epoch, now
        return now - self._since > max(_LEAST_SECONDS, _EPOCHS * self._before)
