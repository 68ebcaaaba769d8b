"""The collaborative optimizer: owns the epoch, from the first sample gathered to the update that lands.

``advance`` never waits (but for a deterministic landing): the training loop calls it between micro-steps, computes
while ``may_compute``, and stays free to obey its commands.
"""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from hivemind.utils import get_dht_time

from core.errors import SwarmError
from core.rules import Overlap, SwarmRules
from core.swarm.accumulator import Accumulator, Batch
from core.swarm.agreement import Course, Verdict, assess
from core.swarm.averager import GradientAverager
from core.swarm.limits import Observations, derive
from core.swarm.phase import Phase, Signal, transition
from core.swarm.progress import ProgressTracker, SwarmView, seconds_until
from core.swarm.records import ProgressRecord
from core.swarm.recovery import ClaimUnfounded, Recovery
from core.swarm.replica import Place, Replica
from core.swarm.round import RoundFailed, RoundOutcome, RoundRequest
from core.swarm.state import SwarmState

_ALONE_AFTER_FAILURES = 2
"""Rounds that may fail in a row before this peer averages alone; the commit decides whether that counts."""
_RATE_SMOOTHING = 0.3


@dataclass(frozen=True)
class Landing:
    """Determinism for one peer: an epoch's end and the update's landing are counted in micro-steps, not in time."""

    micro_steps: int = 0
    """How many the old parameters are used for after an epoch's end; 0 unless updates are delayed."""


@dataclass(frozen=True)
class LandedEpoch:
    """An epoch that this peer's model now has."""

    place: Place
    outcome: RoundOutcome
    loss: float
    own_samples: int
    seconds: float


