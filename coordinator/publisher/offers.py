"""Offers the publisher's newest checkpoint to the swarm while trainers lack it."""

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from coordinator.publisher.archive import Archive, as_beginning
from coordinator.publisher.jobs import Job
from coordinator.publisher.retention import KeptCheckpoint
from core.swarm.membership.cohorts import Cohort
from core.swarm.membership.swarm_view import peers_of
from core.swarm.state.beginning import Beginning
from core.swarm.state.replica import Place, place_of
from core.swarm.state.state import SwarmState
from core.swarm.wire.records import ProgressRecord

_PATIENCE_SECONDS = 240.0
"""Seconds for which a trainer may lack a state before the publisher offers it. Until then another peer is
believed to have the state, but such a claim costs nothing. Trainers ignore a peer that claims a state and
sends none for a shorter time."""
_HALF = "half of the trainers in a summary"
"""Stands for those of a large swarm that lack a state, where others have their ids."""


@dataclass(frozen=True)
class Offer:
    """A state that may be sent to trainers; it is read on request."""

    place: Place
    read: Callable[[], SwarmState]


class Offers:
    """Offers of one publisher. A thread reads a checkpoint once for its fingerprints and again on request.

    Therefore ``turn`` returns quickly.
    """

    def __init__(self, archive: Archive, notify: Callable[[Offer], None], beginning: Beginning) -> None:
        """Prepare to offer states; ``notify`` is called with each new offer."""
        self._archive, self._notify, self._beginning = archive, notify, beginning
        self._job: Job[Offer] = Job("offer", lambda error: None)
        self._offered: int | None = None
        self._reading: int | None = None

    def turn(self) -> None:
        """Offer the newest checkpoint; raise DatabaseError if it cannot be determined."""
        if self._job.is_done:
            self._handle(self._job.collect())
        newest = self._archive.newest()
        if newest is not None and newest.id != self._offered and self._job.is_free:
            self._reading = newest.id
            self._job.start(lambda: self._offer_of(newest))

    def close(self) -> None:
        self._job.close()

    def _handle(self, offer: Offer | None) -> None:
        if offer is None:
            self._job.put_off()
        else:
            self._offered = self._reading
            self._notify(offer)

    def _offer_of(self, kept: KeptCheckpoint) -> Offer:
        return Offer(place_of(self._read(kept)), lambda: self._read(kept))

    def _read(self, kept: KeptCheckpoint) -> SwarmState:
        state = self._archive.state(kept)
        return as_beginning(state, self._beginning) if self._beginning.is_named(state) else state


class MissingState:
    """The state that trainers lack, and since when, as one publisher sees it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since: dict[Hashable, float] = {}

    def is_of(self, others: Sequence[ProgressRecord], epoch: int) -> bool:
        """Return true if the state of that epoch must be sent to trainers now."""
        now = self._clock()
        trainers = [record for record in others if not (record.auxiliary or record.paused)]
        self._since = {lacking: self._since.get(lacking, now) for lacking in _lacking(trainers, epoch)}
        is_long = any(now - since > _PATIENCE_SECONDS for since in self._since.values())
        return is_long or is_wanted(others, epoch)


def _lacking(trainers: Sequence[ProgressRecord], epoch: int) -> set[Hashable]:
    """Return those of ``trainers`` that are before ``epoch``; half of a summary's or more count as one.

    A summary names other peers each time, and some have always just joined a large swarm.
    """
    behind = [record for record in trainers if record.epoch < epoch]
    cohorts = peers_of(record for record in trainers if isinstance(record, Cohort))
    lacking: set[Hashable] = {record.peer_id for record in behind if not isinstance(record, Cohort)}
    if cohorts and 2 * peers_of(record for record in behind if isinstance(record, Cohort)) >= cohorts:
        lacking.add(_HALF)
    return lacking


def is_wanted(others: Sequence[ProgressRecord], epoch: int) -> bool:
    """Return true if the swarm lacks the state of that epoch.

    It does after a rollback, and when volunteers return to a swarm that all had left, who then need not start
    again from the beginning. A peer with this state or a later one serves newer states itself.
    """
    trainers = [record for record in others if not record.auxiliary]
    held = any(
        record.synchronised and not record.paused and record.can_be_asked and record.epoch >= epoch
        for record in trainers
    )
    return not held and any(record.epoch < epoch for record in trainers)
