"""Passes one reducer's means up the trees of the groups, and the aggregates of all groups down again."""

import asyncio
import logging
import math
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2, runtime_pb2
from hivemind.utils.asyncio import aiter_with_timeout

from core.failure_series import in_words
from core.swarm.combining.plan import PassagePlan, TreeLink, subtree
from core.swarm.rounds.combination import CombinationLimits, ReducedGroup
from core.swarm.rounds.group_list import (
    Contributor,
    contributors_of_group,
    pack_contributors,
)
from core.swarm.rounds.partition import Part
from core.swarm.rounds.reduction import AggregationRule, PartValues, ReducedPart, aggregate
from core.swarm.wire.encoding import MalformedPart, decode_received, encode
from core.swarm.wire.group_records import GROUP_ID_BYTES
from core.swarm.wire.streams import PeerLost, beats_until, is_beat, messages
from core.tasks import end_tasks

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class GroupMean:
    """The mean of a part over some groups, on its way up."""

    message: runtime_pb2.Tensor
    """The mean in the form of `Part.partial_encoding`."""
    weight: float
    """Number of samples behind it."""


class PassageBroken(Exception):
    """A passage ended without the aggregates, since a reducer was lost; ``lost`` are the ids of its groups."""

    def __init__(self, lost: frozenset[bytes]) -> None:
        super().__init__(f"{len(lost)} groups were lost")
        self.lost = lost


