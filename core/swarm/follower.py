"""A follower: holds a run's state, and applies each committed epoch to it without taking part in any.

What it applies is proven by the chain of commits, so no peer has to upload its state, and it can give the state to
others where no trainer accepts connections.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import torch
from hivemind.p2p import PeerID
from hivemind.utils import get_dht_time

from core.errors import CoreError, SwarmError
from core.run.manifest import RunManifest
from core.run.training.families import family_of
from core.skeletons import shapes_alone
from core.swarm.averaging.averager import GradientAverager
from core.swarm.initial_model import initial_model
from core.swarm.membership.agreement import Course, Verdict, assess, in_order_of_asking
from core.swarm.membership.majority import beyond_belief, leading_place
from core.swarm.quorum.electorate import electorate_of
from core.swarm.rounds.partition import round_tensors
from core.swarm.rounds.round import RoundFailed, RoundRequest
from core.swarm.state.beginning import Beginning
from core.swarm.state.replica import Place, Replica, place_of
from core.swarm.state.state import SwarmState
from core.swarm.verifying.comparison import StateTrust
from core.swarm.verifying.held_state import NOWHERE, HeldState
from core.swarm.wire.limits import Observations, derive
from core.swarm.wire.records import ProgressRecord

_log = logging.getLogger(__name__)
_LOOK_SECONDS = 0.25
_PATIENCE_SECONDS = 20.0
"""Seconds for which a committed epoch is looked for before the whole state is downloaded."""
_DOWNLOAD_SECONDS = 3700.0
"""Seconds for which the averager's answer is waited for: more than it gives a download."""
_END_SECONDS = 2.0
"""Seconds for which a step that is under way may keep the end waiting."""
_ASIDE_SECONDS = 300.0
"""Seconds for which donors are not asked whose state is not believed."""
_DOUBTED_SECONDS = 600.0
"""Seconds for which a state that trainers gave is not given on, if nothing confirms it."""
_MOST_DONORS = 4
_HELD_BYTES, _GIVEN_BYTES = 10.1, 12.1
"""Bytes for each parameter: the float32 parameters, 8-bit moments and an epoch's gradients; and two copies of the
state while it is given away."""
_KEPT_BYTES = 256 << 20
"""Bytes of committed rounds that are kept for others."""


OnPlace = Callable[[Place, Mapping[str, torch.Tensor]], None]
"""Takes a place, and the parameters there by name, each float32 and in its own shape."""


class FollowerStep(StrEnum):
    """The next step of a follower."""

    STAY = "stay"  # no trainer is at its epoch or past it
    AGREE = "agree"  # its state is that of the trainers
    APPLY = "apply"  # an epoch was committed
    DOWNLOAD = "download"  # its state is not the swarm's


def follower_step(
    place: Place,
    others: Sequence[ProgressRecord],
    *,
    peer_id: bytes,
    sketch_tolerance: float,
    beginning: Beginning,
) -> tuple[FollowerStep, Verdict]:
    """Return a follower's next step, and the verdict of its place with the peers that give their states.

    It never goes back: the trainers of a run that all come back without their state get it from the follower.

    Args:
        place: the place of its state in the chain.
        others: the records of the other peers.
        peer_id: id of the follower, by which the order of its donors differs from that of others.
        sketch_tolerance: the largest relative distance between sketches of parameters that counts as agreement.
        beginning: the beginning of the run's generation; records that cannot belong to it do not count.
    """
    admitted = [record for record in others if beginning.admits(record)]
    leading = leading_place(admitted)
    if leading is None or leading[0] < place.epoch:
        return FollowerStep.STAY, Verdict(Course.FOLLOW)
    own = _record(peer_id, place).model_copy(update={"synchronised": False})
    verdict = assess(own, admitted, sketch_tolerance=sketch_tolerance, beginning=beginning)
    doubted = beyond_belief(admitted, beginning)  # it would stay at their epoch until the swarm comes there
    verdict = replace(verdict, donors=tuple(donor for donor in verdict.donors if donor not in doubted))
    if leading[0] > place.epoch:
        return FollowerStep.APPLY, verdict
    agrees = verdict.course == Course.FOLLOW
    return (FollowerStep.AGREE if agrees else FollowerStep.DOWNLOAD), verdict


