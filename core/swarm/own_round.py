"""The round that this peer takes part in: the look for a group, the batch that it gives, and what comes of both."""

import logging
import time
from collections.abc import Callable
from typing import Any

from hivemind.utils import get_dht_time

from core.run.rules import SwarmRules
from core.swarm.auditing.gathered_rows import GatheredRows
from core.swarm.averaging.averager import GradientAverager
from core.swarm.quorum.electorate import RECENT, UNKNOWN, Electorate
from core.swarm.rounds.round import QuorumMissed, RoundFailed, RoundOutcome, RoundRequest, RoundStatus
from core.swarm.state.peer_work import Batch, PeerWork
from core.swarm.state.replica import Place
from core.swarm.wire.limits import Observations, TimeLimits, derive

_log = logging.getLogger(__name__)


_ALONE_AFTER_FAILURES = 2
"""Rounds that may fail in a row before this peer averages alone beside others that can call it."""
_ALONE_AFTER_SILENCE = RECENT
"""Rounds that may fail in a row before this peer tries alone, and lets the votes of others decide."""
_CALLED_SECONDS = 120.0
"""Seconds for which a call shows that others can reach this peer."""


def may_average_alone(
    *, accepts_connections: bool, others: int, trainers: int, failures: int, is_called: bool
) -> bool:
    """Return true if a peer may commit an epoch by itself.

    What it commits must be for the others to have. One that sees others at its epoch goes on alone only if rounds
    with them failed repeatedly, and if no trainer is among them or one of them has called it: then they can fetch the
    epoch from it. Otherwise it would make a branch of its own that none can follow. A peer that died is seen for some
    seconds only.

    One call is enough, of whichever member: a caller that accepts connections can pass the epoch on. A call of each
    trainer cannot be demanded. Peers call those whose group they want to join, one at a time, and those that reduce
    in their group. One that leads a group itself may call no other, and in a swarm of several groups no peer is
    called by all. Three peers of which each called the next would wait for each other while no round succeeds. A
    record of one that takes part in nothing would stop all others, also one that an auxiliary peer reaches.

    After four rounds that failed it tries alone all the same, as the votes of the others decide then: it commits
    nothing unless more than half of the users vote for it, of those that are not silent. A user that states that it
    is there, and neither joins nor votes, holds a peer that is otherwise alone for that long and no longer.

    Args:
        accepts_connections: false for a peer in client mode, from which no other could fetch the epoch.
        others: number of peers at work that are seen at its epoch, or about to arrive there.
        trainers: number of trainers among them; the rest only helps.
        failures: rounds that failed in a row.
        is_called: true if another member of the swarm has lately called this peer for a round.
    """
    if not accepts_connections:
        return False
    if others == 0 or failures >= _ALONE_AFTER_SILENCE:
        return True
    return failures >= _ALONE_AFTER_FAILURES and (trainers == 0 or is_called)


