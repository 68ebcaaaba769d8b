"""The round that this peer takes part in: the look for a group, the batch that it gives, and what comes of both."""

from collections.abc import Callable
from typing import Any

from hivemind.utils import get_dht_time

from core.rules import SwarmRules
from core.swarm.accumulator import Accumulator, Batch
from core.swarm.averager import GradientAverager
from core.swarm.limits import Observations, TimeLimits, derive
from core.swarm.replica import Place
from core.swarm.round import RoundFailed, RoundOutcome, RoundRequest

_ALONE_AFTER_FAILURES = 2
"""Rounds that may fail in a row before this peer averages alone; the commit decides whether that counts."""


class OwnRound:
    """At most one at a time. Samples are never lost: what no epoch included goes back to the accumulator."""

    def __init__(
        self,
        averager: GradientAverager,
        accumulator: Accumulator,
        rules: SwarmRules,
        notify: Callable[[str], None],
    ) -> None:
        self._averager, self._accumulator, self._rules, self._notify = averager, accumulator, rules, notify
        self._seen, self._failures = Observations(), 0
        self._step: Any = None
        self._batch: Batch | None = None

    @property
    def limits(self) -> TimeLimits:
        """What is waited for, from the rounds seen so far."""
        return derive(self._rules, self._seen)

    @property
    def samples(self) -> int:
        """This peer's towards the epoch, whether they are in the round already or not; for any thread."""
        batch = self._batch
        return batch.samples if batch else self._accumulator.samples

    @property
    def is_sought(self) -> bool:
        """Whether a group was looked for, or found."""
        return self._step is not None

    @property
    def settled(self) -> bool:
        """Whether nobody waits for this peer's part of a round."""
        return self._step is None or self._step.done()

    @property
    def began_allreduce(self) -> bool:
        return self._step is not None and bool(self._step.began_allreduce)

    def request(self, place: Place, others: int) -> RoundRequest:
        """For the epoch that follows that place, with so many others."""
        limits = self.limits
        return RoundRequest(
            epoch=place.epoch,
            head=place.head,
            expected_peers=1 if self._failures >= _ALONE_AFTER_FAILURES else 1 + others,
            limits=limits,
            timeout_seconds=2 * limits.matchmaking_seconds,
            started_at=get_dht_time() + limits.matchmaking_seconds,
        )

    def seek(self, place: Place, others: int) -> None:
        """Look for a group while samples are still gathered; one that nobody joined is forgotten."""
        if self._step is None:
            self._step = self._averager.begin(self.request(place, others))
        elif self._step.done():
            self._step = None

    def start(self, place: Place, others: int) -> bool:
        """Give all that was gathered; False, and nothing of it is left, where it is not numbers."""
        if not self._accumulator.is_finite():
            self._notify("Samples of this peer gave gradients that are not numbers; they were left out.")
            self._accumulator.drop()
            return False
        if self.settled:
            self._step = self._averager.begin(self.request(place, others))
        with self._averager.get_tensors() as inputs:
            self._batch = self._accumulator.hand_over(inputs)
        self._step.weight = float(self._batch.samples)
        self._step.allow_allreduce()
        return True

    def collect(self, epoch: int) -> RoundOutcome | None:
        """What the round that was started came to, waited for; None where it failed, which the volunteer is told."""
        step, self._step = self._step, None
        try:
            outcome: RoundOutcome = step.result()
        except RoundFailed as error:
            self._failures += 1
            self._return_batch()
            self._notify(f"Averaging round {self._failures} of epoch {epoch} failed. {error.what}")
            return None
        if not outcome.included:
            self._return_batch()
        self._remember(outcome)
        return outcome

    def take_own(self) -> int:
        """Samples of this peer that the epoch included; they are done with."""
        own, self._batch = self._batch.samples if self._batch else 0, None
        return own

    def abandon(self) -> None:
        """Break off a round that was started, and gather on."""
        self.cancel()
        self._return_batch()

    def cancel(self) -> None:
        """Leave the group, or stop looking for one."""
        if self._step is not None:
            self._step.cancel()
            self._step = None

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
