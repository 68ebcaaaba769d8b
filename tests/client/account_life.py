"""One volunteer's account in one or several lives of a daemon, with real tasks and a Hub on loopback."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from client.account.account import Account
from client.account.at_hub import HubPatience
from client.account.credentials import CredentialsFile
from client.account.safekeeping import Safekeeping
from client.account.tasks import HubSettings
from client.tasks import TaskRunner
from tests.desktops.keyring_daemon import NO_BUS
from tests.hub.hub_server import CLIENT_ID, HubServer


@dataclass
class AccountLife:
    """One life of a daemon's account; the folder lasts from one to the next."""

    folder: Path
    hub: HubServer
    environment: dict[str, str] = field(default_factory=lambda: dict(NO_BUS))
    changes: int = 0

    @property
    def file(self) -> Path:
        return self.folder / "data" / "credentials.json"

    def account(self) -> Account:
        (self.folder / "data").mkdir(exist_ok=True)
        tasks = TaskRunner(self.folder / "logs" / "tasks.log", self.environment)
        note = self.folder / "data" / "account.json"
        keeping = Safekeeping(tasks, self.hub.address, note, CredentialsFile(self.file), seconds=10)
        settings = HubSettings(endpoint=self.hub.address, client_id=CLIENT_ID)
        return Account(tasks, settings, keeping, self._changed, HubPatience(hub=20, code=30, retry=0.2))

    def live(self, deed: Callable[[Account], Awaitable[None]]) -> None:
        """Run the account in the background while the deed is done."""

        async def live() -> None:
            account = self.account()
            background = asyncio.create_task(account.run())
            try:
                await deed(account)
            finally:
                background.cancel()
                await asyncio.wait({background})
                if not background.cancelled():
                    background.result()

        asyncio.run(live())

    def _changed(self) -> None:
        self.changes += 1


def kept_token(account: Account) -> str:
    assert account.credentials
    return account.credentials.token.get_secret_value()


def name_shown(account: Account) -> str | None:
    """Return the name of the signed-in user as snapshots show it, or None."""
    return account.view.name if account.view else None


def code_shown(account: Account) -> str | None:
    return account.sign_in_view.code if account.sign_in_view else None
