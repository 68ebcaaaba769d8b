"""Attackers that know each other: they form groups of their own, in which they are the majority."""

import copy
from collections.abc import Callable
from typing import Any

from hivemind.averaging.matchmaking import Matchmaking
from hivemind.proto import averaging_pb2

from benchmarks.hostility.attackers.attacker import Attacker, replace
from benchmarks.hostility.attackers.gradients import SignFlip
from benchmarks.hostility.seat import PeerSeat
from core.swarm.averaging.matchmaking import GroupDeclarations
from core.swarm.rounds.allreduce import AllReduce
from core.swarm.wire.identity import PeerIdentity


def colluders_of(seat: PeerSeat) -> frozenset[bytes]:
    """Return the ids of all hostile peers of the swarm in which that ``seat`` is."""
    files = seat.folder.glob("hostile-*/identity")
    return frozenset(PeerIdentity.load_or_create(file).peer_id.to_bytes() for file in files)


class ColludersInOneGroup(SignFlip):
    """Forms a group with the other hostile peers alone, where epochs have several groups, and turns its sign round.

    No rule inside such a group helps: means of groups should be clipped against those of other groups, and work be
    recomputed.
    """

    def prepare(self) -> None:
        """Lead and follow no peer but the other hostile ones."""
        super().prepare()
        colluders = colluders_of(self.seat)

        def refusing(check: Callable[..., Any]) -> Callable[..., Any]:
            def checked(own: Any, request: Any, context: Any) -> Any:
                if context.remote_id.to_bytes() not in colluders:
                    return averaging_pb2.MessageFromLeader(code=averaging_pb2.GROUP_IS_FULL)
                return check(own, request, context)

            return checked

        def choosing(find: Callable[..., Any]) -> Callable[..., Any]:
            async def found(own: Any, *given: Any, **named: Any) -> Any:
                return [item for item in await find(own, *given, **named) if item[0].to_bytes() in colluders]

            return found

        replace(Matchmaking, "_check_reasons_to_reject", refusing)
        replace(GroupDeclarations, "get_averagers", choosing)


class PoisonForFriends(Attacker):
    """Sends honest reducers what it computed, and other hostile ones the opposite, ten times as long (row friends).

    Whoever audits its work should look at parts that others reduced as well.
    """

    def __init__(self, seat: PeerSeat, *, factor: float = 10.0) -> None:
        """Send friends the values times minus ``factor``."""
        super().__init__(seat)
        self._factor = factor

    def prepare(self) -> None:
        """Forge what goes to the other hostile peers."""
        friends = colluders_of(self.seat)

        def forging(contribution: Callable[..., Any]) -> Callable[..., Any]:
            def made(own: Any, index: int, first: bool) -> Any:
                if own.group.members[own.group.owners[index]].to_bytes() not in friends:
                    return contribution(own, index, first)
                forged = copy.copy(own)  # other threads read the true values meanwhile
                forged._inputs = [-self._factor * item for item in own._inputs]
                return contribution(forged, index, first)

            return made

        replace(AllReduce, "_contribution", forging)
