"""An auxiliary peer: reduces parts for the swarm's groups, and has neither samples nor parameters of its own."""

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

import hivemind
import torch
from hivemind.utils import MPFuture, get_dht_time

from core.run.manifest import RunManifest
from core.run.rules import SwarmRules
from core.swarm.admission.admission import Admission
from core.swarm.auditing.trust import WorkVerdict
from core.swarm.auditing.work_auditor import WorkSample
from core.swarm.auditing.work_draw import WorkDraw
from core.swarm.averaging.averager import GradientAverager
from core.swarm.averaging.participant import RoundParticipant
from core.swarm.membership.majority import leading_place
from core.swarm.membership.progress import ProgressTracker
from core.swarm.membership.swarm_view import SwarmView
from core.swarm.quorum.electorate import UNKNOWN, electorate_of
from core.swarm.rounds.round import NothingToCommit, RoundFailed, RoundRequest
from core.swarm.state.beginning import Beginning
from core.swarm.state.run_schema import parts_of_run
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.limits import Observations, TimeLimits, derive, window_of_auxiliary
from core.swarm.wire.records import ProgressRecord

_NOTHING = b"\0" * 32
TURN_SECONDS = 0.1
"""Seconds between two turns of an auxiliary peer."""
_HURRY_SECONDS = 5.0
"""Seconds after a round for which the trainers are looked at again and again, until they are at the next epoch.

Peers that accept no connections can form no group before the auxiliary peer is there as well.
"""


