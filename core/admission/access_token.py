"""Short-lived signed token by which a run's gate authorises one peer to join the swarm.

It is a signed JSON Web Token (RFC 7519, RFC 9068) that names the key of the peer to which it belongs (RFC 7800).
It is not a secret, because it is useless without that key.
"""

import json
import secrets
from dataclasses import dataclass
from typing import Annotated, Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from jwt.utils import base64url_decode, base64url_encode
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from core.errors import AdmissionError
from core.signing import SigningKey

MAX_TOKEN_CHARACTERS = 1024
LONGEST_SECONDS = 86_400
"""Longest life of a token.

A longer one is refused although the gate signed it, because it could not be taken back in time.
"""
CLOCK_SECONDS = 10.0
"""Seconds that the gate's clock may be ahead of this one."""

_KIND = "at+jwt"
"""Type of the token; no other JSON Web Token that the gate signs passes for an access token."""
_ALGORITHM = "EdDSA"
_AGAIN = "Sign in to the run again."

RunDigest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
UserName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,95}$")]
PeerName = Annotated[str, StringConstraints(pattern=r"^[1-9A-HJ-NP-Za-km-z]{40,64}$")]
UnixSeconds = Annotated[int, Field(ge=0, lt=2**40)]


@dataclass(frozen=True)
class AccessToken:
    """A signed statement that one peer of a user may take part in one run, for a limited time."""

    run: str
    """The run's training digest: 64 hex digits."""
    name: str
    """Name of the user."""
    peer: str
    """The libp2p peer id, in base58, whose key the bearer must hold."""
    issued: int
    """Time of issue in Unix seconds."""
    expires: int
    """Time in Unix seconds before which the token is good."""


class _Confirmation(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    peer: PeerName


class TokenClaims(BaseModel):
    """The claims of a token by the names of RFC 7519 and RFC 7800."""

    model_config = ConfigDict(extra="forbid", strict=True)

    aud: RunDigest
    """Training digest of the run: 64 hex digits."""
    sub: UserName
    """Name of the user."""
    cnf: _Confirmation
    """Key of the peer, by its libp2p peer id."""
    iat: UnixSeconds
    """Time of issue in Unix seconds."""
    exp: UnixSeconds
    """Time in Unix seconds before which the token is good."""
    jti: Annotated[str, Field(min_length=1, max_length=64)]
    """Random number that makes each token another one."""


def issue(token: AccessToken, key: SigningKey) -> str:
    """Sign ``token`` with the gate's ``key``, and return it as text.

    Raises ValueError if it is malformed, or if its life is not positive or exceeds ``LONGEST_SECONDS``.
    """
    if not 0 < token.expires - token.issued <= LONGEST_SECONDS:
        raise ValueError(f"a token may be good for up to {LONGEST_SECONDS} seconds")
    claims = _claims(token, secrets.token_urlsafe(12))
    return jwt.encode(claims.model_dump(), key.private, _ALGORITHM, headers={"typ": _KIND})


def text_of(token: AccessToken, number: str, signature: bytes) -> str:
    """Return the text of ``token`` with its random ``number`` and the gate's ``signature``, which is not verified.

    Raises ValueError if the token is malformed.
    """
    header = {"alg": _ALGORITHM, "typ": _KIND}
    parts = [_compact(header), _compact(_claims(token, number).model_dump()), signature]
    return b".".join(map(base64url_encode, parts)).decode()


def _compact(content: dict[str, Any]) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode()


def signed_parts(text: str) -> tuple["TokenClaims", bytes]:
    """Return the claims of the token in ``text`` and the signature under them, which is not verified.

    Raises AdmissionError if it is no token.
    """
    try:
        _, claims, signature = text.split(".")
        return TokenClaims.model_validate_json(base64url_decode(claims)), base64url_decode(signature)
    except (ValidationError, ValueError) as error:
        raise AdmissionError("The access token is malformed.", _AGAIN) from error


def _claims(token: AccessToken, number: str) -> "TokenClaims":
    return TokenClaims(
        aud=token.run,
        sub=token.name,
        cnf=_Confirmation(peer=token.peer),
        iat=token.issued,
        exp=token.expires,
        jti=number,
    )


def read(text: str, *, gate: str, run: str, now: float) -> AccessToken:
    """Return the access token in ``text`` if it is valid.

    The caller has to verify that the bearer holds the peer's key.

    Args:
        text: Signed token.
        gate: Public key of the run's gate, in hex.
        run: Training digest of the run.
        now: Current time in Unix seconds.

    Raises:
        AdmissionError: The gate did not sign the token, it is for another run, or it is not good at ``now``.
    """
    if len(text) > MAX_TOKEN_CHARACTERS:
        raise AdmissionError("The access token is too long.", _AGAIN)
    claims = _verified(text, gate)
    if claims.aud != run:
        raise AdmissionError("The access token is for another run.", _AGAIN)
    if claims.iat > now + CLOCK_SECONDS or not 0 < claims.exp - claims.iat <= LONGEST_SECONDS:
        raise AdmissionError(
            "The access token is not valid yet, or is valid for longer than allowed.",
            "Check this computer's clock; then sign in to the run again.",
        )
    if claims.exp <= now:
        raise AdmissionError("The access token has expired.", "A new one comes with the next sign-in.")
    return AccessToken(claims.aud, claims.sub, claims.cnf.peer, claims.iat, claims.exp)


def issued_at(text: str, *, gate: str) -> int:
    """Return when the gate whose public key (hex) is ``gate`` signed the token in ``text``, in Unix seconds.

    Raises AdmissionError if the gate did not sign it. The token need not be good any more.
    """
    return _verified(text, gate).iat


def _verified(text: str, gate: str) -> TokenClaims:
    try:
        if jwt.get_unverified_header(text).get("typ") != _KIND:
            raise jwt.InvalidTokenError("it is a token of another kind")
        signed = jwt.PyJWS().decode(text, _public_key(gate), algorithms=[_ALGORITHM])
        return TokenClaims.model_validate_json(signed)
    except (jwt.PyJWTError, ValidationError, ValueError, RecursionError) as error:
        raise AdmissionError("The access token is not one that this run's gate signed.", _AGAIN) from error


def _public_key(gate: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(gate))
