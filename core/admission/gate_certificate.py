"""An access token in 100 bytes, for records whose readers know the run and the peer: it names the peer's user.

Most of a token's 400 characters are known to who reads such a record: the header, the run's digest and the peer's id.
The certificate has the rest, out of which the very text that the gate signed is put together again.
"""

import base64
import struct
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from core.admission.access_token import AccessToken, signed_parts, text_of
from core.errors import AdmissionError

MAX_CERTIFICATE_BYTES = 192
_HEAD = struct.Struct(">QQ12s64s")
"""Times of issue and expiry, the token's own number, and the gate's signature; the user's name follows."""
_LONGEST_NAME = 96


@dataclass(frozen=True)
class GateCertificate:
    """The part of an access token that a reader cannot know, taken apart."""

    name: str
    """Name of the user."""
    issued: int
    """Time of issue in Unix seconds."""
    expires: int
    """Time in Unix seconds before which the token is good."""
    number: bytes
    """Random number of the token, of 12 bytes."""
    signature: bytes
    """Signature of the gate over the whole token, of 64 bytes."""

    @classmethod
    def of_token(cls, text: str) -> Self:
        """Return the certificate of the access token in ``text``; raises AdmissionError if it is not like ours."""
        claims, signature = signed_parts(text)
        number = _number_in(claims.jti)
        found = cls(claims.sub, claims.iat, claims.exp, number, signature)
        if len(number) != 12 or found.token(run=claims.aud, peer=claims.cnf.peer) != text:
            raise AdmissionError(
                "The gate wrote the access token in another form than this version's.",
                "Update Idlebrush, or the coordinator.",
            )
        return found

    def token(self, *, run: str, peer: str) -> str:
        """Return the text of the token if it was issued for the ``run`` (its training digest) and ``peer`` (base58).

        For another run or peer the text is one that the gate has not signed.
        """
        content = AccessToken(run, self.name, peer, self.issued, self.expires)
        return text_of(content, base64.urlsafe_b64encode(self.number).decode(), self.signature)

    def pack(self) -> bytes:
        """Return the certificate in 92 bytes and the user's name."""
        return _HEAD.pack(self.issued, self.expires, self.number, self.signature) + self.name.encode()

    @classmethod
    def unpack(cls, packed: bytes) -> Self:
        """Read a certificate as `pack` makes it; raises ValueError if ``packed`` is none. It verifies nothing."""
        if not _HEAD.size < len(packed) <= _HEAD.size + _LONGEST_NAME:
            raise ValueError("it is no certificate")
        issued, expires, number, signature = _HEAD.unpack(packed[: _HEAD.size])
        return cls(packed[_HEAD.size :].decode("ascii"), issued, expires, number, signature)


def _number_in(text: str) -> bytes:
    """Return the random number of a token; empty if it is written in another way than ours."""
    try:
        return base64.urlsafe_b64decode(text) if len(text) == 16 else b""
    except ValueError:
        return b""


@lru_cache(maxsize=4096)
def user_in(packed: bytes) -> str:
    """Return the name of the user in a ``packed`` certificate, which is not verified; empty if it is none."""
    try:
        return GateCertificate.unpack(packed).name
    except ValueError:
        return ""
