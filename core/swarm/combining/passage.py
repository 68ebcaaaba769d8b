"""Passes one reducer's means up the trees of the groups, and the aggregates of all groups down again.

A reducer that is lost on the way costs its part of the means that would have passed it, and no more: the groups above
continue without them, and those below take the aggregate from the root of the tree. The last part alone must pass
whole, since it counts the samples; its reducers are the heads of the groups.
"""

import asyncio
import logging
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2

from core.failure_series import in_words
from core.swarm.aggregation.contributions import PartValues
from core.swarm.aggregation.groups import ClippedGroups, capped_groups
from core.swarm.aggregation.rule import AggregationRule, aggregate
from core.swarm.combining.links import (
    GroupMean,
    LinksAbove,
    PassageBroken,
    PassageLeft,
    cancellation,
    lost_groups,
)
from core.swarm.combining.plan import PassagePlan, TreeLink, subtree
from core.swarm.rounds.combination import CombinationLimits, ReducedGroup
from core.swarm.rounds.group_list import Contributor, contributors_of_group, unpack_positions
from core.swarm.rounds.partition import Part
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.wire.bits import unpack_indices
from core.swarm.wire.encoding import MalformedPart, decode_received, encode
from core.swarm.wire.streams import beats_until, is_beat
from core.tasks import each_within, end_tasks

_log = logging.getLogger(__name__)

