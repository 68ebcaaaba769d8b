"""The records by which peers pass evidence on, under one key of a run."""

from typing import Annotated

from pydantic import Field

from core.swarm.evidence.evidence import MOST_EVIDENCE_BYTES
from core.swarm.wire.records import CertifiedRecord

MOST_OF_RECORD = 3
"""Pieces of evidence in one record, which has to stay small; each peer that is there may pass others on."""
EVIDENCE_SECONDS = 3600.0
"""Seconds for which the swarm keeps a record of evidence; it ends with its writer's token, if that is earlier."""


class EvidenceRecord(CertifiedRecord):
    """Evidence that a peer has verified, and passes on; stored by that peer under its own key."""

    peer_id: Annotated[bytes, Field(min_length=34, max_length=34)]
    """Id of the peer that passes it on."""
    evidence: Annotated[
        list[Annotated[bytes, Field(max_length=MOST_EVIDENCE_BYTES)]],
        Field(min_length=1, max_length=MOST_OF_RECORD),
    ]
    """Packed evidence (`core.swarm.evidence.evidence`), each against another user."""


def evidence_key(prefix: str) -> str:
    """Return the DHT key of evidence in the run with this ``prefix``."""
    return f"{prefix}_evidence"


def pardons_key(prefix: str) -> str:
    """Return the DHT key of the gate's list of pardons in the run with this ``prefix``."""
    return f"{prefix}_pardons"
