"""One reducer's part in the combination of its group with others, as the head of the group orders it."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2, runtime_pb2

from core.swarm.aggregation.rule import AggregationRule
from core.swarm.combining.agreement import GroupAgreement
from core.swarm.combining.head import GroupHead, HeadFailed
from core.swarm.combining.links import GroupMean, PassageBroken
from core.swarm.combining.orders import (
    GiveParts,
    HeadOrder,
    ReducerReport,
    pack_report,
    unpack_order,
)
from core.swarm.combining.passage import Passage
from core.swarm.combining.plan import PassagePlan, pack_reducers, unpack_reducers
from core.swarm.rounds.combination import CombinationLimits, ReducedGroup, combined_id
from core.swarm.rounds.group import Group
from core.swarm.rounds.group_list import Contributor
from core.swarm.rounds.losses import unpack_culprits
from core.swarm.rounds.own_parts import OwnParts
from core.swarm.rounds.partition import Part
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.wire.encoding import MalformedPart
from core.swarm.wire.streams import PeerLost, beats_until, is_beat, messages
from core.tasks import end_tasks

_log = logging.getLogger(__name__)

_Passed = dict[int, tuple[PassagePlan, Mapping[int, ReducedPart]]]
"""Passages that were whole, by their numbers, with their aggregates by the parts' indices."""