_LEAST_SHARE = 0.5
"""Least share of the groups' samples in each part; with less, the groups pass again without those that were lost."""


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
        most_samples: float,
        stub_of: Callable[[PeerID], Any],
        reducers_of: Callable[[ReducedGroup], Awaitable[tuple[bytes, ...]]],
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
            most_samples: most samples that a member of a group may count for.
            stub_of: gives the RPC stub of a peer.
            reducers_of: asks the head of a group for the reducers of all parts; raises PeerLost or MalformedPart.
            limits: seconds of silence after which a reducer counts as lost, and those of the passage.
            keep_contributors: called with the id and the contributors of each group below.
        """
        self.plan, self._parts, self._means, self._rule = plan, parts, means, rule
        self._most_samples = most_samples
        self._limits, self._keep_contributors, self._last = limits, keep_contributors, len(parts) - 1
        own, loop = sorted(means), asyncio.get_running_loop()
        self._down = dict.fromkeys(plan.links_down(own), False)
        """The links to reducers below, and whether each has called."""
        self._awaited = {index: set(plan.trees.below(plan.position, index)) for index in own}
        """Positions of the groups below from which the mean of a part has yet to come."""
        self._taken: dict[int, dict[int, tuple[PartValues, GroupMean]]] = {index: {} for index in own}
        self._passed: dict[int, asyncio.Future[GroupMean]] = {index: loop.create_future() for index in own}
        """Means of the parts as they go up, over the own group and those below it that were not lost."""
        self._results: dict[int, asyncio.Future[ReducedPart]] = {index: loop.create_future() for index in own}
        self._tasks: list[asyncio.Task[None]] = []
        self._orphans = set[tuple[bytes, int]]()
        """Callers that lost the reducer above them, each with the index of a part that it was given for that."""
        self._lost: frozenset[bytes] | None = None
        """Ids of the groups with which the passage broke; None while it has not."""
        self._above = LinksAbove(
            plan,
            parts,
            tuple(contributors),
            passed=self._passed,
            results=self._results,
            stub_of=stub_of,
            reducers_of=reducers_of,
            silence_seconds=limits.silence_seconds,
            break_off=self.break_off,
        )

    async def run(self) -> Mapping[int, ReducedPart]:
        """Return the aggregates over the groups by the indices of their parts; raises PassageBroken if it broke.

        What tells the neighbours of that goes on until `close`.
        """
        links = self.plan.links_up(sorted(self._means))
        for work in (self._await_calls(), *(self._above.pass_up(link) for link in links)):
            self._begin(work)
        if self.plan.lost:
            self.break_off(self.plan.lost)
        for index in self._means:
            self._go_on_if_complete(index)
        await asyncio.wait(self._results.values(), timeout=self._limits.attempt_seconds)
        self.break_off(frozenset())
        if self._lost is not None:
            raise PassageBroken(self._lost)
        return {index: found.result() for index, found in self._results.items()}

    def close(self) -> Sequence[asyncio.Task[None]]:
        """Cancel what still runs, and return those tasks.

        Reducers that still wait here for aggregates are told to look for them elsewhere.
        """
        for awaited in self._awaited.values():
            awaited.clear()  # what still comes from below begins nothing
        self._end(PassageLeft())
        for task in self._tasks:
            task.cancel()
        return self._tasks

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        task.add_done_callback(self._note_ended)
        self._tasks.append(task)

    def _note_ended(self, task: asyncio.Task[None]) -> None:
        """Break the passage off if a ``task`` of it failed: the others would wait for this peer until its end."""
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _log.error("A passage of several groups failed here.", exc_info=error)
            self.break_off(frozenset({self.plan.groups[self.plan.position].id}))

    def break_off(self, lost: frozenset[bytes]) -> None:
        """End the passage without the groups whose ids are ``lost``; the neighbours are told which."""
        if self._lost is not None or all(item.done() for item in self._results.values()):
            return
        self._lost = lost
        self._end(PassageBroken(lost))

    def _end(self, why: Exception) -> None:
        waiting: list[asyncio.Future[Any]] = [*self._passed.values(), *self._results.values()]
        for future in waiting:
            if not future.done():
                future.set_exception(why)
                future.exception()  # marks it as seen: nobody may wait for it

    # --- means --------------------------------------------------------------------------------------------------

    async def _take(self, index: int, position: int, mean: GroupMean) -> None:
        """Take the mean of a part from the group at ``position``; raises MalformedPart if it does not decode."""
        loop = asyncio.get_running_loop()
        values = await loop.run_in_executor(None, self._decoded, index, mean)
        if position in self._awaited[index]:
            self._awaited[index].discard(position)
            self._taken[index][position] = values, mean
            self._go_on_if_complete(index)

    def _forgo(self, link: TreeLink, indices: Iterable[int]) -> None:
        """Go on without the means of a lost reducer below, of the parts with ``indices``; the last one is needed."""
        lost = [index for index in indices if link.position in self._awaited[index]]
        if self._last in lost:
            self.break_off(frozenset({self.plan.groups[link.position].id}))
            return
        for index in lost:
            self._awaited[index].discard(link.position)
            self._go_on_if_complete(index)

    def _go_on_if_complete(self, index: int) -> None:
        """Pass the mean of a part on, or make it the aggregate, once nothing is awaited; it happens once."""
        if not self._awaited[index] and index in self._taken and self._lost is None:
            self._begin(self._go_on(index, self._taken.pop(index)))

    async def _go_on(self, index: int, below: Mapping[int, tuple[PartValues, GroupMean]]) -> None:
        own, above = self._means[index], self.plan.trees.above(self.plan.position, index)
        if not below and above is not None:
            self._settle(self._passed[index], own)  # in the form that it has
            return
        positions = own.positions.union(*(mean.positions for _, mean in below.values()))
        if above is None and (lost := self._too_many_lost(index, positions)):
            self.break_off(lost)
            return
        combine = partial(self._combined, index, below, positions)
        try:
            whole = await asyncio.get_running_loop().run_in_executor(None, combine)
        except (MalformedPart, RuntimeError, ValueError) as error:
            _log.warning("Part %d of several groups cannot be combined here: %s", index, in_words(error))
            self.break_off(frozenset({self.plan.groups[self.plan.position].id}))
        else:
            self._settle(
                self._results[index] if isinstance(whole, ReducedPart) else self._passed[index], whole
            )

    @staticmethod
    def _settle(future: "asyncio.Future[Any]", value: GroupMean | ReducedPart) -> None:
        if not future.done():
            future.set_result(value)

    def _too_many_lost(self, index: int, positions: frozenset[int]) -> frozenset[bytes]:
        """Return the ids of the groups lost in the tree of a part if too few samples are left; else none."""
        groups, trees = self.plan.groups, self.plan.trees
        left = math.fsum(groups[item].samples for item in positions)
        if left >= _LEAST_SHARE * math.fsum(group.samples for group in groups):
            return frozenset()
        missing = [item for item in range(len(groups)) if item not in positions]
        return frozenset(groups[item].id for item in missing if trees.above(item, index) in positions)

    def _decoded(self, index: int, mean: GroupMean) -> PartValues:
        part = self._parts[index]
        return decode_received(mean.message, part.partial_encoding, part.values)

    def _combined(
        self, index: int, below: Mapping[int, tuple[PartValues, GroupMean]], positions: frozenset[int]
    ) -> GroupMean | ReducedPart:
        """Return the mean for the group above, or the aggregate where there is none above.

        It is of the groups at ``positions``: the own one and those ``below``. The own mean is decoded only now: those
        of all parts take four bytes a value.
        """
        part, own = self._parts[index], self._means[index]
        found = {position: (values, mean.weight) for position, (values, mean) in below.items()}
        ordered = sorted({**found, self.plan.position: (self._decoded(index, own), own.weight)}.items())
        weights, means = self._counted_weights(index, ordered), [values for _, (values, _) in ordered]
        if isinstance(self._rule, ClippedGroups):
            at = next(at for at, (position, _) in enumerate(ordered) if position == self.plan.position)
            mean = self._rule.combined(means, weights, own=at)
        else:
            mean = aggregate(self._rule, means, weights).values
        samples = self._samples(index, positions, weights)
        if self.plan.trees.above(self.plan.position, index) is not None:
            return GroupMean(encode(mean, part.partial_encoding), samples, positions)
        groups = self.plan.groups if index == self._last else ()
        return ReducedPart(encode(mean, part.aggregate_encoding), samples, positions, groups=groups)

    def _counted_weights(
        self, index: int, ordered: Sequence[tuple[int, tuple[PartValues, float]]]
    ) -> list[float]:
        """Return the samples by which the ``ordered`` means of a part weigh, each with its group's position.

        Under a robust rule they are no more than the caps of the groups that are in each mean.
        """
        claimed = [weight for _, (_, weight) in ordered]
        if not isinstance(self._rule, ClippedGroups):
            return claimed
        groups, own = self.plan.groups, self.plan.position
        counted = capped_groups(
            [item.samples for item in groups],
            [item.members for item in groups],
            self._rule.rules.weight_cap,
        )
        places = [
            (own,) if position == own else tuple(subtree(self.plan.trees, position, index))
            for position, _ in ordered
        ]
        most = [math.fsum(counted[item] for item in found) for found in places]
        return [min(weight, bound) for weight, bound in zip(claimed, most, strict=True)]

    def _samples(self, index: int, positions: Iterable[int], weights: Sequence[float]) -> float:
        """Return the samples behind a mean; those of the last part are summed as all check them, in one step."""
        if index < self._last:
            return math.fsum(weights)
        return math.fsum(self.plan.groups[item].samples for item in positions)

    # --- from the groups below ----------------------------------------------------------------------------------

    async def _await_calls(self) -> None:
        """Go on without the reducers below that have not called within the limit of silence."""
        # heads learn of their common plan a look at the DHT apart
        await asyncio.sleep(max(self._limits.silence_seconds, self._limits.attempt_seconds / 2))
        for link in [link for link, called in self._down.items() if not called]:
            _log.warning("Reducer %s of another group did not call.", PeerID(link.reducer))
            self._forgo(link, link.parts)

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
            async for message in self._given(link.parts):
                yield message
            # closing before the other's last word is read would reset the stream, and lose it what is on its way
            await asyncio.wait({intake}, timeout=self._limits.silence_seconds)
        finally:
            await end_tasks([intake])

    async def answer_orphan(
        self, packed: bytes, caller: PeerID
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Give the aggregates of parts to a reducer that lost the one above it; this peer is the root of their trees.

        ``packed`` holds the indices of the parts. Those of other roots are refused, and what the ``caller`` has asked
        for before: it loses a reducer once.
        """
        indices, position = unpack_indices(packed), self.plan.position
        asked = {(caller.to_bytes(), index) for index in indices}
        is_root = all(index in self._results and self.plan.trees.root(index) == position for index in indices)
        if not is_root or asked & self._orphans:
            yield averaging_pb2.AveragingData(code=averaging_pb2.PROTOCOL_VIOLATION)
            return
        self._orphans |= asked
        async for message in self._given(indices):
            yield message

    async def _given(self, indices: Sequence[int]) -> AsyncIterator[averaging_pb2.AveragingData]:
        try:
            for index in indices:
                async for beat in beats_until(self._results[index], self._limits.silence_seconds):
                    yield beat
                yield self._results[index].result().as_message()
        except PassageBroken as broken:
            yield cancellation(broken.lost)
        except PassageLeft:
            yield averaging_pb2.AveragingData(code=averaging_pb2.INTERNAL_ERROR)

    async def _take_in(self, stream: AsyncIterator[averaging_pb2.AveragingData], link: TreeLink) -> None:
        delivered, why = 0, "it closed the stream"
        try:
            async for message in each_within(self._limits.silence_seconds, stream):
                if message.code == averaging_pb2.CANCELLED:
                    self.break_off(lost_groups(message))
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
                self._forgo(link, link.parts[delivered:])

    async def _take_from(self, link: TreeLink, index: int, message: averaging_pb2.AveragingData) -> None:
        """Take the mean of a part from a reducer below; raises MalformedPart for one that cannot be."""
        groups, possible = self.plan.groups, frozenset(subtree(self.plan.trees, link.position, index))
        positions = unpack_positions(message.peer_id, len(groups))
        most = self._most_samples * sum(groups[item].members for item in positions)
        if not (0 < message.weight <= most and link.position in positions <= possible):
            raise MalformedPart(f"A part came for other groups, or with {message.weight} samples.")
        if index == self._last:
            stated = math.fsum(groups[item].samples for item in possible)
            if positions != possible or stated != message.weight:
                raise MalformedPart("The samples of some groups are not those that their heads had stated.")
            contributors = contributors_of_group(groups[link.position], message.group_id)
            self._keep_contributors(groups[link.position].id, contributors)
        await self._take(index, link.position, GroupMean(message.tensor_part, message.weight, positions))
