"""Remote control in the daemon: both sides of it, wired, and their life."""

import asyncio
import platform
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from client.account.credentials import Keep
from client.api.answers import Done
from client.api.remote.control import RemoteControlView
from client.remote.identity import IdentityStore
from client.remote.kept import PairedComputers
from client.remote.pairing import clean_name
from client.service.context import Context
from client.service.remote.calling import CallTiming
from client.service.remote.controlled import ControlledSide, RemoteCalls
from client.service.remote.controlling import ControllingSide
from client.service.remote.listener import RemoteLimits

_REPLACED = (
    "The password of this computer's key was lost, so that it has a new key, which your other computers do not know. "
    "Pair it with each of them again."
)


@dataclass(frozen=True)
class RemoteSettings:
    """Limits, patience and name of remote control; tests replace parts of it."""

    limits: RemoteLimits = field(default_factory=RemoteLimits)
    timing: CallTiming = field(default_factory=CallTiming)
    name: str = field(default_factory=platform.node)
    """Name of this computer for others."""
    keep: Keep = Keep.KEYRING
    """Place of the key's password, where there is a keyring."""
    turn: float = 2.0
    """Seconds between two looks at the preferences, whose file may have been edited."""


class RemoteControl:
    """Both sides of remote control; `live` does its work until it is cancelled."""

    def __init__(self, context: Context, settings: RemoteSettings) -> None:
        """Load the paired computers; nothing listens before `live`.

        Args:
            context: What the daemon's parts share.
            settings: Limits, patience and name.
        """
        name, paired = clean_name(settings.name), PairedComputers(context.paths.remote)
        if paired.problem is not None:
            context.notice(str(paired.problem))

        def tell() -> None:
            if paired.controllers or paired.computers:
                context.notice(_REPLACED)

        store = IdentityStore(context.paths.remote, context.tasks, settings.keep, tell)
        self._controlled = ControlledSide(context, paired, store, settings.limits, name)
        self._controlling = ControllingSide(context, paired, store, settings.timing, name)
        self._seconds, self._woken = settings.turn, asyncio.Event()

    async def live(self, calls: RemoteCalls) -> None:
        """Follow the preferences, until cancelled; paired computers reach the daemon's other parts by ``calls``."""
        self._controlled.calls = calls
        try:
            while True:
                await self._controlled.follow()
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._seconds):
                        await self._woken.wait()
                self._woken.clear()
        finally:
            await self._controlled.silence()
            await self._controlling.close()

    def follow(self) -> None:
        """Look at the preferences soon."""
        self._woken.set()

    def publish(self) -> None:
        """Send the latest snapshot to all paired computers that watch, soon."""
        self._controlled.publish()

    @property
    def view(self) -> RemoteControlView:
        """Remote control of this computer as front ends show it."""
        return self._controlled.view

    @property
    def by_kind(self) -> dict[type[Any], Callable[[Any], Awaitable[Done]]]:
        """The functions that answer requests about remote control, by the kind of request."""
        return {**self._controlled.by_kind, **self._controlling.by_kind}
