"""Checks that an applicant holds a peer's key, so that only the peer's own machine gets an access token."""

import base64
import binascii
import hashlib
from dataclasses import dataclass
from datetime import datetime

from coordinator.errors import ClockRefused, ProofRefused
from core.admission import proofs
from core.admission.peer_key import peer_id_of, verify

RENEWAL_SECONDS = 60
"""Largest difference in seconds between the time of a renewal and ours."""


@dataclass(frozen=True)
class Holder:
    """A peer whose key was used just now."""

    peer_id: str
    public_key: bytes
    """Public key in OpenSSH's notation."""
    proof_digest: str
    """Digest by which a proof is recognised."""


def joining_peer(run: str, challenge: str, public_key: str, proof: str) -> Holder:
    """Find the holder of the key that signed the challenge (both in base64); raises ProofRefused if none did."""
    key = _decoded(public_key)
    return _holder(key, proofs.joining(run, challenge), _decoded(proof))


def renewing_peer(run: str, public_key: str, time: int, proof: str, now: datetime) -> Holder:
    """Find the holder that renews at that time (Unix seconds by its clock); raises ClockRefused or ProofRefused."""
    ahead = time - now.timestamp()
    if abs(ahead) > RENEWAL_SECONDS:
        raise ClockRefused(
            f"Your computer's clock is {abs(ahead):.0f} seconds {'ahead of' if ahead > 0 else 'behind'} ours.",
            "Set the clock, or turn on automatic time.",
        )
    key = _decoded(public_key)
    return _holder(key, proofs.renewal(run, key, time), _decoded(proof))


def _holder(key: bytes, message: bytes, signature: bytes) -> Holder:
    try:
        peer_id = peer_id_of(key)
    except ValueError as error:
        raise _refusal() from error
    if not verify(key, message, signature):
        raise _refusal()
    return Holder(peer_id, key, hashlib.sha256(signature).hexdigest())


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise _refusal() from error


def _refusal() -> ProofRefused:
    return ProofRefused("The request is not signed by the key of the peer that it is for.", "Sign in again.")
