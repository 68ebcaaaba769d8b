"""The links of one reducer to the groups above it in a passage: it sends them means, and takes the aggregates."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2, runtime_pb2

from core.swarm.combining.plan import PassagePlan, TreeLink
from core.swarm.rounds.combination import ReducedGroup
from core.swarm.rounds.group_list import Contributor, pack_contributors, pack_positions
from core.swarm.rounds.partition import Part
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.wire.bits import pack_indices
from core.swarm.wire.encoding import MalformedPart
from core.swarm.wire.group_records import GROUP_ID_BYTES
from core.swarm.wire.streams import PeerLost, beats_until, is_beat, messages

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class GroupMean:
    """The mean of a part over some groups, on its way up."""

    message: runtime_pb2.Tensor
    """The mean in the form of `Part.partial_encoding`."""
    weight: float
    """Number of samples behind it."""
    positions: frozenset[int]
    """Positions of the groups in it, in the order that all share."""


class PassageBroken(Exception):
    """A passage ended without the aggregates, since a reducer was lost; ``lost`` are the ids of its groups."""

    def __init__(self, lost: frozenset[bytes]) -> None:
        super().__init__(f"{len(lost)} groups were lost")
        self.lost = lost


class PassageLeft(Exception):
    """This peer has left a passage, which continues without it."""


class LinksAbove:
    """The links to the reducers above, and to the roots of the trees once one of these is lost."""

    def __init__(
        self,
        plan: PassagePlan,
        parts: Sequence[Part],
        contributors: tuple[Contributor, ...],
        *,
        passed: Mapping[int, asyncio.Future[GroupMean]],
        results: Mapping[int, asyncio.Future[ReducedPart]],
        stub_of: Callable[[PeerID], Any],
        reducers_of: Callable[[ReducedGroup], Awaitable[tuple[bytes, ...]]],
        silence_seconds: float,
        break_off: Callable[[frozenset[bytes]], None],
    ) -> None:
        """Prepare to pass means up.

        Args:
            plan: the groups, and the reducers of those above.
            parts: the parts of the round, in order.
            contributors: the own group's contributors, which go with the last part.
            passed: the means to send, by the indices of their parts, as they become ready.
            results: where the aggregates are put when they come.
            stub_of: gives the RPC stub of a peer.
            reducers_of: asks the head of a group for the reducers of all parts; raises PeerLost or MalformedPart.
            silence_seconds: silence after which a reducer counts as lost.
            break_off: called with the ids of the groups with which the passage breaks.
        """
        self._plan, self._parts, self._contributors = plan, parts, contributors
        self._passed, self._results = passed, results
        self._stub_of, self._reducers_of = stub_of, reducers_of
        self._silence_seconds, self._break_off = silence_seconds, break_off

    async def pass_up(self, link: TreeLink) -> None:
        """Send a reducer above the means of the parts of its ``link``, and take the aggregates.

        They are taken from the roots of the trees if it is lost.
        """
        group = self._plan.groups[link.position]
        await self._take_results(link.reducer, link.parts, self._outgoing(link, group))
        left = [index for index in link.parts if not self._results[index].done()]
        is_root = any(self._plan.trees.root(index) == link.position for index in left)
        if is_root or len(self._parts) - 1 in left:
            self._break_off(frozenset({group.id}))
        else:
            await asyncio.gather(
                *(self._follow(root, indices) for root, indices in self._roots(left).items())
            )

    def _roots(self, indices: Sequence[int]) -> Mapping[int, list[int]]:
        found: dict[int, list[int]] = {}
        for index in indices:
            found.setdefault(self._plan.trees.root(index), []).append(index)
        return found

    async def _follow(self, root: int, indices: Sequence[int]) -> None:
        """Take aggregates from the group at the ``root`` of the trees of parts, as the reducer above was lost."""
        group = self._plan.groups[root]
        try:
            names = await self._reducers_of(group)
        except (PeerLost, MalformedPart) as error:
            _log.warning("The head of group %s did not answer: %s", group.id.hex()[:8], error)
            self._break_off(frozenset({group.id}))
            return
        asked: dict[bytes, list[int]] = {}
        for index in indices:
            asked.setdefault(names[index], []).append(index)
        _log.info(
            "%d parts are taken from group %s, the root of their trees.", len(indices), group.id.hex()[:8]
        )
        await asyncio.gather(
            *(self._take_results(name, parts, self._question(group, parts)) for name, parts in asked.items())
        )
        if not all(self._results[index].done() for index in indices):
            self._break_off(frozenset({group.id}))

    async def _question(
        self, root: ReducedGroup, indices: Sequence[int]
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        yield averaging_pb2.AveragingData(
            code=averaging_pb2.PART_FOR_AVERAGING,
            group_id=root.id,
            peer_id=self._plan.id,
            tensor_part=runtime_pb2.Tensor(buffer=pack_indices(indices)),
        )

    async def _take_results(
        self,
        reducer: bytes,
        indices: Sequence[int],
        outgoing: AsyncIterator[averaging_pb2.AveragingData],
    ) -> None:
        """Call a ``reducer`` with what is ``outgoing``, and keep the aggregates of parts, which come in order."""
        due = iter(indices)
        try:
            call = self._stub_of(PeerID(reducer)).rpc_combine_parts(outgoing)
            async for message in messages(call, silence_seconds=self._silence_seconds):
                if message.code == averaging_pb2.CANCELLED:
                    self._break_off(lost_groups(message))
                    return
                if not is_beat(message):
                    self._keep_result(next(due, None), message)
        except (PeerLost, MalformedPart) as error:
            _log.warning("Reducer %s of another group was lost: %s", PeerID(reducer), error)

    def _keep_result(self, index: int | None, message: averaging_pb2.AveragingData) -> None:
        if index is None or message.code != averaging_pb2.AVERAGED_PART:
            raise MalformedPart("The reducer of another group stopped before its last part.")
        groups, is_last = self._plan.groups, index == len(self._parts) - 1
        result = ReducedPart.from_message(message, senders=len(groups))
        if result.groups != (groups if is_last else ()):
            raise MalformedPart("The reducer of another group combined other groups than were agreed.")
        result.values(self._parts[index])  # refuses what does not decode
        if not self._results[index].done():
            self._results[index].set_result(result)

    async def _outgoing(
        self, link: TreeLink, above: ReducedGroup
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        yield averaging_pb2.AveragingData(
            code=averaging_pb2.PART_FOR_AVERAGING, group_id=above.id, peer_id=self._plan.id
        )
        try:
            for index in link.parts:
                async for beat in beats_until(self._passed[index], self._silence_seconds):
                    yield beat
                mean = self._passed[index].result()
                is_last = index == len(self._parts) - 1
                yield averaging_pb2.AveragingData(
                    code=averaging_pb2.PART_FOR_AVERAGING,
                    tensor_part=mean.message,
                    weight=mean.weight,
                    peer_id=pack_positions(mean.positions),
                    group_id=pack_contributors(self._contributors) if is_last else b"",
                )
            for index in link.parts:
                async for beat in beats_until(self._results[index], self._silence_seconds):
                    yield beat
                self._results[index].result()
        except PassageBroken as broken:
            yield cancellation(broken.lost)
        except PassageLeft:
            return


def cancellation(lost: frozenset[bytes]) -> averaging_pb2.AveragingData:
    """Return the message that tells a neighbour that the passage broke with the groups whose ids are ``lost``."""
    return averaging_pb2.AveragingData(code=averaging_pb2.CANCELLED, group_id=b"".join(sorted(lost)))


def lost_groups(message: averaging_pb2.AveragingData) -> frozenset[bytes]:
    """Return the ids of the groups that a ``message`` by `cancellation` names."""
    packed = message.group_id
    return frozenset(packed[at : at + GROUP_ID_BYTES] for at in range(0, len(packed), GROUP_ID_BYTES))
