"""The collaborative optimizer: owns the epoch, from the first sample gathered to the update that lands.

``advance`` never waits (but for a deterministic landing): the training loop calls it between micro-steps, computes
while ``may_compute``, and stays free to obey its commands.
"""

import logging
import time
from collections.abc import Callable

from hivemind.utils import get_dht_time

from core.errors import SwarmError
from core.messages.reach import Reach
from core.run.rules import Overlap, SwarmRules
from core.swarm.averager import GradientAverager
from core.swarm.membership.agreement import Course, Verdict
from core.swarm.membership.membership import SwarmMembership
from core.swarm.membership.progress import SampleRate, SwarmView
from core.swarm.own_round import OwnRound
from core.swarm.phase import Phase, Signal, transition
from core.swarm.recovery import ClaimUnfounded, Recovery
from core.swarm.rounds.round import RoundOutcome
from core.swarm.state.accumulator import Accumulator
from core.swarm.state.donors import DonorsBusy
from core.swarm.state.replica import Place, Replica
from core.swarm.state.state import SwarmState
from core.swarm.update import LandedEpoch, Landing, Update
from core.swarm.wire.device_class import DeviceClass
from core.swarm.wire.records import ProgressRecord

_log = logging.getLogger(__name__)


class CollaborativeOptimizer:
    """Drives one peer through the epochs of its swarm."""

    def __init__(
        self,
        replica: Replica,
        accumulator: Accumulator,
        averager: GradientAverager,
        membership: SwarmMembership,
        rules: SwarmRules,
        *,
        landing: Landing | None = None,
        notify: Callable[[str], None] = lambda text: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Join the swarm through ``membership``, and serve this peer's state to others.

        Args:
            replica: this peer's copy of the swarm's parameters and optimizer state, with its place in the chain.
            accumulator: the gradients and samples that this peer has gathered for the epoch.
            averager: runs this peer's rounds, fetches what it lacks, and gives its state to others.
            membership: knows the other peers; it is started with this peer's record.
            rules: the run's rules: the samples of an epoch, the overlap, and the bounds of rounds and of recovery.
            landing: micro-steps at which updates land, for a deterministic peer that is alone
                (`core.swarm.membership.membership.Alone`); None lands each update when it is ready.
            notify: called with a sentence for the volunteer, by `advance`.
            clock: gives monotonic seconds.
        """
        self.phase = Phase.JOINING
        self._replica, self._accumulator, self._averager = replica, accumulator, averager
        self._membership, self._rules, self._landing = membership, rules, landing
        self._notify, self._clock = notify, clock
        self._overlap = rules.overlap if landing is None or landing.micro_steps else Overlap.NONE
        self._place, self._micro_steps, self._epoch_began = replica.place, 0, clock()
        self._rate = SampleRate(clock)
        self._round = OwnRound(averager, accumulator, rules, notify, clock)
        self._update = Update(replica, averager)
        self._recovery = Recovery(averager, rules, membership.set_aside)
        self._stands_back, self._awaits = False, False
        self.device = DeviceClass.UNKNOWN
        """Class of this peer's machine, for the other peers."""
        self.reach = Reach.UNCHECKED
        """Way in which others reach this peer, for statistics of the swarm."""
        averager.serve_state(replica.copied_state)
        membership.start(self.record)

    # --- what the training loop asks and tells ------------------------------------------------------------------

    @property
    def epoch(self) -> int:
        """Number of epochs whose updates the model has."""
        return self._place.epoch

    @property
    def place(self) -> Place:
        """The place at the current epoch, with the fingerprints of the parameters."""
        return self._place

    @property
    def may_compute(self) -> bool:
        """True if a micro-step now would count, under the run's rule of overlap."""
        if self.phase == Phase.UPDATING and self._landing is not None:
            return self._overlap != Overlap.NONE and self._micro_steps < self._landing.micro_steps
        if self.phase == Phase.AVERAGING:
            return self._overlap == Overlap.FULL
        return self.phase == Phase.ACCUMULATING or (
            self.phase == Phase.UPDATING and self._overlap != Overlap.NONE
        )

    def accumulate(self, loss: float, samples: int) -> None:
        """Count a micro-step of ``samples`` samples with mean ``loss``, whose gradients are in the parameters."""
        self._rate.count(samples)
        self._micro_steps += 1
        self._accumulator.add(loss, samples)

    def advance(self) -> LandedEpoch | None:
        """Do what is due; return an epoch at the moment the model has it, else None.

        Raises SwarmError if the process of the DHT or of the averager has died or does not answer.
        """
        could_compute = self.may_compute
        if self._membership.lost:
            raise SwarmError(
                "The process that speaks with the swarm has died or hangs.", "Start the trainer again."
            )
        if not self._averager.is_alive():
            raise SwarmError("The process that exchanges gradients has died.", "Start the trainer again.")
        if self.phase in (Phase.JOINING, Phase.ACCUMULATING):
            self._look_around()
        elif self.phase == Phase.AVERAGING:
            self._collect_round()
        elif self.phase == Phase.RECOVERING:
            self._recover()
        landed = self._land() if self.phase == Phase.UPDATING else None
        if not (could_compute and self.may_compute):
            self._rate.restart()
        return landed

    def record(self) -> ProgressRecord:
        """Return the progress record of this peer; any thread may call this."""
        place = self._place
        return ProgressRecord(
            peer_id=self._averager.peer_id.to_bytes(),
            epoch=place.epoch,
            head=place.head,
            parameters=bytes.fromhex(place.digest),
            sketch=list(place.sketch),
            samples=self._round.samples,
            samples_per_second=self._rate.value if self.phase != Phase.JOINING else 0.0,
            time=get_dht_time(),
            reducing=not self._averager.client_mode,
            auxiliary=False,
            synchronised=self.phase not in (Phase.JOINING, Phase.RECOVERING),
            paused=self._stands_back,
            device=self.device,
            reach=self.reach,
        )

    @property
    def samples(self) -> int:
        """This peer's samples towards the current epoch."""
        return self._round.samples

    @property
    def loss(self) -> float | None:
        """Mean loss of the samples gathered so far; None before the first."""
        return self._accumulator.loss

    @property
    def view(self) -> SwarmView:
        """The swarm as last seen; empty before the first look, and for a peer that is alone."""
        return self._membership.view

    def withdraw(self) -> None:
        """Leave a group that has not begun, so that a pause does not keep others waiting."""
        if self.phase != Phase.AVERAGING:
            self._round.cancel()

    def stand_back(self) -> None:
        """Take part in no new round, tell the others so, and be quiet then.

        What was gathered is kept, and a round under way ends.
        """
        self._stands_back = True
        self.withdraw()
        self._membership.rest()

    def come_back(self) -> None:
        """Take part again after a new look at the swarm, which may have advanced in the meantime."""
        self._stands_back = False
        self._rate.restart()
        self._membership.moved()
        self._membership.tell()

    @property
    def settled(self) -> bool:
        """True if, after ``stand_back``, no peer waits for this one, and its own processes are not asked anything.

        A process that is stopped in the middle of a request would keep the others from answering.
        """
        return self._round.settled and self._membership.is_quiet

    def close(self) -> None:
        """Leave the swarm in order."""
        self._round.cancel()
        self._update.close()
        self._membership.leave()

    # --- gathering ----------------------------------------------------------------------------------------------

    def _look_around(self) -> None:
        verdict = self._membership.verdict(self.record())
        if verdict is None or self._awaits_a_donor(verdict):
            return
        if verdict.course != Course.FOLLOW:
            self._start_recovery(verdict)
            return
        if self.phase == Phase.JOINING:
            self._recovery.agreed()
            self._move(Signal.AGREED)
        self._gather()

    def _awaits_a_donor(self, verdict: Verdict) -> bool:
        """Return true if the run was taken back to a state that no peer can give; the volunteer is notified once."""
        awaits = verdict.course == Course.AWAIT
        if awaits and not self._awaits:
            self._notify("This peer is waiting for the state to which the run was rolled back.")
        self._awaits = awaits
        return awaits

    def _gather(self) -> None:
        if not self._accumulator.samples:
            complete = soon = False
        else:
            own = self.record()
            complete = self._membership.samples(own) >= self._rules.target_batch_size
            soon = self._membership.seconds_to_batch(own) < self._round.limits.matchmaking_seconds
        if complete:
            self._start_round()
        elif self._round.is_sought or soon:
            self._round.seek(self._place, self._partners())

    def _partners(self) -> int:
        return self._membership.partners(self.record())

    # --- averaging ----------------------------------------------------------------------------------------------

    def _start_round(self) -> None:
        if self._round.start(self._place, self._partners()):
            self._micro_steps = 0
            self._move(Signal.BATCH_COMPLETE)

    def _collect_round(self) -> None:
        if self._landing is None and self._round.is_overdue:
            self._round.give_up(self.epoch)
            self._move(Signal.ROUND_FAILED)
            return
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
        verdict = self._membership.verdict(self.record())
        if self._round.began_allreduce or verdict is None or verdict.course == Course.FOLLOW:
            return
        self._round.abandon()
        self._move(Signal.ROUND_FAILED)

    # --- updating -----------------------------------------------------------------------------------------------

    def _start_update(self, outcome: RoundOutcome) -> None:
        self._update.begin(outcome)
        self._move(Signal.GRADIENTS_COMMITTED)

    def _land(self) -> LandedEpoch | None:
        if self._landing is not None and self._micro_steps < self._landing.micro_steps:
            return None
        landed = self._update.take(waits=self._landing is not None)
        return None if landed is None else self._arrive(*landed)

    def _arrive(self, place: Place, outcome: RoundOutcome) -> LandedEpoch:
        self._replica.masters.copy_to_model()
        own, self._place = self._round.take_own(), place
        now = self._clock()
        seconds, self._epoch_began = now - self._epoch_began, now
        self._move(Signal.UPDATE_LANDED)
        self._membership.moved()
        self._membership.tell()
        _log.info("Epoch %d is done after %.1f s, %d samples of it our own.", place.epoch, seconds, own)
        return LandedEpoch(place, outcome, float(self._averager.outputs[-1]), own, seconds)

    # --- recovering ---------------------------------------------------------------------------------------------

    def _start_recovery(self, verdict: Verdict) -> None:
        self.withdraw()
        self._notify(f"This peer is catching up with the swarm: {verdict.reason}.")
        _log.info("Recovery from epoch %d: %s, %d donors.", self.epoch, verdict.course, len(verdict.donors))
        self._recovery.start(verdict, self._round.request(self._place, self._partners()))
        self._move(Signal.DISAGREED)

    def _recover(self) -> None:
        try:
            found = self._recovery.poll()
        except DonorsBusy:
            self._membership.moved()
            self._move(Signal.RECOVERY_FAILED)
            return
        except ClaimUnfounded as error:
            self._notify(f"A peer did not deliver the state that it announced. {error}")
            self._move(Signal.RECOVERY_FAILED)
            return
        if isinstance(found, RoundOutcome):
            self._recovery.agreed()
            self._start_update(found)
        elif found is not None:
            self._take_state(found)

    def _take_state(self, state: SwarmState) -> None:
        _log.info("Took the swarm's state of epoch %d in place of epoch %d.", state.epoch, self.epoch)
        self._place = self._replica.take(state)
        self._replica.masters.copy_to_model()
        self._accumulator.drop()
        self._epoch_began = self._clock()
        self._move(Signal.STATE_TAKEN)
        self._membership.moved()
        self._membership.tell()

    def _move(self, signal: Signal) -> None:
        before, self.phase = self.phase, transition(self.phase, signal)
        _log.debug("Epoch %d: %s, %s -> %s.", self.epoch, signal, before, self.phase)
