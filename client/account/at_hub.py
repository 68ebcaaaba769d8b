"""What is asked of the Hub for a volunteer, by errands: a sign-in by token or code, its renewal, and its end."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from pydantic import SecretStr

from client.account.credentials import Credentials
from client.account.errands import (
    CarriedOut,
    CheckToken,
    CodeShown,
    GrantByCode,
    Granted,
    HubSettings,
    Renew,
    Revoke,
)
from client.api.errors import ClientError, CredentialsRejected
from client.api.snapshot import SignInView
from client.errands import Errands, Shown


@dataclass(frozen=True)
class Patience:
    """Seconds."""

    hub: float = 60.0
    code: float = 3600.0
    """For a code to be entered, if the Hub allows as much."""
    retry: float = 60.0
    """Before the second attempt to load or renew; it doubles with each, up to about an hour."""


class AtHub:
    """Asks one Hub; all of it raises ClientError where that gives no answer or a refusal."""

    def __init__(
        self,
        errands: Errands,
        settings: HubSettings,
        patience: Patience,
        changed: Callable[[], None],
        now: Callable[[], datetime],
    ) -> None:
        """``changed`` is called whenever there is another code."""
        self.code: SignInView | None = None
        """The one that waits to be entered."""
        self._errands, self._settings, self._patience = errands, settings, patience
        self._changed, self._now = changed, now

    async def grant(self, token: SecretStr | None) -> Credentials:
        """Those that the token is, or that a code brings, which lasts until the volunteer has entered it."""
        if token is None:
            by_code = GrantByCode(hub=self._settings)
            granted = await self._errands.run(by_code, Granted, self._patience.code, self._show)
        else:
            check = CheckToken(hub=self._settings, token=token)
            granted = await self._errands.run(check, Granted, self._patience.hub)
        return granted.credentials

    async def renew(self, credentials: Credentials) -> Credentials:
        """New ones in place of those; CredentialsRejected if there are none to be had."""
        if credentials.refresh_token is None:
            raise CredentialsRejected("Your sign-in has expired.", "Sign in again with `idlebrush login`.")
        errand = Renew(hub=self._settings, credentials=credentials)
        return (await self._errands.run(errand, Granted, self._patience.hub)).credentials

    async def revoke(self, credentials: Credentials | None) -> str:
        """Have the Hub forget them, and return what the volunteer can still do there."""
        if credentials is None:
            return ""
        hub = self._settings.endpoint
        if credentials.kind == "token":
            return f"The token itself is still good; {hub}/settings/tokens is where to delete it."
        errand = Revoke(hub=self._settings, credentials=credentials)
        with contextlib.suppress(ClientError):
            if (await self._errands.run(errand, CarriedOut, self._patience.hub)).offered:
                return ""
        return (
            f"The Hub was not told; {hub}/settings/connected-applications is where to take this app's access "
            "back."
        )

    def _show(self, shown: Shown) -> None:
        assert isinstance(shown, CodeShown)
        expires = self._now() + timedelta(seconds=min(shown.seconds, self._patience.code))
        self.code = SignInView(address=shown.address, code=shown.code, expires=expires)
        self._changed()
