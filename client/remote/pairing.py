"""Messages by which two computers prove to each other that both know the code, and the proofs.

The key comes from SPAKE2 (Abdalla and Pointcheval 2005; RFC 9382), a password-authenticated key exchange: a third
party learns nothing of the code, and can try one code for each exchange. The SHA-256 digests of both certificates are
the identities of the exchange. The controlling computer takes the other one's from its own TLS connection (RFC 5929's
tls-server-end-point), so in the presence of another TLS endpoint in between, the keys differ. Each side then proves
its key by an HMAC of the whole exchange under a key of its own, as RFC 9382, section 4, has it.
"""

import base64
import binascii
import hashlib
import hmac
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from client.api.errors import RemoteError
from core.excerpt import excerpt
from core.messages.lines import SILENT, Message

MAX_PAIRING_LINE = 8 * 1024
"""Bytes of the longest message of a pairing."""
MAX_CERTIFICATE = 2048
"""Bytes of the longest certificate."""
LONGEST_NAME = 64
_OF_A, _OF_B = b"controlling", b"controlled"

Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Base64Text = Annotated[str, Field(max_length=4 * MAX_CERTIFICATE // 3 + 4, pattern=r"^[A-Za-z0-9+/]+={0,2}$")]
HexDigest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class PairingOffer(Message):
    """First message, from the computer that wants to control."""

    type: Literal["pairing_offer"] = "pairing_offer"
    protocol: Literal[1] = 1
    name: Name
    certificate: Base64Text
    """Certificate in DER by which it will prove itself from then on."""
    share: Base64Text
    """Message of SPAKE2 from the controlling computer, in Base64."""


class PairingAnswer(Message):
    """Second message, from the computer that shows the code."""

    type: Literal["pairing_answer"] = "pairing_answer"
    name: Name
    share: Base64Text
    proof: HexDigest


class PairingProof(Message):
    """Third message: the controlling computer knows the code as well."""

    type: Literal["pairing_proof"] = "pairing_proof"
    proof: HexDigest


class PairingDone(Message):
    """Last message: from now on the controlling computer is known by its certificate."""

    type: Literal["pairing_done"] = "pairing_done"


class PairingRefused(Message):
    """Any message's refusal; it does not say whether the code was wrong."""

    type: Literal["pairing_refused"] = "pairing_refused"
    what: Annotated[str, Field(max_length=500)]
    remedy: Annotated[str, Field(max_length=500)]


PairingMessage = PairingOffer | PairingAnswer | PairingProof | PairingDone | PairingRefused
PAIRING: TypeAdapter[PairingMessage] = TypeAdapter(
    Annotated[PairingMessage, Field(discriminator="type")], config=SILENT
)


@dataclass(frozen=True)
class Exchange:
    """All that both sides of a pairing have said and seen."""

    offer: PairingOffer
    certificate: bytes
    """Certificate in DER of the controlled computer, as this side knows it from TLS."""
    name: str
    """Name of the controlled computer."""
    share: str
    """Message of SPAKE2 from the controlled computer, in Base64."""

    def proofs(self, key: bytes) -> tuple[str, str]:
        """Return the proofs of the controlling and of the controlled computer by the ``key`` of SPAKE2."""
        transcript = hashlib.sha256()
        parts = (b64(self.offer.certificate), self.certificate, self.offer.name.encode(), self.name.encode())
        for part in (*parts, b64(self.offer.share), b64(self.share)):
            transcript.update(len(part).to_bytes(8) + part)
        digest = transcript.digest()
        return _proof(key, _OF_A, digest), _proof(key, _OF_B, digest)


def _proof(key: bytes, side: bytes, transcript: bytes) -> str:
    own_key = hmac.digest(key, b"idlebrush remote control: " + side, "sha256")
    return hmac.digest(own_key, transcript, "sha256").hex()


def same_proof(one: str, other: str) -> bool:
    """Return true if two proofs are equal, in a time that tells nothing of them."""
    return hmac.compare_digest(one.encode(), other.encode())


def identity_of(certificate: bytes, *, controls: bool) -> bytes:
    """Return the identity in SPAKE2 of the computer with that ``certificate`` (DER).

    Args:
        certificate: Its certificate.
        controls: True for the computer that wants to control the other one.
    """
    return (_OF_A if controls else _OF_B) + b" " + hashlib.sha256(certificate).digest()


def b64(text: str) -> bytes:
    """Return the bytes of a Base64 text; RemoteError if it is none."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise RemoteError("The other computer sent invalid data.", "Update Idlebrush on both.") from None


def to_b64(data: bytes) -> str:
    """Return ``data`` in Base64."""
    return base64.b64encode(data).decode()


def clean_name(name: str) -> str:
    """Return a computer's name in one printable line."""
    return excerpt(" ".join(name.split()), LONGEST_NAME).strip() or "Computer"
