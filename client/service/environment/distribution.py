"""Sets the distribution up in which trainers live on Windows, as a part of what the volunteer's set-up does."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from client.api.environment import WslView
from client.api.errors import SetupError
from client.hosts.wsl.setup import WslSetup, WslSetupPlaces, WslSetupSources
from client.hosts.wsl.stages import WslAction, WslStage
from client.service.context import Context
from core.errors import CoreError


class DistributionSetup:
    """The distribution of one daemon; all methods belong to the event loop."""

    def __init__(self, context: Context, sources: WslSetupSources) -> None:
        """Take up what earlier daemons have left; nothing is started yet."""
        self._context = context
        self._setup = WslSetup(WslSetupPlaces.below(context.paths.distribution), sources)
        self.problem: CoreError | None = None
        """Error for which the distribution could not be fetched, or was not looked at."""

    @property
    def is_ready(self) -> bool:
        """True if the distribution is there, as far as is known."""
        return self._setup.record.stage is WslStage.READY

    @property
    def view(self) -> WslView:
        """The view for snapshots."""
        record = self._setup.record
        return WslView(stage=record.stage, action=record.action, what=record.what, remedy=record.remedy)

    def again(self) -> None:
        """Check everything again: the volunteer asks."""
        self.problem = None
        self._setup.again()

    async def advance(self, fetch: Callable[[], Awaitable[Path]]) -> None:
        """Make the distribution as far as that goes without the volunteer.

        Args:
            fetch: Returns the path of its archive once it is whole and verified.

        Raises:
            SetupError: The volunteer has to do something first.
            CoreError: It cannot be fetched, or WSL does not answer.
        """
        places = self._context.python.places

        async def fetch_anew() -> Path:
            archive = await fetch()
            await asyncio.to_thread(places.show_nothing)  # with the old distribution, its environments go
            return archive

        self.problem = None
        try:
            record = await self._setup.advance(fetch_anew)
        except CoreError as error:
            self.problem = error
            raise
        if record.stage is WslStage.BLOCKED:
            raise SetupError(record.what, record.remedy)
        if record.stage is WslStage.READY:
            await asyncio.to_thread(places.forget_distributions)

    async def turn_on(self) -> None:
        """Turn WSL on with the consent of an administrator; Windows has to restart then.

        Raises:
            SetupError: No administrator agrees, or Windows refuses.
        """
        record = await self._setup.turn_on()
        if record.stage is WslStage.BLOCKED:
            raise SetupError(record.what, record.remedy)

    async def restart(self) -> None:
        """Restart Windows.

        Raises:
            SetupError: The setup does not wait for that, or Windows refuses.
        """
        if self._setup.record.action is not WslAction.RESTART:
            raise SetupError(
                "Windows does not have to restart.", "See `idlebrush setup` for what training waits for."
            )
        await self._setup.restart()

    def require_off(self) -> None:
        """Raise SetupError unless the setup waits for WSL to be turned on."""
        if self._setup.record.action is not WslAction.TURN_ON_WSL:
            raise SetupError(
                "Windows' Subsystem for Linux does not have to be turned on.",
                "See `idlebrush setup` for what training waits for.",
            )
