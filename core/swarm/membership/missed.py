"""Counts the trainers that a peer misses since the whole swarm is out of its reach."""

from core.run.look_schedule import STORED_SECONDS

SEEN_AGAIN_SECONDS = STORED_SECONDS
"""Seconds in which a trainer that is still there has published again, once the swarm is in reach."""
FORGOTTEN_SECONDS = 86400.0
"""Seconds out of reach after which peers no longer count as missed: those that were there may be gone for good.

An outage of hours must not end in a branch for each home with an open port: those that were there wait, too. After a
day perhaps no peer comes back, and a peer would wait for ever.
"""


class MissedTrainers:
    """The trainers that were there when the swarm was last in reach.

    A peer whose line is down, or whose swarm has lost all bootstrap peers, sees no record of others. That does not
    tell that they are gone: each of them that went on alone would make a branch of its own.
    """

    def __init__(self) -> None:
        """Miss none at first."""
        self._known: frozenset[bytes] = frozenset()
        self._until, self._out_since = float("-inf"), float("inf")

    def look(
        self, trainers: frozenset[bytes], in_reach: bool, now: float, leaving: frozenset[bytes] = frozenset()
    ) -> int:
        """Return the number of trainers that are missed.

        Args:
            trainers: ids of the other trainers that are seen now.
            in_reach: true if any peer of the swarm answers.
            now: monotonic seconds of the look.
            leaving: ids of those that say that they leave.
        """
        self._known -= leaving
        self._out_since = float("inf") if in_reach else min(self._out_since, now)
        if not in_reach:
            self._until = now + SEEN_AGAIN_SECONDS
        is_whole = now >= self._until or (in_reach and self._known & trainers)
        if is_whole or now - self._out_since >= FORGOTTEN_SECONDS:
            self._known, self._until = trainers, float("-inf")
        return len(self._known - trainers)
