"""Draws who audits which part of a committed round, so that no one can foresee or steer it: pure.

The draw of a member is its RSA signature over the committed root: PKCS #1 v1.5, of which a key and a message have
just one, so that it is a verifiable random function. The reducer that finishes last could choose among roots until a
public hash of the root named another part than its own. It cannot know the signatures of others, and the auditor
cannot choose its own one.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding

from core.admission.peer_key import PeerKey, peer_hash, read_public_key

_DOMAIN = b"idlebrush: draw of an audit\0"
_SCALE = 1 << 64


@dataclass(frozen=True)
class AuditRules:
    """Rules that say how much of a round is audited."""

    share: float = 0.02
    """Share of the bytes that the group exchanges that audits may take in addition."""


USUAL_AUDITS = AuditRules()


@dataclass(frozen=True)
class CommittedPlace:
    """The committed round that a draw is about."""

    run: str
    """DHT prefix of the run."""
    epoch: int
    group: bytes
    """Id of the group."""
    root: bytes
    """Root of the commit, which covers parent, group and every part."""

    @property
    def signed_bytes(self) -> bytes:
        """The bytes whose signature is a member's draw."""
        return _DOMAIN + repr((self.run, self.epoch, self.group, self.root)).encode()


def draw_of(key: PeerKey, place: CommittedPlace) -> bytes:
    """Return the draw of the peer with ``key`` for the round at ``place``; there is no other one."""
    return key.private.sign(place.signed_bytes, padding.PKCS1v15(), hashes.SHA256())


def is_draw_of(peer_id: bytes, public_key: bytes, draw: bytes, place: CommittedPlace) -> bool:
    """Return true if ``draw`` is that of the peer with ``peer_id`` for the round at ``place``.

    Its ``public_key`` is in OpenSSH's notation.
    """
    try:
        key = read_public_key(public_key)
        key.verify(draw, place.signed_bytes, padding.PKCS1v15(), hashes.SHA256())
    except (ValueError, InvalidSignature):
        return False
    return peer_hash(key) == peer_id


def drawn_part(
    draw: bytes, auditor: int, owners: Sequence[int], auditors: int, rules: AuditRules
) -> int | None:
    """Return the index of the part that a member is to audit; None if it audits nothing in this round.

    All parts of other reducers are equally likely. An audit takes the contributions to one part, an exchange those to
    all and as many aggregates: so ``rules.share`` of an exchange's bytes are worth that share of twice the parts.

    Args:
        draw: the member's draw.
        auditor: its index in the group.
        owners: index of the member that reduces each part.
        auditors: number of members that audit.
        rules: how much is audited.
    """
    foreign = [part for part, owner in enumerate(owners) if owner != auditor]
    digest = hashlib.sha256(draw).digest()
    first, second = (int.from_bytes(digest[at : at + 8], "big") for at in (0, 8))
    chance = min(1.0, 2 * rules.share * len(owners) / auditors)
    if not foreign or first >= chance * _SCALE:
        return None
    return foreign[second * len(foreign) // _SCALE]
