"""Signs a volunteer in with the Hugging Face Hub: OAuth's device code flow (RFC 8628), or a token.

Only `client.task`'s process loads this.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Annotated

from pydantic import Field, SecretStr

from client.account.credentials import Credentials
from client.account.device_flow import App, DeviceAnswer, DeviceFlow, Tokens, code_of
from client.account.http_origin import HttpOrigin, Reply
from client.account.tasks import CLIENT_ID_VARIABLE, CodeShown, HubSettings
from client.api.errors import CredentialsRejected, SignInError

_LONGEST_SECONDS = 86_400.0
"""Longest time for entering a code, even if the Hub allows more."""

_Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,95}$")]


class _UserInfo(DeviceAnswer):
    preferred_username: _Name


class _WhoAmI(DeviceAnswer):
    name: _Name
    type: str


class _HubMetadata(DeviceAnswer):
    revocation_endpoint: str | None = None


class Hub:
    """One Hub, as it is seen by this app."""

    def __init__(
        self,
        settings: HubSettings,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._settings = settings
        self._origin = HttpOrigin(settings.endpoint, clock)
        self._clock = clock
        self._sleep = sleep
        self._now = now

    def grant(self, show: Callable[[CodeShown], None]) -> Credentials:
        """Show a code, and wait until the volunteer has entered it in a browser."""
        fields = {"scope": " ".join(self._settings.scopes)}
        tokens = self._device_flow().tokens(show, _LONGEST_SECONDS, **fields)
        return self._credentials(tokens, self._name_of(tokens.access_token))

    def check(self, token: SecretStr) -> Credentials:
        """Return credentials for a token that the volunteer has made.

        Raise CredentialsRejected if the Hub does not accept the token, and SignInError if it belongs to no
        person.
        """
        reply = self._origin.get("/api/whoami-v2", _sendable(token))
        if reply.status == HTTPStatus.UNAUTHORIZED:
            raise CredentialsRejected(
                "The Hub does not accept this token.",
                f"Copy it again from {self._settings.endpoint}/settings/tokens. A read-only token is enough.",
            )
        known = _fine(reply).read(_WhoAmI)
        if known.type != "user":
            raise SignInError("This token does not belong to a person.", "Use a token of your own account.")
        return Credentials(
            endpoint=self._settings.endpoint, name=known.name, token=token, kind="token", issued=self._now()
        )

    def renew(self, credentials: Credentials) -> Credentials:
        """Return credentials with new tokens.

        Raise CredentialsRejected if the Hub no longer renews the sign-in.
        """
        refresh = credentials.refresh_token
        assert refresh is not None
        reply = self._ask_for_tokens(grant_type="refresh_token", refresh_token=refresh.get_secret_value())
        if code_of(reply) == "invalid_grant":
            raise CredentialsRejected(
                "The Hub no longer renews your sign-in.", "Sign in again with `idlebrush login`."
            )
        tokens = _fine(reply).read(Tokens)
        return self._credentials(tokens, credentials.name, tokens.refresh_token or refresh)

    def revoke(self, credentials: Credentials) -> bool:
        """Make the tokens worthless; False: the Hub offers no such thing to apps, or not for these."""
        if credentials.kind != "oauth":
            return False
        metadata = _fine(self._origin.get("/.well-known/openid-configuration")).read(_HubMetadata)
        path = self._origin.path_of(metadata.revocation_endpoint or "")
        if not path:
            return False
        token = credentials.refresh_token or credentials.token
        _fine(self._origin.post(path, self._form(token=token.get_secret_value())))
        return True

    def _device_flow(self) -> DeviceFlow:
        if not self._settings.client_id:
            raise SignInError(
                "This version of Idlebrush is not registered with the Hub, so it cannot ask for a code.",
                f"Sign in with `idlebrush login --token`, or set {CLIENT_ID_VARIABLE} to an OAuth app's id.",
            )
        app = App(
            self._settings.client_id,
            "Start again with `idlebrush login`.",
            f"Check {CLIENT_ID_VARIABLE}, or sign in with a token.",
        )
        return DeviceFlow(self._origin, app, self._clock, self._sleep)

    def _ask_for_tokens(self, **fields: str) -> Reply:
        return self._origin.post("/oauth/token", self._form(**fields))

    def _form(self, **fields: str) -> dict[str, str]:
        return {"client_id": self._settings.client_id, **fields}

    def _name_of(self, token: SecretStr) -> str:
        return _fine(self._origin.get("/oauth/userinfo", token)).read(_UserInfo).preferred_username

    def _credentials(self, tokens: Tokens, name: str, refresh: SecretStr | None = None) -> Credentials:
        now = self._now()
        return Credentials(
            endpoint=self._settings.endpoint,
            name=name,
            token=tokens.access_token,
            kind="oauth",
            issued=now,
            expires=now + timedelta(seconds=tokens.expires_in) if tokens.expires_in else None,
            refresh_token=refresh or tokens.refresh_token,
        )


def _fine(reply: Reply) -> Reply:
    if not reply.fine:
        raise reply.refusal()
    return reply


def _sendable(token: SecretStr) -> SecretStr:
    text = token.get_secret_value()
    if not (text.isascii() and text.isprintable() and " " not in text and 8 <= len(text) <= 4096):
        raise CredentialsRejected(
            "This is not a token of the Hugging Face Hub.", "Tokens begin with hf_ and many letters follow."
        )
    return token
