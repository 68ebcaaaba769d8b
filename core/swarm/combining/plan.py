"""The plan of one passage through the trees of the groups: which reducers pass what to each other."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.swarm.rounds.combination import GroupTrees, ReducedGroup, combined_id
from core.swarm.rounds.group import Group
from core.swarm.wire.encoding import MalformedPart

PEER_BYTES = 34
"""Bytes of the id of a peer."""
_INDEX = struct.Struct("<H")


@dataclass(frozen=True)
class TreeLink:
    """The parts that this peer exchanges with a reducer of a neighbouring group."""

    position: int
    """Position of the other group in the order that all share."""
    reducer: bytes
    """Id of the reducer in that group."""
    parts: tuple[int, ...]
    """Indices of the parts, in order."""


@dataclass(frozen=True)
class PassagePlan:
    """One passage, as all reducers of one group learn it from their head."""

    attempt: int
    """Number of the passage, from 1 on."""
    groups: tuple[ReducedGroup, ...]
    """The groups that combine, in the order that all share; of their reducers, the heads alone are known."""
    position: int
    """Index of the own group in that order."""
    reducers: Mapping[int, tuple[bytes, ...]] = field(default_factory=dict)
    """Ids of the reducers of all parts in the groups above and below, by their positions."""
    lost: frozenset[bytes] = frozenset()
    """Ids of the groups that are known to be lost: the passage is but to tell the neighbours so."""

    @property
    def id(self) -> bytes:
        """Bytes that name the passage: the id under which its groups commit, and the attempt."""
        return combined_id(self.groups) + bytes([self.attempt])

    @property
    def trees(self) -> GroupTrees:
        """The trees of the groups."""
        return GroupTrees(len(self.groups))

    def links_up(self, own: Sequence[int]) -> list[TreeLink]:
        """Return the links to the reducers above, for the parts with the indices ``own`` that are reduced here."""
        trees, found = self.trees, dict[tuple[int, bytes], list[int]]()
        for index in own:
            above = trees.above(self.position, index)
            if above is not None and above in self.reducers:
                found.setdefault((above, self.reducers[above][index]), []).append(index)
        return [TreeLink(*where, tuple(parts)) for where, parts in found.items()]

    def links_down(self, own: Sequence[int]) -> list[TreeLink]:
        """Return the links to the reducers below, for the parts with the indices ``own`` that are reduced here."""
        trees, found = self.trees, dict[tuple[int, bytes], list[int]]()
        for index in own:
            for below in self.reducers.keys() & trees.below(self.position, index):
                found.setdefault((below, self.reducers[below][index]), []).append(index)
        return [TreeLink(*where, tuple(parts)) for where, parts in found.items()]


def neighbours(groups: int, position: int) -> set[int]:
    """Return the positions of the groups next to that at ``position`` in both trees of that many ``groups``."""
    trees, found = GroupTrees(groups), set[int]()
    for part in (0, 1):
        above = trees.above(position, part)
        found |= {*trees.below(position, part), *(() if above is None else (above,))}
    return found


def subtree(trees: GroupTrees, position: int, part: int) -> list[int]:
    """Return the positions of the groups whose means of ``part`` go up from that at ``position``, its own included.

    ``trees`` are those of all groups.
    """
    return [
        position,
        *(item for below in trees.below(position, part) for item in subtree(trees, below, part)),
    ]


def pack_reducers(group: Group) -> bytes:
    """Return the reducer of each part in ``group``: the reducers' ids, and the place of each part's among them."""
    owners = sorted(set(group.owners))
    names = b"".join(group.members[owner].to_bytes() for owner in owners)
    places = b"".join(_INDEX.pack(owners.index(owner)) for owner in group.owners)
    return _INDEX.pack(len(owners)) + names + places


def unpack_reducers(packed: bytes, parts: int) -> tuple[bytes, ...]:
    """Return the id of the reducer of each part of a round that has that many ``parts``.

    Raises MalformedPart if ``packed`` is another thing.
    """
    count = _INDEX.unpack_from(packed)[0] if len(packed) >= _INDEX.size else 0
    begin = _INDEX.size + count * PEER_BYTES
    if not count or len(packed) != begin + parts * _INDEX.size:
        raise MalformedPart("A peer sent something other than the reducers of its group.")
    names = [packed[at : at + PEER_BYTES] for at in range(_INDEX.size, begin, PEER_BYTES)]
    places = [place for (place,) in _INDEX.iter_unpack(packed[begin:])]
    if max(places) >= count:
        raise MalformedPart("A peer named a reducer that its group does not have.")
    return tuple(names[place] for place in places)
