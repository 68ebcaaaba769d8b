"""The access token: a short-lived word, signed by a run's gate, that a user's peer may take part in its swarm.

It is a JSON Web Token (RFC 7519, RFC 9068) that names the peer whose key it is good for (RFC 7800), so it is no
secret: with another key it opens nothing.
"""

import secrets
from dataclasses import dataclass
from typing import Annotated

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from core.errors import AdmissionError
from core.signing import SigningKey

MAX_TOKEN_CHARACTERS = 1024
LONGEST_SECONDS = 86_400
"""A token that claims to be good for longer is refused, whoever signed it: nobody could take it back in time."""
CLOCK_SECONDS = 10.0
"""How far the gate's clock may be ahead of ours."""

_KIND = "at+jwt"
"""So that nothing else which the gate signs as a JSON Web Token passes for an access token."""
_ALGORITHM = "EdDSA"
_AGAIN = "Sign in to the run again."

RunDigest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
UserName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,95}$")]
PeerName = Annotated[str, StringConstraints(pattern=r"^[1-9A-HJ-NP-Za-km-z]{40,64}$")]
UnixSeconds = Annotated[int, Field(ge=0, lt=2**40)]


@dataclass(frozen=True)
class AccessToken:
    """Who may take part in which run, by which peer, for how long."""

    run: str
    """The run's training digest: 64 hex digits."""
    name: str
    """The user's."""
    peer: str
    """The libp2p peer id, in base58, whose key the bearer must hold."""
    issued: int
    expires: int
    """Unix seconds; it is good before ``expires``."""


class _Confirmation(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    peer: PeerName


class _Claims(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    aud: RunDigest
    sub: UserName
    cnf: _Confirmation
    iat: UnixSeconds
    exp: UnixSeconds
    jti: Annotated[str, Field(min_length=1, max_length=64)]


def issue(token: AccessToken, key: SigningKey) -> str:
    """Sign a token with the gate's key; ValueError if it is one that nobody would take."""
    if not 0 < token.expires - token.issued <= LONGEST_SECONDS:
        raise ValueError(f"a token may be good for up to {LONGEST_SECONDS} seconds")
    claims = _Claims(
        aud=token.run,
        sub=token.name,
        cnf=_Confirmation(peer=token.peer),
        iat=token.issued,
        exp=token.expires,
        jti=secrets.token_urlsafe(12),
    )
    return jwt.encode(claims.model_dump(), key.private, _ALGORITHM, headers={"typ": _KIND})


def read(text: str, *, gate: str, run: str, now: float) -> AccessToken:
    """The token, if the gate (public key in hex) signed it for this run and it is good at ``now`` (Unix seconds).

    Whether the bearer holds the peer's key is for the caller to see. Raises AdmissionError.
    """
    if len(text) > MAX_TOKEN_CHARACTERS:
        raise AdmissionError("What was given as an access token is far too long for one.", _AGAIN)
    claims = _verified(text, gate)
    if claims.aud != run:
        raise AdmissionError("The access token is for another run.", _AGAIN)
    if claims.iat > now + CLOCK_SECONDS or not 0 < claims.exp - claims.iat <= LONGEST_SECONDS:
        raise AdmissionError(
            "The access token is not good yet, or for longer than any may be.",
            "Check this computer's clock; then sign in to the run again.",
        )
    if claims.exp <= now:
        raise AdmissionError("The access token has expired.", "A new one comes with the next sign-in.")
    return AccessToken(claims.aud, claims.sub, claims.cnf.peer, claims.iat, claims.exp)


def _verified(text: str, gate: str) -> _Claims:
    try:
        if jwt.get_unverified_header(text).get("typ") != _KIND:
            raise jwt.InvalidTokenError("it is a token of another kind")
        signed = jwt.PyJWS().decode(text, _public_key(gate), algorithms=[_ALGORITHM])
        return _Claims.model_validate_json(signed)
    except (jwt.PyJWTError, ValidationError, ValueError, RecursionError) as error:
        raise AdmissionError("The access token is not one that this run's gate signed.", _AGAIN) from error


def _public_key(gate: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(gate))
