"""A real swarm of averagers on loopback: a DHT node, libp2p daemon and averager for every peer."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import torch
from hivemind.utils import get_dht_time
from torch import Tensor

from core.run.rules import SwarmRules
from core.swarm.averaging.averager import GradientAverager
from core.swarm.averaging.participant import RoundParticipant
from core.swarm.bandwidth import Line
from core.swarm.dht import Network, start_dht
from core.swarm.rounds.partition import Part
from core.swarm.rounds.round import RoundOutcome, RoundRequest, RoundStatus
from core.swarm.state.state import schema_of
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.limits import Observations, derive

_PREFIX = "benchmark"
_EPOCHS = 1000


@dataclass(frozen=True)
class PeerRound:
    """One peer's measurements of one round: times in seconds, traffic in bytes."""

    matchmaking: float
    exchange: float
    settle: float
    """Seconds from the last part to the committed epoch."""
    sent: int
    received: int


class AveragerSwarm:
    """Averagers that hold given gradients and average them as often as asked; a context manager."""

    def __init__(
        self,
        gradients: Sequence[Sequence[Tensor]],
        parts: Sequence[Part],
        rules: SwarmRules,
        folder: Path,
        *,
        first_line: Line | None = None,
        entrance: Callable[[str], str] = str,
    ) -> None:
        """Start a peer for each of ``gradients``.

        ``entrance`` turns the first peer's address into the one by which the others reach it.
        """
        self._epoch, self._head, self._rules = 0, bytes(32), rules
        self._seen = [Observations() for _ in gradients]
        self._running = ExitStack()
        self.averagers: list[GradientAverager] = []
        addresses: tuple[str, ...] = ()
        with ExitStack() as starting:
            for index, tensors in enumerate(gradients):
                identity = PeerIdentity.load_or_create(folder / f"peer{index}")
                dht = start_dht(
                    Network(initial_peers=addresses), identity, prefix=_PREFIX, total_epochs=_EPOCHS
                )
                starting.callback(dht.shutdown)
                addresses = addresses or tuple(entrance(str(item)) for item in dht.get_visible_maddrs())
                inputs = [torch.zeros_like(item) for item in tensors]
                averager = GradientAverager(
                    inputs,
                    RoundParticipant(parts, dht, identity, _PREFIX, rules),
                    line=first_line if index == 0 else None,
                    state_schema=schema_of({"nothing": torch.zeros(1)}),
                )
                starting.callback(averager.shutdown)
                with averager.get_tensors() as held:
                    for target, source in zip(held, tensors, strict=True):
                        target.copy_(source)
                self.averagers.append(averager)
            self._running = starting.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._running.close()

    def average(self, weights: Sequence[float]) -> list[PeerRound]:
        """Run one round to its committed epoch; raise RoundFailed, or RuntimeError if it excludes a peer."""
        before = [(item.line.sent, item.line.received) for item in self.averagers]
        began = time.monotonic()
        steps = [self._begin(index, weight) for index, weight in enumerate(weights)]
        outcomes: list[RoundOutcome] = [step.result() for step in steps]
        total = time.monotonic() - began
        if any(o.members != len(steps) or o.standing != RoundStatus.AVERAGED for o in outcomes):
            raise RuntimeError(f"Not all peers averaged together: {outcomes}")
        self._epoch, self._head = self._epoch + 1, outcomes[0].head
        return [self._account(index, outcomes[index], total, before[index]) for index in range(len(steps))]

    def _begin(self, index: int, weight: float) -> Any:
        limits = derive(self._rules, self._seen[index])
        request = RoundRequest(
            epoch=self._epoch,
            head=self._head,
            expected_peers=len(self.averagers),
            limits=limits,
            timeout_seconds=2 * limits.matchmaking_seconds,
            started_at=get_dht_time() + limits.matchmaking_seconds,
        )
        step = self.averagers[index].begin(request, weight=weight)
        step.allow_allreduce()
        return step

    def _account(self, index: int, outcome: RoundOutcome, total: float, before: tuple[int, int]) -> PeerRound:
        assert outcome.matchmaking_seconds is not None
        assert outcome.exchange_seconds is not None
        seen, line = self._seen[index], self.averagers[index].line
        seen.matchmaking.append(outcome.matchmaking_seconds)
        seen.exchange.append(outcome.exchange_seconds)
        seen.store.extend(outcome.store_seconds)
        settle = total - outcome.matchmaking_seconds - outcome.exchange_seconds
        sent, received = line.sent - before[0], line.received - before[1]
        return PeerRound(outcome.matchmaking_seconds, outcome.exchange_seconds, settle, sent, received)
