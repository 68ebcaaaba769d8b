"""Attackers of the exchange: reducers and leaders that do not do their work, or do it wrongly."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

from hivemind.averaging.allreduce import AveragingMode
from hivemind.averaging.matchmaking import Matchmaking
from hivemind.proto import averaging_pb2
from hivemind.utils.serializer import MSGPackSerializer

from benchmarks.hostility.attackers.attacker import Attacker, replace
from benchmarks.hostility.seat import PeerSeat
from core.swarm.averaging.group_averager import GroupAverager
from core.swarm.averaging.round_averager import RoundAverager
from core.swarm.combining.reducer import CombiningReducer
from core.swarm.rounds import reduction
from core.swarm.rounds.allreduce import AllReduce
from core.swarm.wire.streams import PeerLost

_SILENT_SECONDS = 3600.0


def lying(encode: Callable[..., Any], factor: float) -> Callable[..., Any]:
    """Return ``encode``, which takes values first, so that it encodes them times minus ``factor``."""
    return lambda values, *given: encode(-factor * values, *given)


class LyingReducer(Attacker):
    """Gives the mean of its parts with the other sign, ten times as large (row 6).

    The members sign what they sent, and an audit that nobody can steer should find the lie, which is evidence.
    """

    def __init__(self, seat: PeerSeat, *, factor: float = 10.0) -> None:
        """Give the mean times minus ``factor``."""
        super().__init__(seat)
        self._factor = factor

    def prepare(self) -> None:
        """Encode other values than what was aggregated, whatever the rule that aggregates."""
        replace(reduction, "encode", lambda encode: lying(encode, self._factor))


class MuteLiar(LyingReducer):
    """Lies as row 6 does, and shows no account of what it was sent (row 6-mute).

    Its members object to the aggregate, so that the round fails; a reducer without an account should reduce nothing
    in the next ones.
    """

    def prepare(self) -> None:
        """Answer no question about an account."""
        super().prepare()

        async def mute(own: Any, request: Any, context: Any) -> AsyncIterator[Any]:
            yield averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID)

        replace(RoundAverager, "rpc_fetch_account", lambda served: _served_as(served, mute))


class RefusingReducer(Attacker):
    """Takes parts to reduce, gives each sender an error, and does not call the head of its group (row refusers).

    Where groups combine, all reducers give nothing then. Members should learn who was lost, and have it reduce no
    more.
    """

    def prepare(self) -> None:
        """Refuse senders, and stay away from the head."""

        async def refuse(own: Any, stream: Any, context: Any) -> AsyncIterator[Any]:
            yield averaging_pb2.AveragingData(code=averaging_pb2.INTERNAL_ERROR)

        async def stay_away(own: Any, reports: Any) -> AsyncIterator[Any]:
            for order in list[Any]():
                yield order
            raise PeerLost("it was not called")

        replace(RoundAverager, "rpc_aggregate_part", lambda served: _served_as(served, refuse))
        replace(CombiningReducer, "_remote_orders", lambda orders: stay_away)


class LeaderWithoutGroups(Attacker):
    """Takes in whoever follows it, and begins no group (row silent-leaders).

    Whoever followed one in vain should follow another next time.
    """

    def prepare(self) -> None:
        """Accept followers, and say nothing more."""

        async def accept(own: Any, request: Any, context: Any) -> AsyncIterator[Any]:
            yield averaging_pb2.MessageFromLeader(code=averaging_pb2.ACCEPTED)
            await asyncio.sleep(_SILENT_SECONDS)

        replace(GroupAverager, "rpc_join_group", lambda served: _served_as(served, accept))


def as_client(gathered: bytes) -> bytes:
    """Return a member's packed announcement changed to that of one that accepts no connections."""
    bandwidth, _, *rest = MSGPackSerializer.loads(gathered)
    return bytes(MSGPackSerializer.dumps([bandwidth, AveragingMode.CLIENT.value, *rest]))


class SeizingLeader(LyingReducer):
    """Announces as a leader that all others accept no connections, reduces everything, and lies (row 6, leaders).

    Each member should check its own entry, and go to another leader next time.
    """

    def prepare(self) -> None:
        """Change what the group is told of its members."""
        super().prepare()
        replace(Matchmaking, "leader_assemble_group", self._seizing)

    @staticmethod
    def _seizing(assemble: Callable[..., Any]) -> Callable[..., Any]:
        async def seizing(own: Any) -> Any:
            for follower in own.current_followers.values():
                follower.gather = as_client(follower.gather)
            return await assemble(own)

        return seizing


class SilentInGroups(Attacker):
    """Joins every group, takes parts to reduce, and then neither sends nor answers (row 7).

    Missing parts should name their owner, who gets no parts to reduce for a while, and is excluded if it goes on.
    """

    def prepare(self) -> None:
        """Do nothing in place of the exchange, and answer no member."""

        async def hang(own: Any, stream: Any, context: Any) -> AsyncIterator[Any]:
            await asyncio.sleep(_SILENT_SECONDS)
            yield None

        async def wait(own: Any) -> None:
            await asyncio.sleep(_SILENT_SECONDS)

        # hivemind reads the kinds of messages from the annotations of what it serves
        replace(RoundAverager, "rpc_aggregate_part", lambda served: _served_as(served, hang))
        replace(AllReduce, "run", lambda run: wait)


def _served_as(served: Callable[..., Any], made: Callable[..., Any]) -> Callable[..., Any]:
    made.__annotations__, made.__name__ = served.__annotations__, served.__name__
    return made
