"""Changes the environment in use, here by a thread, or in a distribution by a process there."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Protocol

from client.environment.kept_setup import KeptSetup
from client.environment.places import EnvironmentPlaces
from client.environment.stages import SetupState
from client.environment.tasks import ChangeEnvironment, EnvironmentChange, EnvironmentChanged
from client.service.context import Context

_SECONDS = 300.0
"""Time limit for a change in a distribution: it may have to be started, and gigabytes removed."""


class EnvironmentKeeper(Protocol):
    """The environment that is kept; each change raises CoreError where it is not possible."""

    @property
    def places(self) -> EnvironmentPlaces:
        """Folders, or what a distribution shows of them."""

    @property
    def state(self) -> SetupState:
        """The saved state."""

    async def made_epoch(self) -> None:
        """Keep the environment in use, and remove the one before it."""

    async def note_damage(self) -> None:
        """Note that packages are missing in the environment in use."""

    async def take_back(self, why: str) -> None:
        """Put the environment before the one in use back; ``why`` says what does not work."""

    async def cancel(self) -> None:
        """Give up the set-up that was under way, and remove what it has fetched and made."""


class LocalKeeper:
    """Keeps the environment on this system."""

    def __init__(self, kept: KeptSetup) -> None:
        """Keep ``kept``."""
        self._kept, self.places = kept, kept.places

    @property
    def state(self) -> SetupState:
        return self._kept.state

    async def made_epoch(self) -> None:
        await asyncio.to_thread(self._kept.made_epoch)

    async def note_damage(self) -> None:
        await asyncio.to_thread(self._kept.note_damage)

    async def take_back(self, why: str) -> None:
        await asyncio.to_thread(partial(self._kept.take_back, why))

    async def cancel(self) -> None:
        await asyncio.to_thread(self._kept.cancel)


class HostedKeeper:
    """Keeps the environment in a distribution."""

    def __init__(self, context: Context, is_there: Callable[[], bool]) -> None:
        """Keep the environment of ``context``; ``is_there`` returns true once the distribution is imported."""
        self._context, self._is_there = context, is_there
        self.places = context.python.places
        self._shown = KeptSetup(self.places)

    @property
    def state(self) -> SetupState:
        return self._shown.state

    async def made_epoch(self) -> None:
        await self._change(EnvironmentChange.MADE_EPOCH)

    async def note_damage(self) -> None:
        await self._change(EnvironmentChange.NOTE_DAMAGE)

    async def take_back(self, why: str) -> None:
        await self._change(EnvironmentChange.TAKE_BACK, why)

    async def cancel(self) -> None:
        if self._is_there():
            await self._change(EnvironmentChange.CANCEL)
        else:
            await asyncio.to_thread(self._shown.cancel)
        await asyncio.to_thread(self.places.forget_distributions)

    async def _change(self, change: EnvironmentChange, why: str = "") -> None:
        context = self._context
        task = ChangeEnvironment(
            root=self.places.root, inside=str(context.python.inside), change=change, why=why
        )
        host = context.modules.trainer_host
        await context.tasks.run(task, EnvironmentChanged, _SECONDS, host=host)


def keeper_of(context: Context, is_there: Callable[[], bool] | None) -> EnvironmentKeeper:
    """Return the keeper of a daemon's environment.

    Args:
        context: State of the daemon.
        is_there: Returns true if the distribution is there in which the environment is; None: it is on this system.
    """
    return (
        LocalKeeper(KeptSetup(context.python.places)) if is_there is None else HostedKeeper(context, is_there)
    )
