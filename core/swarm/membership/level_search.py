"""Follows a swarm by all its records: finds its level where no true summary states it, and draws its deputies."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.swarm.membership.deputies import DeputyRules, PresentPeers
from core.swarm.membership.summary_choice import SummaryChoice
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.summaries import HIGHEST_LEVEL, LARGEST_UNSHARDED, level_for, shard_keys

_PROBE_SECONDS = 60.0
"""Seconds between two looks at a shard of another level: 1.5 kB each."""
_FIRST_PROBES_SECONDS = 6.0
"""Seconds between two such looks until each level was looked at once.

A newcomer without a summary must not take itself to be alone.
"""


@dataclass(frozen=True)
class LevelTolerance:
    """The records that level 0 allows: honest summaries are minutes older than what a peer sees."""

    most_unsharded: int = 2 * LARGEST_UNSHARDED
    """Most records of other peers that an honest summariser could leave at level 0."""
    seconds: float = 180.0
    """Seconds for which there must have been more, or for which peers may need to hear of a new level."""
    least_in_shard: int = 8
    """Records of a shard from which on it counts as in use: a quarter of the bound of their average number."""
    shards: int = 2
    """Number of shards of a level, each drawn at random, that must be in use: one peer can fill one of them."""


def level_by_records(
    many: int | None,
    many_seconds: float,
    in_use: int | None,
    level_seconds: float,
    *,
    is_stated: bool,
    tolerance: LevelTolerance = LevelTolerance(),
) -> int | None:
    """Return the level at which a peer at level 0 is to store its record by what it sees; None to stay there.

    Args:
        many: number of records of others at level 0, if level 0 does not allow so many; else None.
        many_seconds: seconds for which there were so many without a break.
        in_use: a higher level of which enough shards are in use; None if none was found.
        level_seconds: seconds for which this peer has stored its record at level 0.
        is_stated: true if a summary says level 0, false if there is none.
        tolerance: what level 0 allows.
    """
    if in_use is not None and (not is_stated or level_seconds >= tolerance.seconds):
        return in_use
    if many is not None and many_seconds >= tolerance.seconds:
        return level_for(many + 1, 0)
    return None


class LevelSearch:
    """Has a peer look now and then at a shard of a drawn level, while records of the swarm lie at level 0."""

    def __init__(
        self,
        prefix: str,
        *,
        clock: Callable[[], float],
        chance: random.Random,
        tolerance: LevelTolerance = LevelTolerance(),
    ) -> None:
        """Prepare to look.

        Args:
            prefix: the run's DHT prefix.
            clock: gives monotonic seconds.
            chance: draws levels and shards.
            tolerance: what level 0 allows.
        """
        self._prefix, self._clock, self._chance = prefix, clock, chance
        self._tolerance = tolerance
        self._left = list[int]()
        """Levels that were not looked at yet in this pass, in a drawn order."""
        self._passes, self._level, self._in_use = 0, 0, 0
        """Passes so far, the level that was looked at last, and how many of its shards in a row were in use."""
        self._began_at = self._many_since = self._next_at = 0.0
        self.begin()

    def begin(self) -> None:
        """Begin at level 0, which this peer has just come to."""
        now = self._clock()
        self._began_at = self._many_since = now
        self._next_at = now + self._chance.uniform(0.5, 1.5) * _FIRST_PROBES_SECONDS
        self._in_use = 0

    def level(self, unsharded: int, *, is_stated: bool) -> int | None:
        """Return the level to follow by what was seen so far, or None.

        Args:
            unsharded: number of records of others at level 0.
            is_stated: true if a summary says level 0, false if there is none.
        """
        now = self._clock()
        many = unsharded if unsharded > self._tolerance.most_unsharded else None
        if many is None:
            self._many_since = now
        return level_by_records(
            many,
            now - self._many_since,
            self._level if self._in_use >= self._tolerance.shards else None,
            now - self._began_at,
            is_stated=is_stated,
            tolerance=self._tolerance,
        )

    def shard_due(self) -> str | None:
        """Return the DHT key of a drawn shard to read now; None until another one is due.

        It is of the same level if the last one was in use, else of the next. `note_shard` takes what was read.
        """
        now = self._clock()
        if now < self._next_at:
            return None
        if not self._in_use:
            if not self._left:
                self._left = self._chance.sample(range(1, HIGHEST_LEVEL + 1), HIGHEST_LEVEL)
                self._passes += 1
            self._level = self._left.pop()
        is_soon = self._passes <= 1 or self._in_use
        self._next_at = now + (_FIRST_PROBES_SECONDS if is_soon else _PROBE_SECONDS)
        return self._chance.choice(shard_keys(self._prefix, self._level))

    def note_shard(self, records: Sequence[ProgressRecord]) -> None:
        """Note the ``records`` of peers that are there in the shard that was due."""
        self._in_use = self._in_use + 1 if len(records) >= self._tolerance.least_in_shard else 0


class UnshardedSwarm:
    """A swarm at level 0, as one who reads all its records follows it."""

    def __init__(
        self,
        prefix: str,
        summaries: SummaryChoice,
        *,
        rules: DeputyRules,
        clock: Callable[[], float],
        dht_clock: Callable[[], float],
        chance: random.Random,
    ) -> None:
        """Prepare to follow it.

        Args:
            prefix: the run's DHT prefix.
            summaries: the choice of summaries, which learns the deputies and the level.
            rules: the rules by which deputies are drawn.
            clock: gives monotonic seconds.
            dht_clock: gives the DHT time in seconds.
            chance: draws levels and shards.
        """
        self._summaries, self._rules, self._dht_clock = summaries, rules, dht_clock
        self._present = PresentPeers()
        self.search = LevelSearch(prefix, clock=clock, chance=chance)
        """The search for the shards of a higher level; whoever follows the swarm reads those that are due."""

    def follow(self, records: Sequence[ProgressRecord]) -> None:
        """Draw deputies, or leave level 0, if the ``records`` of all peers that are there show that it is time."""
        now, others = self._dht_clock(), len(records) - 1
        self._present.note(records, now)
        if others >= self._rules.most_unsummarised and not self._summaries.hears_entrance:
            roster = self._present.roster(now, self._rules)
            if roster is not None:
                self._summaries.draw_from(roster)
        level = self.search.level(others, is_stated=self._summaries.fresh is not None)
        if level is not None:
            self._summaries.follow(level)
