"""The members of a round: who sends, who reduces which part, and who can be asked nothing afterwards."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from hivemind.p2p import PeerID

from core.swarm.aggregation.most_users import has_most_users
from core.swarm.bandwidth import AHEAD, StreamPace
from core.swarm.quorum.votes import voice_of


@dataclass(frozen=True)
class Group:
    """The members of a round, in the order that all of them share."""

    id: bytes
    members: tuple[PeerID, ...]
    senders: tuple[int, ...]
    """Indices of the members that contribute; auxiliary peers only reduce."""
    owners: tuple[int, ...]
    """Index of the member that reduces each part."""
    seconds: float = 0.0
    """Seconds of the exchange at the bandwidths that members announced; 0 if none did."""
    clients: tuple[int, ...] = ()
    """Indices of the members that accept no connections, and can be asked nothing after the round."""
    taking: tuple[float, ...] = ()
    """Seconds over which others spread what they send to each member, which limits its downloads.

    0 is as fast as they can; empty if no member limits them.
    """
    users: tuple[str, ...] = ()
    """Name of the user of each member, or "" for a member whose user is not known; empty in an open run.

    Members without a known user count as if each had its own.
    """

    def parts_of(self, member: int) -> tuple[int, ...]:
        """Return the indices of the parts that ``member`` (its index in the group) reduces."""
        return tuple(index for index, owner in enumerate(self.owners) if owner == member)

    def pace_towards(self, member: int, size: int) -> StreamPace:
        """Return the pace of a stream of ``size`` bytes to the ``member`` with that index in the group."""
        seconds = self.taking[member] if self.taking else 0.0
        return StreamPace(AHEAD * size / seconds if seconds else math.inf)

    def sender(self, position: int) -> PeerID:
        """Return the sender at ``position`` among the senders."""
        return self.members[self.senders[position]]

    def user_of(self, position: int) -> object:
        """Return what stands for the user of the sender at ``position``: the same for all peers of one user."""
        return self.user_of_member(self.senders[position])

    def user_of_member(self, member: int) -> object:
        """Return what stands for the user of the ``member`` with that index, whether it sends or not."""
        return (self.users[member] if self.users else "") or self.members[member]

    @property
    def voices(self) -> frozenset[str]:
        """Voices of the users that send."""
        users = self.users or ("",) * len(self.members)
        return frozenset(voice_of(users[at], self.members[at].to_bytes()) for at in self.senders)

    def is_represented_by(self, positions: Iterable[int]) -> bool:
        """Return true if the senders at ``positions`` are peers of enough of the sending users for an aggregate."""
        users = [self.user_of(position) for position in range(len(self.senders))]
        return has_most_users([users[position] for position in positions], users)

    def position_of(self, peer: PeerID) -> int | None:
        """Return the position of ``peer`` among the senders; None for one that is no member, or only reduces."""
        return next((at for at in range(len(self.senders)) if self.sender(at) == peer), None)