class CollaborativeOptimizer:
    """Drives one peer through the epochs of its swarm."""

    def __init__(
        self,
        replica: Replica,
        accumulator: Accumulator,
        averager: GradientAverager,
        tracker: ProgressTracker,
        rules: SwarmRules,
        *,
        landing: Landing | None = None,
        notify: Callable[[str], None] = lambda text: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.phase = Phase.JOINING
        self._replica, self._accumulator, self._averager = replica, accumulator, averager
        self._tracker, self._rules, self._landing, self._notify, self._clock = (
            tracker,
            rules,
            landing,
            notify,
            clock,
        )
        self._overlap = rules.overlap if landing is None or landing.micro_steps else Overlap.NONE
        self._place = replica.place
        self._seen, self._rate, self._counted_at = Observations(), 0.0, clock()
        self._step: Any = None
        self._batch: Batch | None = None
        self._failures = self._micro_steps = 0
        self._recovery = Recovery(averager, rules, tracker.set_aside)
        self._outcome: RoundOutcome | None = None
        self._update: Future[Place] | None = None
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="update")
        self._epoch_began = clock()
        self._stands_back = False
        averager.serve_state(replica.copied_state)
        if landing is None:
            tracker.start(self.record)
        else:
            self._move(Signal.AGREED)

    # --- what the training loop asks and tells ------------------------------------------------------------------

    @property
    def epoch(self) -> int:
        """Epochs that the model has."""
        return self._place.epoch

    @property
    def may_compute(self) -> bool:
        """Whether a micro-step now would count, under the run's rule of overlap."""
        if self.phase == Phase.UPDATING and self._landing is not None:
            return self._overlap != Overlap.NONE and self._micro_steps < self._landing.micro_steps
        if self.phase == Phase.AVERAGING:
            return self._overlap == Overlap.FULL
        return self.phase == Phase.ACCUMULATING or (
            self.phase == Phase.UPDATING and self._overlap != Overlap.NONE
        )

    def accumulate(self, loss: float, samples: int) -> None:
        """Count a micro-step whose gradients are in the parameters."""
        now = self._clock()
        rate = samples / max(now - self._counted_at, 1e-9)
        self._rate += (_RATE_SMOOTHING if self._rate else 1.0) * (rate - self._rate)
        self._counted_at = now
        self._micro_steps += 1
        self._accumulator.add(loss, samples)

    def advance(self) -> LandedEpoch | None:
        """Do what is due; returns an epoch at the moment the model has it."""
        if self._tracker.lost:
            raise SwarmError("The process that speaks with the swarm has died.", "Start the trainer again.")
        if self.phase in (Phase.JOINING, Phase.ACCUMULATING):
            self._look_around()
        elif self.phase == Phase.AVERAGING:
            self._collect_round()
        elif self.phase == Phase.RECOVERING:
            self._recover()
        if self.phase == Phase.UPDATING:
            return self._land()
        return None

    def record(self) -> ProgressRecord:
        """Where this peer stands, for the others; called from the tracker's thread."""
        batch, place = self._batch, self._place
        return ProgressRecord(
            peer_id=self._averager.peer_id.to_bytes(),
            epoch=place.epoch,
            head=place.head,
            parameters=bytes.fromhex(place.digest),
            sketch=list(place.sketch),
            samples=batch.samples if batch else self._accumulator.samples,
            samples_per_second=self._rate if self.phase != Phase.JOINING else 0.0,
            time=get_dht_time(),
            reducing=not self._averager.client_mode,
            auxiliary=False,
            synchronised=self.phase not in (Phase.JOINING, Phase.RECOVERING),
            paused=self._stands_back,
        )

    @property
    def samples(self) -> int:
        """This peer's samples towards the current epoch."""
        return self._batch.samples if self._batch else self._accumulator.samples

    @property
    def loss(self) -> float | None:
        return self._accumulator.loss

    @property
    def view(self) -> SwarmView:
        """The swarm as last seen; empty before the first look and for a deterministic peer."""
        return self._tracker.view or SwarmView(get_dht_time())

    def withdraw(self) -> None:
        """Leave a group that has not begun, so that a pause does not keep others waiting."""
        if self._step is not None and self.phase != Phase.AVERAGING:
            self._step.cancel()
            self._step = None

    def stand_back(self) -> None:
        """Take part in no new round, and tell the others so; what was gathered is kept, a round under way ends."""
        self._stands_back = True
        self.withdraw()
        self._tell()

    def come_back(self) -> None:
        """Take part again, once the swarm has been looked at anew: it may have gone on in the meantime."""
        self._stands_back, self._counted_at = False, self._clock()
        self._looked_after = get_dht_time()
        self._tell()

    @property
    def settled(self) -> bool:
        """Whether no round is under way that this peer is part of."""
        return self._step is None or self._step.done()

    def _tell(self) -> None:
        if self._landing is None:
            self._tracker.publish()

    def finish_round(self, seconds: float) -> None:
        """Wait for a round or an update that is under way, so that leaving costs the others nothing."""
        deadline = self._clock() + seconds
        while self.phase in (Phase.AVERAGING, Phase.UPDATING) and self._clock() < deadline:
            self.advance()
            time.sleep(0.02)

    def linger(self, seconds: float) -> None:
        """Stay until the others have the last epoch too, so that none has to fetch it from a peer that is gone."""
        deadline = self._clock() + seconds
        while self._landing is None and self._clock() < deadline and self._is_awaited():
            time.sleep(0.05)

    def _is_awaited(self) -> bool:
        behind = (item for item in self.view.others if item.epoch == self.epoch - 1)
        return any(item.synchronised and not item.paused for item in behind)

    def close(self) -> None:
        """Leave the swarm in order."""
        self.withdraw()
        if self._step is not None:
            self._step.cancel()
        self._worker.shutdown(wait=True)
        if self._landing is None:
            self._tracker.stop()

    # --- gathering ----------------------------------------------------------------------------------------------

    def _look_around(self) -> None:
        if self._landing is None:
            verdict = self._assess()
            if verdict is None:
                return
            if verdict.course != Course.FOLLOW:
                self._start_recovery(verdict)
                return
        if self.phase == Phase.JOINING:
            self._recovery.agreed()
            self._move(Signal.AGREED)
        self._gather()

    def _assess(self) -> Verdict | None:
        """How this peer stands to the swarm; None while it has not looked since its last step."""
        view = self._tracker.view
        if view is None or view.time < self._looked_after:
            return None
        return assess(self.record(), view.others, sketch_tolerance=self._rules.sketch_tolerance)

    _looked_after = 0.0
    """DHT time of our last step along the chain, or of our return from a pause: views from before it are stale."""

    def _gather(self) -> None:
        if self._is_complete():
            self._start_round()
        elif self._step is None and self._landing is None and self._soon():
            self._step = self._averager.begin(self._request())
        elif self._step is not None and self._step.done():
            self._step = None  # matchmaking ended early: nobody else was looking

    def _is_complete(self) -> bool:
        if not self._accumulator.samples:
            return False
        if self._landing is not None:
            return self._accumulator.samples >= self._rules.target_batch_size
        return self.view.samples(self.record(), get_dht_time()) >= self._rules.target_batch_size

    def _soon(self) -> bool:
        own = self.record()
        if not self._accumulator.samples or not self.view.at(own):
            return False
        rate = self.view.samples_per_second(own)
        left = seconds_until(self._rules.target_batch_size, self.view.samples(own, get_dht_time()), rate)
        return left < derive(self._rules, self._seen).matchmaking_seconds

    def _request(self) -> RoundRequest:
        limits = derive(self._rules, self._seen)
        others = 0 if self._landing is not None else self.view.near(self.record())
        return RoundRequest(
            epoch=self._place.epoch,
            head=self._place.head,
            expected_peers=1 if self._failures >= _ALONE_AFTER_FAILURES else 1 + others,
            limits=limits,
            timeout_seconds=2 * limits.matchmaking_seconds,
            started_at=get_dht_time() + limits.matchmaking_seconds,
        )

    # --- averaging ----------------------------------------------------------------------------------------------

    def _start_round(self) -> None:
        if not self._accumulator.is_finite():
            self._notify("Samples of this peer gave gradients that are not numbers; they were left out.")
            self._accumulator.drop()
            return
        if self._step is None or self._step.done():
            self._step = self._averager.begin(self._request())
        with self._averager.get_tensors() as inputs:
            self._batch = self._accumulator.hand_over(inputs)
        self._step.weight = float(self._batch.samples)
        self._step.allow_allreduce()
        self._micro_steps = 0
        self._move(Signal.BATCH_COMPLETE)

    def _collect_round(self) -> None:
        assert self._step is not None
        assert self._batch is not None
        if self._landing is None and not self._step.done():
            self._abandon_if_left_behind()
            return
        step, self._step = self._step, None
        try:
            outcome: RoundOutcome = step.result()
        except RoundFailed as error:
            self._failures += 1
            self._return_batch()
            self._notify(f"Averaging round {self._failures} of epoch {self.epoch} failed. {error.what}")
            self._move(Signal.ROUND_FAILED)
            return
        if not outcome.included:
            self._return_batch()
        self._remember(outcome)
        self._start_update(outcome)

    def _abandon_if_left_behind(self) -> None:
        """Stop looking for a group at an epoch that the swarm has already left."""
        verdict = self._assess()
        if self._step.began_allreduce or verdict is None or verdict.course == Course.FOLLOW:
            return
        self._step.cancel()
        self._step = None
        self._return_batch()
        self._move(Signal.ROUND_FAILED)

    def _return_batch(self) -> None:
        assert self._batch is not None
        with self._averager.get_tensors() as inputs:
            self._accumulator.take_back(inputs, self._batch)
        self._batch = None

    def _remember(self, outcome: RoundOutcome) -> None:
        self._failures = 0
        if outcome.matchmaking_seconds is not None and outcome.exchange_seconds is not None:
            self._seen.matchmaking.append(outcome.matchmaking_seconds)
            self._seen.exchange.append(outcome.exchange_seconds)
        self._seen.store.extend(outcome.store_seconds)

    # --- updating -----------------------------------------------------------------------------------------------

    def _start_update(self, outcome: RoundOutcome) -> None:
        self._outcome = outcome
        gradients = self._averager.outputs[:-1]
        self._update = self._worker.submit(
            self._replica.step, gradients, epoch=outcome.epoch, head=outcome.head
        )
        self._move(Signal.GRADIENTS_COMMITTED)

    def _land(self) -> LandedEpoch | None:
        assert self._update is not None
        assert self._outcome is not None
        waits = self._overlap == Overlap.NONE
        if self._landing is not None:
            waits = self._micro_steps >= self._landing.micro_steps
            if not waits:
                return None
        if not waits and not self._update.done():
            return None
        place, self._update = self._update.result(), None
        return self._arrive(place, self._outcome)

    def _arrive(self, place: Place, outcome: RoundOutcome) -> LandedEpoch:
        self._replica.masters.copy_to_model()
        own = self._batch.samples if self._batch else 0
        self._place, self._batch = place, None
        now = self._clock()
        seconds, self._epoch_began = now - self._epoch_began, now
        self._looked_after = get_dht_time()
        self._move(Signal.UPDATE_LANDED)
        self._tracker.publish()
        return LandedEpoch(place, outcome, float(self._averager.outputs[-1]), own, seconds)

    # --- recovering ---------------------------------------------------------------------------------------------

    def _start_recovery(self, verdict: Verdict) -> None:
        self.withdraw()
        self._notify(f"This peer falls in with the swarm: {verdict.reason}.")
        self._recovery.start(verdict, self._request())
        self._move(Signal.DISAGREED)

    def _recover(self) -> None:
        try:
            found = self._recovery.poll()
        except ClaimUnfounded as error:
            self._notify(f"A peer claimed what could not be had from it. {error}")
            self._move(Signal.RECOVERY_FAILED)
            return
        if isinstance(found, RoundOutcome):
            self._recovery.agreed()
            self._start_update(found)
        elif found is not None:
            self._take_state(found)

    def _take_state(self, state: SwarmState) -> None:
        self._place = self._replica.take(state)
        self._replica.masters.copy_to_model()
        self._accumulator.drop()
        self._epoch_began, self._looked_after = self._clock(), get_dht_time()
        self._move(Signal.STATE_TAKEN)
        self._tracker.publish()

    def _move(self, signal: Signal) -> None:
        self.phase = transition(self.phase, signal)
