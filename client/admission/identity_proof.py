"""Gets a proof of identity (an OpenID id_token) that the Hub makes for one coordinator's app, and keeps nothing else.

The access token that the Hub gives with it stays on this computer, is used for nothing, and is revoked where the
Hub offers that. Only `client.task`'s process loads this.
"""

import base64
import contextlib
import hashlib
import hmac
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from pydantic import SecretStr

from client.account.device_flow import App, DeviceAnswer, DeviceFlow, Tokens, declined, refused
from client.account.http_origin import HttpOrigin
from client.account.tasks import CodeShown
from client.admission.callback import listening
from client.admission.gate_info import SCOPES
from client.admission.tasks import AddressShown
from client.api.errors import ClientError, HubError, SignInError

_METADATA = "/.well-known/openid-configuration"
_AGAIN = "Start again with `idlebrush join`."
_SCOPE = " ".join(SCOPES)


class _IssuerMetadata(DeviceAnswer):
    issuer: str
    authorization_endpoint: str
    revocation_endpoint: str | None = None


@dataclass(frozen=True)
class ProofRequest:
    """Audience of a proof of identity, and what the proof has to carry."""

    client_id: str
    nonce: str
    seconds: float
    """Time limit for the volunteer to sign in, in seconds."""


class IdentityProof:
    """Asks the Hub at one address."""

    def __init__(self, hub: str, wanted: ProofRequest) -> None:
        self._origin = HttpOrigin(hub)
        self._wanted = wanted
        self._app = App(wanted.client_id, _AGAIN, "Tell the run's organiser.")

    def by_browser(self, show: Callable[[AddressShown], None]) -> SecretStr:
        """Return the proof by the volunteer's browser, with PKCE (RFC 7636); ``show`` gets the address to open."""
        metadata = self._metadata()
        state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(48)
        with listening(state) as callback:
            address = self._authorization(metadata, callback.address, state, verifier)
            show(AddressShown(address=address, seconds=self._wanted.seconds))
            answer = callback.wait(self._wanted.seconds)
        if answer is None:
            raise SignInError("The sign-in in the browser was not completed in time.", _AGAIN)
        return self._id_token(self._redeemed(answer, callback.address, verifier), by_browser=True)

    def by_code(self, show: Callable[[CodeShown], None]) -> SecretStr:
        """Return the proof by a code that the volunteer enters in a browser on any device."""
        flow = DeviceFlow(self._origin, self._app)
        fields = {"scope": _SCOPE, "nonce": self._wanted.nonce}
        return self._id_token(flow.tokens(show, self._wanted.seconds, **fields), by_browser=False)

    def _metadata(self) -> _IssuerMetadata:
        reply = self._origin.get(_METADATA)
        if not reply.fine:
            raise reply.refusal()
        metadata = reply.read(_IssuerMetadata)
        if metadata.issuer.rstrip("/") != self._origin.address:
            raise HubError(f"{self._origin.address} asks you to sign in at another site.", "Do not sign in.")
        return metadata

    def _authorization(self, metadata: _IssuerMetadata, redirect: str, state: str, verifier: str) -> str:
        path = self._origin.path_of(metadata.authorization_endpoint)
        if path is None:
            raise HubError(f"{self._origin.address} asks you to sign in at another site.", "Do not sign in.")
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=")
        query = {
            "response_type": "code",
            "client_id": self._wanted.client_id,
            "redirect_uri": redirect,
            "scope": _SCOPE,
            "state": state,
            "nonce": self._wanted.nonce,
            "code_challenge": challenge.decode(),
            "code_challenge_method": "S256",
        }
        return f"{self._origin.address}{path}?{urlencode(query)}"

    def _redeemed(self, answer: dict[str, str], redirect: str, verifier: str) -> Tokens:
        """Exchange what the browser brought back for tokens.

        Raise SignInError if another site answered, and the error of the refusal if the Hub refuses.
        """
        if answer.get("iss", self._origin.address).rstrip("/") != self._origin.address:
            raise SignInError(
                "A site other than the Hub answered the sign-in.", "Do not sign in again there."
            )
        if "code" not in answer:
            raise (
                declined(self._app)
                if answer.get("error") == "access_denied"
                else SignInError("The Hub refused the sign-in.", _AGAIN)
            )
        form = {
            "grant_type": "authorization_code",
            "client_id": self._wanted.client_id,
            "code": answer["code"],
            "redirect_uri": redirect,
            "code_verifier": verifier,
        }
        reply = self._origin.post("/oauth/token", form)
        if not reply.fine:
            raise refused(reply, self._app)
        return reply.read(Tokens)

    def _id_token(self, tokens: Tokens, *, by_browser: bool) -> SecretStr:
        """Return the proof alone; raise SignInError if there is none, or if it was made for another app."""
        self._drop(tokens)
        if tokens.id_token is None:
            raise SignInError("The Hub sent no proof of your identity.", "Tell the run's organiser.")
        claims = _claims(tokens.id_token)
        # A Hub may not take a nonce with a request for a code; that one is old is for the coordinator to see.
        nonce = str(claims.get("nonce", "" if by_browser else self._wanted.nonce))
        is_for_it = claims.get("aud") in (self._wanted.client_id, [self._wanted.client_id])
        if not (is_for_it and hmac.compare_digest(nonce.encode(), self._wanted.nonce.encode())):
            raise SignInError("The Hub's proof of your identity was made for another app.", _AGAIN)
        return tokens.id_token

    def _drop(self, tokens: Tokens) -> None:
        """Make what came beside the proof worthless, if the Hub offers that: nothing here needs it."""
        with contextlib.suppress(ClientError):
            path = self._origin.path_of(self._metadata().revocation_endpoint or "")
            for token in filter(None, (tokens.refresh_token, tokens.access_token)):
                if path:
                    form = {"client_id": self._wanted.client_id, "token": token.get_secret_value()}
                    self._origin.post(path, form)


def _claims(id_token: SecretStr) -> dict[str, Any]:
    """Return the claims of a JSON Web Token; TLS vouches for its issuer (OpenID Connect Core 1.0, 3.1.3.7)."""
    try:
        body = id_token.get_secret_value().split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    except (ValueError, IndexError, RecursionError):
        claims = None
    return claims if isinstance(claims, dict) else {}
