"""Takes a checkpoint: fetches the state from trainers, and keeps it if several agree on it and it is no worse."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from coordinator.peer_users import UserOrPeer
from coordinator.publisher.archive import Archive
from coordinator.publisher.held_out import HeldOut, is_worse
from coordinator.publisher.reported_parameters import ReportedParameters
from coordinator.publisher.retention import KeptCheckpoint
from coordinator.publisher.second_donors import SecondDonors, SeededAnswers
from core.errors import SwarmError
from core.swarm.state.pieces import StateOutline
from core.swarm.state.replica import Place, place_of
from core.swarm.state.state import SwarmState

_log = logging.getLogger(__name__)
_DONORS = 4
"""Largest number of donors that are asked for one checkpoint."""


class Download(Protocol):
    def __call__(self, donor: bytes, fixed: Callable[[StateOutline], None]) -> SwarmState:
        """Return a donor's whole state. Raise SwarmError if the donor does not give one that holds together.

        ``fixed`` is called with its outline once the donor has named that, and can give no other. What it raises
        ends the download.
        """


@dataclass(frozen=True)
class CapturedState:
    """A state that is the swarm's, and what became of it."""

    epoch: int
    refusal: str | None = None
    """Reason for which the state is not kept; None: it is kept."""
    loss: float | None = None
    """Loss on held-out rows, if the checkpoint is kept and there are any."""
    held_back: str | None = None
    """Reason for which too few volunteers are known to hold the state, which is not kept then."""

    @property
    def is_kept(self) -> bool:
        """True if the state is kept as a checkpoint."""
        return self.refusal is None and self.held_back is None


class _HeldBack(Exception):
    """A state is held back before its pieces come."""

    def __init__(self, taken: CapturedState) -> None:
        super().__init__(taken.held_back)
        self.taken = taken


def _held_back(epoch: int, why: str) -> CapturedState:
    _log.warning("A state of epoch %s is held back: %s.", epoch, why)
    return CapturedState(epoch, held_back=why)


StateCheck = Callable[[Place], str | None]
"""Says why the state at a place is not the swarm's; None if it is."""


@dataclass(frozen=True)
class _GivenState:
    """A state that may become a checkpoint."""

    state: SwarmState
    check: StateCheck
    answers: Callable[[], SeededAnswers]
    """Gives what others said of it."""
    giver: UserOrPeer | None = None
    """User that gave it; None if it is the coordinator's own."""


class OwnState(Protocol):
    def __call__(self, epoch: int) -> SwarmState | None:
        """Return the coordinator's own state of that epoch or a later one; None if it does not have one soon."""


def no_state(epoch: int) -> SwarmState | None:
    """Return None: the coordinator has no state of its own."""
    return None


class Capture:
    """One publisher's way to its checkpoints; runs on a thread of its own, and holds one state at a time."""

    def __init__(
        self,
        archive: Archive,
        reported: ReportedParameters,
        download: Download,
        held_out: HeldOut | None,
        second: SecondDonors,
        *,
        loss_bound: float,
        own: OwnState = no_state,
    ) -> None:
        self._archive, self._reported, self._download = archive, reported, download
        self._held_out, self._loss_bound, self._own = held_out, loss_bound, own
        self._second = second

    def take(self, donors: Sequence[bytes], least: int, *, suspected: bool = False) -> CapturedState | None:
        """Keep the state of the first donor that gives the swarm's, unless it is worse than it may be.

        The coordinator's own state is looked at before any donor is asked for one.
        A refusal needs all donors: one of them may have made up a state that passes for the swarm's and is bad. One
        from before the epoch ``least`` is not the swarm's any more, though all had it once: kept again and again it
        would push the others out of the ring. A state is held back unless a second user holds the same, moments and
        all. None if no donor gives one; PublishError and CheckpointError where it cannot be written.

        Args:
            suspected: whether the run may have gone astray; then it is held to the best that is kept, not to the
                last, which may have crept away already.
        """
        refused = None
        for given in chain([self._made(least)], map(self._ask, donors[:_DONORS])):  # each in its turn
            taken = self._examine(given, least, suspected) if isinstance(given, _GivenState) else given
            if taken is not None and taken.is_kept:
                return taken
            refused = taken if refused is None or (taken and taken.refusal) else refused
        return refused

    def _made(self, least: int) -> _GivenState | None:
        """Return the coordinator's own state of the epoch ``least`` or a later one."""
        state = self._own(least)
        if state is None:
            return None
        return _GivenState(state, self._reported.objection, lambda: self._second.ask(state.epoch, state.head))

    def _ask(self, donor: bytes) -> _GivenState | CapturedState | None:
        """Return the state of a ``donor``, or what holds it back before it comes.

        Others are asked before it comes, as theirs are newer soon.
        """
        asked, giver = list[SeededAnswers](), self._second.user_of(donor)

        def ask_others(outline: StateOutline) -> None:
            asked.append(self._second.ask(outline.epoch, outline.head))
            place = Place(outline.epoch, outline.head, "", (), outline.root)
            if why := self._second.shortfall(place, asked[-1], giver):
                raise _HeldBack(_held_back(place.epoch, why))

        try:
            state = self._download(donor, ask_others)
        except _HeldBack as error:
            return error.taken
        except SwarmError as error:
            _log.warning("A donor did not deliver a checkpoint: %s", error)
            return None
        return _GivenState(state, self._reported.refusal, lambda: asked[-1], giver)

    def _examine(self, given: _GivenState, least: int, suspected: bool) -> CapturedState | None:
        """Keep a state if it is the swarm's and no worse than it may be; None if it is another's."""
        state, place = given.state, place_of(given.state)
        why = f"the swarm is at epoch {least} or past it" if place.epoch < least else given.check(place)
        if why is not None:
            _log.warning("A state of epoch %s is not believed: %s.", place.epoch, why)
            return None
        if why := self._second.objection(state, place, given.answers(), given.giver):
            return _held_back(place.epoch, why)
        return self._keep(state, place, self._measure(suspected))

    def _measure(self, suspected: bool) -> KeptCheckpoint | None:
        """Return the checkpoint that a new state is compared with; None if there is none.

        It is the one of least loss if the run is ``suspected`` of divergence, and the newest one otherwise.
        """
        if not suspected:
            return self._archive.newest()
        measured = [item for item in self._archive.kept() if item.loss is not None]
        return min(measured, key=lambda item: item.loss or 0.0, default=None)

    def _keep(self, state: SwarmState, place: Place, measure: KeptCheckpoint | None) -> CapturedState:
        loss = self._held_out.loss(state) if self._held_out is not None else None
        if loss is not None and is_worse(loss, measure.loss if measure else None, self._loss_bound):
            usual = f", after {measure.loss:.4f} at epoch {measure.epoch}" if measure and measure.loss else ""
            return CapturedState(place.epoch, f"the held-out loss is {loss:.4f}{usual}")
        self._archive.enter(state, place, loss)
        return CapturedState(place.epoch, loss=loss)
