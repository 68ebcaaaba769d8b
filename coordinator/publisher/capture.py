"""Takes a checkpoint: fetches the state from trainers, and keeps it if they agree on it and it is no worse."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from coordinator.publisher.archive import Archive
from coordinator.publisher.held_out import HeldOut, is_worse
from coordinator.publisher.witnesses import Witnesses
from core.errors import SwarmError
from core.swarm.replica import Place, place_of
from core.swarm.state import SwarmState

_log = logging.getLogger(__name__)
_DONORS = 4
"""Asked for one checkpoint."""


class Download(Protocol):
    def __call__(self, donor: bytes) -> SwarmState:
        """A donor's whole state; SwarmError where it does not give one that holds together."""


@dataclass(frozen=True)
class Taken:
    """A state that is the swarm's, and what became of it."""

    epoch: int
    refusal: str | None = None
    """Why it is not fit to be kept; None: it is kept."""


class Capture:
    """One publisher's way to its checkpoints; runs on a thread of its own, and holds one state at a time."""

    def __init__(
        self,
        archive: Archive,
        witnesses: Witnesses,
        download: Download,
        held_out: HeldOut | None,
        *,
        loss_bound: float,
    ) -> None:
        self._archive, self._witnesses, self._download = archive, witnesses, download
        self._held_out, self._loss_bound = held_out, loss_bound

    def take(self, donors: Sequence[bytes], least: int) -> Taken | None:
        """Keep the state of the first donor that gives the swarm's, unless it is worse than it may be.

        One from before the epoch ``least`` is not the swarm's any more, though all had it once: kept again and again
        it would push the others out of the ring. None if no donor gives one; PublishError and CheckpointError where
        it cannot be written.
        """
        for donor in donors[:_DONORS]:
            try:
                state = self._download(donor)
            except SwarmError as error:
                _log.warning("A checkpoint was not had from a donor: %s", error)
                continue
            place = place_of(state)
            if why := self._refusal(place, least):
                _log.warning("A donor's state of epoch %s is not believed: %s.", place.epoch, why)
                continue
            return self._keep(state, place)
        return None

    def _refusal(self, place: Place, least: int) -> str | None:
        if place.epoch < least:
            return f"the swarm is at epoch {least} or past it"
        return self._witnesses.refusal(place)

    def _keep(self, state: SwarmState, place: Place) -> Taken:
        loss = self._held_out.loss(state) if self._held_out is not None else None
        last = self._archive.newest()
        if loss is not None and is_worse(loss, last.loss if last else None, self._loss_bound):
            before = (
                f", after {last.loss:.4f} at epoch {last.epoch}" if last and last.loss is not None else ""
            )
            return Taken(place.epoch, f"the held-out loss is {loss:.4f}{before}")
        self._archive.enter(state, place, loss)
        return Taken(place.epoch)
