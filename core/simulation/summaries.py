"""The summaries of a simulated swarm: made by the real rules, and known to each peer a while later."""

import zlib
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from core.run.look_schedule import PULL_SECONDS, SUMMARY_SECONDS
from core.simulation.engine import EventQueue, randomness
from core.simulation.view import SharedOthers, SummarisedView
from core.swarm.membership.cohorts import Cohort, cohorts_in, others_in
from core.swarm.membership.summarising import summarise
from core.swarm.membership.summary_choice import FollowedCommits
from core.swarm.membership.swarm_view import SwarmView, timely
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.summaries import CohortKind, level_for

_PASSED_ON_SECONDS = PULL_SECONDS
"""Seconds, at most, after which a partner has a new summary that does not ask a summariser itself."""
_BESIDE_BYTES = 1_100
"""Bytes of a summary beside its rows: places, owner's key and signature."""
_REMEMBERED = 8
_SUMMARISER = b"\x12\x20" + bytes(32)


@dataclass(frozen=True)
class KnownSummary:
    """A summary of the whole swarm as peers read it."""

    number: int
    """Number of the summary in the order in which they were made."""
    time: float
    """Simulated seconds at which the records were read."""
    level: int
    """Level at which peers store their records by it: 2 to its power is the number of shards."""
    cohorts: tuple[Cohort, ...]
    size: int
    """Bytes of the record."""
    _shared: dict[Any, SharedOthers] = field(default_factory=dict, compare=False, repr=False)

    def seen_by(
        self,
        began: SwarmView,
        own: bytes,
        counted: ProgressRecord | None,
        commits: FollowedCommits,
        now: float,
    ) -> SummarisedView:
        """Return the view that a peer has by this summary, and shares with all that are like it.

        Args:
            began: the time at which its look began.
            own: its id; where the summary names it, the view is its own, and nobody can be asked there.
            counted: the record of the peer's that the summary has counted; None if there is none.
            commits: the commits that it has followed.
            now: the present time in seconds.
        """
        moved = commits.applied(self._places, self.time, now)
        places = [(item.epoch, item.head) for item in moved]
        landed = {
            place: item.time
            for place, item, before in zip(places, moved, self._places, strict=True)
            if item is not before
        }
        alike = _kind(counted), tuple(places)
        if alike not in self._shared:
            others = commits.applied(others_in(self.cohorts, b"", counted), self.time, now)
            self._shared[alike] = SharedOthers(tuple(cast(Sequence[Cohort], others)), landed)
        return self._without_name(own, alike).seen_by(began, landed)

    def _without_name(self, own: bytes, alike: Hashable) -> SharedOthers:
        found = self._shared[alike]
        if own not in self._named:
            return found
        key = own, alike
        if key not in self._shared:
            self._shared[key] = SharedOthers(others_in(found.records, own, None), found.landed)
        return self._shared[key]

    @cached_property
    def _places(self) -> tuple[Cohort, ...]:
        """One cohort of those that stand behind each place: where a commit moves it, it moves all of them."""
        standing = {(item.epoch, item.head): item for item in self.cohorts if item.synchronised}
        return tuple(standing.values())

    @cached_property
    def _named(self) -> frozenset[bytes]:
        return frozenset(cohort.peer_id for cohort in self.cohorts)


class SimulatedSummaries:
    """The summariser of a simulated swarm, and what has come of its summaries to whom."""

    def __init__(
        self, queue: EventQueue, records: Callable[[], Sequence[ProgressRecord]], seed: int = 0
    ) -> None:
        """Summarise from now on what ``records`` returns, at the times of ``queue``.

        ``seed`` decides who is named.
        """
        self._queue, self._records, self._chance = queue, records, randomness(seed, "summaries")
        self._known = deque[KnownSummary](maxlen=_REMEMBERED)
        self._number = 0
        queue.after(SUMMARY_SECONDS, self._turn)

    def known_to(self, peer_id: bytes) -> KnownSummary | None:
        """Return the newest summary that has come to the peer with the id ``peer_id``; None if none has."""
        now = self._queue.now()
        for known in reversed(self._known):
            chance = zlib.crc32(peer_id + known.number.to_bytes(8, "big")) / 2**32
            if known.time + chance * _PASSED_ON_SECONDS <= now:
                return known
        return None

    def _turn(self) -> None:
        self._queue.after(SUMMARY_SECONDS, self._turn)
        now = self._queue.now()
        records = [item for item in timely(self._records(), now) if not item.leaving]
        level = level_for(len(records), self._known[-1].level if self._known else 0)
        if not level and not self._known:
            return
        summary = summarise(records, peer_id=_SUMMARISER, level=level, now=now, chance=self._chance)
        self._number += 1
        size = len(summary.rows) + _BESIDE_BYTES
        self._known.append(KnownSummary(self._number, now, level, cohorts_in(summary), size))


def _kind(counted: ProgressRecord | None) -> Hashable:
    """Return all by which a summary tells the peer of a record that it has ``counted`` from others."""
    if counted is None:
        return None
    return counted.epoch, counted.head, *(getattr(counted, name) for name in CohortKind._fields)
