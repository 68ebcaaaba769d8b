"""Challenges for proofs of identity, and the record of the proofs that were used."""

import base64
import binascii
import hashlib
import hmac
import secrets
import struct
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Self

from sqlalchemy import delete
from sqlalchemy.orm import Session

from coordinator.database.tables import SpentProof
from coordinator.database.upsert import insert_if_new
from coordinator.errors import ProofRefused
from core.signing import SigningKey

LIFETIME = timedelta(minutes=10)
_SWEPT = timedelta(seconds=10)
_FIELDS = struct.Struct(">BQ16s")
_MAC_BYTES = 16


class Flow(StrEnum):
    """The ways in which a volunteer signs in with the Hub."""

    BROWSER = "browser"
    """Authorization code with PKCE (RFC 7636)."""
    DEVICE = "device"
    """Device code (RFC 8628), for a machine without a browser."""


_FLOWS = tuple(Flow)


@dataclass(frozen=True)
class Challenge:
    """A nonce of ours that was brought back in time."""

    flow: Flow
    given: datetime
    digest: str
    """Digest by which a spent challenge is recognised, however its letters are varied."""

    @property
    def expires(self) -> datetime:
        return self.given + LIFETIME


class Challenges:
    """Gives nonces and knows them again, across restarts and in every process that has the gate's key.

    They are signed instead of kept, so that asking for a million of them fills nothing.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def of(cls, key: SigningKey) -> Self:
        """Derive the secret, which only holders of the gate's key can do."""
        return cls(hashlib.sha256(bytes.fromhex(key.sign(b"idlebrush/1/challenges\n"))).digest())

    def give(self, flow: Flow, now: datetime) -> str:
        """Return a nonce that no one can guess; it is valid for `LIFETIME`."""
        milliseconds = int(now.timestamp() * 1000)
        fields = _FIELDS.pack(_FLOWS.index(flow), milliseconds, secrets.token_bytes(16))
        return base64.urlsafe_b64encode(fields + self._mac(fields)).rstrip(b"=").decode()

    def read(self, nonce: str, now: datetime) -> Challenge:
        """Return the challenge of a nonce, spent or not.

        Raise ProofRefused if the nonce is not one of ours or is too old.
        """
        try:
            sealed = base64.b64decode(nonce + "=" * (-len(nonce) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            sealed = b""
        fields, mac = sealed[: _FIELDS.size], sealed[_FIELDS.size :]
        if len(fields) < _FIELDS.size or not hmac.compare_digest(mac, self._mac(fields)):
            raise ProofRefused("The challenge is not one of this coordinator's.", "Sign in again.")
        flow, milliseconds, _ = _FIELDS.unpack(fields)
        given = datetime.fromtimestamp(milliseconds / 1000, UTC)
        challenge = Challenge(_FLOWS[flow], given, hashlib.sha256(fields).hexdigest())
        if now > challenge.expires:
            raise ProofRefused("The sign-in took more than ten minutes.", "Sign in again.")
        return challenge

    def _mac(self, fields: bytes) -> bytes:
        return hmac.digest(self._secret, fields, "sha256")[:_MAC_BYTES]


class UsedProofs:
    """Keeps which proofs were used, until they expire.

    Expired ones are deleted by one request in some seconds. If each deleted them, those of one moment would wait for
    each other's commits.
    """

    def __init__(self) -> None:
        self._swept: datetime | None = None

    def spend(self, session: Session, digest: str, expires: datetime, now: datetime) -> None:
        """Take note that it was used; ProofRefused if it was before, in this moment by another thread included."""
        self._sweep(session, now)
        if not insert_if_new(session, SpentProof, {"digest": digest, "expires": expires}):
            raise ProofRefused("This proof was used before.", "Sign in again.")

    def _sweep(self, session: Session, now: datetime) -> None:
        if self._swept is None or now - self._swept >= _SWEPT:
            self._swept = now
            session.execute(delete(SpentProof).where(SpentProof.expires < now))
