"""Signs a volunteer in with the Hugging Face Hub: OAuth's device code flow (RFC 8628), or a token.

Only `client.errand`'s process loads this.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from client.account.credentials import Credentials
from client.account.errands import CLIENT_ID_VARIABLE, CodeShown, HubSettings
from client.account.http_origin import HttpOrigin, Reply
from client.api.errors import CredentialsRejected, HubError, SignInError

_DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
_SLOWER = 5.0
"""Seconds between two questions: RFC 8628's default, and what each "slow down" adds."""
_SLOWEST = 60.0
_AGAIN = "Start again with `idlebrush login`."

Token = Annotated[SecretStr, Field(min_length=1, max_length=16 * 1024)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,95}$")]
Seconds = Annotated[float, Field(gt=0, le=10 * 365 * 86_400)]


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class _Device(_Answer):
    """What is shown to a person, on a terminal too, holds nothing but letters, digits and dashes."""

    device_code: Token
    user_code: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{4,32}$")]
    verification_uri: Annotated[str, Field(pattern=r"^[\x21-\x7e]{1,500}$")]
    verification_uri_complete: Annotated[str, Field(pattern=r"^[\x21-\x7e]{1,500}$")] | None = None
    expires_in: Seconds
    interval: Seconds = _SLOWER


class _Tokens(_Answer):
    access_token: Token
    refresh_token: Token | None = None
    expires_in: Seconds | None = None


class _OAuthError(_Answer):
    error: str


class _UserInfo(_Answer):
    preferred_username: Name


class _WhoAmI(_Answer):
    name: Name
    type: str


class _Metadata(_Answer):
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
        device = self._request_code()
        address = device.verification_uri_complete or device.verification_uri
        if self._origin.path_of(address) is None:
            raise HubError(f"{self._settings.endpoint} names another site to sign in at.", "Do not sign in.")
        show(CodeShown(address=address, code=device.user_code, seconds=device.expires_in))
        tokens = self._wait_for_grant(device)
        return self._credentials(tokens, self._name_of(tokens.access_token))

    def check(self, token: SecretStr) -> Credentials:
        """The credentials that a token of the volunteer's own making is."""
        reply = self._origin.get("/api/whoami-v2", _sendable(token))
        if reply.status == HTTPStatus.UNAUTHORIZED:
            raise CredentialsRejected(
                "The Hub does not accept this token.",
                f"Copy it again from {self._settings.endpoint}/settings/tokens; one that may only read is enough.",
            )
        known = _fine(reply).read(_WhoAmI)
        if known.type != "user":
            raise SignInError("This token is not a person's.", "Use a token of your own account.")
        return Credentials(
            endpoint=self._settings.endpoint, name=known.name, token=token, kind="token", issued=self._now()
        )

    def renew(self, credentials: Credentials) -> Credentials:
        """New tokens for those that expire."""
        refresh = credentials.refresh_token
        assert refresh is not None
        reply = self._ask_for_tokens(grant_type="refresh_token", refresh_token=refresh.get_secret_value())
        if _code_of(reply) == "invalid_grant":
            raise CredentialsRejected(
                "The Hub does not renew your sign-in any more.", "Sign in again with `idlebrush login`."
            )
        tokens = _fine(reply).read(_Tokens)
        return self._credentials(tokens, credentials.name, tokens.refresh_token or refresh)

    def revoke(self, credentials: Credentials) -> bool:
        """Make the tokens worthless; False: the Hub offers no such thing to apps, or not for these."""
        if credentials.kind != "oauth":
            return False
        metadata = _fine(self._origin.get("/.well-known/openid-configuration")).read(_Metadata)
        path = self._origin.path_of(metadata.revocation_endpoint or "")
        if not path:
            return False
        token = credentials.refresh_token or credentials.token
        _fine(self._origin.post(path, self._form(token=token.get_secret_value())))
        return True

    def _request_code(self) -> _Device:
        if not self._settings.client_id:
            raise SignInError(
                "This version of Idlebrush is not registered with the Hub, so it cannot ask for a code.",
                f"Sign in with `idlebrush login --token`, or set {CLIENT_ID_VARIABLE} to an OAuth app's id.",
            )
        reply = self._origin.post("/oauth/device", self._form(scope=" ".join(self._settings.scopes)))
        if not reply.fine:
            raise _refused(reply)
        return reply.read(_Device)

    def _wait_for_grant(self, device: _Device) -> _Tokens:
        """Ask at the pace that the Hub wants; what is inconclusive ends nothing before the code expires."""
        interval, trouble = device.interval, SignInError("Nobody entered the code in time.", _AGAIN)
        deadline = self._clock() + device.expires_in
        while self._clock() < deadline:
            self._sleep(interval)
            try:
                reply = self._ask_for_tokens(
                    grant_type=_DEVICE_GRANT, device_code=device.device_code.get_secret_value()
                )
                if reply.fine:
                    return reply.read(_Tokens)
                if reply.inconclusive:
                    raise reply.refusal()
            except HubError as error:
                interval, trouble = min(interval * 2, _SLOWEST), SignInError(error.what, error.remedy)
                continue
            if (code := _code_of(reply)) == "slow_down":
                interval += _SLOWER
            elif code != "authorization_pending":
                raise _refused(reply)
        raise trouble

    def _ask_for_tokens(self, **fields: str) -> Reply:
        return self._origin.post("/oauth/token", self._form(**fields))

    def _form(self, **fields: str) -> dict[str, str]:
        return {"client_id": self._settings.client_id, **fields}

    def _name_of(self, token: SecretStr) -> str:
        return _fine(self._origin.get("/oauth/userinfo", token)).read(_UserInfo).preferred_username

    def _credentials(self, tokens: _Tokens, name: str, refresh: SecretStr | None = None) -> Credentials:
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
        raise CredentialsRejected("This is not a token of the Hub.", "They look like hf_ and many letters.")
    return token


def _code_of(reply: Reply) -> str:
    error = reply.read_if(_OAuthError)
    return error.error if error else ""


def _refused(reply: Reply) -> SignInError | HubError:
    """What an OAuth error means to the volunteer."""
    match _code_of(reply):
        case "access_denied":
            return SignInError(
                "The sign-in was declined in the browser.", f"If it was not meant so: {_AGAIN}"
            )
        case "expired_token":
            return SignInError("The code was not entered in time.", _AGAIN)
        case "invalid_client" | "unauthorized_client":
            return SignInError(
                "The Hub does not know this app.",
                f"See that {CLIENT_ID_VARIABLE} is right, or sign in by token.",
            )
        case "invalid_scope":
            return SignInError("The Hub does not let this app ask who you are.", "Sign in by token instead.")
    return reply.refusal()
