"""Averagers of members that mean harm: each is the product's own with one part exchanged."""

import asyncio

# hivemind tells streams from single messages by typing's own AsyncIterator in the annotations of rpc_ methods
from typing import Any, AsyncIterator  # noqa: UP035

from hivemind.averaging.allreduce import AveragingMode
from hivemind.averaging.control import StepControl
from hivemind.averaging.group_info import GroupInfo
from hivemind.p2p import P2PContext, PeerID
from hivemind.proto import averaging_pb2
from hivemind.utils import MSGPackSerializer

from core.swarm.averaging.averager import GradientAverager
from core.swarm.rounds.round import RoundRequest


class SilentReducer(GradientAverager):
    """Joins each group, sends its own values, and never answers those that send it theirs."""

    async def rpc_aggregate_part(
        self, stream: AsyncIterator[averaging_pb2.AveragingData], context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Answer nothing to ``stream``; ``context`` is not used."""
        await asyncio.Event().wait()
        yield averaging_pb2.AveragingData()


class FalseLeader(GradientAverager):
    """Announces all its followers as peers that accept no connections, so that it reduces everything."""

    async def _find_group(self, request: RoundRequest, step: StepControl) -> GroupInfo:
        matchmaking: Any = self._matchmaking
        assemble = type(matchmaking).leader_assemble_group

        async def falsified() -> GroupInfo:
            client = MSGPackSerializer.dumps([None, AveragingMode.CLIENT.value, None])
            for asked in matchmaking.current_followers.values():
                asked.gather = client
            found: GroupInfo = await assemble(matchmaking)
            return found

        matchmaking.leader_assemble_group = falsified
        return await super()._find_group(request, step)


class SilentLeader(GradientAverager):
    """Takes in whoever follows it, and begins no group."""

    async def rpc_join_group(
        self, request: averaging_pb2.JoinRequest, context: P2PContext
    ) -> AsyncIterator[averaging_pb2.MessageFromLeader]:
        """Accept the caller, and say nothing more."""
        yield averaging_pb2.MessageFromLeader(code=averaging_pb2.ACCEPTED)
        await asyncio.Event().wait()


class EquivocatingReducer(GradientAverager):
    """Returns other aggregates to the first member that calls it than to the others."""

    _deceived: PeerID | None = None

    async def rpc_aggregate_part(
        self, stream: AsyncIterator[averaging_pb2.AveragingData], context: P2PContext
    ) -> AsyncIterator[averaging_pb2.AveragingData]:
        """Reduce as an honest member does, and turn the last byte of what the deceived caller gets."""
        if self._deceived is None:
            self._deceived = context.remote_id
        async for message in super().rpc_aggregate_part(stream, context):
            if context.remote_id == self._deceived and message.tensor_part.buffer:
                changed = averaging_pb2.AveragingData()
                changed.CopyFrom(message)
                buffer = bytearray(message.tensor_part.buffer)
                buffer[-1] ^= 1
                changed.tensor_part.buffer = bytes(buffer)
                yield changed
            else:
                yield message


for hostile in (SilentReducer, FalseLeader, SilentLeader, EquivocatingReducer):
    hostile.__name__ = GradientAverager.__name__  # by which its methods are called
