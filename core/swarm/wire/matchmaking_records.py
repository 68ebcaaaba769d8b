"""The record by which a peer tells those at the same place that it looks for a group, and where it lies."""

from typing import Annotated

from pydantic import Field

from core.swarm.wire.records import CertifiedRecord

MATCHMAKING_SECONDS = 3600.0
"""Seconds for which a peer looks for a group at most, whatever the rules of its run."""


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


def matchmaking_prefix(prefix: str, place: str) -> str:
    """Return the prefix that hivemind's matchmaking has at a ``place`` of the run with this ``prefix``."""
    return f"{prefix}_{place}"


def matchmaking_key(prefix: str, place: str) -> str:
    """Return the DHT key of the declarations at a ``place`` of the run with this ``prefix``, as hivemind makes it."""
    return f"{matchmaking_prefix(prefix, place)}.0b"
