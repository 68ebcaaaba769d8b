"""Bounds what peers claim to have computed by what the swarm's last commits had: pure functions, and their memory.

A record may state any number of samples, and any class of machine to go with it. What commits had cannot be made up
by records: so claims move the end of a batch within a factor of that pace, however many peers make them.
"""

from collections import deque

_ROUNDS = 4
_FACTOR = 2.0
"""Factor by which a swarm may be faster than in the best of its last rounds, until the next one shows it."""


class DeliveredPace:
    """The samples a second of the last rounds in which this peer took part, by its own clock."""

    def __init__(self) -> None:
        """Begin without any round."""
        self._paces = deque[float](maxlen=_ROUNDS)

    def note(self, samples: float, seconds: float) -> None:
        """Note an epoch that was committed with ``samples`` from all peers, ``seconds`` after the one before."""
        if seconds > 0:
            self._paces.append(samples / seconds)

    @property
    def fastest(self) -> float | None:
        """The largest of the paces in samples a second; None before the first round."""
        return max(self._paces, default=None)


def seconds_until_plausible(target: int, pace: float | None, elapsed: float) -> float:
    """Return the seconds before which a batch cannot be complete, whatever is claimed; 0 if it can be.

    So no claim has a round begin before the swarm would have half of the batch at its last pace. And none keeps a
    batch open: claims only add to what others have, and where a swarm has more than doubled since its last rounds, a
    batch ends with more samples than its target once.

    Args:
        target: samples of the epoch's batch.
        pace: samples a second that the last commits had; None if this peer took part in none, which bounds nothing.
        elapsed: seconds for which the batch was gathered.
    """
    if not pace:
        return 0.0
    return max(0.0, target / (_FACTOR * pace) - elapsed)
