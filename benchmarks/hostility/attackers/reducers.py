"""Attackers of the exchange: reducers and leaders that do not do their work, or do it wrongly."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

from hivemind.averaging.allreduce import AveragingMode
from hivemind.averaging.matchmaking import Matchmaking
from hivemind.utils.serializer import MSGPackSerializer

from benchmarks.hostility.attackers.attacker import Attacker, replace
from benchmarks.hostility.seat import PeerSeat
from core.swarm.averaging.round_averager import RoundAverager
from core.swarm.rounds import reduction
from core.swarm.rounds.allreduce import AllReduce

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