class Passage:
    """One passage for the parts that this peer reduces in its group."""

    def __init__(
        self,
        plan: PassagePlan,
        parts: Sequence[Part],
        means: Mapping[int, GroupMean],
        contributors: Sequence[Contributor],
        *,
        rule: AggregationRule,
        stub_of: Callable[[PeerID], Any],
        limits: CombinationLimits,
        keep_contributors: Callable[[bytes, Sequence[Contributor]], None],
    ) -> None:
        """Prepare the passage, in a running event loop; `run` does it.

        Args:
            plan: the groups, and the reducers of those above and below.
            parts: the parts of the round, in order.
            means: the own group's means of the parts that this peer reduces, by their indices.
            contributors: names and samples of the own group's contributors; the reducer of the last part alone has
                them.
            rule: combines the means.
            stub_of: gives the RPC stub of a peer.
            limits: seconds of silence after which a reducer counts as lost, and those of the passage.
            keep_contributors: called with the id and the contributors of each group below.
        """
        self.plan, self._parts, self._means = plan, parts, means
        self._contributors, self._rule, self._stub_of = tuple(contributors), rule, stub_of
        self._limits, self._keep_contributors = limits, keep_contributors
        own = sorted(means)
        self._up, self._down = plan.links_up(own), dict.fromkeys(plan.links_down(own), False)
        loop = asyncio.get_running_loop()
        self._passed: dict[int, asyncio.Future[GroupMean]] = {index: loop.create_future() for index in own}
        """Means of the parts as they go up, over the own group and all below it."""
        self._results: dict[int, asyncio.Future[ReducedPart]] = {index: loop.create_future() for index in own}
        self._taken: dict[int, dict[int, tuple[PartValues, float]]] = {index: {} for index in own}
        self._tasks: list[asyncio.Task[None]] = []
        self._lost: frozenset[bytes] | None = None
        """Ids of the groups with which the passage broke; None while it has not."""

    async def run(self) -> Mapping[int, ReducedPart]:
        """Return the aggregates over all groups by the indices of their parts; raises PassageBroken if it broke.

        What tells the neighbours of that goes on until `close`.
        """
        work = [self._await_calls(), *(self._pass_up(link) for link in self._up)]
        self._tasks = [asyncio.create_task(item) for item in work]
        if self.plan.lost:
            self.break_off(self.plan.lost)
        self._pass_own()
        await asyncio.wait(self._results.values(), timeout=self._limits.attempt_seconds)
        self.break_off(frozenset())
        if self._lost is not None:
            raise PassageBroken(self._lost)
        return {index: found.result() for index, found in self._results.items()}

    async def close(self) -> None:
        """End what still runs."""
        await end_tasks(self._tasks)

    def break_off(self, lost: frozenset[bytes]) -> None:
        """End the passage without the groups whose ids are ``lost``; the neighbours are told which."""
        if self._lost is not None or all(item.done() for item in self._results.values()):
            return
        self._lost = lost
        waiting: list[asyncio.Future[Any]] = [*self._passed.values(), *self._results.values()]
        for future in waiting:
            if not future.done():
                future.set_exception(PassageBroken(lost))
                future.exception()  # marks it as seen: nobody may wait for it

    # --- means --------------------------------------------------------------------------------------------------

    def _pass_own(self) -> None:
        """Pass on the own means of the parts for which no group is below, in the form that they have."""
        for index, mean in self._means.items():
            if not self.plan.trees.below(self.plan.position, index) and not self._passed[index].done():
                self._passed[index].set_result(mean)

    async def _take(self, index: int, position: int, mean: GroupMean) -> None:
        """Take the mean of a part from the group at ``position``; pass on that of all once those below have sent.

        Raises MalformedPart for a mean that does not decode.
        """
        loop = asyncio.get_running_loop()
        values = await loop.run_in_executor(None, self._decoded, index, mean)
        taken = self._taken[index]
        taken[position] = values, mean.weight
        if len(taken) < len(self.plan.trees.below(self.plan.position, index)):
            return
        found = dict(taken)
        taken.clear()
        try:
            whole = await loop.run_in_executor(None, partial(self._combined, index, found))
        except (MalformedPart, RuntimeError, ValueError) as error:
            _log.warning("Part %d of several groups cannot be combined here: %s", index, in_words(error))
            self.break_off(frozenset({self.plan.groups[self.plan.position].id}))
            return
        target: asyncio.Future[Any] = (
            self._results[index] if isinstance(whole, ReducedPart) else self._passed[index]
        )
        if not target.done():
            target.set_result(whole)

    def _decoded(self, index: int, mean: GroupMean) -> PartValues:
        part = self._parts[index]
        return decode_received(mean.message, part.partial_encoding, part.values)

    def _combined(self, index: int, below: Mapping[int, tuple[PartValues, float]]) -> GroupMean | ReducedPart:
        """Return the mean for the group above, or the aggregate of all groups where there is none above.

        The own mean is decoded only now: those of all parts take four bytes a value.
        """
        part, own = self._parts[index], self._means[index]
        ordered = sorted({**below, self.plan.position: (self._decoded(index, own), own.weight)}.items())
        weights = [weight for _, (_, weight) in ordered]
        mean = aggregate(self._rule, [values for _, (values, _) in ordered], weights)
        if self.plan.trees.above(self.plan.position, index) is not None:
            return GroupMean(encode(mean, part.partial_encoding), self._samples(index, weights))
        return self._result(index, mean, self._samples(index, weights))

    def _samples(self, index: int, weights: Sequence[float]) -> float:
        """Return the samples behind a mean; those of the last part are summed as all check them, in one step."""
        if index < len(self._parts) - 1:
            return math.fsum(weights)
        below = subtree(self.plan.trees, self.plan.position, index)
        return math.fsum(self.plan.groups[item].samples for item in below)

    def _result(self, index: int, mean: torch.Tensor, weight: float) -> ReducedPart:
        groups = self.plan.groups
        return ReducedPart(
            encode(mean, self._parts[index].aggregate_encoding),
            weight,
            frozenset(range(len(groups))),
            groups=groups if index == len(self._parts) - 1 else (),
        )

    # --- to the groups above ------------------------------------------------------------------------------------

    async def _pass_up(self, link: TreeLink) -> None:
        """Send a reducer above the means of its parts, and take the aggregates."""
        group, due = self.plan.groups[link.position], iter(link.parts)
        try:
            call = self._stub_of(PeerID(link.reducer)).rpc_combine_parts(self._outgoing(link, group))
            async for message in messages(call, silence_seconds=self._limits.silence_seconds):
                if message.code == averaging_pb2.CANCELLED:
                    self.break_off(_lost_groups(message))
                    return
                if not is_beat(message):
                    self._keep_result(next(due, None), message)
        except (PeerLost, MalformedPart) as error:
            _log.warning("Reducer %s of another group was lost: %s", PeerID(link.reducer), error)
        if not all(self._results[index].done() for index in link.parts):
            self.break_off(frozenset({group.id}))

    def _keep_result(self, index: int | None, message: averaging_pb2.AveragingData) -> None:
        if index is None or message.code != averaging_pb2.AVERAGED_PART:
            raise MalformedPart("The reducer of another group stopped before its last part.")
        groups = self.plan.groups
        result = ReducedPart.from_message(message, senders=len(groups))
        is_last = index == len(self._parts) - 1
        if len(result.included) != len(groups) or result.groups != (groups if is_last else ()):
            raise MalformedPart("The reducer of another group combined other groups than were agreed.")
        result.values(self._parts[index])  # refuses what does not decode
        if not self._results[index].done():
            self._results[index].set_result(result)

    async def _outgoing(
        self, link: TreeLink, above: ReducedGroup
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        yield averaging_pb2.AveragingData(
            code=averaging_pb2.PART_FOR_AVERAGING, group_id=above.id, peer_id=self.plan.id
        )
        try:
            for index in link.parts:
                async for beat in beats_until(self._passed[index], self._limits.silence_seconds):
                    yield beat
                mean = self._passed[index].result()
                is_last = index == len(self._parts) - 1
                yield averaging_pb2.AveragingData(
                    code=averaging_pb2.PART_FOR_AVERAGING,
                    tensor_part=mean.message,
                    weight=mean.weight,
                    group_id=pack_contributors(self._contributors) if is_last else b"",
                )
            for index in link.parts:
                async for beat in beats_until(self._results[index], self._limits.silence_seconds):
                    yield beat
                self._results[index].result()
        except PassageBroken as broken:
            yield _cancelled(broken.lost)

    # --- from the groups below ----------------------------------------------------------------------------------

    async def _await_calls(self) -> None:
        """Break the passage off if a reducer below has not called within the limit of silence."""
        # heads learn of their common plan a look at the DHT apart
        await asyncio.sleep(max(self._limits.silence_seconds, self._limits.attempt_seconds / 2))
        missing = {self.plan.groups[link.position].id for link, called in self._down.items() if not called}
        if missing:
            _log.warning("The reducers of %d groups did not call.", len(missing))
            self.break_off(frozenset(missing))

    async def answer(
        self, stream: AsyncIterator[averaging_pb2.AveragingData], caller: PeerID
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take the means of a reducer below, and answer each with the aggregate of all groups, in the parts' order.

        ``stream`` holds the means. A ``caller`` that is no reducer below, or calls twice, is refused.
        """
        links = [
            link for link, called in self._down.items() if link.reducer == caller.to_bytes() and not called
        ]
        if not links:
            yield averaging_pb2.AveragingData(code=averaging_pb2.PROTOCOL_VIOLATION)
            return
        link = links[0]
        self._down[link] = True
        intake = asyncio.create_task(self._take_in(stream, link))
        try:
            for index in link.parts:
                async for beat in beats_until(self._results[index], self._limits.silence_seconds):
                    yield beat
                yield self._results[index].result().as_message()
            # closing before the other's last word is read would reset the stream, and lose it what is on its way
            await asyncio.wait({intake}, timeout=self._limits.silence_seconds)
        except PassageBroken as broken:
            yield _cancelled(broken.lost)
        finally:
            await end_tasks([intake])

    async def _take_in(self, stream: AsyncIterator[averaging_pb2.AveragingData], link: TreeLink) -> None:
        delivered, group, why = 0, self.plan.groups[link.position], "it closed the stream"
        try:
            async for message in aiter_with_timeout(stream, self._limits.silence_seconds):
                if message.code == averaging_pb2.CANCELLED:
                    self.break_off(_lost_groups(message))
                    return
                if is_beat(message):
                    continue
                if delivered == len(link.parts):
                    return
                await self._take_from(link, link.parts[delivered], message)
                delivered += 1
        except (TimeoutError, MalformedPart) as error:
            why = str(error) or "it fell silent"
        finally:
            if delivered < len(link.parts) and self._lost is None:  # whatever ended the stream
                _log.warning("Reducer %s of another group did not deliver: %s.", PeerID(link.reducer), why)
                self.break_off(frozenset({group.id}))

    async def _take_from(self, link: TreeLink, index: int, message: averaging_pb2.AveragingData) -> None:
        """Take the mean of a part from a reducer below; raises MalformedPart for one that cannot be."""
        groups, is_last = self.plan.groups, index == len(self._parts) - 1
        if not 0 < message.weight < math.inf:
            raise MalformedPart(f"A weight of {message.weight} samples came with a part.")
        if is_last:
            below = [groups[item].samples for item in subtree(self.plan.trees, link.position, index)]
            if math.fsum(below) != message.weight:
                raise MalformedPart("The samples of some groups are not those that their heads had stated.")
            contributors = contributors_of_group(groups[link.position], message.group_id)
            self._keep_contributors(groups[link.position].id, contributors)
        await self._take(index, link.position, GroupMean(message.tensor_part, message.weight))


def _cancelled(lost: frozenset[bytes]) -> averaging_pb2.AveragingData:
    return averaging_pb2.AveragingData(code=averaging_pb2.CANCELLED, group_id=b"".join(sorted(lost)))


def _lost_groups(message: averaging_pb2.AveragingData) -> frozenset[bytes]:
    packed = message.group_id
    return frozenset(packed[at : at + GROUP_ID_BYTES] for at in range(0, len(packed), GROUP_ID_BYTES))
