"""The records by which peers find a group, and by which its head tells those of other groups how far it is."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from core.run.rules import MOST_GROUPS
from core.swarm.wire.records import MAX_EPOCH, MOST_MEMBERS, CertifiedRecord, Digest, Finite

GROUP_SECONDS = 300.0
"""Seconds for which the swarm keeps the record of a group: longer than a round waits for others."""
MATCHMAKING_SECONDS = 3600.0
"""Seconds for which a peer looks for a group at most, whatever the rules of its run."""
GROUP_ID_BYTES = 20
GROUP_BYTES = GROUP_ID_BYTES + 34 + 8 + 2 + 32
"""Bytes of a group in a proposal: its id, its head, its samples, its members, and the digest of its contributors."""


class MatchmakingRecord(CertifiedRecord):
    """The declaration that a peer looks for a group at a place; stored by the peer itself under its own key.

    No node can list the places of a run: each epoch of each chain has its own. So the record names its place, and
    whoever stores it can tell that it lies where it belongs.
    """

    peer_id: Annotated[bytes, Field(min_length=34, max_length=34)]
    place: Annotated[str, Field(pattern=r"^[0-9a-f]{16}(_[0-9]{1,5}of[0-9]{1,5})?$")]
    """End of the key without the run's prefix: epoch, chain and schema, and in a large swarm the part of it."""
    looks: bool
    """True if the peer looks for a group; false once it does no longer."""


class GroupStage(StrEnum):
    """The stage of a group, as its head announces it."""

    FORMED = "formed"
    REDUCED = "reduced"
    FAILED = "failed"


class GroupRecord(CertifiedRecord):
    """The stage of one group, and what its head proposes; stored by the head under its own key."""

    peer_id: Annotated[bytes, Field(min_length=34, max_length=34)]
    """Id of the group's head: the reducer of the last part."""
    epoch: Annotated[int, Field(ge=0, le=MAX_EPOCH)]
    parent: Digest
    """Root of the commit that led to the epoch."""
    group: Annotated[bytes, Field(min_length=GROUP_ID_BYTES, max_length=GROUP_ID_BYTES)]
    members: Annotated[int, Field(ge=1, le=MOST_MEMBERS)]
    """Number of members that contribute."""
    peers: Annotated[int, Field(ge=1, le=MOST_MEMBERS)]
    """Number of all members: auxiliary peers are among them."""
    stage: Annotated[GroupStage, Field(strict=False)]
    samples: Finite = 0.0
    """Samples behind what the group has reduced; 0 before that."""
    contributors: Digest = bytes(32)
    """SHA-256 of the names and samples of its contributors; zeros before it has reduced."""
    attempt: Annotated[int, Field(ge=0, le=8)] = 0
    """Number of the passage for which the head proposes groups, from 1 on; 0 if it proposes none."""
    proposal: Annotated[bytes, Field(max_length=MOST_GROUPS * GROUP_BYTES)] = b""
    """The proposed groups in order, packed."""


def group_key(prefix: str) -> str:
    """Return the DHT key of the records of groups in the run with this ``prefix``."""
    return f"{prefix}_groups"


def matchmaking_prefix(prefix: str, place: str) -> str:
    """Return the prefix that hivemind's matchmaking has at a ``place`` of the run with this ``prefix``."""
    return f"{prefix}_{place}"


def matchmaking_key(prefix: str, place: str) -> str:
    """Return the DHT key of the declarations at a ``place`` of the run with this ``prefix``, as hivemind makes it."""
    return f"{matchmaking_prefix(prefix, place)}.0b"
