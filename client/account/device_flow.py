"""OAuth's device code flow (RFC 8628): a code is shown, entered in a browser anywhere, and becomes tokens.

Only `client.task`'s process loads this.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from client.account.http_origin import HttpOrigin, Reply
from client.account.tasks import CodeShown
from client.api.errors import ClientError, HubError, SignInError

_DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
_SLOWER = 5.0
"""Seconds between two questions: RFC 8628's default, and what each "slow down" adds."""
_SLOWEST = 60.0

_Token = Annotated[SecretStr, Field(min_length=1, max_length=16 * 1024)]
_Seconds = Annotated[float, Field(gt=0, le=10 * 365 * 86_400)]


class DeviceAnswer(BaseModel):
    """Base of what a Hub answers."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class Tokens(DeviceAnswer):
    access_token: _Token
    refresh_token: _Token | None = None
    id_token: _Token | None = None
    expires_in: _Seconds | None = None


class _Device(DeviceAnswer):
    """Answer that is shown to a person, also in a terminal: it holds nothing but letters, digits and dashes."""

    device_code: _Token
    user_code: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{4,32}$")]
    verification_uri: Annotated[str, Field(pattern=r"^[\x21-\x7e]{1,500}$")]
    verification_uri_complete: Annotated[str, Field(pattern=r"^[\x21-\x7e]{1,500}$")] | None = None
    expires_in: _Seconds
    interval: _Seconds = _SLOWER


class _OAuthError(DeviceAnswer):
    error: str


@dataclass(frozen=True)
class App:
    """An OAuth app of a Hub, and what its user can do where something is wrong with it."""

    client_id: str
    """Public OAuth client id: the app has no secret."""
    again: str
    """Remedy that names the command which begins the sign-in."""
    unknown: str
    """Remedy where the Hub does not know the app, or refuses its scopes."""


class DeviceFlow:
    """Asks one Hub."""

    def __init__(
        self,
        origin: HttpOrigin,
        app: App,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._origin, self._app = origin, app
        self._clock, self._sleep = clock, sleep

    def tokens(self, show: Callable[[CodeShown], None], at_most: float, **fields: str) -> Tokens:
        """Show a code, and wait at most ``at_most`` seconds for it to be entered; ``fields`` go with the request."""
        device = self._request_code(fields)
        address = device.verification_uri_complete or device.verification_uri
        if self._origin.path_of(address) is None:
            raise HubError(f"{self._origin.address} asks you to sign in at another site.", "Do not sign in.")
        seconds = min(device.expires_in, at_most)
        show(CodeShown(address=address, code=device.user_code, seconds=seconds))
        return self._wait_for_grant(device, seconds)

    def _request_code(self, fields: dict[str, str]) -> _Device:
        reply = self._origin.post("/oauth/device", {"client_id": self._app.client_id, **fields})
        if not reply.fine:
            raise refused(reply, self._app)
        return reply.read(_Device)

    def _wait_for_grant(self, device: _Device, seconds: float) -> Tokens:
        """Ask at the pace that the Hub wants; what is inconclusive ends nothing before the code expires."""
        interval, trouble = device.interval, SignInError("The code was not entered in time.", self._app.again)
        deadline = self._clock() + seconds
        while self._clock() < deadline:
            self._sleep(interval)
            try:
                reply = self._ask(device)
                if reply.fine:
                    return reply.read(Tokens)
                if reply.inconclusive:
                    raise reply.refusal()
            except HubError as error:
                interval, trouble = min(interval * 2, _SLOWEST), SignInError(error.what, error.remedy)
                continue
            if (code := code_of(reply)) == "slow_down":
                interval += _SLOWER
            elif code != "authorization_pending":
                raise refused(reply, self._app)
        raise trouble

    def _ask(self, device: _Device) -> Reply:
        code = device.device_code.get_secret_value()
        fields = {"client_id": self._app.client_id, "grant_type": _DEVICE_GRANT, "device_code": code}
        return self._origin.post("/oauth/token", fields)


def code_of(reply: Reply) -> str:
    """Return OAuth's word for what went wrong; empty if there is none."""
    error = reply.read_if(_OAuthError)
    return error.error if error else ""


def refused(reply: Reply, app: App) -> ClientError:
    """Return the error that an OAuth refusal stands for, in the volunteer's terms."""
    match code_of(reply):
        case "access_denied":
            return declined(app)
        case "expired_token":
            return SignInError("The code was not entered in time.", app.again)
        case "invalid_client" | "unauthorized_client":
            return SignInError("The Hub does not know this app.", app.unknown)
        case "invalid_scope":
            return SignInError("The Hub does not let this app ask for your identity.", app.unknown)
    return reply.refusal()


def declined(app: App) -> SignInError:
    return SignInError("The sign-in was declined in the browser.", f"To sign in after all: {app.again}")