class AuxiliaryPeer:
    """Follows the trainers along the chain and joins the group that forms when their batch is nearly complete.

    ``turn`` never waits; call it several times a second.
    """

    def __init__(
        self,
        averager: GradientAverager,
        tracker: ProgressTracker,
        rules: SwarmRules,
        *,
        beginning: Beginning,
        clock: Callable[[], float] = time.monotonic,
        dht_time: Callable[[], float] = get_dht_time,
    ) -> None:
        """Take part from now on: the ``tracker`` is started with this peer's record.

        Args:
            averager: an averager in auxiliary mode, which reduces for the groups.
            tracker: the tracker of the run's swarm, not started yet.
            rules: the run's rules, which bound the seconds of matchmaking and give the samples of an epoch.
            beginning: the beginning of the run's generation, the place of this peer until trainers are seen at
                another one.
            clock: gives monotonic seconds.
            dht_time: gives the time of the DHT in seconds.
        """
        self._dht_time = dht_time
        self._averager, self._tracker, self._rules, self._clock = averager, tracker, rules, clock
        self._seen, self._hurries_until = Observations(), 0.0
        self._place, self._placed_at = (beginning.epoch, beginning.head), clock()
        self._step: Any = None
        self._hurried_from: SwarmView | None = None
        self._leads: tuple[SwarmView | None, tuple[int, bytes] | None] = None, None
        self.on_reduced: Callable[[int, bytes], None] = lambda epoch, head: None
        """Called with the epoch and the head of each round in which this peer has reduced."""
        tracker.start(self.record)

    @classmethod
    def start(
        cls,
        manifest: RunManifest,
        dht: "hivemind.DHT",
        identity: PeerIdentity,
        admission: Admission | None = None,
    ) -> Self:
        """Help the swarm of a run; forks an averager.

        Args:
            manifest: the run's manifest.
            dht: a DHT node of the run's swarm.
            identity: the identity of this peer.
            admission: this peer's admission; None in an open run.
        """
        training = manifest.training
        averager = GradientAverager(
            [torch.zeros(1)],
            RoundParticipant(
                parts_of_run(training),
                dht,
                identity,
                manifest.dht_prefix,
                training.swarm,
                auxiliary=True,
                admission=admission,
            ),
            state_schema=(),
        )
        tracker = ProgressTracker.of_run(dht, manifest, identity.owner, admission=admission)
        return cls(averager, tracker, training.swarm, beginning=Beginning.of(manifest))

    def record(self) -> ProgressRecord:
        """Return the progress record of this peer; called from the tracker's thread."""
        epoch, head = self._place
        return ProgressRecord(
            peer_id=self._averager.peer_id.to_bytes(),
            epoch=epoch,
            head=head,
            parameters=_NOTHING,
            sketch=[],
            samples=0,
            samples_per_second=0.0,
            epoch_seconds=max(0.0, self._clock() - self._placed_at),
            time=self._dht_time(),
            reducing=True,
            auxiliary=True,
            synchronised=True,
            paused=False,
        )

    @property
    def sentinel(self) -> int:
        """Handle that becomes ready when the process that reduces has died."""
        return int(self._averager.sentinel)

    @property
    def bytes_sent(self) -> int:
        """Bytes that the averager sent since it started: reduced parts, and the calls that led to them."""
        return self._averager.line.sent

    def turn(self) -> None:
        """Follow the trainers to their place, and look for their group when one is about to form."""
        view = self._tracker.view
        if view is None:
            return
        place = self._leading_place(view)
        if place is not None and place != self._place:
            if self._step is not None and self._step.done():
                self._collect()
            self.withdraw()
            self._place, self._placed_at, self._hurries_until = place, self._clock(), 0.0
            self._tracker.publish()
        elif self._step is not None and self._step.done():
            self._collect()
        elif self._step is None and self._soon():
            self._step = self._averager.begin(self._request())
        if self._clock() < self._hurries_until and view is not self._hurried_from:
            self._hurried_from = view
            self._tracker.publish()

    def _leading_place(self, view: SwarmView) -> tuple[int, bytes] | None:
        """Return the place where the trainers in ``view`` stand, counted once a view: a turn comes far more often."""
        if self._leads[0] is not view:
            self._leads = view, leading_place(view.others)
        return self._leads[1]

    def drawn_work(
        self, draw: WorkDraw, epoch: int, head: bytes, most_rows: float
    ) -> "MPFuture[WorkSample | None]":
        """Return what a drawn peer sent in the last round, however much it is (`GradientAverager.drawn_work`).

        Args:
            draw: this peer's draw for the ``head``.
            epoch: epoch of the round.
            head: root of the commit at which it began.
            most_rows: rows from which on work is more than can be audited; it is drawn only if all is.
        """
        return self._averager.drawn_work(draw, epoch, head, math.inf, most_rows)

    def judge_work(self, peer: bytes, verdict: WorkVerdict) -> None:
        """Draw the consequences of a ``verdict`` on the work of ``peer``, the id of that peer."""
        self._averager.judge_work(peer, verdict)

    def withdraw(self) -> None:
        """Stop looking for a group."""
        step, self._step = self._step, None
        if step is not None and not step.done():
            step.cancel()
            _spare_warning(step)

    def close(self) -> None:
        """Leave the swarm in order."""
        self.withdraw()
        self._tracker.stop()
        self._averager.shutdown()

    @property
    def _limits(self) -> TimeLimits:
        window = window_of_auxiliary(self._rules, self._seen.failures)
        return replace(derive(self._rules, self._seen), matchmaking_seconds=window)

    def _collect(self) -> None:
        """Learn from the round that ended, and look soon where the trainers are."""
        step, self._step = self._step, None
        _spare_warning(step)
        try:
            step.result()
        except NothingToCommit as ended:
            self._seen.failures = 0
            self._seen.exchange.append(ended.exchange_seconds)
            self._seen.store.extend(ended.store_seconds)
            self._hurries_until = self._clock() + _HURRY_SECONDS
            self.on_reduced(*self._place)
        except RoundFailed:
            self._seen.failures += 1

    def _soon(self) -> bool:
        own, view = self.record(), self._tracker.view
        if view is None or not view.at(own):
            return False
        target, seconds = self._rules.target_batch_size, self._rules.round_seconds
        left = view.seconds_to_round(own, target, seconds, self._dht_time())
        return left < self._limits.matchmaking_seconds

    def _request(self) -> RoundRequest:
        (epoch, head), limits = self._place, self._limits
        view = self._tracker.view
        return RoundRequest(
            epoch=epoch,
            head=head,
            expected_peers=1 + (view.near(self.record()) if view is not None else 0),
            limits=limits,
            timeout_seconds=2 * limits.matchmaking_seconds,
            started_at=self._dht_time() + limits.matchmaking_seconds,
            expected_clients=view.clients_near(self.record()) if view is not None else 0,
            electorate=electorate_of(view.others, self.record()).others if view is not None else UNKNOWN,
        )


def _spare_warning(step: Any) -> None:
    """Trigger ``step``, which is over: hivemind warns of one that is forgotten untriggered, as if peers waited."""
    if not step.triggered:
        step.allow_allreduce()
