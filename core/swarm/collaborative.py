"""The collaborative optimizer: owns the epoch, from the first sample gathered to the update that lands.

``advance`` never waits (but for a deterministic landing): the training loop calls it between micro-steps, computes
while ``may_compute``, and stays free to obey its commands.
"""

import logging
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace

from hivemind.utils import get_dht_time

from core.errors import SwarmError
from core.messages.reach import Reach
from core.messages.waiting import SwarmWait
from core.run.rules import SwarmRules
from core.swarm.auditing.row_spans import RowSpan
from core.swarm.averaging.averager import GradientAverager
from core.swarm.membership.agreement import Course, Verdict
from core.swarm.membership.claims import DeliveredPace
from core.swarm.membership.membership import SwarmMembership, seconds_to_round
from core.swarm.membership.swarm_view import SwarmView
from core.swarm.overlap import Landing, OverlapRule
from core.swarm.own_progress import OwnProgress
from core.swarm.own_round import OwnRound
from core.swarm.phase import Phase, Signal
from core.swarm.quorum.electorate import electorate_of
from core.swarm.recovery import AttemptFailed, ClaimUnfounded, NoneGave, Recovery
from core.swarm.rounds.round import RoundOutcome
from core.swarm.state.donors import DonorsBusy
from core.swarm.state.peer_work import PeerWork
from core.swarm.state.replica import Place, Replica
from core.swarm.state.state import SwarmState
from core.swarm.update import LandedEpoch, Update, most_age
from core.swarm.verifying.comparison import StateTrust
from core.swarm.verifying.held_state import HeldState, nowhere, without_state
from core.swarm.wire.own_certificate import OPEN_RUN, OwnCertificate
from core.swarm.wire.records import ProgressRecord

_log = logging.getLogger(__name__)


