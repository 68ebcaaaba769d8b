"""Leaves out what a run's gate has excluded since, of the records that a node has accepted before."""

from typing import Any, Protocol

from hivemind.p2p import PeerID

from core.admission.gate_certificate import user_in
from core.swarm.wire.identity import peer_id_of


class Exclusions(Protocol):
    """The part of a peer's admission that knows the newest list of revocations."""

    @property
    def excludes_any(self) -> bool:
        """True if the list names anyone."""

    def excludes(self, peer: PeerID, user: str) -> bool:
        """Return true if the list names ``peer`` or ``user``."""


def is_excluded(subkey: Any, value: Any, exclusions: Exclusions | None) -> bool:
    """Return true if the record of an excluded peer, or of a peer of an excluded user, lies under a subkey.

    A node goes on storing such a record until it ends, as hivemind drops all records of a key because of one that is
    refused. Only those who read leave it out.

    Args:
        subkey: the subkey, which is the owner key of the writer.
        value: the record as a plain value.
        exclusions: the peer's admission; None in an open run, which excludes no one.
    """
    if exclusions is None or not exclusions.excludes_any or not isinstance(subkey, bytes):
        return False
    writer = peer_id_of(subkey)
    packed = value.get("certificate") if isinstance(value, dict) else None
    return writer is not None and exclusions.excludes(
        writer, user_in(packed) if isinstance(packed, bytes) else ""
    )
