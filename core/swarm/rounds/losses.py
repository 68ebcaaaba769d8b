"""Says which reducers a member lost in an exchange, also where all give nothing because one of them is lost."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from hivemind.p2p import PeerID

from core.swarm.rounds.group import Group

_PEER_BYTES, _MOST_CULPRITS = 34, 8


def pack_culprits(culprits: Collection[bytes]) -> bytes:
    """Return the ids in ``culprits``, peers by which a group failed, as bytes; at most eight are named."""
    return b"".join(sorted(name for name in culprits if len(name) == _PEER_BYTES)[:_MOST_CULPRITS])


def unpack_culprits(packed: bytes) -> frozenset[bytes]:
    """Read the ids in ``packed``, which `pack_culprits` made; bytes that are none name nobody."""
    if len(packed) % _PEER_BYTES or len(packed) > _MOST_CULPRITS * _PEER_BYTES:
        return frozenset()
    return frozenset(packed[at : at + _PEER_BYTES] for at in range(0, len(packed), _PEER_BYTES))


@dataclass(frozen=True)
class ReducerLosses:
    """The reducers of one exchange, as they seem to a member that misses parts."""

    group: Group
    me: int
    """Index of the member."""
    lacking: frozenset[int]
    """Reducers (indices of members) that did not return all of their parts, this member among them."""
    broken_off: frozenset[int]
    """Reducers (indices of members) that fell silent, could not be reached, or broke the protocol."""
    refusing: frozenset[int]
    """Reducers (indices of members) that said that they have no such group."""
    named: Mapping[int, frozenset[bytes]]
    """Reducers that gave nothing, by index, and the ids of those by which the group failed, as the head told them."""
    combines: bool
    """True if the group could combine with others: then its reducers give all that they have, or nothing."""

    @property
    def lost(self) -> frozenset[PeerID]:
        """The reducers that are to blame.

        Where groups combine, all reducers give nothing if one of them is lost to the head. Then only those count that
        broke off, fell silent or refused, and those that the others name, with the head that named them: one of both
        lies, or is lost. So do those that name nobody while most do: they knew of no failure of others. Where
        reducers of most users gave their parts, the group has not failed, and all that gave none count, with the head
        if any of them names that.
        """
        missing = self.lacking
        if self.combines and self._most_gave:
            missing |= self._heads_left_out
        elif self.combines:
            missing &= self.broken_off | self.refusing | self._named_owners
        return frozenset(self.group.members[owner] for owner in missing - {self.me})

    @property
    def silent_head(self) -> PeerID | None:
        """The head of a group that gave the member nothing, while nobody says by whom it failed; else None.

        So it is of a group that came too late, and cannot outvote the others.
        """
        head = self._head
        if not self.combines or self._most_gave or head == self.me or head not in self.lacking:
            return None
        return None if any(self.named.values()) else self.group.members[head]

    @property
    def is_whole_group(self) -> bool:
        """True if the group has failed as a whole: few of its reducers gave their parts, and most say by whom."""
        naming = {owner for owner, names in self.named.items() if names}
        is_said = self._are_most(naming, set(self.group.owners)) and bool(self._named_owners)
        return self.combines and not self._most_gave and is_said

    @property
    def _head(self) -> int:
        return self.group.owners[-1]

    @property
    def _most_gave(self) -> bool:
        """True if reducers of more than half of the reducing users gave all parts, this member among them."""
        owners = set(self.group.owners)
        return self._are_most(owners - self.lacking, owners)

    @property
    def _heads_left_out(self) -> frozenset[int]:
        """The head, if a reducer that gave nothing names it: it may have left that one out."""
        name = self.group.members[self._head].to_bytes()
        left_out = self.lacking - {self._head}
        is_named = any(name in self.named.get(owner, ()) for owner in left_out)
        return frozenset({self._head}) if is_named else frozenset()

    @property
    def _named_owners(self) -> frozenset[int]:
        """Reducers that most of the users of those that name any call lost, and the head, if there are any.

        More than half of the reducers are not lost at once: a head that names so many is the one.
        """
        naming = {owner: names for owner, names in self.named.items() if names}
        owners = set(self.group.owners)
        found = frozenset(owner for owner in owners if self._is_named(owner, naming))
        if not found:
            return found
        if self._are_most(found, owners):
            return frozenset({self._head})
        if found <= {self._head} or not self._are_most(naming, self.named):
            return found | {self._head}  # where the head itself is lost, some know of nothing
        return found | {owner for owner, names in self.named.items() if not names} | {self._head}

    def _is_named(self, owner: int, naming: Mapping[int, frozenset[bytes]]) -> bool:
        name = self.group.members[owner].to_bytes()
        return self._are_most([at for at, names in naming.items() if name in names], naming)

    def _are_most(self, members: Iterable[int], of: Iterable[int]) -> bool:
        users, all_users = (set(map(self.group.user_of_member, each)) for each in (members, of))
        return 2 * len(users) > len(all_users)