class OwnRound:
    """The peer's current round, at most one. Samples that no epoch included return to the peer's work."""

    def __init__(
        self,
        averager: GradientAverager,
        work: PeerWork,
        rules: SwarmRules,
        notify: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        *,
        trainers: Callable[[], int] = lambda: 1,
        clients: Callable[[], int] = lambda: 0,
        electorate: Callable[[], Electorate] = lambda: UNKNOWN,
        serves: Callable[[], bool] | None = None,
        dht_time: Callable[[], float] = get_dht_time,
    ) -> None:
        """Prepare for rounds; `seek` or `start` begins one.

        Args:
            averager: looks for groups, and runs the rounds.
            work: hands its samples over to a round, and takes back those that no epoch included.
            rules: the run's rules, which bound the seconds of a round.
            notify: called with a sentence for the volunteer when a round failed, or when samples were discarded.
            clock: gives monotonic seconds.
            trainers: gives the number of other trainers that are at this peer's place, or about to arrive at it.
            clients: gives the number of other peers there that accept no connections.
            electorate: gives the users of whom more than half must vote for the commit of a round that begins.
            serves: returns true if this peer leads groups and reduces in them at present; None: it does unless its
                averager is in client mode.
            dht_time: gives the time of the DHT in seconds.
        """
        self._dht_time = dht_time
        self._serves = serves or (lambda: not averager.client_mode)
        self._trainers, self._clients, self._electorate = trainers, clients, electorate
        self._averager, self._work, self._rules, self._notify = averager, work, rules, notify
        self._seen, self._clock, self._started = Observations(), clock, 0.0
        self._step: Any = None
        self._batch: Batch | None = None
        self.rows = GatheredRows()
        """The rows behind the samples, where others recompute work."""
        self.lacks_quorum = False
        """True if the last round ended because the users that voted were not more than half of those present."""
        self._attended: tuple[int, bytes] | None = None
        """Epoch and head of the place at which this peer votes without a round; None if it votes at none."""
        self._attending: Any = None
        """Future that is done once this peer does not vote there any more."""
        self._silent: frozenset[str] = frozenset()
        """Voices of the users beside which this peer has committed alone, since they neither joined nor voted."""
        self._has_warned = False
        """True once the log has a warning of samples that do not count."""

    @property
    def limits(self) -> TimeLimits:
        """Time limits derived from the rounds seen so far."""
        return derive(self._rules, self._seen)

    @property
    def samples(self) -> int:
        """Samples of this peer towards the epoch, in the round already or not; any thread may read this."""
        batch = self._batch
        return batch.samples if batch else self._work.samples

    @property
    def is_sought(self) -> bool:
        """True while a group is sought or found."""
        return self._step is not None

    @property
    def settled(self) -> bool:
        """True if no other peer waits for this peer's part of a round."""
        return self._step is None or self._step.done()

    @property
    def is_quiet(self) -> bool:
        """True if this peer does not vote on rounds of others."""
        return self._attending is None or self._attending.done()

    @property
    def is_overdue(self) -> bool:
        """True if a round that was started takes longer than the run allows."""
        return not self.settled and self._clock() - self._started > self._rules.averaging_seconds

    @property
    def began_allreduce(self) -> bool:
        """True if the exchange of the current round has begun."""
        return self._step is not None and bool(self._step.began_allreduce)

    def is_stuck(self, others: Callable[[], int]) -> bool:
        """Return true if rounds fail repeatedly beside the number of ``others``, and it may not go on alone.

        One that may waits as well while too few users vote.
        """
        if self._seen.failures < _ALONE_AFTER_FAILURES:
            return False
        return self.lacks_quorum or not self._may_be_alone(others())

    def request(self, place: Place, others: int) -> RoundRequest:
        """Return the request for the round at ``place``, with ``others`` other peers expected."""
        limits = self.limits
        return RoundRequest(
            epoch=place.epoch,
            head=place.head,
            expected_peers=self._expected(others),
            limits=limits,
            timeout_seconds=2 * limits.matchmaking_seconds,
            started_at=self._dht_time() + limits.matchmaking_seconds,
            state=place.state,
            accepts_connections=self._serves(),
            expected_clients=self._clients() + (not self._serves()),
            electorate=self._electorate(),
        )

    def attend(self, place: Place) -> None:
        """Vote for what others average at ``place`` until this peer looks for a group itself.

        The averager does so meanwhile: a trainer in a long micro-step has no other way to vote. Others need its vote
        where few users are there. It does nothing in a swarm that draws a committee, or where no other user is.
        """
        is_asked = self._attended == (place.epoch, place.head) and not self._has_given_up
        if self._step is not None or is_asked:
            return
        request = self.request(place, others=1)
        if request.electorate.is_closed or len(request.electorate.names) < 2:
            return
        self._attended = place.epoch, place.head
        self._attending = self._averager.attend(request)

    @property
    def _has_given_up(self) -> bool:
        """True if the averager ended its votes without a commit: by an error, or as it was asked to catch up."""
        return self._attending is not None and self._attending.done() and not self._attending.result()

    def stop_attending(self) -> None:
        """Vote on no round of others any more; `is_quiet` tells when that is so."""
        if self._attended is not None:
            self._attended = None
            self._attending = self._averager.attend(None)

    def _begin(self, place: Place, others: int) -> None:
        self._attended = None
        self._step = self._averager.begin(self.request(place, others))

    def seek(self, place: Place, others: int) -> None:
        """Look for a group at ``place`` while samples are still gathered; forget a search that has ended.

        ``others`` is the number of other peers expected.
        """
        if self._step is None:
            self._begin(place, others)
        elif self._step.done():
            self._step = None

    def start(self, place: Place, others: int) -> bool:
        """Give all that was gathered to the round at ``place``, in which ``others`` other peers are expected.

        Returns false, and drops what was gathered, if the loss or another value is not finite.
        """
        if not self._work.is_finite():
            self._notify(
                "Some samples of this peer produced values that are not finite. They were discarded."
            )
            self._work.drop()
            return False
        if self.settled:
            self._begin(place, others)
        with self._averager.get_tensors() as inputs:
            self._batch = self._work.hand_over(inputs)
        _log.info(
            "Epoch %d: %d samples of our own go into the round, %d of them from before the last commit.",
            place.epoch,
            self._batch.samples,
            self._batch.stale,
        )
        if self._rules.recomputed_share is not None:
            self._averager.name_rows(self.rows.hand_over(self._batch))
        self._warn_of_excess(self._batch)
        self._step.weight = float(self._counted(self._batch))
        self._step.allow_allreduce()
        self._started = self._clock()
        return True

    def collect(self, epoch: int) -> RoundOutcome | None:
        """Wait for the round's outcome; return None if it failed, and notify the volunteer.

        ``epoch`` is the number in that notice. A batch that was not included returns to the work.
        """
        step, self._step = self._step, None
        try:
            outcome: RoundOutcome = step.result()
        except RoundFailed as error:
            self.lacks_quorum = isinstance(error, QuorumMissed)
            self._fail(epoch, error.what, exchanged=bool(step.began_allreduce))
            return None
        if not outcome.included:
            self._return_batch()
        self._remember(outcome)
        return outcome

    def take_own(self, outcome: RoundOutcome) -> int:
        """Return the number of this peer's samples that count in the epoch of ``outcome``, and forget the batch."""
        own, self._batch = self._counted(self._batch) if self._batch and outcome.counted else 0, None
        return own if outcome.own_weight is None else min(own, round(outcome.own_weight))

    def _counted(self, batch: Batch) -> int:
        """Return the samples of ``batch`` that count: what was gathered while rounds failed may be more.

        A reducer refuses a larger weight, and would refuse it in every later round.
        """
        return min(batch.samples, self._rules.most_samples)

    def _warn_of_excess(self, batch: Batch) -> None:
        """Log once that more was gathered than counts: in rounds by the clock that holds for every fast peer."""
        if batch.samples > self._rules.most_samples and not self._has_warned:
            self._has_warned = True
            _log.warning(
                "Of the %d samples that this peer brings to a round, %d count: the most by the run's rules.",
                batch.samples,
                self._rules.most_samples,
            )

    def give_up(self, epoch: int) -> None:
        """Break off a round that is overdue, as one that failed; ``epoch`` is the number in the notice."""
        exchanged = self.began_allreduce
        self.cancel()
        self._fail(epoch, f"It took longer than {self._rules.averaging_seconds:.0f} s.", exchanged=exchanged)

    def abandon(self) -> None:
        """Break off a round that was started, and gather on."""
        self.cancel()
        self._return_batch()

    def cancel(self) -> None:
        """Leave the group, or stop looking for one."""
        if self._step is not None:
            _log.info("The round that is looked for or under way is withdrawn.")
            self._step.cancel()
            self._step = None

    def _expected(self, others: int) -> int:
        """Return the number of peers that a round is to have."""
        return 1 if self._may_be_alone(others) else max(2, 1 + others)

    def _may_be_alone(self, others: int) -> bool:
        """Return true if this peer may average alone beside the number of ``others``."""
        users = self._electorate()
        if self._silent and users.names - {users.own} <= self._silent:
            others = 0  # they have not voted since, and would cost each epoch as many failed rounds
        return may_average_alone(
            accepts_connections=self._serves(),
            others=others,
            trainers=self._trainers(),
            failures=self._seen.failures,
            is_called=self._averager.seconds_since_call < _CALLED_SECONDS,
        )

    def _fail(self, epoch: int, why: str, *, exchanged: bool) -> None:
        self._seen.failures += 1
        self._seen.exchanges_failed += exchanged
        self._return_batch()
        self._notify(f"Averaging round {self._seen.failures} of epoch {epoch} failed. {why}")

    def _return_batch(self) -> None:
        assert self._batch is not None
        with self._averager.get_tensors() as inputs:
            self._work.take_back(inputs, self._batch)
        self.rows.take_back()
        self._batch = None

    def _remember(self, outcome: RoundOutcome) -> None:
        self._seen.failures = self._seen.exchanges_failed = 0
        self.lacks_quorum = False
        self._note_silent(outcome)
        if outcome.matchmaking_seconds is not None and outcome.exchange_seconds is not None:
            self._seen.matchmaking.append(outcome.matchmaking_seconds)
            self._seen.exchange.append(outcome.exchange_seconds)
        self._seen.store.extend(outcome.store_seconds)

    def _note_silent(self, outcome: RoundOutcome) -> None:
        """Remember the users beside which this peer alone made the epoch of ``outcome``, until one votes."""
        users = self._electorate()
        was_alone = outcome.standing is RoundStatus.AVERAGED and outcome.members == 1 and outcome.votes <= 1
        self._silent = users.names - {users.own} if was_alone else frozenset()
