"""Sets the distribution up in which trainers live on Windows, as a part of what the volunteer's set-up does."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from client.api.environment import WslView, WslWarning
from client.api.errors import SetupError
from client.hosts.wsl.setup import WslSetup, WslSetupPlaces, WslSetupSources
from client.hosts.wsl.stages import WslAction, WslStage
from client.service.context import Context
from core.errors import ChildError, CoreError


class DistributionSetup:
    """The distribution of one daemon; all methods belong to the event loop."""

    def __init__(self, context: Context, sources: WslSetupSources) -> None:
        """Take up what earlier daemons have left; nothing is started yet."""
        self._context = context
        self._setup = WslSetup(WslSetupPlaces.below(context.paths.distribution), sources)
        self.problem: CoreError | None = None
        """Error for which the distribution could not be fetched, or was not looked at."""
        self._is_unused = asyncio.Event()
        """Set once an update of WSL may end all that runs in the distribution."""

    @property
    def is_ready(self) -> bool:
        """True if the distribution is there, as far as is known."""
        return self._setup.record.stage is WslStage.READY

    @property
    def view(self) -> WslView:
        """The view for snapshots."""
        record = self._setup.record
        warnings = tuple(
            WslWarning(action=each.action, what=each.finding.found, remedy=each.finding.remedy)
            for each in self._setup.warnings
            if each.action is not None
        )
        return WslView(
            stage=record.stage,
            action=record.action,
            what=record.what,
            remedy=record.remedy,
            warnings=warnings,
        )

    @property
    def is_updating(self) -> bool:
        """True from when an update of WSL was asked for, to its end."""
        return self._setup.record.stage is WslStage.UPDATING

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
        self._require(WslAction.RESTART, "Windows does not have to restart.")
        await self._setup.restart()

    async def restart_into_firmware(self) -> None:
        """Restart into the firmware's settings with the consent of an administrator.

        Raises:
            SetupError: Nothing has to be changed there, no administrator agrees, or the firmware does not offer it.
        """
        self._require(WslAction.CHANGE_FIRMWARE, "Nothing has to be changed in the firmware's settings.")
        await self._setup.restart_into_firmware()

    def announce_update(self) -> None:
        """Note that WSL is about to be updated; SetupError if there is nothing to update."""
        self._require(WslAction.UPDATE_WSL, "Windows' Subsystem for Linux does not have to be updated.")
        self._is_unused.clear()
        self._setup.announce_update()

    def release(self) -> None:
        """Let the update of WSL begin: nothing of Idlebrush's runs in the distribution."""
        self._is_unused.set()

    async def update(self) -> None:
        """Update WSL once it is released.

        Raises:
            SetupError: WSL was not updated.
        """
        try:
            await self._setup.update(self._is_unused.wait)
        except ChildError as error:
            raise SetupError(error.what, error.remedy) from error

    def require_off(self) -> None:
        """Raise SetupError unless the setup waits for WSL to be turned on."""
        self._require(WslAction.TURN_ON_WSL, "Windows' Subsystem for Linux does not have to be turned on.")

    def _require(self, action: WslAction, otherwise: str) -> None:
        """Raise SetupError, whose sentence is ``otherwise``, unless the newest check asks for the action."""
        asked = {self._setup.record.action, *(each.action for each in self._setup.warnings)}
        if action not in asked:
            raise SetupError(otherwise, "See `idlebrush setup` for what training waits for.")
