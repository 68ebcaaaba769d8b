"""Counts the trainers that a peer misses since the whole swarm is out of its reach."""

SEEN_AGAIN_SECONDS = 12.0
"""Seconds in which a trainer that is still there has published again, once the swarm is in reach."""


class MissedTrainers:
    """The trainers that were there when the swarm was last in reach.

    A peer whose line is down, or whose swarm has lost all bootstrap peers, sees no record of others. That does not
    tell that they are gone: each of them that went on alone would make a branch of its own.
    """

    def __init__(self) -> None:
        """Miss none at first."""
        self._known: frozenset[bytes] = frozenset()
        self._until = float("-inf")

    def look(self, trainers: frozenset[bytes], in_reach: bool, now: float) -> int:
        """Return the number of trainers that are missed.

        Args:
            trainers: ids of the other trainers that are seen now.
            in_reach: true if any peer of the swarm answers.
            now: monotonic seconds of the look.
        """
        if not in_reach:
            self._until = now + SEEN_AGAIN_SECONDS
        if now >= self._until or (in_reach and self._known & trainers):
            self._known, self._until = trainers, float("-inf")
        return len(self._known - trainers)
