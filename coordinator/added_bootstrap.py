"""Runs a bootstrap peer on a machine of its own, which volunteers enter by beside the coordinator's.

Its identity stays, and it follows the run's manifest. The organiser admits it by naming it in the contact part.
"""

import asyncio
import logging
import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from coordinator.errors import EntryError, GateRefusal
from coordinator.home import Home
from coordinator.messages import FROM_BOOTSTRAP, BootstrapChildMessage
from coordinator.run_source import ManifestSource
from coordinator.serving.programs import RENEWALS, pause_after
from core.admission.peer_key import PeerKey
from core.children import logs
from core.children.keeper import Keeper
from core.children.outcome import Ending, Outcome
from core.children.program import Program
from core.ending_signals import call_at_ending_signals
from core.errors import CoreError
from core.messages.children import Admit, BootstrapReady, StartBootstrap
from core.messages.reach import RelayBounds, RelayDue, RelayUsedUp
from core.run.manifest import RunManifest
from core.tasks import end_tasks

_log = logging.getLogger(__name__)
_ADDRESS = re.compile(r"/(?:ip4|ip6|dns|dns4|dns6)/([^/]+)/tcp/(\d{1,5})")
_CLOSE_SECONDS = 5.0
_LOG = "bootstrap"


@dataclass(frozen=True)
class AskingPace:
    """Seconds between what an added bootstrap peer asks its run's coordinator."""

    manifest: float = 30.0
    """Seconds from a look at the manifest to the next; a rollback is noticed by it."""
    refused: float = 10.0
    """Seconds from a token that was refused to the next request."""


@dataclass(frozen=True)
class AddedBootstrap:
    """Settings of a bootstrap peer on a machine of its own."""

    home: Home
    """Folder of its identity, its manifest and its logs."""
    address: str
    """Public multiaddress at which volunteers reach it, without its peer id."""
    port: int | None = None
    """Port to listen on, if a router forwards the address's port to another one."""
    relay: RelayBounds | None = None
    """Bounds within which it relays for homes behind routers; None: it does not."""

    @property
    def listen(self) -> tuple[str, ...]:
        """Multiaddresses to listen on: all of this machine's, or its loopback one for a trial.

        Raises EntryError if the public address is malformed.
        """
        found = _ADDRESS.fullmatch(self.address)
        if found is None or not 0 < int(found[2]) < 1 << 16:
            raise EntryError(
                f"{self.address!r} is no address of a machine.",
                "It looks like /dns/entry.example.org/tcp/31330 or /ip4/203.0.113.7/tcp/31330.",
            )
        port = self.port or int(found[2])
        if found[1] == "127.0.0.1":
            return (f"/ip4/127.0.0.1/tcp/{port}",)
        return (f"/ip4/0.0.0.0/tcp/{port}", f"/ip6/::/tcp/{port}")


def serve(peer: AddedBootstrap, source: ManifestSource, show: Callable[[str], None]) -> None:
    """Keep the bootstrap peer until SIGINT, SIGTERM or SIGHUP; ``show`` is called with lines for the organiser.

    Raises:
        CoreError: it cannot begin, or can never go on.
    """
    listen, home = peer.listen, peer.home
    if home.organiser_key.exists():
        raise EntryError(
            f"{home.root} is a coordinator's folder, and `serve` runs its bootstrap peer.",
            "Choose another folder, on another machine.",
        )
    with home.locked(), logs.kept_in(home.log("coordinator"), "coordinator", "core"):
        asyncio.run(_serve(peer, listen, source, show))


async def _serve(
    peer: AddedBootstrap, listen: tuple[str, ...], source: ManifestSource, show: Callable[[str], None]
) -> None:
    def both(text: str) -> None:
        _log.info("%s", text)
        show(text)

    service = BootstrapService(peer, listen, source, both)
    call_at_ending_signals(service.stop)
    await service.run()


