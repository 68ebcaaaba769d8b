"""Packs the groups of a combination for the wire, the contributors that a group has, and positions among them."""

import hashlib
import math
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.swarm.rounds.combination import ReducedGroup
from core.swarm.wire.encoding import MalformedPart
from core.swarm.wire.group_records import GROUP_BYTES, GROUP_ID_BYTES

_GROUP = struct.Struct(f"<{GROUP_ID_BYTES}s34sdH32s")
assert _GROUP.size == GROUP_BYTES
_CONTRIBUTOR = struct.Struct("<34sd")


@dataclass(frozen=True)
class Contributor:
    """A peer whose values are in an aggregate."""

    peer_id: bytes
    """libp2p peer id of an RSA key: 34 bytes."""
    weight: float
    """Number of samples behind its values, as the peer itself states it."""


def pack_groups(groups: Iterable[ReducedGroup]) -> bytes:
    """Return ``groups`` in order, in 96 bytes each; of their reducers the heads alone are in it."""
    return b"".join(
        _GROUP.pack(item.id, item.head, item.samples, item.members, item.contributors) for item in groups
    )


def unpack_groups(packed: bytes) -> tuple[ReducedGroup, ...]:
    """Return the groups that ``packed`` holds; raises MalformedPart unless each is possible, and there once."""
    if len(packed) % _GROUP.size:
        raise MalformedPart("A list of groups was cut off.")
    found = tuple(
        ReducedGroup(number, samples, members, (head,), contributors)
        for number, head, samples, members, contributors in _GROUP.iter_unpack(packed)
    )
    possible = all(item.samples > 0 and item.members > 0 for item in found)
    possible = possible and sum(item.samples for item in found) < math.inf
    if not possible or len({item.id for item in found}) != len(found):
        raise MalformedPart("A list of groups held one that cannot be, or one twice.")
    return found


def pack_contributors(contributors: Iterable[Contributor]) -> bytes:
    """Return ``contributors`` in order, in 42 bytes each."""
    return b"".join(_CONTRIBUTOR.pack(item.peer_id, item.weight) for item in contributors)


def unpack_contributors(packed: bytes, *, expected: int | None = None) -> tuple[Contributor, ...]:
    """Return the contributors that ``packed`` holds, of which ``expected`` are due, or any number for None.

    Raises MalformedPart for another number of them, for one that is there twice, and for impossible samples.
    """
    if len(packed) % _CONTRIBUTOR.size or expected not in (None, len(packed) // _CONTRIBUTOR.size):
        raise MalformedPart("An aggregate named other contributors than it has.")
    found = tuple(Contributor(*fields) for fields in _CONTRIBUTOR.iter_unpack(packed))
    positive = all(item.weight > 0 for item in found) and sum(item.weight for item in found) < math.inf
    if not positive or len({item.peer_id for item in found}) != len(found):
        raise MalformedPart("An aggregate named contributors that do not make up its samples.")
    return found


def pack_positions(positions: Iterable[int]) -> bytes:
    """Return ``positions`` among senders or groups as the bits of a number, little-endian."""
    mask = sum(1 << position for position in positions)
    return mask.to_bytes((mask.bit_length() + 7) // 8, "little")


def unpack_positions(packed: bytes, count: int) -> frozenset[int]:
    """Return the positions that ``packed`` holds.

    Raises MalformedPart if there is none, or one is not below ``count``.
    """
    mask = int.from_bytes(packed, "little")
    if not 0 < mask < 1 << count:
        raise MalformedPart("An aggregate named contributors that its group does not have.")
    return frozenset(position for position in range(mask.bit_length()) if mask >> position & 1)


def digest_of_contributors(contributors: Sequence[Contributor]) -> bytes:
    """Return the digest by which a list of a group's ``contributors`` is checked: SHA-256 of the packed list."""
    return hashlib.sha256(pack_contributors(contributors)).digest()


def contributors_of_group(group: ReducedGroup, packed: bytes) -> tuple[Contributor, ...]:
    """Return the contributors of ``group`` that ``packed`` holds; raises MalformedPart if it is another list."""
    found = unpack_contributors(packed)
    if digest_of_contributors(found) != group.contributors:
        raise MalformedPart("A peer sent other contributors than the group has.")
    return found
