"""Calls the Hub for the volunteer's account: sign-in by token or code, renewal, and sign-out."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from pydantic import SecretStr

from client.account.credentials import Credentials
from client.account.tasks import (
    CarriedOut,
    CheckToken,
    CodeShown,
    GrantByCode,
    HubSettings,
    Renew,
    Revoke,
    SignInGrant,
)
from client.api.errors import ClientError, CredentialsRejected
from client.api.snapshot import SignInView
from client.state_file import utc_now
from client.task_kinds import Shown
from client.tasks import TaskRunner


@dataclass(frozen=True)
class HubPatience:
    """Time limit of a request in seconds."""

    hub: float = 60.0
    code: float = 3600.0
    """Time limit for entering a code, unless the Hub sets a shorter one."""
    retry: float = 60.0
    """Pause before the second attempt to load or renew; it doubles with each attempt, up to about an hour."""


class AtHub:
    """Asks one Hub; all of it raises ClientError where that gives no answer or a refusal."""

    def __init__(
        self,
        tasks: TaskRunner,
        settings: HubSettings,
        patience: HubPatience,
        changed: Callable[[], None],
    ) -> None:
        """Prepare to ask the Hub; ``changed`` is called whenever there is another code."""
        self.code: SignInView | None = None
        """The one that waits to be entered."""
        self._tasks, self._settings, self._patience = tasks, settings, patience
        self._changed = changed

    async def grant(self, token: SecretStr | None) -> Credentials:
        """Return credentials for a token, or for a code, once the volunteer has entered it."""
        if token is None:
            by_code = GrantByCode(hub=self._settings)
            granted = await self._tasks.run(by_code, SignInGrant, self._patience.code, self._show)
        else:
            check = CheckToken(hub=self._settings, token=token)
            granted = await self._tasks.run(check, SignInGrant, self._patience.hub)
        return granted.credentials

    async def renew(self, credentials: Credentials) -> Credentials:
        """Exchange credentials for new ones. Raises CredentialsRejected if they cannot be renewed."""
        if credentials.refresh_token is None:
            raise CredentialsRejected("Your sign-in has expired.", "Sign in again with `idlebrush login`.")
        task = Renew(hub=self._settings, credentials=credentials)
        return (await self._tasks.run(task, SignInGrant, self._patience.hub)).credentials

    async def revoke(self, credentials: Credentials | None) -> str:
        """Revoke the credentials at the Hub, and return a sentence about what remains to be done by hand."""
        if credentials is None:
            return ""
        hub = self._settings.endpoint
        if credentials.kind == "token":
            return f"The token itself stays valid. Delete it at {hub}/settings/tokens."
        task = Revoke(hub=self._settings, credentials=credentials)
        with contextlib.suppress(ClientError):
            if (await self._tasks.run(task, CarriedOut, self._patience.hub)).offered:
                return ""
        return f"The Hub was not notified. Revoke this app's access at {hub}/settings/connected-applications."

    def _show(self, shown: Shown) -> None:
        assert isinstance(shown, CodeShown)
        expires = utc_now() + timedelta(seconds=min(shown.seconds, self._patience.code))
        self.code = SignInView(address=shown.address, code=shown.code, expires=expires)
        self._changed()
