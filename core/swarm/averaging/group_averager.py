"""The averager's part in groups: it looks for one, and answers its members and the other groups of the epoch.

It builds on hivemind's averager for its process, matchmaking and RPC.
"""

import asyncio
import contextlib
import hashlib
import math
import multiprocessing
import time
from collections.abc import Iterator, Sequence

# hivemind tells streams from single messages by typing's own AsyncIterator in the annotations of rpc_ methods
from typing import Any, AsyncIterator, cast  # noqa: UP035

import torch
from hivemind.averaging.allreduce import AveragingMode
from hivemind.averaging.control import AveragingStage, StepControl
from hivemind.averaging.group_info import GroupInfo
from hivemind.dht import DHTID
from hivemind.p2p import P2PContext, PeerID
from hivemind.proto import averaging_pb2
from hivemind.utils.asyncio import achain, as_aiter

from core.swarm.admission.call_rates import WaitingCalls
from core.swarm.auditing.backoff import PeerFault
from core.swarm.auditing.conduct import PeerConducts
from core.swarm.averaging.matchmaking import FalseGroup, aim, group_of, named_by_content, require_own_entry
from core.swarm.averaging.participant import RoundParticipant
from core.swarm.averaging.serving import ServingAverager
from core.swarm.bandwidth import Line
from core.swarm.rounds.allreduce import AllReduce, PartsCombiner
from core.swarm.rounds.events import RoundEvent
from core.swarm.rounds.group import Group
from core.swarm.rounds.round import NoGroup, RoundFailed, RoundRequest
from core.swarm.wire.own_certificate import OwnCertificate
from core.tasks import within


