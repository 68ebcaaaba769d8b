"""The keys of an OpenID provider: fetched in bounded time and size, kept, and looked for again with restraint."""

import time
from collections.abc import Callable
from typing import Annotated, Any

import jwt
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from coordinator.errors import HubAway, ProofRefused
from coordinator.gate.fetching import WHOLE_SECONDS, Turns, fetch
from core.run.fields import WebAddress

ALGORITHMS = {"RSA": "RS256", "EC": "ES256", "OKP": "EdDSA"}
"""Algorithm that each kind of key is verified with: the signer does not choose it."""
_FRESH_SECONDS = 3600.0
"""Seconds after which a key that the provider withdrew is forgotten."""
_PAUSE_SECONDS = 60.0
"""Seconds between two requests for an unknown key: a stranger may name any number of keys."""


class _ProviderMetadata(BaseModel):
    issuer: str
    jwks_uri: WebAddress


class _Key(BaseModel):
    kty: str
    kid: str = ""
    crv: str | None = None
    use: str = "sig"


class _Keys(BaseModel):
    keys: Annotated[list[dict[str, Any]], Field(max_length=64)]


_METADATA = TypeAdapter(_ProviderMetadata)
_KEYS = TypeAdapter(_Keys)


class Issuer:
    """One provider; its keys are shared by the threads that verify."""

    def __init__(self, address: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.address = address
        self._clock = clock
        self._looking = Turns()
        self._keys: dict[str, jwt.PyJWK] = {}
        self._looked: float | None = None
        self._learnt: float | None = None
        """Time at which the keys were last received; `_looked` may have failed."""

    def key(self, kid: str) -> jwt.PyJWK:
        """Return the key of that id.

        Raise ProofRefused if the provider has no such key, and HubAway if the provider cannot be asked.
        """
        if (key := self._keys.get(kid)) and self._are_fresh():
            return key
        with self._looking.turn(2 * WHOLE_SECONDS) as is_ours:
            if not is_ours:
                raise _away(self.address)
            if self._looked is None or self._clock() - self._looked > _PAUSE_SECONDS:
                self._look()
        if not self._are_fresh():
            raise _away(self.address)
        if key := self._keys.get(kid):
            return key
        raise ProofRefused(
            "The proof of identity is signed by a key that the Hub does not have.", "Sign in again."
        )

    def _are_fresh(self) -> bool:
        return self._learnt is not None and self._clock() - self._learnt <= _FRESH_SECONDS

    def _look(self) -> None:
        self._looked = self._clock()
        place = f"{self.address}/.well-known/openid-configuration"
        metadata = fetch(place, _METADATA, clock=self._clock).value
        if metadata.issuer.rstrip("/") != self.address:
            raise _away(self.address)
        keys = fetch(metadata.jwks_uri, _KEYS, clock=self._clock).value.keys
        self._keys = {kid: key for kid, key in map(_usable, keys) if key}
        self._learnt = self._clock()


def _usable(content: dict[str, Any]) -> tuple[str, jwt.PyJWK | None]:
    """Return a key's id and the key, which is None if no proof can be signed with it.

    The id is empty if the key cannot be read.
    """
    try:
        about = _Key.model_validate(content)
        if about.use != "sig" or about.kty not in ALGORITHMS or about.crv not in (None, "P-256", "Ed25519"):
            return about.kid, None
        return about.kid, jwt.PyJWK(content, ALGORITHMS[about.kty])
    except (ValidationError, jwt.PyJWTError, ValueError, TypeError):
        return "", None


def _away(address: str) -> HubAway:
    return HubAway(
        f"{address} does not answer as it should.", "Try again in a minute; your sign-in is not lost."
    )
