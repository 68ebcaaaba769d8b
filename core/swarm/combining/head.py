"""The head of a group: it gathers what the reducers report, agrees with other heads, and orders what follows."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection

from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2

from core.swarm.combining.agreement import GroupAgreement
from core.swarm.combining.orders import GiveParts, HeadOrder, ReducerReport, pack_order, unpack_report
from core.swarm.combining.plan import PassagePlan, neighbours
from core.swarm.rounds.combination import CombinationLimits, ReducedGroup
from core.swarm.rounds.group import Group
from core.swarm.rounds.group_list import digest_of_contributors
from core.swarm.rounds.losses import pack_culprits
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.wire.encoding import MalformedPart
from core.swarm.wire.group_records import GroupStage
from core.swarm.wire.streams import PeerLost, beats_until, is_beat
from core.tasks import each_within, end_tasks

_log = logging.getLogger(__name__)

_LATE = 2
"""Times to settle for which members of a group that came too late wait before they write a commit of their own."""


class HeadFailed(Exception):
    """The group cannot combine, nor give its own parts: a reducer was lost."""

    def __init__(self, why: str, culprits: Collection[bytes] = ()) -> None:
        """Make the error with its reason ``why``; ``culprits`` are the ids of the reducers that are to blame."""
        super().__init__(why)
        self.culprits = frozenset(culprits)


class GroupHead:
    """The head of one group; its own reducer takes orders and reports like the others."""

    def __init__(
        self,
        group: Group,
        agreement: GroupAgreement,
        limits: CombinationLimits,
        *,
        reducers_of: Callable[[ReducedGroup], Awaitable[tuple[bytes, ...]]],
        absent_seconds: float,
        reducing_seconds: float,
        give_seconds: float,
    ) -> None:
        """Prepare to lead, in a running event loop; `run` does it.

        Args:
            group: the members, and the reducer of each part.
            agreement: the agreement with the other heads.
            limits: the patience of groups with each other.
            reducers_of: asks the head of another group for the reducers of all parts; raises PeerLost or
                MalformedPart.
            absent_seconds: seconds within which all reducers of the group have called; the members wait no longer.
            reducing_seconds: seconds within which all reducers of the group have reduced.
            give_seconds: seconds from now after which the members must be given something, so that it reaches them
                before their exchange ends.
        """
        self._clock = asyncio.get_running_loop().time
        self._give_by = self._clock() + give_seconds
        self._group, self._agreement, self._limits = group, agreement, limits
        self._reducers_of, self._reducing_seconds = reducers_of, reducing_seconds
        self._absent_seconds = absent_seconds
        self._reports: asyncio.Queue[tuple[bytes, ReducerReport | None]] = asyncio.Queue()
        self._orders: dict[bytes, asyncio.Queue[HeadOrder | None]] = {
            group.members[owner].to_bytes(): asyncio.Queue() for owner in set(group.owners)
        }
        self._connected, self._gone = set[bytes](), set[bytes]()
        """Reducers that have called, and those that were lost after all had reduced."""
        self._failing = set[bytes]()
        """Reducers that reported a failure in the last step."""
        self._absent = frozenset[bytes]()
        """Reducers that had not called in time; empty before that is over."""
        self._culprits = frozenset[bytes]()
        """Reducers by which the group failed."""
        self._has_others = agreement.may_be_joined(len(group.members))

    # --- to and from the reducers -------------------------------------------------------------------------------

    def report(self, reducer: bytes, report: ReducerReport | None) -> None:
        """Take the ``report`` of a ``reducer`` (its id); None if it is lost."""
        self._reports.put_nowait((reducer, report))

    async def order_for(self, reducer: bytes) -> HeadOrder | None:
        """Wait for the next order for a ``reducer`` (its id) and return it; None if the group has failed."""
        return await self._orders[reducer].get()

    async def answer(
        self, stream: AsyncIterator[averaging_pb2.AveragingData], caller: PeerID
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take the reports in the ``stream`` of a reducer, answer with orders; any other ``caller`` is refused."""
        name, silence = caller.to_bytes(), self._limits.silence_seconds
        if name not in self._orders or name in self._connected:
            yield averaging_pb2.AveragingData(code=averaging_pb2.PROTOCOL_VIOLATION)
            return
        self._connected.add(name)
        intake = asyncio.create_task(self._take_reports(stream, name))
        waiting: asyncio.Task[HeadOrder | None] | None = None
        try:
            while True:
                waiting = asyncio.create_task(self.order_for(name))
                async for beat in beats_until(waiting, silence):
                    yield beat
                order = waiting.result()
                if order is None:
                    named = pack_culprits(self._culprits)
                    yield averaging_pb2.AveragingData(code=averaging_pb2.CANCELLED, peer_id=named)
                    return
                yield pack_order(order)
                if isinstance(order, GiveParts):
                    # closing before the other's last word is read would reset the stream
                    await asyncio.wait({intake}, timeout=silence)
                    return
        finally:
            await end_tasks([intake, *([waiting] if waiting else [])])

    async def _take_reports(self, stream: AsyncIterator[averaging_pb2.AveragingData], name: bytes) -> None:
        try:
            async for message in each_within(self._limits.silence_seconds, stream):
                if not is_beat(message):
                    self.report(name, unpack_report(message))
        except (TimeoutError, MalformedPart) as error:
            _log.warning("Reducer %s no longer reports: %s", PeerID(name), str(error) or "it fell silent")
        finally:
            self.report(name, None)

    def _order(self, order: HeadOrder | None) -> None:
        for queue in self._orders.values():
            queue.put_nowait(order)

    # --- the course of a combination ----------------------------------------------------------------------------

    async def run(self, last: Callable[[], Awaitable[ReducedPart | None]]) -> None:
        """Announce the group if there may be others, and lead it to what its members are given.

        ``last`` gives the last part once it is reduced, which counts the samples; None if it could not be. Raises
        HeadFailed if a reducer was lost, or if the group cannot outvote others.
        """
        order: GiveParts | None = None
        waiting = asyncio.create_task(self._miss_absent_reducers())
        try:
            order = await self._course(last)
        except HeadFailed as failure:
            self._culprits = failure.culprits
            raise
        finally:
            self._order(order)
            await end_tasks([waiting])
            if self._has_others and (order is None or not order.attempt):
                await self._agreement.announce_failure()

    async def _miss_absent_reducers(self) -> None:
        await asyncio.sleep(self._absent_seconds)
        own = self._group.members[self._group.owners[-1]].to_bytes()
        self._absent = frozenset(self._orders.keys() - self._connected - {own})
        for name in self._absent:
            self.report(name, None)

    async def _course(self, last: Callable[[], Awaitable[ReducedPart | None]]) -> GiveParts:
        if self._has_others:
            await self._agreement.announce(GroupStage.FORMED)
        if await self._reports_of(0, self._reducing_seconds) is not None:
            raise HeadFailed("A part could not be reduced.", self._failing)
        reduced = await last()
        if reduced is None:
            raise HeadFailed("The last part could not be reduced.")
        if not self._has_others:
            return GiveParts(0, 0)
        try:
            async with asyncio.timeout_at(self._give_by):
                return await self._combined(reduced)
        except TimeoutError:
            _log.info("Group %s found no time to combine with others.", self._group.id.hex()[:8])
            return GiveParts(0, _LATE)

    async def _combined(self, reduced: ReducedPart) -> GiveParts:
        digest = digest_of_contributors(reduced.contributors)
        await self._agreement.announce(GroupStage.REDUCED, reduced.weight, digest)
        groups, attempt = await self._agreement.first(), 0
        while self._is_in(groups):
            if len(groups) == 1:
                return GiveParts(0, 0)
            if self._left_seconds < self._limits.attempt_seconds:
                break
            attempt += 1
            lost = await self._pass(attempt, groups)
            if lost is None:
                return GiveParts(attempt, 0)
            _log.info("Passage %d of %d groups broke; %d were lost.", attempt, len(groups), len(lost))
            groups = await self._agreement.again(groups, lost, attempt)
        _log.info("Group %s combines with no other: they went on without it.", self._group.id.hex()[:8])
        # they combine longer than members wait before they vote
        if await self._agreement.others_commit(self._left_seconds) and not attempt:
            raise HeadFailed("The group cannot outvote others that went on without it.")
        return GiveParts(0, _LATE)

    @property
    def _left_seconds(self) -> float:
        return self._give_by - self._clock()

    def _is_in(self, groups: tuple[ReducedGroup, ...]) -> bool:
        return any(item.id == self._group.id for item in groups)

    def _position(self, groups: tuple[ReducedGroup, ...]) -> int:
        return next(at for at, item in enumerate(groups) if item.id == self._group.id)

    async def _pass(self, attempt: int, groups: tuple[ReducedGroup, ...]) -> frozenset[bytes] | None:
        """Pass the means through the trees of ``groups``; return the ids of those lost, None if it was whole.

        Raises HeadFailed if a reducer of the own group does not report.
        """
        position = self._position(groups)
        near = sorted(neighbours(len(groups), position))
        found = await asyncio.gather(
            *(self._reducers_of(groups[item]) for item in near), return_exceptions=True
        )
        reducers = {item: names for item, names in zip(near, found, strict=True) if isinstance(names, tuple)}
        for item, error in zip(near, found, strict=True):
            if isinstance(error, BaseException):
                if not isinstance(error, PeerLost | MalformedPart):
                    raise error
                _log.warning("The head of group %s did not answer: %s", groups[item].id.hex()[:8], error)
        lost = frozenset(groups[item].id for item in near if item not in reducers)
        _log.info("Passage %d of %d groups begins; this one is number %d.", attempt, len(groups), position)
        self._order(PassagePlan(attempt, groups, position, reducers, lost))
        return await self._reports_of(attempt, 2 * self._limits.attempt_seconds)

    async def _reports_of(self, attempt: int, seconds: float) -> frozenset[bytes] | None:
        """Wait for the reports of all reducers on an ``attempt``; return the ids of all groups that they lost.

        None is a passage that was whole. A reducer that is lost once all have reduced costs the members its own
        parts, which they fetch from others. Raises HeadFailed if it is lost before, or does not report within so
        many ``seconds``.
        """
        waiting, lost = self._orders.keys() - self._gone, None
        self._failing = set[bytes]()
        try:
            async with asyncio.timeout(seconds):
                while waiting:
                    name, report = await self._reports.get()
                    if report is None:
                        self._note_lost(name, attempt)
                        waiting.discard(name)
                    elif report.attempt == attempt:
                        waiting.discard(name)
                        if report.lost is not None:
                            self._failing.add(name)
                            lost = (lost or frozenset()) | report.lost
        except TimeoutError as error:
            why = f"{len(waiting)} reducers of the own group did not report in time."
            raise HeadFailed(why, waiting) from error
        return lost

    def _note_lost(self, reducer: bytes, attempt: int) -> None:
        if not attempt:
            raise HeadFailed(
                f"Reducer {PeerID(reducer)} of the own group was lost.", self._absent | {reducer}
            )
        _log.warning(
            "Reducer %s of the own group was lost; its parts are fetched from others.", PeerID(reducer)
        )
        self._gone.add(reducer)
