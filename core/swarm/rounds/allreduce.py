"""Butterfly all-reduce within one group: each member reduces some parts, and sends its values for the others.

Unlike hivemind's own runner it never fills a gap with local values: what was not received stays missing, and
the caller decides. The aggregate of a part is encoded once, and all members, its reducer included, use those
bytes.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Any

import torch
from hivemind.p2p import P2PContext, PeerID
from hivemind.proto import averaging_pb2

from core.errors import SwarmError
from core.swarm.rounds.events import Observer, RoundEvent
from core.swarm.rounds.group import Group
from core.swarm.rounds.own_parts import OwnParts
from core.swarm.rounds.partition import Part
from core.swarm.rounds.reduction import AggregationRule, ReducedPart
from core.swarm.wire.encoding import MalformedPart, encode
from core.swarm.wire.frames import PACE
from core.swarm.wire.limits import TimeLimits
from core.swarm.wire.streams import PeerLost, messages
from core.tasks import end_tasks

_log = logging.getLogger(__name__)


class ExchangeFailed(SwarmError):
    """A reducer was lost or broke the protocol before it had sent all of its parts."""


class AllReduce:
    """One run of all-reduce; ``results`` holds the reduced parts, and None for the parts still missing."""

    def __init__(
        self,
        group: Group,
        peer_id: PeerID,
        parts: Sequence[Part],
        *,
        inputs: Sequence[torch.Tensor],
        outputs: Sequence[torch.Tensor],
        weight: float,
        max_weight: float,
        rule: AggregationRule,
        stub_of: Callable[[PeerID], Any],
        limits: TimeLimits,
        observe: Observer,
        as_sent: bool = False,
    ) -> None:
        """Prepare the exchange, in a running event loop; `run` does it.

        Args:
            group: the members, and the reducer of each part.
            peer_id: id of this peer, one of the members.
            parts: the parts of the round, in order; only the last one names its contributors.
            inputs: this peer's tensors of the round, float32 on the CPU and in their own shapes; those of an
                auxiliary peer are not read.
            outputs: tensors of the same shapes, into which the aggregates are written; none for an auxiliary peer.
            weight: number of samples behind ``inputs``.
            max_weight: most samples that another sender may claim; one that claims more drops out.
            rule: combines the contributions to each part that is reduced here.
            stub_of: gives the RPC stub of a peer.
            limits: seconds of silence after which a sender or a reducer counts as lost.
            observe: called with each event and its count in this exchange.
            as_sent: true if this peer contributes to its own parts what the others would decode of its values,
                and not the values themselves: it then knows of each part what an encoding left out.

        Raises:
            ValueError: ``peer_id`` is no member of the group.
        """
        self.group, self._parts, self._me = group, parts, group.members.index(peer_id)
        self._inputs, self._outputs, self._weight = inputs, outputs, weight
        self._stub_of, self._limits = stub_of, limits
        self._observe, self._counts = observe, dict.fromkeys(RoundEvent, 0)
        self._as_sent = as_sent
        count_reduced = partial(self.count, RoundEvent.PART_REDUCED)
        self._own = OwnParts(
            group, self._me, parts, rule=rule, max_weight=max_weight, limits=limits, on_reduced=count_reduced
        )
        self.results: list[ReducedPart | None] = [None] * len(parts)

    @property
    def rank(self) -> int:
        """Index of this peer in the group."""
        return self._me

    @property
    def position(self) -> int | None:
        """Index of this peer among the senders; None for an auxiliary peer."""
        return self.group.position_of(self.group.members[self._me])

    def count(self, event: RoundEvent) -> None:
        """Tell the observer that ``event`` happened once more."""
        self._counts[event] += 1
        self._observe(event, self._counts[event])

    async def run(self) -> None:
        """Exchange all parts; return when each has arrived or its reducer is lost, without raising for that."""
        work = [self._keep_own_parts(), self._own.drop_absent_senders(), self._own.drop_slow_senders()]
        if self._me in self.group.senders:
            others = sorted(set(self.group.owners) - {self._me})
            work += [self._own.contribute_own(self._inputs, self._weight, as_sent=self._as_sent)]
            work += [self._exchange_with(owner) for owner in others]
        tasks = [asyncio.create_task(item) for item in work]
        try:
            await asyncio.gather(*tasks)
        finally:
            await end_tasks(tasks)

    def abandon(self) -> None:
        """Reduce nothing more; those that wait here for parts are notified."""
        self._own.abandon()

    def rpc_aggregate_part(
        self, stream: AsyncIterator[averaging_pb2.AveragingData], context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take a member's contributions to the parts reduced here, and answer each part with its aggregate, in order.

        ``stream`` holds the contributions; ``context`` names the caller. `OwnParts.answer` says who is refused.
        """
        return self._own.answer(stream, context.remote_id)

    async def _keep_own_parts(self) -> None:
        for index in self._own.indices:
            reduced = await self._own.reduced(index)
            if reduced is not None:
                await self._keep(index, reduced)

    async def _exchange_with(self, owner: int) -> None:
        """Send a reducer our values for its parts and take the aggregates; those that do not arrive stay missing."""
        why = "it closed the stream"  # as the stream of a peer that was killed seems
        values = sum(self._parts[index].wire_bytes for index in self.group.parts_of(owner))
        PACE.set(self.group.pace_towards(owner, values))  # for this task, and those that the call makes
        try:
            call = self._stub_of(self.group.members[owner]).rpc_aggregate_part(self._outgoing(owner))
            expected = iter(self.group.parts_of(owner))
            async for message in messages(call, silence_seconds=self._limits.reducer_seconds):
                await self._receive(next(expected, None), message)
        except (PeerLost, ExchangeFailed, MalformedPart) as error:
            why = str(error) or type(error).__name__
        parts = self.group.parts_of(owner)
        if missing := sum(self.results[index] is None for index in parts):
            _log.warning(
                "Reducer %s did not return %d of its %d parts: %s",
                self.group.members[owner],
                missing,
                len(parts),
                why,
            )

    async def _outgoing(self, owner: int) -> AsyncIterator[averaging_pb2.AveragingData]:
        loop = asyncio.get_running_loop()
        for index in self.group.parts_of(owner):
            part = self._parts[index]
            values = part.gather(self._inputs)
            message = averaging_pb2.AveragingData(
                code=averaging_pb2.PART_FOR_AVERAGING,
                group_id=self.group.id,
                tensor_part=await loop.run_in_executor(None, encode, values, part.encoding),
                weight=self._weight,
            )
            self.count(RoundEvent.PART_SENT)
            yield message

    async def _receive(self, index: int | None, message: averaging_pb2.AveragingData) -> None:
        if index is None or message.code != averaging_pb2.AVERAGED_PART:
            raise ExchangeFailed("A reducer stopped before its last part.", "The round continues without it.")
        self.count(RoundEvent.PART_RECEIVED)
        reduced = ReducedPart.from_message(message, senders=len(self.group.senders))
        senders = [self.group.sender(position).to_bytes() for position in sorted(reduced.included)]
        named = [item.peer_id for item in reduced.contributors]
        if index == len(self._parts) - 1 and named != senders:
            raise MalformedPart("The last part names other contributors than the group has.")
        await self._keep(index, reduced)

    async def _keep(self, index: int, reduced: ReducedPart) -> None:
        loop = asyncio.get_running_loop()
        values = await loop.run_in_executor(None, reduced.values, self._parts[index])
        if self._outputs:
            self._parts[index].scatter(values, self._outputs)
        self.results[index] = reduced
