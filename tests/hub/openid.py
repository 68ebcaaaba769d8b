"""The OpenID provider in the Hub on loopback: apps, sign-in in a browser with PKCE, and proofs of identity."""

import base64
import hashlib
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any
from urllib.parse import urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from jwt.algorithms import RSAAlgorithm

CLIENT_ID = "idlebrush-test-app"
LOOPBACK = {"127.0.0.1", "localhost", "::1"}


class IssuerKey:
    """The key that signs proofs, and its public half as the provider publishes it."""

    def __init__(self, kid: str) -> None:
        self.kid = kid

    @cached_property
    def private(self) -> RSAPrivateKey:
        return generate_private_key(65537, 2048)

    @property
    def jwk(self) -> dict[str, Any]:
        public = RSAAlgorithm.to_jwk(self.private.public_key(), as_dict=True)
        return {**public, "kid": self.kid, "alg": "RS256", "use": "sig"}


@cache
def first_key() -> IssuerKey:
    """The same for all providers of a test run: making one takes its time."""
    return IssuerKey("first")


@dataclass(frozen=True)
class Grant:
    """A proof of identity: the user, the app that it is for, and the nonce that it answers."""

    name: str
    app: str
    nonce: str = ""


@dataclass(frozen=True)
class _Code:
    grant: Grant
    redirect_uri: str
    challenge: str


@dataclass
class OpenId:
    """Tests set who sits at the browser; the Hub that has it guards it by its lock."""

    issuer: str
    apps: set[str] = field(default_factory=lambda: {CLIENT_ID})
    """Ids of apps: public ones, which redirect to loopback alone."""
    browser: str = ""
    """The user who is signed in in the authorising browser and consents; "" declines."""
    subjects: dict[str, str] = field(default_factory=dict)
    """The accounts behind names; `id-NAME` where none is set."""
    echoes_device_nonce: bool = False
    """True if a device's request for a code may supply a nonce for the proof."""
    proof_seconds: float = 3600.0
    claims: dict[str, Any] = field(default_factory=dict)
    """Claims of proofs that replace the true ones; None leaves a claim out."""
    says: dict[str, str] = field(default_factory=dict)
    """Entries of its metadata that replace the true ones."""
    answers: dict[str, str] = field(default_factory=dict)
    """What the browser brings back besides the code, or in place of it."""
    clock: Callable[[], float] = time.time
    keys: list[IssuerKey] = field(default_factory=lambda: [first_key()])
    """Keys of the issuer; the last signs."""
    _codes: dict[str, _Code] = field(default_factory=dict)

    def subject(self, name: str) -> str:
        return self.subjects.get(name, f"id-{name}")

    def rotate(self) -> None:
        """Sign with a new key, and show the old one no more."""
        self.keys = [IssuerKey(f"key-{secrets.token_hex(4)}")]

    def metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/oauth/authorize",
            "device_authorization_endpoint": f"{self.issuer}/oauth/device",
            "token_endpoint": f"{self.issuer}/oauth/token",
            "userinfo_endpoint": f"{self.issuer}/oauth/userinfo",
            "jwks_uri": f"{self.issuer}/oauth/jwks",
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
            **self.says,
        }

    def jwks(self) -> dict[str, Any]:
        return {"keys": [key.jwk for key in self.keys]}

    def authorize(self, query: Mapping[str, str]) -> str | None:
        """Return the address that the browser is redirected to, or None if no answer is permitted."""
        redirect = query.get("redirect_uri", "")
        target = urlsplit(redirect)
        if query.get("client_id") not in self.apps or target.hostname not in LOOPBACK or target.fragment:
            return None
        answer = self._authorized(query, redirect)
        return f"{redirect}?{urlencode({**answer, 'state': query.get('state', '')})}"

    def _authorized(self, query: Mapping[str, str], redirect: str) -> dict[str, str]:
        proper = query.get("response_type") == "code" and query.get("code_challenge_method") == "S256"
        if not (proper and query.get("code_challenge")):
            return {"error": "invalid_request"}
        if not self.browser:
            return {"error": "access_denied"}
        code = secrets.token_urlsafe(24)
        grant = Grant(self.browser, query["client_id"], query.get("nonce", ""))
        self._codes[code] = _Code(grant, redirect, query["code_challenge"])
        return self.answers if "error" in self.answers else {"code": code, **self.answers}

    def redeem(self, form: Mapping[str, str]) -> Grant | None:
        """The grant that a code stands for, once, to whoever knows what it was asked for with."""
        code = self._codes.pop(form.get("code", ""), None)
        verifier = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).rstrip(b"=").decode()
        asked = (form.get("client_id"), form.get("redirect_uri"), challenge)
        if code is None or asked != (code.grant.app, code.redirect_uri, code.challenge):
            return None
        return code.grant

    def proof(self, grant: Grant) -> str:
        """The id_token (OpenID Connect Core 1.0, section 2), signed by RS256."""
        now = int(self.clock())
        truth = {
            "iss": self.issuer,
            "aud": grant.app,
            "sub": self.subject(grant.name),
            "preferred_username": grant.name,
            "name": grant.name.title(),
            "iat": now,
            "exp": now + int(self.proof_seconds),
            "nonce": grant.nonce or None,
        }
        claims = {name: value for name, value in {**truth, **self.claims}.items() if value is not None}
        key = self.keys[-1]
        return jwt.encode(claims, key.private, algorithm="RS256", headers={"kid": key.kid})
