"""The collaborative optimizer: owns the epoch, from the first sample gathered to the update that lands.

``advance`` never waits (but for a deterministic landing): the training loop calls it between micro-steps, computes
while ``may_compute``, and stays free to obey its commands.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from hivemind.utils import get_dht_time

from core.errors import SwarmError
from core.rules import Overlap, SwarmRules
from core.swarm.accumulator import Accumulator
from core.swarm.agreement import Course, Verdict, assess
from core.swarm.averager import GradientAverager
from core.swarm.beginning import Beginning
from core.swarm.device_class import DeviceClass
from core.swarm.donors import DonorsBusy
from core.swarm.own_round import OwnRound
from core.swarm.phase import Phase, Signal, transition
from core.swarm.progress import ProgressTracker, SwarmView, seconds_until
from core.swarm.records import ProgressRecord
from core.swarm.recovery import ClaimUnfounded, Recovery
from core.swarm.replica import Place, Replica
from core.swarm.round import RoundOutcome
from core.swarm.state import SwarmState
from core.swarm.update import Update

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
        beginning: Beginning | None = None,
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
        self._place, self._beginning = replica.place, beginning
        self._rate, self._counted_at, self._micro_steps = 0.0, clock(), 0
        self._round = OwnRound(averager, accumulator, rules, notify)
        self._update = Update(replica, averager)
        self._recovery = Recovery(averager, rules, tracker.set_aside)
        self._epoch_began = clock()
        self._stands_back, self._awaits = False, False
        self.device = DeviceClass.UNKNOWN
        """What this peer trains on, for the others to see."""
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
    def place(self) -> Place:
        """That epoch, and the fingerprints of what the model has then."""
        return self._place

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
        place = self._place
        return ProgressRecord(
            peer_id=self._averager.peer_id.to_bytes(),
            epoch=place.epoch,
            head=place.head,
            parameters=bytes.fromhex(place.digest),
            sketch=list(place.sketch),
            samples=self._round.samples,
            samples_per_second=self._rate if self.phase != Phase.JOINING else 0.0,
            time=get_dht_time(),
            reducing=not self._averager.client_mode,
            auxiliary=False,
            synchronised=self.phase not in (Phase.JOINING, Phase.RECOVERING),
            paused=self._stands_back,
            device=self.device,
        )

    @property
    def samples(self) -> int:
        """This peer's samples towards the current epoch."""
        return self._round.samples

    @property
    def loss(self) -> float | None:
        return self._accumulator.loss

    @property
    def view(self) -> SwarmView:
        """The swarm as last seen; empty before the first look and for a deterministic peer."""
        return self._tracker.view or SwarmView(get_dht_time())

    def withdraw(self) -> None:
        """Leave a group that has not begun, so that a pause does not keep others waiting."""
        if self.phase != Phase.AVERAGING:
            self._round.cancel()

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
        return self._round.settled

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
        self._round.cancel()
        self._update.close()
        if self._landing is None:
            self._tracker.stop()

    # --- gathering ----------------------------------------------------------------------------------------------

    def _look_around(self) -> None:
        if self._landing is None:
            verdict = self._assess()
            if verdict is None or self._awaits_a_donor(verdict):
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
        tolerance = self._rules.sketch_tolerance
        return assess(self.record(), view.others, sketch_tolerance=tolerance, beginning=self._beginning)

    def _awaits_a_donor(self, verdict: Verdict) -> bool:
        """Whether the run was taken back to a state that nobody is there to give; told once."""
        awaits = verdict.course == Course.AWAIT
        if awaits and not self._awaits:
            self._notify("This peer waits for one that has the state which the run was taken back to.")
        self._awaits = awaits
        return awaits

    _looked_after = 0.0
    """DHT time of our last step along the chain, or of our return from a pause: views from before it are stale."""

    def _gather(self) -> None:
        if self._is_complete():
            self._start_round()
        elif self._landing is None and (self._round.is_sought or self._soon()):
            self._round.seek(self._place, self._others())

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
        return left < self._round.limits.matchmaking_seconds

    def _others(self) -> int:
        """With whom to expect a round."""
        return 0 if self._landing is not None else self.view.near(self.record())

    # --- averaging ----------------------------------------------------------------------------------------------

    def _start_round(self) -> None:
        if self._round.start(self._place, self._others()):
            self._micro_steps = 0
            self._move(Signal.BATCH_COMPLETE)

    def _collect_round(self) -> None:
        if self._landing is None and not self._round.settled:
            self._abandon_if_left_behind()
            return
        outcome = self._round.collect(self.epoch)
        if outcome is None:
            self._move(Signal.ROUND_FAILED)
        else:
            self._start_update(outcome)

    def _abandon_if_left_behind(self) -> None:
        """Stop looking for a group at an epoch that the swarm has already left."""
        verdict = self._assess()
        if self._round.began_allreduce or verdict is None or verdict.course == Course.FOLLOW:
            return
        self._round.abandon()
        self._move(Signal.ROUND_FAILED)

    # --- updating -----------------------------------------------------------------------------------------------

    def _start_update(self, outcome: RoundOutcome) -> None:
        self._update.begin(outcome)
        self._move(Signal.GRADIENTS_COMMITTED)

    def _land(self) -> LandedEpoch | None:
        waits = self._overlap == Overlap.NONE
        if self._landing is not None:
            waits = self._micro_steps >= self._landing.micro_steps
            if not waits:
                return None
        landed = self._update.take(waits=waits)
        return None if landed is None else self._arrive(*landed)

    def _arrive(self, place: Place, outcome: RoundOutcome) -> LandedEpoch:
        self._replica.masters.copy_to_model()
        own, self._place = self._round.take_own(), place
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
        self._recovery.start(verdict, self._round.request(self._place, self._others()))
        self._move(Signal.DISAGREED)

    def _recover(self) -> None:
        try:
            found = self._recovery.poll()
        except DonorsBusy:
            self._looked_after = get_dht_time()
            self._move(Signal.RECOVERY_FAILED)
            return
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
