"""The process that serves the swarm on this computer for the daemon: `python -m client.local_swarm`.

It runs a coordinator on loopback and one trainer beside the daemon's own. Where `idlebrush demo` serves the same
folder already, it waits, and takes over when that ends. It ends at the end of its input.
"""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from pydantic import TypeAdapter

from client.api.errors import FolderError, FolderInUse
from client.demo.demo import Coordinate, Demo, DemoSettings
from client.demo.folder import DemoFolder, prepare
from client.demo.messages import LIMITS, LocalSwarmNow, StartLocalSwarm, SwarmLimits
from client.demo.progress import DemoState
from client.joining.embedded import MANIFESTS, EmbeddedSet, lent_model, shipped_model
from client.joining.run_card import RunCard
from core.children import child
from core.errors import CoreError
from core.messages.lines import Channel
from core.packages import PackageSet, require
from core.run.manifest import RunManifest

_LOOK_SECONDS = 0.5
"""Seconds between two looks at a folder that another process serves."""


def main() -> NoReturn:
    child.live(TypeAdapter(StartLocalSwarm), serve)


def serve(start: StartLocalSwarm, channel: Channel) -> None:
    """Serve until the input ends; CoreError where that cannot be gone on with."""
    require(PackageSet.TRAINER, PackageSet.COORDINATOR)
    from client.demo.coordinating import coordinate

    asyncio.run(SwarmServer(start, channel, coordinate).run())


class SwarmServer:
    """The swarm, from the first message of the daemon to the end of the input."""

    def __init__(self, start: StartLocalSwarm, channel: Channel, coordinate: Coordinate) -> None:
        """Prepare to serve the folder that ``start`` names; ``coordinate`` makes its coordinator."""
        self._start, self._channel, self._coordinate = start, channel, coordinate
        self._folder = DemoFolder(start.folder)
        self._limits = start.limits
        self._demo: Demo | None = None
        self._ended = asyncio.Event()
        self._told: LocalSwarmNow | None = None

    async def run(self) -> None:
        loop = asyncio.get_running_loop()

        def hear(limits: SwarmLimits) -> None:
            asyncio.run_coroutine_threadsafe(self._limit(limits), loop)

        self._channel.listen(LIMITS, hear, lambda: loop.call_soon_threadsafe(self._end))
        while not self._ended.is_set():
            try:
                with self._folder.locked():
                    await self._serve()
                return
            except FolderInUse:
                self._tell(LocalSwarmNow(is_shared=True, manifest=self._known_manifest()))
            await _wait(self._ended, _LOOK_SECONDS)

    async def _serve(self) -> None:
        start = self._start
        try:
            prepare(self._folder, start.embedded, EmbeddedSet.STARTER, keeps_rules=True)
            lend_shipped_model(self._folder, start.embedded)
        except OSError as error:
            raise FolderError(
                f"{start.folder} cannot be written to: {error.strerror or error}.",
                "Free some space on that disk, then start the swarm again.",
            ) from error
        settings = DemoSettings(
            start.folder,
            start.embedded,
            peers=1,
            threads=1,
            limits=self._limits,
            is_idle=start.is_idle,
            serves_on=True,
        )
        self._demo = Demo(settings, self._folder, self._show, self._coordinate)
        await self._demo.run()

    async def _limit(self, limits: SwarmLimits) -> None:
        self._limits = limits
        if self._demo is not None:
            await self._demo.limit(limits)

    def _end(self) -> None:
        self._ended.set()
        if self._demo is not None:
            self._demo.interrupt()

    def _show(self, state: DemoState) -> None:
        # Whoever is first in a swarm decides where it stands: the trainer with the kept checkpoint has to be.
        manifest = self._folder.manifest if state.has_entry and state.all_joined else None
        self._tell(LocalSwarmNow(manifest=manifest, web=state.web, notices=state.notices))

    def _known_manifest(self) -> Path | None:
        """Return the manifest of a swarm that another process serves, once it can be entered by it."""
        try:
            RunCard.load(self._folder.manifest.parent)
            contact = RunManifest.load(self._folder.manifest).contact
        except CoreError:
            return None
        return self._folder.manifest if contact.initial_peers and contact.coordinator else None

    def _tell(self, now: LocalSwarmNow) -> None:
        if now != self._told:
            self._told = now
            self._channel.send(now)


def lend_shipped_model(folder: DemoFolder, embedded: Path) -> None:
    """Copy the model that is shipped with the starter run, so that it can draw for this run of the same rules too.

    The copy is of this run's digest.
    """
    shipped, lent = shipped_model(embedded), lent_model(folder.root)
    if shipped is None or shipped_model(lent) is not None:
        return
    own = RunManifest.load(folder.manifest)
    if own.training != RunManifest.load(embedded / MANIFESTS[EmbeddedSet.STARTER]).training:
        return  # a swarm of an earlier version of this program
    # Here, since it loads PyTorch, which nothing else in this process needs.
    from core.storage import checkpoint

    state = checkpoint.load(shipped.checkpoint)
    lent.mkdir(exist_ok=True)
    checkpoint.save(lent / "checkpoint", replace(state, training_digest=own.training_digest))


async def _wait(event: asyncio.Event, seconds: float) -> None:
    """Return once the event is set, or after ``seconds``."""
    await asyncio.wait({waiting := asyncio.ensure_future(event.wait())}, timeout=seconds)
    waiting.cancel()


if __name__ == "__main__":
    main()
