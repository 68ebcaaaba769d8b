"""A trainer's audits of others' work: keeps the parameters that they need, and computes beside its own work."""

import logging
from collections import OrderedDict
from typing import Any

from torch import Tensor

from core.data.streaming.walk import peer_seed
from core.errors import SwarmError
from core.swarm.auditing.conduct import MOST_PEERS
from core.swarm.auditing.drift_scores import DriftOutcomes
from core.swarm.auditing.work_auditor import WorkSample
from core.swarm.peer import Peer
from core.swarm.rounds.round import RoundOutcome
from core.swarm.state.replica import Place
from core.trainer.drift_test import DriftTest
from core.trainer.recomputation import PastParameters, Recomputation
from core.trainer.work_check import Workshop

_log = logging.getLogger(__name__)

_HEADS_KEPT = 2
"""Heads whose parameters are kept: with a delayed update, a peer's rows are of the last head and the one before.

The memory plan counts one more (`core.memory.lasting`): an audit may hold an older one.
"""


class WorkAudits:
    """The audits of one trainer, one after the other."""

    def __init__(self, peer: Peer, data_seed: int, shop: Workshop, *, of_drifts: bool) -> None:
        """Audit the work of others in rounds of ``peer``.

        Args:
            peer: this peer.
            data_seed: the run's seed of the order of its data.
            shop: what to recompute with.
            of_drifts: true where peers make local steps, whose drifts are tested and not recomputed.
        """
        self._of_drifts = of_drifts
        self._tests: OrderedDict[str, DriftOutcomes] = OrderedDict()
        """Outcomes of the last tests of drifts, by the names of peers."""
        self._peer, self._data_seed, self._shop = peer, data_seed, shop
        self._heads: OrderedDict[tuple[int, bytes], list[Tensor]] = OrderedDict()
        self._asked: tuple[Any, PastParameters] | None = None
        """The future of a sample of another peer's work, and the heads that it may need; None if none is awaited."""
        self._audit: tuple[WorkSample, Recomputation | DriftTest] | None = None
        peer.optimizer.on_commit = self.note_commit

    def note_commit(self, place: Place, outcome: RoundOutcome) -> None:
        """Keep the parameters at ``place`` if they are needed, and ask for a sample of the round that ended there.

        They are needed for gradients of this epoch and of the next one, whose first rows are computed at them, and
        for drifts of this epoch. ``outcome`` is that of the round.
        """
        averager = self._peer.averager
        draw = averager.work_draw(place.epoch, place.head)
        needed = draw is not None
        if not self._of_drifts:
            needed = needed or averager.work_draw(place.epoch + 1, outcome.head) is not None
        if needed and not self._is_behind(place.epoch):
            masters = self._peer.replica.masters.tensors()
            self._heads[place.epoch, place.head] = [item.clone() for item in masters.values()]
        oldest = place.epoch - _HEADS_KEPT + 1
        for head in [item for item in self._heads if not oldest <= item[0] <= place.epoch]:
            del self._heads[head]  # also those of a branch that this peer has left
        if draw is not None and self._audit is None and self._asked is None and outcome.included:
            own = float(self._peer.optimizer.samples)
            # others are asked for their parts meanwhile, which may take longer than heads are kept
            self._asked = averager.drawn_work(draw, place.epoch, place.head, own), dict(self._heads)

    def _is_behind(self, epoch: int) -> bool:
        """Return true if the audit under way is so old that it shares no head with one of ``epoch``.

        The next audit may lack one then, and find nothing; more heads would take memory of each peer.
        """
        return self._audit is not None and self._audit[0].epoch < epoch - 1

    def turn(self) -> bool:
        """Compute a micro-batch of the audit under way; return false if there is nothing to compute now."""
        if self._asked is not None and self._asked[0].done():
            (asked, heads), self._asked = self._asked, None
            try:
                self._begin(asked.result(), heads)
            except SwarmError as error:
                _log.warning("A sample of another peer's work cannot be had: %s", error)
        if self._audit is None:
            return False
        sample, work = self._audit
        computed = work.turn()
        if work.verdict is not None:
            self._audit = None
            self._peer.averager.judge_work(sample.peer, work.verdict)
        return computed

    def _begin(self, sample: WorkSample | None, heads: PastParameters) -> None:
        if sample is None:
            return
        seed, head = peer_seed(self._data_seed, sample.name), (sample.epoch, sample.head)
        if not self._of_drifts:
            self._audit = sample, Recomputation(sample, heads, seed, self._shop)
            return
        while len(self._tests) >= MOST_PEERS:
            self._tests.popitem(last=False)
        if head in heads:
            self._audit = sample, DriftTest(sample, heads[head], seed, self._shop, self._tests)

    def close(self) -> None:
        """Give up the audit under way, and end its reading."""
        if self._audit is not None:
            self._audit[1].close()
            self._audit = None