@dataclass
class CombiningReducer:
    """The part of one reducer, from what its group has reduced to what the members are given."""

    group: Group
    member: int
    """Index of this peer in the group."""
    parts: Sequence[Part]
    own: OwnParts
    """The parts that this peer reduces, which wait for what they become."""
    agreement: Callable[[], GroupAgreement]
    """Makes the agreement with the heads of other groups, if this peer is a head."""
    rule: AggregationRule
    """Combines the means of groups."""
    most_samples: float
    """Most samples that a member of a group may count for."""
    limits: CombinationLimits
    """The patience of groups with each other."""
    reducing_seconds: float
    """Seconds within which a reducer of the group has reduced, or counts as lost."""
    head_seconds: float
    """Silence after which the head of the group counts as lost: it may begin its exchange so much later."""
    give_seconds: float
    """Seconds from the beginning of the exchange after which the members must be given something."""
    keep_contributors: Callable[[bytes, Sequence[Contributor]], None]
    """Receives the id of a group and its contributors, to be given to others."""
    stub_of: Callable[[PeerID], Any]
    """Gives the RPC stub of a peer."""
    _passages: dict[bytes, Passage] = field(default_factory=dict)
    """The passages that have begun here, by their names."""
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    """Set, and replaced, when a passage begins here, and once no other will."""
    _has_ended: bool = False
    """True once no other passage will begin here."""

    def __post_init__(self) -> None:
        head = self.group.owners[-1]
        self._head_id = self.group.members[head]
        self.head: GroupHead | None = None
        """The head of the group, if this peer is that."""
        if head == self.member:
            self.head = GroupHead(
                self.group,
                self.agreement(),
                self.limits,
                reducers_of=self._reducers_of,
                absent_seconds=self.head_seconds,
                reducing_seconds=self.reducing_seconds,
                give_seconds=self.give_seconds,
            )

    async def run(self) -> None:
        """Follow the head until the members are given their parts; what waits for those fails if the group does."""
        last = partial(self.own.reduced, len(self.parts) - 1)
        leading = [asyncio.create_task(self.head.run(last))] if self.head else []
        try:
            await self._follow()
            await asyncio.gather(*leading)
        except (HeadFailed, PeerLost, MalformedPart) as error:
            _log.warning("Group %s gives its members nothing: %s", self.group.id.hex()[:8], error)
            lost_head = frozenset({self._head_id.to_bytes()})
            self.own.give_up(error.culprits if isinstance(error, HeadFailed) else lost_head)
        finally:  # up to the first wait: a second cancellation would break that off
            self.own.give_up()
            left = [task for passage in self._passages.values() for task in passage.close()]
            self._has_ended = True
            self._tell_news()
            await end_tasks([*leading, *left])

    async def _follow(self) -> None:
        reports: asyncio.Queue[ReducerReport | None] = asyncio.Queue()
        orders = self._own_orders(self.head, reports) if self.head else self._remote_orders(reports)
        reducing = asyncio.create_task(self._report_reduced(reports))
        passed: _Passed = {}
        try:
            async with aclosing(orders):
                async for order in orders:
                    if isinstance(order, GiveParts):
                        self._give(order, passed)
                        reports.put_nowait(None)
                    else:
                        reports.put_nowait(await self._passed(order, passed))
        finally:
            await end_tasks([reducing])

    async def _passed(self, plan: PassagePlan, passed: _Passed) -> ReducerReport:
        try:
            passed[plan.attempt] = plan, await self._pass(plan)
        except PassageBroken as broken:
            return ReducerReport(plan.attempt, broken.lost)
        return ReducerReport(plan.attempt)

    async def _report_reduced(self, reports: asyncio.Queue[ReducerReport | None]) -> None:
        """Report once all own parts are reduced; the group fails if one could not be."""
        found = [await self.own.reduced(index) for index in self.own.indices]
        reports.put_nowait(ReducerReport(0, None if all(found) else frozenset()))

    def _give(self, order: GiveParts, passed: _Passed) -> None:
        if not order.attempt:
            self.own.give({}, self.group.id, order.delays)
        elif order.attempt in passed:
            plan, parts = passed[order.attempt]
            self.own.give(parts, combined_id(plan.groups), order.delays)
        else:
            why = f"The head gives passage {order.attempt}, which was not whole here."
            raise HeadFailed(why, {self._head_id.to_bytes()})

    # --- orders -------------------------------------------------------------------------------------------------

    async def _own_orders(
        self, head: GroupHead, reports: asyncio.Queue[ReducerReport | None]
    ) -> AsyncGenerator[HeadOrder, None]:
        name = self._head_id.to_bytes()

        async def pass_on() -> None:
            while (report := await reports.get()) is not None:
                head.report(name, report)

        passing = asyncio.create_task(pass_on())
        try:
            while (order := await head.order_for(name)) is not None:
                yield order
                if isinstance(order, GiveParts):
                    return
        finally:
            await end_tasks([passing])

    async def _remote_orders(
        self, reports: asyncio.Queue[ReducerReport | None]
    ) -> AsyncGenerator[HeadOrder, None]:
        call, order = self.stub_of(self._head_id).rpc_follow_head(self._outgoing(reports)), None
        async for message in messages(call, silence_seconds=self.head_seconds):
            if message.code == averaging_pb2.CANCELLED:
                raise HeadFailed("The head gave the group up.", unpack_culprits(message.peer_id))
            if not is_beat(message):
                order = unpack_order(message, len(self.parts))
                yield order
        if not isinstance(order, GiveParts):  # as the stream of a peer that was killed seems
            raise PeerLost("it closed the stream")

    async def _outgoing(
        self, reports: asyncio.Queue[ReducerReport | None]
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        yield averaging_pb2.AveragingData(code=averaging_pb2.PART_FOR_AVERAGING, group_id=self.group.id)
        waiting: asyncio.Task[ReducerReport | None] | None = None
        try:
            while True:
                waiting = asyncio.create_task(reports.get())
                async for beat in beats_until(waiting, self.limits.silence_seconds):
                    yield beat
                report = waiting.result()
                if report is None:
                    return
                yield pack_report(report)
        finally:
            if waiting is not None:
                waiting.cancel()

    # --- the passage --------------------------------------------------------------------------------------------

    async def _pass(self, plan: PassagePlan) -> Mapping[int, ReducedPart]:
        means: dict[int, GroupMean] = {}
        contributors: Sequence[Contributor] = ()
        for index in self.own.indices:
            reduced, message = await self.own.reduced(index), self.own.partial(index)
            if reduced is None or message is None:
                raise HeadFailed("A part was not reduced.")
            means[index] = GroupMean(message, reduced.weight, frozenset({plan.position}))
            contributors = reduced.contributors or contributors
        passage = Passage(
            plan,
            self.parts,
            means,
            contributors,
            rule=self.rule,
            most_samples=self.most_samples,
            stub_of=self.stub_of,
            reducers_of=self._reducers_of,
            limits=self.limits,
            keep_contributors=self.keep_contributors,
        )
        if plan.id in self._passages:
            raise HeadFailed("The head ordered a passage twice.", {self._head_id.to_bytes()})
        self._passages[plan.id] = passage
        self._tell_news()
        return await passage.run()

    def _tell_news(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def _passage(self, name: bytes) -> Passage | None:
        """Wait for the passage with that name to begin here, and return it; None if it never will."""
        while name not in self._passages and not self._has_ended:
            await self._news.wait()
        return self._passages.get(name)

    async def _reducers_of(self, group: ReducedGroup) -> tuple[bytes, ...]:
        """Ask the head of another ``group`` for the reducers of all parts; raises PeerLost or MalformedPart."""
        question = averaging_pb2.AveragingData(group_id=group.id)
        call = self.stub_of(PeerID(group.head)).rpc_describe_group(question)
        async for message in messages(call, silence_seconds=self.limits.silence_seconds):
            if message.code != averaging_pb2.PART_FOR_AVERAGING:
                break
            return unpack_reducers(message.tensor_part.buffer, len(self.parts))
        raise PeerLost("it does not know the group")

    def note_failed(self, reducer: bytes) -> None:
        """Note that the ``reducer`` with that id gives this peer, as a sender, nothing more; a head does not wait."""
        if self.head is not None:
            self.head.report(reducer, None)

    # --- called by other peers ----------------------------------------------------------------------------------

    async def answer_reducer(
        self, stream: AsyncIterator[averaging_pb2.AveragingData], caller: PeerID
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take the reports in the ``stream`` of the ``caller``, a reducer of the own group, and answer with orders.

        A peer that is not the head refuses.
        """
        if self.head is None:
            yield averaging_pb2.AveragingData(code=averaging_pb2.PROTOCOL_VIOLATION)
            return
        async for message in self.head.answer(stream, caller):
            yield message

    async def answer_group(
        self,
        first: averaging_pb2.AveragingData,
        stream: AsyncIterator[averaging_pb2.AveragingData],
        caller: PeerID,
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take part in a passage with the ``caller``, a reducer of another group; ``first`` names the passage.

        ``stream`` holds its means; it has none if ``first`` names parts of which the caller wants the aggregates
        alone. The caller may have learnt of the passage before this peer: it is kept waiting.
        """
        found = asyncio.create_task(self._passage(first.peer_id))
        clock = asyncio.get_running_loop().time
        deadline = clock() + self.limits.attempt_seconds
        try:
            async for beat in beats_until(found, self.limits.silence_seconds):
                if clock() > deadline:
                    yield averaging_pb2.AveragingData(code=averaging_pb2.PROTOCOL_VIOLATION)
                    return
                yield beat
        finally:
            found.cancel()
        passage, wanted = found.result(), first.tensor_part.buffer
        if passage is None:
            yield averaging_pb2.AveragingData(code=averaging_pb2.PROTOCOL_VIOLATION)
            return
        answers = passage.answer_orphan(wanted, caller) if wanted else passage.answer(stream, caller)
        async for message in answers:
            yield message

    @property
    def reducers(self) -> averaging_pb2.AveragingData:
        """The message that tells another head who reduces each part of the own group."""
        return averaging_pb2.AveragingData(
            code=averaging_pb2.PART_FOR_AVERAGING,
            tensor_part=runtime_pb2.Tensor(buffer=pack_reducers(self.group)),
        )