class StateFollower:
    """Follows one generation of a run on a thread of its own, however slow the machine is: no peer waits for it."""

    def __init__(
        self,
        manifest: RunManifest,
        folder: Path,
        averager: GradientAverager,
        others: Callable[[], Sequence[ProgressRecord]],
        saved: SwarmState | None,
        *,
        refusal: Callable[[Place], str | None] = lambda place: None,
        on_place: OnPlace = lambda place, parameters: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Hold the state with which the generation begins, or a later one; `start` begins to follow.

        Args:
            manifest: the run's manifest.
            folder: the folder of the run's files.
            averager: an averager of auxiliary mode, with outputs in the shapes of the gradients (`outputs_of`).
            others: gives the records of the other peers, from any thread.
            saved: a state of this generation to begin with; None begins with the run's initial parameters.
            refusal: says why the state at a place that a peer gave is not the swarm's; None if it is.
            on_place: called, on the follower's thread, at each place whose state is the swarm's, with the parameters
                there by name, float32 and of their own shapes, which change later.
            clock: gives monotonic seconds.
        """
        self._refusal, self._on_place = refusal, on_place
        self._shown: Place | None = None
        training, self._beginning = manifest.training, Beginning.of(manifest)
        model = initial_model(manifest, folder)
        self._replica = Replica.of_run(model, training, genesis=self._beginning.head)
        self._replica.masters.let_go_of_model()
        if saved is not None:
            self._replica.take(saved)
        self._averager, self._others, self._rules, self._clock = averager, others, training.swarm, clock
        self._limits = derive(training.swarm, Observations())
        self._held = HeldState(averager, self._replica.copied_state, self._rules.sketch_tolerance)
        self._taken_at = clock()
        self._lacks_since: float | None = None
        self._aside: dict[bytes, float] = {}
        """Donors (their ids) whose state was not believed, with the times until which they are not asked."""
        self._has_warned, self._is_astray = False, saved is None and self._beginning.epoch > 0
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="follower", daemon=True)

    def start(self) -> None:
        """Begin to follow."""
        self._thread.start()

    def close(self) -> None:
        """Stop once the step that is under way has ended; one that waits for other peers is left behind."""
        self._stopping.set()
        self._held.close()
        if self._thread.is_alive():
            self._thread.join(_END_SECONDS)

    @property
    def place(self) -> Place | None:
        """The place of the state that is held; None while it is not known to be the swarm's."""
        return None if self._is_astray or self._is_doubtful else self._replica.place

    @property
    def _is_doubtful(self) -> bool:
        """True if the state that trainers gave is not the swarm's, or may not be: none was asked about it yet."""
        if self._held.trust is StateTrust.TAKEN:
            return self._clock() - self._taken_at < _DOUBTED_SECONDS
        return self._held.trust is StateTrust.REFUSED

    def state(self) -> SwarmState:
        """Return the state in memory of its own; any thread may call this."""
        return self._replica.copied_state()

    def await_state(self, epoch: int, seconds: float) -> SwarmState | None:
        """Return a copy of the state once it is of ``epoch`` or a later one; None if that takes over ``seconds``."""
        deadline = self._clock() + seconds
        while (place := self.place) is not None and not self._stopping.is_set():
            if place.epoch >= epoch:
                return self.state()
            if self._clock() >= deadline:
                break
            self._stopping.wait(_LOOK_SECONDS)
        return None

    def turn(self) -> bool:
        """Take the next step, and return true if the place changed: another epoch may be there to apply."""
        others = self._others()
        self._held.look(self._replica.place, others)
        step, verdict = self._next_step(others)
        if step in (FollowerStep.STAY, FollowerStep.AGREE):
            self._lacks_since, self._is_astray = None, self._is_astray and step == FollowerStep.STAY
            return False
        if step == FollowerStep.APPLY and self._apply(others):
            return True
        self._is_astray = self._is_astray or step == FollowerStep.DOWNLOAD
        return self._is_patience_over(step) and self._download(verdict)

    def _next_step(self, others: Sequence[ProgressRecord]) -> tuple[FollowerStep, Verdict]:
        """Return the next step, and its verdict; a state that most users do not hold is replaced by another."""
        place, is_refused = self._replica.place, self._held.trust is StateTrust.REFUSED
        step, verdict = follower_step(
            replace(place, head=NOWHERE) if is_refused else place,
            others,
            peer_id=self._averager.peer_id.to_bytes(),
            sketch_tolerance=self._rules.sketch_tolerance,
            beginning=self._beginning,
        )
        return (FollowerStep.DOWNLOAD if is_refused and step != FollowerStep.STAY else step), verdict

    @property
    def _has_begun(self) -> bool:
        return self._replica.place.epoch >= self._beginning.epoch

    def _run(self) -> None:
        while not self._stopping.wait(_LOOK_SECONDS):
            try:
                self._show_place()
                while self.turn() and not self._stopping.is_set():
                    self._show_place()
            except (CoreError, OSError, RuntimeError) as error:  # OSError: the averager has ended
                _log.warning("The follower could not continue: %s", str(error) or type(error).__name__)

    def _show_place(self) -> None:
        place = self.place
        if place is not None and place is not self._shown and self._held.trust is not StateTrust.TAKEN:
            self._on_place(place, self._replica.parameters())
            self._shown = place

    def _apply(self, others: Sequence[ProgressRecord]) -> bool:
        """Fetch the epoch that was committed after this place, and apply it; return false if no peer gave it."""
        if not self._has_begun:
            return False
        place = self._replica.place
        request = RoundRequest(
            place.epoch,
            place.head,
            1,
            self._limits,
            self._limits.allreduce_seconds,
            get_dht_time(),
            electorate=electorate_of(others, _record(self._averager.peer_id.to_bytes(), place)),
        )
        able = [record for record in others if record.can_be_asked]
        able = in_order_of_asking(able, self._averager.peer_id.to_bytes())
        keepers = [PeerID(record.peer_id) for record in able[:_MOST_DONORS]]
        try:
            outcome = self._averager.catch_up(request, keepers).result(_DOWNLOAD_SECONDS)
        except RoundFailed as error:
            _log.debug("Epoch %d is not there yet: %s", place.epoch, error)
            return False
        gradients = self._averager.outputs[:-1]
        self._replica.step(gradients, epoch=outcome.epoch, head=outcome.head)
        self._lacks_since, self._has_warned, self._is_astray = None, False, False
        _log.info("The follower is at epoch %d.", self._replica.place.epoch)
        return True

    def _is_patience_over(self, step: FollowerStep) -> bool:
        if step == FollowerStep.DOWNLOAD:
            return True
        now = self._clock()
        if self._lacks_since is None:
            self._lacks_since = now
        return now - self._lacks_since > _PATIENCE_SECONDS

    def _download(self, verdict: Verdict) -> bool:
        """Take the whole state from trainers, and return true; false if none gives it."""
        now = self._clock()
        donors = [donor for donor in verdict.donors if self._aside.get(donor, now) <= now][:_MOST_DONORS]
        if not donors:
            self._warn(f"Epochs after {self._replica.place.epoch} are missing, and no peer gives its state.")
            return False
        asked = self._averager.download_state(
            [PeerID(donor) for donor in donors],
            chunk_seconds=self._limits.allreduce_seconds / 3,
            vouched=verdict.vouched,
        )
        try:
            outline, flat = asked.result(_DOWNLOAD_SECONDS)
            state = self._averager.received_state((outline, flat))
        except (SwarmError, TimeoutError) as error:
            self._warn(f"No peer gave the state that the follower lacks: {error}")
            return False
        if why := self._refusal(place_of(state)):
            self._warn(f"A state of epoch {state.epoch} is not believed: {why}.")
            self._set_aside(donors, outline.root)
            return False
        self._held.taken()
        self._taken_at = self._clock()
        self._replica.take(state)
        self._lacks_since, self._has_warned, self._is_astray = None, False, False
        _log.info("The follower took the state of epoch %d.", state.epoch)
        return True

    def _set_aside(self, donors: Sequence[bytes], root: bytes) -> None:
        """Do not ask those of the ``donors`` for a while whose records name this ``root``; all if none does."""
        naming = {record.peer_id for record in self._others() if record.state == root}
        until = self._clock() + _ASIDE_SECONDS
        refused = [donor for donor in donors if donor in naming] or donors
        self._aside.update(dict.fromkeys(refused, until))

    def _warn(self, text: str) -> None:
        if not self._has_warned:
            _log.warning("%s", text)
        self._has_warned, self._lacks_since = True, self._clock()


def bytes_to_follow(manifest: RunManifest) -> int:
    """Return the bytes of memory that following the run in ``manifest`` takes, while the state is given away."""
    with shapes_alone():
        model = family_of(manifest.training).model(manifest.training.model)
        parameters = sum(item.numel() for item in model.parameters())
    return round(parameters * (_HELD_BYTES + _GIVEN_BYTES)) + _KEPT_BYTES


def outputs_of(manifest: RunManifest) -> list[torch.Tensor]:
    """Return zeros (float32, CPU) in the shapes that rounds of ``manifest``'s run average, and of the mean loss."""
    with shapes_alone():
        model = family_of(manifest.training).model(manifest.training.model)
        shapes = [item.shape for item in model.parameters()]
    return round_tensors(shapes, manifest.training.swarm)


def record_of_follower(peer_id: bytes, place: Place) -> ProgressRecord:
    """Return the record by which others find the state at ``place`` of the follower with ``peer_id``.

    It neither counts as a trainer nor is waited for, and has no vote.
    """
    return _record(peer_id, place)


def _record(peer_id: bytes, place: Place) -> ProgressRecord:
    fields: dict[str, Any] = {
        "peer_id": peer_id,
        "epoch": place.epoch,
        "head": place.head,
        "parameters": bytes.fromhex(place.digest),
        "sketch": list(place.sketch),
        "state": place.state,
    }
    return ProgressRecord(
        **fields,
        samples=0,
        samples_per_second=0.0,
        time=get_dht_time(),
        reducing=True,
        auxiliary=True,
        synchronised=True,
        paused=True,
        donates=True,
    )