class BootstrapService:
    """One session of an added bootstrap peer, from the first request to the end of its process."""

    def __init__(
        self,
        peer: AddedBootstrap,
        listen: tuple[str, ...],
        source: ManifestSource,
        show: Callable[[str], None],
        pace: AskingPace = AskingPace(),
    ) -> None:
        """Prepare the session; nothing is asked before `run`."""
        self._peer, self._listen, self._source, self._show, self._pace = peer, listen, source, show, pace
        self._key = PeerKey.load_or_create(peer.home.bootstrap_identity)
        self.entry = f"{peer.address}/p2p/{self._key.peer_id}"
        """Multiaddress that the organiser adds to the contact part."""
        self._manifest: RunManifest | None = None
        self._token: str | None = None
        self._seconds = 0.0
        self._is_named: bool | None = None
        self._last = ""
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._tasks: list[asyncio.Future[None]] = []
        self._keeper: Keeper[Any] = Keeper(
            self._program, FROM_BOOTSTRAP, self._handle, self._lose, pause_after
        )

    def stop(self) -> None:
        """End `run`."""
        if not self._ended.done():
            self._ended.set_result(None)

    async def run(self) -> None:
        """Serve until `stop`; raise CoreError if the peer can never go on."""
        self._begin(self._work())
        try:
            await self._ended
        finally:
            await self._keeper.stop(_CLOSE_SECONDS)
            await end_tasks(self._tasks)

    async def _work(self) -> None:
        try:
            manifest = await self._first_manifest()
            self._show(f"{manifest.contact.title}; its organiser's key is {manifest.fingerprint}")
            self._show(f"this bootstrap peer: {self.entry}")
            self._take(manifest)
            await self._admitted(manifest)
            for work in (self._follow(), self._renew_tokens()):
                self._begin(work)
            await self._keeper.run()
        except CoreError as error:
            if not self._ended.done():
                self._ended.set_exception(error)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(asyncio.ensure_future(work))

    async def _first_manifest(self) -> RunManifest:
        """Return the newest manifest, or the one that is kept here if the coordinator does not answer."""
        try:
            return await asyncio.to_thread(self._source.newest)
        except EntryError as error:
            kept = self._source.kept()
            if kept is None:
                raise
            self._tell(f"{error} The manifest that is kept here is used.")
            return kept

    def _take(self, manifest: RunManifest) -> bool:
        """Take in a manifest; return true if the peer has to start again for it."""
        before, self._manifest = self._manifest, manifest
        named = self.entry in manifest.contact.initial_peers
        if named != self._is_named:
            self._is_named = named
            self._show(
                "the run's contact part names it: volunteers can enter by it"
                if named
                else "the run's contact part does not name it. On the coordinator's machine: "
                f"idlebrush coordinator contact add {self.entry}"
            )
        if before is None:
            return False
        return (before.state, before.contact.gate) != (manifest.state, manifest.contact.gate)

    async def _admitted(self, manifest: RunManifest) -> None:
        """Wait until the run's gate has given a token; not at all in an open run."""
        while not await self._take_token(manifest):
            await asyncio.sleep(self._pace.refused)

    async def _take_token(self, manifest: RunManifest) -> bool:
        """Ask for a new token; return false, having told why, if none is given."""
        try:
            given = await asyncio.to_thread(self._source.token, manifest, self._key)
        except (EntryError, GateRefusal) as error:
            self._tell(f"no access token: {error}")
            return False
        self._last = ""
        if given is not None:
            self._token, self._seconds = given
        return True

    async def _renew_tokens(self) -> None:
        """Renew the token thrice in its life, as long as the run has a gate."""
        seconds = self._seconds / RENEWALS
        while True:
            await asyncio.sleep(seconds or self._pace.manifest)
            is_given = self._manifest is not None and await self._take_token(self._manifest)
            seconds = self._seconds / RENEWALS if is_given else self._pace.refused
            if is_given and self._token is not None:
                await self._keeper.send(Admit(token=self._token))

    async def _follow(self) -> None:
        """Look at the newest manifest, and start the peer again for another generation or gate."""
        while True:
            await asyncio.sleep(self._pace.manifest)
            logs.bound(self._peer.home.log(_LOG))
            try:
                manifest = await asyncio.to_thread(self._source.newest)
            except CoreError as error:
                self._tell(f"the manifest cannot be looked at: {error}")
                continue
            if self._take(manifest):
                self._show(f"the run is in generation {manifest.state.generation}: the peer starts again")
                await self._admitted(manifest)
                await self._keeper.renew(_CLOSE_SECONDS)

    def _program(self) -> Program:
        home, log = self._peer.home, self._peer.home.log(_LOG)
        logs.rotate(log)
        start = StartBootstrap(
            manifest=home.manifest,
            listen=self._listen,
            identity=home.bootstrap_identity,
            relay=self._peer.relay,
            admission=self._token,
        )
        return Program(
            "bootstrap peer", "coordinator.bootstrap", start, log, environment={"OMP_NUM_THREADS": "1"}
        )

    def _handle(self, message: BootstrapChildMessage) -> None:
        match message:
            case BootstrapReady():
                self._show(f"running: the swarm is entered at {self.entry}")
            case RelayUsedUp():
                self._show(
                    f"it has relayed {message.gigabytes:.2f} GB today, of {message.total:.2f}, and relays again from "
                    "00:00 UTC on"
                )
            case RelayDue():
                self._begin(self._keeper.renew(_CLOSE_SECONDS))
            case _:
                pass

    def _lose(self, outcome: Outcome, again: bool) -> None:
        if outcome.ending is not Ending.FORCED and not self._ended.done():
            self._show(
                outcome.sentence() + (" It is started again." if again else " It is not started again.")
            )

    def _tell(self, text: str) -> None:
        """Show a line, but not twice in a row, since requests are repeated."""
        if text != self._last:
            self._last = text
            self._show(text)
