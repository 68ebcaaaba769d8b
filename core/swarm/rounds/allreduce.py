"""Butterfly all-reduce within one group: each member reduces some parts, and sends its values for the others.

Unlike hivemind's own runner it never fills a gap with local values: what was not received stays missing, and
the caller decides. The aggregate of a part is encoded once, and all members, its reducer included, use those
bytes.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import torch
from hivemind.p2p import P2PContext, PeerID
from hivemind.proto import averaging_pb2
from hivemind.utils.asyncio import aiter_with_timeout

from core.errors import SwarmError
from core.swarm.rounds.partition import Part, contribution_of
from core.swarm.rounds.reduction import AggregationRule, NothingToReduce, PartReducer, ReducedPart
from core.swarm.rounds.sender_pace import RUN_AHEAD, SenderPace
from core.swarm.wire.encoding import MalformedPart, decode_received, encode
from core.swarm.wire.limits import TimeLimits
from core.swarm.wire.streams import PeerLost, messages
from core.swarm.wire.top_k import SparseValues
from core.tasks import end_tasks

_LOOKS = 30
"""Looks at slow senders in the second half of an exchange: at one moment, a sender that waits may not seem to."""


class RoundEvent(StrEnum):
    """Points of a round at which an observer is called."""

    LOOKING = "looking for a group"
    GROUPED = "group formed"
    PART_SENT = "part sent"
    PART_REDUCED = "part reduced"
    PART_RECEIVED = "part received"
    REDUCED_ALL = "all parts at hand"
    WRITING = "about to write the commit record"
    WRITTEN = "commit record written"
    COMMITTED = "epoch committed"


Observer = Callable[[RoundEvent, int], None]
"""Receiver of each event and its count so far in this round."""


@dataclass(frozen=True)
class Group:
    """The members of a round, in the order that all of them share."""

    id: bytes
    members: tuple[PeerID, ...]
    senders: tuple[int, ...]
    """Indices of the members that contribute; auxiliary peers only reduce."""
    owners: tuple[int, ...]
    """Index of the member that reduces each part."""
    seconds: float = 0.0
    """Seconds of the exchange at the bandwidths that members announced; 0 if none did."""
    clients: tuple[int, ...] = ()
    """Indices of the members that accept no connections, and can be asked nothing after the round."""

    def parts_of(self, member: int) -> tuple[int, ...]:
        """Return the indices of the parts that ``member`` (its index in the group) reduces."""
        return tuple(index for index, owner in enumerate(self.owners) if owner == member)


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
        self._inputs, self._outputs, self._weight, self._max_weight = inputs, outputs, weight, max_weight
        self._stub_of, self._limits = stub_of, limits
        self._observe, self._counts = observe, dict.fromkeys(RoundEvent, 0)
        self._as_sent = as_sent
        self._mine = group.parts_of(self._me)
        self._last, self._names = (
            len(parts) - 1,
            [group.members[sender].to_bytes() for sender in group.senders],
        )
        self._reducers = {index: self._reducer(index, rule) for index in self._mine}
        self._pace = SenderPace(len(group.senders), len(self._mine), limits)
        self._all_started = asyncio.Event()
        self.results: list[ReducedPart | None] = [None] * len(parts)

    @property
    def rank(self) -> int:
        """Index of this peer in the group."""
        return self._me

    @property
    def position(self) -> int | None:
        """Index of this peer among the senders; None for an auxiliary peer."""
        return self.group.senders.index(self._me) if self._me in self.group.senders else None

    def count(self, event: RoundEvent) -> None:
        """Tell the observer that ``event`` happened once more."""
        self._counts[event] += 1
        self._observe(event, self._counts[event])

    async def run(self) -> None:
        """Exchange all parts; return when each has arrived or its reducer is lost, without raising for that."""
        work = [self._reduce_own_parts(), self._drop_absent_senders(), self._drop_slow_senders()]
        if self._me in self.group.senders:
            others = sorted(set(self.group.owners) - {self._me})
            work += [self._contribute_own_values(), *(self._exchange_with(owner) for owner in others)]
        tasks = [asyncio.create_task(item) for item in work]
        try:
            await asyncio.gather(*tasks)
        finally:
            await end_tasks(tasks)

    def abandon(self) -> None:
        """Reduce nothing more; those that wait here for parts are notified."""
        for reducer in self._reducers.values():
            reducer.abandon()

    def _reducer(self, index: int, rule: AggregationRule) -> PartReducer:
        names = self._names if index == self._last else ()
        return PartReducer(self._parts[index], len(self.group.senders), rule, names=names)

    # --- as a reducer -------------------------------------------------------------------------------------------

    async def _reduce_own_parts(self) -> None:
        for index in self._mine:
            try:
                reduced = await asyncio.shield(self._reducers[index].reduced)
            except (NothingToReduce, RuntimeError, ValueError):
                continue
            await self._keep(index, reduced)
            self.count(RoundEvent.PART_REDUCED)

    async def _contribute_own_values(self) -> None:
        position = self.group.senders.index(self._me)
        self._note_started(position)
        for index in self._mine:
            part = self._parts[index]
            own = part.gather(self._inputs)
            values: torch.Tensor | SparseValues = own
            if self._as_sent:
                values = await asyncio.get_running_loop().run_in_executor(None, contribution_of, part, own)
            await self._reducers[index].contribute(position, values, self._weight)

    async def _drop_absent_senders(self) -> None:
        """Drop the senders that have not begun within the limit out of all parts."""
        if not self._mine:
            return
        try:
            await asyncio.wait_for(self._all_started.wait(), self._limits.sender_seconds)
        except TimeoutError:
            for position in self._pace.absent:
                _log.warning(
                    "Peer %s sent nothing within %.1f s: it drops out of the %d parts reduced here.",
                    self._sender(position),
                    self._limits.sender_seconds,
                    len(self._mine),
                )
                await self._drop(position)

    async def _drop_slow_senders(self) -> None:
        """Drop the senders for which others wait, and which would not be done in time at the pace that they have had.

        A sender on a poor line is never silent, and others can't run ahead of it far. Without this the exchange ended
        at its limit with parts missing, for all members. Where all are equally slow, none waits and none drops out.
        """
        reduced = [self._reducers[index].reduced for index in self._mine]
        clock, slow = asyncio.get_running_loop().time, {self.position}
        began, pause = clock(), self._limits.half_way_seconds
        while reduced and (await asyncio.wait(reduced, timeout=pause))[1]:
            pause = self._limits.half_way_seconds / _LOOKS
            late = set(self._pace.late(clock(), elapsed=clock() - began)) - slow
            for position in late:
                slow.add(position)
                _log.warning(
                    "%d of %d parts of peer %s have come, and others wait for it: it drops out of the rest.",
                    self._pace.arrived[position],
                    len(self._mine),
                    self._sender(position),
                )
                await self._drop(position)
            if late:
                self._pace.note_dropped(clock())

    def _sender(self, position: int) -> PeerID:
        return self.group.members[self.group.senders[position]]

    def _note_started(self, position: int) -> None:
        self._pace.started[position] = asyncio.get_running_loop().time()
        if not self._pace.absent:
            self._all_started.set()

    async def _drop(self, position: int) -> None:
        for reducer in self._reducers.values():
            await reducer.fail(position)

    async def rpc_aggregate_part(
        self, stream: AsyncIterator[averaging_pb2.AveragingData], context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take a member's contributions to the parts reduced here, and answer each part with its aggregate, in order.

        ``stream`` holds the contributions, in the order of the parts; ``context`` names the caller. A caller
        that is no sender of the group, or calls twice, is refused. It is notified of a failure when this peer no
        longer waits for the group's commit either: what is missing then will not come.
        """
        position = self._sender_position(context.remote_id)
        if position is None or position in self._pace.started:
            yield averaging_pb2.AveragingData(code=averaging_pb2.PROTOCOL_VIOLATION)
            return
        self._note_started(position)
        intake = asyncio.create_task(self._take_in(stream, position))
        clock = asyncio.get_running_loop().time
        deadline = clock() + self._limits.allreduce_seconds + self._limits.reducer_seconds
        try:
            for index in self._mine:
                reduced = asyncio.shield(self._reducers[index].reduced)
                yield (await asyncio.wait_for(reduced, deadline - clock())).as_message()
            # closing before the sender's last word is read would reset the stream, and lose it what is on its way
            await asyncio.wait({intake}, timeout=self._limits.sender_seconds)
        except (NothingToReduce, RuntimeError, ValueError, TimeoutError):
            yield averaging_pb2.AveragingData(code=averaging_pb2.INTERNAL_ERROR)
        finally:
            await end_tasks([intake])

    def _sender_position(self, peer: PeerID) -> int | None:
        if peer not in self.group.members:
            return None
        member = self.group.members.index(peer)
        return self.group.senders.index(member) if member in self.group.senders else None

    async def _take_in(self, stream: AsyncIterator[averaging_pb2.AveragingData], position: int) -> None:
        delivered = 0
        try:
            async for message in aiter_with_timeout(stream, self._limits.sender_seconds):
                if delivered == len(self._mine):
                    return
                index = self._mine[delivered]
                self._pace.arrived[position] = delivered + 1
                values = await self._decode(index, message)
                if delivered >= RUN_AHEAD:
                    earlier = self._reducers[self._mine[delivered - RUN_AHEAD]].reduced
                    await asyncio.wait({asyncio.shield(earlier)})
                await self._reducers[index].contribute(position, values, message.weight)
                delivered += 1
        except (TimeoutError, MalformedPart) as error:
            _log.warning("Peer %s: %s", self._sender(position), str(error) or "it fell silent.")
        finally:
            if delivered < len(self._mine):  # whatever ended the stream
                _log.warning(
                    "Peer %s delivered %d of %d parts; it drops out of the others.",
                    self._sender(position),
                    delivered,
                    len(self._mine),
                )
            await asyncio.shield(self._drop(position))

    async def _decode(self, index: int, message: averaging_pb2.AveragingData) -> torch.Tensor | SparseValues:
        if not 0 < message.weight <= self._max_weight:
            raise MalformedPart(f"A weight of {message.weight} samples came with a part.")
        part = self._parts[index]
        loop = asyncio.get_running_loop()
        arguments = message.tensor_part, part.encoding, part.values
        return await loop.run_in_executor(None, decode_received, *arguments)

    # --- as a sender --------------------------------------------------------------------------------------------

    async def _exchange_with(self, owner: int) -> None:
        """Send a reducer our values for its parts and take the aggregates; those that do not arrive stay missing."""
        why = "it closed the stream"  # as the stream of a peer that was killed seems
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
            raise ExchangeFailed("A reducer stopped before its last part.", "The round goes on without it.")
        self.count(RoundEvent.PART_RECEIVED)
        reduced = ReducedPart.from_message(message, senders=len(self.group.senders))
        named = [item.peer_id for item in reduced.contributors]
        if index == self._last and named != [self._names[position] for position in sorted(reduced.included)]:
            raise MalformedPart("The last part names other contributors than the group has.")
        await self._keep(index, reduced)

    async def _keep(self, index: int, reduced: ReducedPart) -> None:
        loop = asyncio.get_running_loop()
        values = await loop.run_in_executor(None, reduced.values, self._parts[index])
        if self._outputs:
            self._parts[index].scatter(values, self._outputs)
        self.results[index] = reduced