class GroupAverager(ServingAverager):
    """An averager that finds the group of each round, in which a subclass exchanges."""

    def __init__(self, inputs: Sequence[torch.Tensor], participant: RoundParticipant, line: Line) -> None:
        """Prepare to look for groups; the process is not forked yet.

        Args:
            inputs: float32 CPU tensors of any shapes, which the trainer fills for each round (`get_tensors`); they
                are moved into shared memory.
            participant: this peer, its run, and what it does in rounds.
            line: the connection that all messages pass, with its caps and counts.
        """
        rules = participant.rules
        super().__init__(
            averaged_tensors=inputs,
            dht=participant.dht,
            start=False,
            prefix=participant.prefix,
            min_matchmaking_time=rules.matchmaking_seconds,
            request_timeout=rules.matchmaking_seconds / 3,
            client_mode=participant.client_mode,
            auxiliary=participant.auxiliary,
            bandwidth=participant.bandwidth,
            admission=participant.admission,
            donor=participant.donor,
        )
        self._parts, self._rules, self._observe = tuple(participant.parts), rules, participant.observe
        self.line = line
        self._called_at = multiprocessing.RawValue("d", -math.inf)
        """Monotonic time of the last call for a round, in the memory that both processes share."""
        self._called: dict[bytes, asyncio.Event] = {}
        """Groups that wait for their first sender, in the averager's process of an auxiliary peer."""
        self._callers: dict[bytes, dict[PeerID, float | None]] = {}
        """Monotonic times at which each member of a running group first sent to this peer, in the averager's process.

        Its own is the time at which it learnt of the group.
        """
        self._owner = participant.identity.owner
        self._certificate = OwnCertificate(participant.admission)
        self._conducts = (
            PeerConducts(user_of=self._admitted.user_of, peers_of=self._admitted.peers_of)
            if self._admitted is not None
            else PeerConducts()
        )
        self._early = WaitingCalls()
        """Calls for groups that this peer may learn of."""

    @property
    def seconds_since_call(self) -> float:
        """Seconds since another peer called this one for a round; infinite if none did."""
        return time.monotonic() - float(self._called_at.value)

    # --- inside the averager's process --------------------------------------------------------------------------

    def _group_of(self, info: GroupInfo, step: StepControl) -> Group:
        """Return the group in ``info``; raises RoundFailed, and remembers the leader, if it was announced falsely."""
        try:
            require_own_entry(info, self.peer_id, step.data_for_gather)
            return group_of(info, self._parts, self._rules, self._users_of(info.peer_ids))
        except FalseGroup:
            self._blame_leader()
            raise

    def _blame_leader(self) -> None:
        if (leader := self._announced_by) is not None:
            self._conducts.blame(leader, PeerFault.FALSE_GROUP)

    @property
    def _announced_by(self) -> PeerID | None:
        """The peer that announced the last group; None for this peer, and before it has looked for any."""
        return getattr(self._matchmaking, "announced_by", None)

    async def _find_group(self, request: RoundRequest, step: StepControl) -> GroupInfo:
        if request.expected_peers <= 1:
            await self._require_admitted(())
            return GroupInfo(_lone_group(request, self.peer_id), (self.peer_id,), (step.data_for_gather,))
        step.stage = AveragingStage.LOOKING_FOR_GROUP
        self._observe(RoundEvent.LOOKING, 1)
        self._pending_groups_registered.clear()  # a groupmate may learn of the group before us, and come first
        aim(
            self._matchmaking,
            request,
            dht=self.dht,
            prefix=self.prefix,
            schema=self._schema,
            rules=self._rules,
            owner=self._owner,
            certificate=self._certificate,
            leads=self._mode(request) is not AveragingMode.CLIENT,
            avoided=self._conducts.avoided(request.expected_peers - 1),
            last=self._conducts.refused,
            on_silent=lambda leader: self._conducts.blame(leader, PeerFault.SILENT_LEADER),
        )
        self._matchmaking.client_mode = self._mode(request) is AveragingMode.CLIENT
        self._expect_membership()
        info = None
        try:
            found = await self._matchmaking.look_for_group(step)
            if found is not None:
                await self._require_admitted(found.peer_ids)
                info = named_by_content(found)
        except FalseGroup:
            self._blame_leader()
            raise
        finally:
            if info is None:
                self._pending_groups_registered.set()
        if info is None:
            raise NoGroup("No group formed in time.")
        return cast(GroupInfo, info)

    @contextlib.contextmanager
    def _answering(self, info: GroupInfo) -> "Iterator[asyncio.Future[AllReduce | None]]":
        """Answer callers of the group ``info``; yield the future of its exchange, for which early callers wait.

        A group that this peer leaves before it has begun gets None, so that those callers are refused. hivemind would
        let them wait for ever, and would never read that they had gone.
        """
        with self._register_allreduce_group(info):
            running = self._running_groups[info.group_id]
            self._callers[info.group_id] = dict.fromkeys(info.peer_ids) | {self.peer_id: time.monotonic()}
            try:
                yield running
            finally:
                del self._callers[info.group_id]
                if not running.done():
                    running.set_result(None)

    def _is_late(self, group: Group, seconds: float) -> bool:
        """Return true if most of the other users that send to ``group`` had begun ``seconds`` before now.

        Those may have given this peer up. One hostile member that calls early makes nobody late. Nobody calls a peer
        that reduces nothing: it is late if it learnt of the group so long ago.
        """
        now, callers = time.monotonic(), self._callers[group.id]
        if not group.parts_of(group.members.index(self.peer_id)):
            return now - (callers[self.peer_id] or now) > seconds
        senders = range(len(group.senders))
        others = [at for at in senders if group.sender(at) != self.peer_id]
        begun = [at for at in others if now - (callers[group.sender(at)] or now) > seconds]
        users, early = ({group.user_of(at) for at in found} for found in (others, begun))
        return 2 * len(early) > len(users)

    async def _await_sender(self, group: Group, step: StepControl) -> None:
        """Wait until a sender of ``group`` calls: only trainers know when their batch is complete.

        The time in which the others must begin runs from then on. Raises RoundFailed if none calls in time.
        """
        called = self._called.setdefault(group.id, asyncio.Event())
        try:
            # longer than trainers compute on after they began to look: a group that withdrew must not hold this peer
            await within(2 * self._rules.matchmaking_seconds + self._rules.allreduce_seconds, called.wait())
            step.allow_allreduce()
        except TimeoutError as error:
            raise RoundFailed("No member of the group began to exchange.") from error
        finally:
            del self._called[group.id]

    def _mode(self, request: RoundRequest) -> AveragingMode:
        """Return what is announced to the group: a peer in client mode neither leads a group nor reduces in it."""
        return self.mode if request.accepts_connections else AveragingMode.CLIENT

    @property
    def _announced(self) -> float | None:
        return min((rate for rate in (self.bandwidth, self.line.announced) if rate is not None), default=None)

    def _stub(self, peer: PeerID) -> Any:
        return self.get_stub(self._p2p, peer, namespace=self.prefix)

    @property
    def _schema(self) -> bytes:
        return hashlib.sha256(repr(self._parts).encode()).digest()

    # --- called by other peers ----------------------------------------------------------------------------------

    async def rpc_join_group(
        self, request: averaging_pb2.JoinRequest, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.MessageFromLeader]:
        """Let the caller join this peer's group, as hivemind does.

        ``request`` and ``context`` are hivemind's. Callers that are not admitted are refused.
        """
        self._called_at.value = time.monotonic()
        async for message in super().rpc_join_group(request, context):
            yield message

    async def rpc_aggregate_part(
        self, stream: AsyncIterator[averaging_pb2.AveragingData], context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take a group member's contributions to the parts reduced here, and answer with their aggregates.

        ``stream`` holds the caller's parts, the first of which names the group; ``context`` names the caller.
        Unknown groups, groups that this peer left before it began, and peers outside the group are refused. No caller
        waits for longer than an exchange may take, which is as long as it waits itself.
        """
        self._called_at.value = time.monotonic()
        request = await self._first(stream)
        size = request.ByteSize()
        reduction = await self._exchange_of(request.group_id, context.remote_id, size, sends=True)
        if reduction is None:
            yield averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID)
            return
        async for message in reduction.rpc_aggregate_part(achain(as_aiter(request), stream), context):
            yield message

    async def _exchange_of(
        self, group: bytes, caller: PeerID, size: int, *, sends: bool = False
    ) -> AllReduce | None:
        """Return the exchange of a ``group`` (its id) once it has begun; None if this peer has none of it.

        So it is for a ``caller`` that ``sends`` its values and is no member; one that is a member is noted. While it
        waits, the call holds a message of ``size`` bytes.
        """
        if group not in self._running_groups and not self._pending_groups_registered.is_set():
            # the leader's message may have reached others of the group before us
            with self._early.one_of(self._holder_of(caller), size) as may_wait:
                if may_wait:
                    await within(self._rules.allreduce_seconds, self._pending_groups_registered.wait())
        running = self._running_groups.get(group)
        if running is None:
            return None
        callers = self._callers[group]
        if sends and caller not in callers:
            return None
        if group in self._called:
            self._called[group].set()
        if sends and callers[caller] is None:
            callers[caller] = time.monotonic()
        return cast(AllReduce | None, await within(self._rules.allreduce_seconds, asyncio.shield(running)))

    async def rpc_follow_head(
        self, stream: AsyncIterator[averaging_pb2.AveragingData], context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take the reports of a reducer of a group that this peer heads, and answer with orders.

        ``stream`` holds the reports after a message that names the group; ``context`` names the caller.
        """
        combiner = await self._combiner_of(await self._first(stream), context.remote_id)
        if combiner is None:
            yield averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID)
            return
        async for message in combiner.answer_reducer(stream, context.remote_id):
            yield message

    async def rpc_combine_parts(
        self, stream: AsyncIterator[averaging_pb2.AveragingData], context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Take the means of a reducer of another group, and answer with the aggregates of all groups.

        ``stream`` holds the means after a message that names this peer's group; ``context`` names the caller.
        """
        request = await self._first(stream)
        combiner = await self._combiner_of(request, context.remote_id)
        if combiner is None:
            yield averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID)
            return
        async for message in combiner.answer_group(request, stream, context.remote_id):
            yield message

    async def rpc_describe_group(
        self, request: averaging_pb2.AveragingData, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Tell the head of another group who reduces each part of a group.

        ``request`` names the group; ``context`` names the caller.
        """
        combiner = await self._combiner_of(request, context.remote_id)
        yield (
            averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID)
            if combiner is None
            else combiner.reducers
        )

    async def _first(self, stream: AsyncIterator[averaging_pb2.AveragingData]) -> averaging_pb2.AveragingData:
        return await within(self._rules.allreduce_seconds, anext(stream))

    async def _combiner_of(
        self, request: averaging_pb2.AveragingData, caller: PeerID
    ) -> PartsCombiner | None:
        """Return this peer's part in the combination of the group that ``request`` names; None if it has none."""
        reduction = await self._exchange_of(request.group_id, caller, request.ByteSize())
        return None if reduction is None else reduction.combiner


def _lone_group(request: RoundRequest, peer_id: PeerID) -> bytes:
    """Return the id of a group of ``peer_id`` alone, which the root of its commit covers.

    It is random, but for a peer that repeats epochs exactly: rows that others can recompute follow from that root.
    """
    if not request.electorate.is_closed:
        return bytes(DHTID.generate().to_bytes())
    return bytes(DHTID.generate(source=(peer_id.to_base58(), request.epoch, request.head)).to_bytes())