class CollaborativeOptimizer:
    """Drives one peer through the epochs of its swarm."""

    def __init__(
        self,
        replica: Replica,
        work: PeerWork,
        averager: GradientAverager,
        membership: SwarmMembership,
        rules: SwarmRules,
        *,
        landing: Landing | None = None,
        reach: Reach | None = None,
        notify: Callable[[str], None] = lambda text: None,
        clock: Callable[[], float] = time.monotonic,
        dht_time: Callable[[], float] = get_dht_time,
        updating: Executor | None = None,
        certificate: OwnCertificate = OPEN_RUN,
    ) -> None:
        """Join the swarm through ``membership``, and serve this peer's state to others.

        Args:
            replica: this peer's copy of the swarm's parameters and optimizer state, with its place in the chain.
            work: what this peer gathers for the epoch, as the run's procedure wants it.
            averager: runs this peer's rounds, fetches what it lacks, and gives its state to others.
            membership: knows the other peers; it is started with this peer's record.
            rules: the run's rules: the samples of an epoch, the overlap, and the bounds of rounds and of recovery.
            landing: micro-steps at which updates land, for a deterministic peer that is alone
                (`core.swarm.membership.membership.Alone`); None lands each update when it is ready.
            reach: the way in which others reach this peer at first; None where its averager alone knows that.
            notify: called with a sentence for the volunteer, by `advance`.
            clock: gives monotonic seconds.
            dht_time: gives the time of the DHT in seconds.
            updating: computes the updates; None: a thread of this peer's own.
            certificate: names this peer's user; the usual one is that of an open run.
        """
        self._dht_time = dht_time
        self._work, self._averager, self._membership = work, averager, membership
        self._rules, self._notify = rules, notify
        self._overlap = OverlapRule(rules.overlap, landing)
        self.progress = OwnProgress(
            replica.place,
            averager,
            samples=lambda: self.samples,
            view=lambda: self.view,
            reach=reach,
            notify=notify,
            clock=clock,
            certificate=certificate,
            dht_time=dht_time,
        )
        """This peer's own progress, and what it tells the others of it."""
        self._round = OwnRound(
            averager,
            work,
            rules,
            notify,
            clock,
            trainers=lambda: self._busy.trainers_near(self.record()),
            clients=lambda: self._busy.clients_near(self.record()),
            electorate=lambda: replace(
                electorate_of(self.view.others, self.record()), is_closed=landing is not None
            ),
            serves=lambda: self.progress.serves,
            dht_time=dht_time,
        )
        self._update = Update(replica, averager, work, overlap=rules.overlap, notify=notify, worker=updating)
        self._recovery = Recovery(averager, rules, membership.set_aside, clock=clock)
        self._held = HeldState(averager, replica.copied_state, rules.sketch_tolerance)
        self._delivered = DeliveredPace()
        self._missing = 0
        """Epochs that this peer has yet to fetch before it can take part in a round, as far as it knows."""
        self.on_commit: Callable[[Place, RoundOutcome], None] = lambda place, outcome: None
        """Called with each commit before its update, while the replica is at the place from which it leads on."""
        averager.serve_state(replica.copied_state, lambda: replica.place)
        membership.start(self.record)

    # --- what the training loop asks and tells ------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """Phase of this peer within the epoch."""
        return self.progress.phase

    @property
    def epoch(self) -> int:
        """Number of epochs whose updates the model has."""
        return self.place.epoch

    @property
    def place(self) -> Place:
        """The place at the current epoch, with the fingerprints of the parameters."""
        return self.progress.place

    @property
    def waiting(self) -> SwarmWait | None:
        """The reason for which this peer waits for others; None while it goes on."""
        return self.progress.wait.reason

    @property
    def may_compute(self) -> bool:
        """True if a micro-step now would count, under the run's rule of overlap."""
        if self._has_enough or self._is_far_behind:
            return False
        return self._overlap.allows(self.phase, stands_still=self.progress.wait.stands_still)

    @property
    def seconds_to_change(self) -> float:
        """Seconds until this peer looks for a group, or gives its batch to it, if nothing changes until then.

        They are infinite where others decide: in a round, during an update, and while this peer recovers or waits.
        """
        if self.phase != Phase.ACCUMULATING or not self._work.samples:
            return float("inf")
        left = self._seconds_to_round()
        window = self._round.limits.matchmaking_seconds
        return left if self._round.is_sought or left <= window else left - window

    def accumulate(self, loss: float, samples: int, rows: RowSpan | None = None) -> None:
        """Count a micro-step of ``samples`` samples with mean ``loss``, whose gradients are in the parameters.

        Others can recompute it by its ``rows``, where the run assigns them.
        """
        if rows is not None:
            if self._work.lacking is None and not self._work.samples:
                self._round.rows.clear()  # also of work that was dropped: a batch of others would name none else
            self._round.rows.add(rows)
        self.progress.rate.count(samples)
        self._overlap.count()
        self._work.add(loss, samples)

    def advance(self) -> LandedEpoch | None:
        """Do what is due; return an epoch at the moment the model has it, else None.

        Raises SwarmError if the process of the DHT or of the averager has died or does not answer.
        """
        could_compute = self.may_compute
        self._require_processes()
        if self.phase in (Phase.JOINING, Phase.ACCUMULATING):
            self._look_around()
        elif self.phase == Phase.AVERAGING:
            self._collect_round()
        elif self.phase == Phase.RECOVERING:
            self._recover()
        landed = self._land() if self.phase == Phase.UPDATING else None
        if not (could_compute and self.may_compute):
            self.progress.rate.restart()
        return landed

    def _require_processes(self) -> None:
        if self._membership.lost:
            raise SwarmError(
                "The process that speaks with the swarm has died or hangs.", "Start the trainer again."
            )
        if not self._averager.is_alive():
            raise SwarmError("The process that exchanges gradients has died.", "Start the trainer again.")

    def record(self) -> ProgressRecord:
        """Return the progress record of this peer; any thread may call this."""
        return self.progress.record()

    @property
    def samples(self) -> int:
        """This peer's samples towards the current epoch."""
        return self._round.samples

    @property
    def loss(self) -> float | None:
        """Mean loss of the samples gathered so far; None before the first."""
        return self._work.loss

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
        self.progress.stands_back = True
        self.withdraw()
        self._round.stop_attending()
        self._membership.rest()

    def come_back(self) -> None:
        """Take part again after a new look at the swarm, which may have advanced in the meantime."""
        self.progress.stands_back = False
        self.progress.rate.restart()
        self._membership.moved()
        self._membership.publish()

    @property
    def settled(self) -> bool:
        """True if, after ``stand_back``, no peer waits for this one, and its own processes are not asked anything.

        A process that is stopped in the middle of a request would keep the others from answering.
        """
        return self._round.settled and self._round.is_quiet and self._membership.is_quiet

    def close(self) -> None:
        """Leave the swarm in order."""
        self._round.cancel()
        self._update.close()
        self._held.close()
        self._membership.leave()

    # --- gathering ----------------------------------------------------------------------------------------------

    def _look_around(self) -> None:
        verdict = self._verdict()
        if verdict is None:
            return
        if verdict.waiting is not None:
            self._wait(verdict.waiting)
            return
        if verdict.course != Course.FOLLOW:
            self._start_recovery(verdict)
            return
        self._missing = 0
        self._held.look(self.place, self.view.others)
        if self._held.trust is StateTrust.REFUSED or (self.phase == Phase.JOINING and self._held.holds_up):
            return
        if self.phase == Phase.JOINING:
            self._recovery.agreed()
            self.progress.move(Signal.AGREED)
        if self.view.missed:  # on its own it would make a branch beside theirs
            self._wait(SwarmWait.UNREACHABLE)
            return
        if not self.progress.serves and not self.view.has_reducer:
            self._wait(SwarmWait.NO_REDUCER)
            return
        self._wait(self._trouble)
        self._gather()

    def _verdict(self) -> Verdict | None:
        """Return the verdict on this peer's place; with a state that most users do not hold, it has none."""
        if self._held.trust is not StateTrust.REFUSED:
            return self._membership.verdict(self.record())
        return without_state(self._membership.verdict(nowhere(self.record())))

    @property
    def _trouble(self) -> SwarmWait | None:
        """The reason for which rounds fail again and again; None while they do not."""
        if not self._round.is_stuck(self._partners):
            return None
        return SwarmWait.NO_QUORUM if self._round.lacks_quorum else SwarmWait.UNREACHABLE

    @property
    def _has_enough(self) -> bool:
        """True if rounds fail again and again, and this peer alone has a whole batch: more would count for little."""
        whole = self._round.samples >= self._rules.target_batch_size
        return self.waiting in (SwarmWait.UNREACHABLE, SwarmWait.NO_QUORUM) and whole

    @property
    def _is_far_behind(self) -> bool:
        """True if what is computed now would be too old for a round once the missed epochs have been fetched."""
        return self._missing >= most_age(self._rules.overlap)

    def _wait(self, reason: SwarmWait | None) -> None:
        """Wait for ``reason`` from now on, or go on for None; the volunteer is notified once it has lasted."""
        wait = self.progress.wait
        wait.change(reason)
        if wait.stands_still:
            self.withdraw()
        wait.notify_if_lasting()

    def _gather(self) -> None:
        seconds = float("inf")
        if self._work.samples:
            seconds = self._seconds_to_round()
        if seconds <= 0:
            self._start_round()
        elif self._round.is_sought or seconds < self._round.limits.matchmaking_seconds:
            self._round.seek(self.place, self._partners())
        else:
            self._round.attend(self.place)

    def _seconds_to_round(self) -> float:
        own, pace = self.record(), self._delivered.fastest
        return seconds_to_round(self._membership, own, self._rules, self._dht_time, pace)

    @property
    def _busy(self) -> SwarmView:
        """The swarm as last seen, without trainers that have nothing to give to a round."""
        return self.view.without_idle(self.record(), self._rules.matchmaking_seconds)

    def _partners(self) -> int:
        return self._membership.partners(self.record())

    # --- averaging ----------------------------------------------------------------------------------------------

    def _start_round(self) -> None:
        if self._round.start(self.place, self._partners()):
            self._overlap.begin_round()
            self.progress.move(Signal.BATCH_COMPLETE)

    def _collect_round(self) -> None:
        waits = self._overlap.is_deterministic
        if not waits and self._round.is_overdue:
            self._round.give_up(self.epoch)
            self.progress.move(Signal.ROUND_FAILED)
            return
        if not waits and not self._round.settled:
            self._abandon_if_left_behind()
            return
        outcome = self._round.collect(self.epoch)
        if outcome is None:
            self.progress.move(Signal.ROUND_FAILED)
        else:
            self._start_update(outcome)

    def _abandon_if_left_behind(self) -> None:
        """Stop looking for a group at an epoch that the swarm has already left."""
        verdict = self._membership.verdict(self.record())
        if self._round.began_allreduce or verdict is None or verdict.course == Course.FOLLOW:
            return
        self._round.abandon()
        self.progress.move(Signal.ROUND_FAILED)

    # --- updating -----------------------------------------------------------------------------------------------

    def _start_update(self, outcome: RoundOutcome) -> None:
        self.on_commit(self.place, outcome)
        self._update.begin(outcome)
        self.progress.move(Signal.GRADIENTS_COMMITTED)

    def _land(self) -> LandedEpoch | None:
        if not self._overlap.may_land:
            return None
        landed = self._update.take(waits=self._overlap.is_deterministic)
        return None if landed is None else self._arrive(*landed)

    def _arrive(self, place: Place, outcome: RoundOutcome) -> LandedEpoch:
        own = self._round.take_own(outcome)
        self._missing = max(0, self._missing - 1)
        seconds = self._move_to(place, Signal.UPDATE_LANDED)
        self._round.attend(place)  # the first micro-step there may take as long as the others' whole epoch
        if outcome.included:
            self._delivered.note(outcome.samples, seconds)
        _log.info("Epoch %d is done after %.1f s, %d samples of it our own.", place.epoch, seconds, own)
        return LandedEpoch(place, outcome, float(self._averager.outputs[-1]), own, seconds)

    # --- recovering ---------------------------------------------------------------------------------------------

    def _start_recovery(self, verdict: Verdict) -> None:
        self.withdraw()
        if self.waiting is None:
            self._notify(f"This peer is catching up with the swarm: {verdict.reason}.")
        _log.info("Recovery from epoch %d: %s, %d donors.", self.epoch, verdict.course, len(verdict.donors))
        self._missing = verdict.missed
        self._recovery.start(verdict, self._round.request(self.place, self._partners()))
        self.progress.move(Signal.DISAGREED)

    def _recover(self) -> None:
        try:
            found = self._recovery.poll()
        except (AttemptFailed, DonorsBusy, NoneGave, ClaimUnfounded) as error:
            self._look_again_after(error)
            return
        if isinstance(found, RoundOutcome):
            self._recovery.agreed()
            self._start_update(found)
        elif found is not None:
            self._take_state(found)

    def _look_again_after(self, error: AttemptFailed | DonorsBusy | NoneGave | ClaimUnfounded) -> None:
        """Look at the swarm again, and recover by what it has then: an attempt brought nothing."""
        if not isinstance(error, ClaimUnfounded):
            self._membership.moved()
        elif self.waiting is None:
            self._notify(f"A peer did not deliver the state that it announced. {error}")
        if isinstance(error, NoneGave) or self._recovery.is_stuck:
            self._wait(SwarmWait.NO_DONOR)
        self.progress.move(Signal.RECOVERY_FAILED)

    def _take_state(self, state: SwarmState) -> None:
        _log.info("Took the swarm's state of epoch %d in place of epoch %d.", state.epoch, self.epoch)
        if state.epoch < self.epoch:
            self._notify(
                f"This peer is back with the swarm, at epoch {state.epoch}. What it had beyond that, up to epoch "
                f"{self.epoch}, does not count, nor do the {self._work.samples} samples that it gathered there."
            )
        self._held.taken()
        self._move_to(self._update.replace(state), Signal.STATE_TAKEN)

    def _move_to(self, place: Place, signal: Signal) -> float:
        """Begin the epoch at ``place`` and tell the others; return the seconds that the epoch before took."""
        seconds = self.progress.arrive(place)
        self._wait(None)
        self.progress.move(signal)
        self._membership.moved()
        self._membership.publish()
        return seconds
