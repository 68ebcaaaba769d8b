"""Keeps the publisher's offer to the swarm up to date: its newest checkpoint of this generation."""

from coordinator.publisher.archive import Archive, as_beginning
from coordinator.publisher.jobs import Job
from coordinator.publisher.peer import Offer, PublisherPeer
from coordinator.publisher.ring import Kept
from core.swarm.beginning import Beginning
from core.swarm.replica import place_of
from core.swarm.state import SwarmState


class Offers:
    """``turn`` never takes long: a checkpoint is read on a thread, once to know its fingerprints, then when asked."""

    def __init__(self, archive: Archive, peer: PublisherPeer, beginning: Beginning) -> None:
        self._archive, self._peer, self._beginning = archive, peer, beginning
        self._job: Job[Offer] = Job("offer", lambda error: None)
        self._offered: int | None = None
        self._reading: int | None = None

    def turn(self) -> None:
        """See that the newest checkpoint is the one that is offered; DatabaseError if it cannot be told."""
        if self._job.is_done:
            self._hear(self._job.collect())
        newest = self._archive.newest()
        if newest is not None and newest.id != self._offered and self._job.is_free:
            self._reading = newest.id
            self._job.start(lambda: self._offer_of(newest))

    def close(self) -> None:
        self._job.close()

    def _hear(self, offer: Offer | None) -> None:
        if offer is None:
            self._job.put_off()
        else:
            self._offered = self._reading
            self._peer.offer(offer)

    def _offer_of(self, kept: Kept) -> Offer:
        return Offer(place_of(self._read(kept)), lambda: self._read(kept))

    def _read(self, kept: Kept) -> SwarmState:
        state = self._archive.state(kept)
        return as_beginning(state, self._beginning) if self._beginning.is_named(state) else state
