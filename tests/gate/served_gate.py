"""A coordinator's real gate at a port of this machine; it keeps all that it was ever sent, and misbehaves if told."""

import asyncio
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import requests
import uvicorn
from sqlalchemy import delete

from coordinator.database.connect import Database
from coordinator.database.tables import Epoch, Frame
from coordinator.gate.entry import invite
from coordinator.gate.moderation import ban
from coordinator.home import Home
from coordinator.settings import GateSettings, Settings
from coordinator.web import downloads
from coordinator.web.context import WebContext
from coordinator.web.pages import pictures, progress
from core.run.contact import Contact, GateRules
from core.run.join_link import MANIFEST_PATH, JoinLink
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.storage.files import sha256_of
from tests.gate.gate_life import AdvancedClock, bare_app
from tests.hub.hub_server import HubServer
from tests.swarms.tiny_run import write_tiny_run

CLIENT_ID = "idlebrush-test-app"


@dataclass(frozen=True)
class Instead:
    """An answer in place of the normal one."""

    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = field(default_factory=dict)
    drips: bool = False
    """True if single bytes arrive slowly for as long as the client listens."""


@dataclass
class ServedGate:
    address: str
    hub: HubServer
    context: WebContext
    clock: AdvancedClock
    organiser: SigningKey
    received: list[bytes] = field(default_factory=list)
    """Request lines, headers and bodies."""
    instead: dict[str, Instead] = field(default_factory=dict)
    """Answers that replace the normal ones, by path."""
    ending: threading.Event = field(default_factory=threading.Event)

    @property
    def manifest(self) -> RunManifest:
        return self.context.manifest

    @property
    def run(self) -> str:
        return self.manifest.training_digest

    @property
    def gate(self) -> str:
        assert self.manifest.contact.gate is not None
        return self.manifest.contact.gate.key

    def link(self, invitation: str | None = None) -> str:
        return str(JoinLink(self.address + MANIFEST_PATH, self.manifest.fingerprint, invitation))

    def asked(self, path: str) -> int:
        """Return the number of requests for that path."""
        return sum(path.encode() in request.split(b"\n")[0] for request in self.received)

    def ban(self, name: str, reason: str) -> None:
        with self.context.database.session() as session:
            ban(session, name, reason=reason, at_once=False, actor="mia", now=self.clock())

    def invite(self) -> str:
        with self.context.database.session() as session:
            return invite(session, uses=1, days=1, actor="mia", now=self.clock())

    def hang(self, epoch: int, picture: bytes, generation: int = 0) -> None:
        """Have a frame of the run's time-lapse, as the recorder would."""
        self.context.home.frames.mkdir(exist_ok=True)
        file = self.context.home.frames / f"g{generation}-epoch-{epoch:07d}.webp"
        file.write_bytes(picture)
        about = {"sha256": sha256_of(file), "size": len(picture), "file": file.name, "peer_id": "12D3KooW"}
        with self.context.database.session() as session:
            session.merge(Frame(generation=generation, epoch=epoch, **about))

    def forget_pictures(self) -> None:
        """Delete the frames, and the epochs that they are of."""
        with self.context.database.session() as session:
            for table in (Frame, Epoch):
                session.execute(delete(table))

    def commit(self, epoch: int, generation: int = 0, loss: float | None = 3.0) -> None:
        """Have seen an epoch of the run."""
        about = {"samples": 64, "peers": 2, "seconds": 1.5, "root": "ab" * 32, "traffic": None}
        with self.context.database.session() as session:
            session.merge(Epoch(generation=generation, epoch=epoch, time=self.clock(), loss=loss, **about))

    def reissue(self, **contact: Any) -> None:
        """Have the organiser say again where the run is found."""
        before = self.manifest.contact
        update = {"serial": before.serial + 1, **contact}
        self.manifest.reissue_contact(before.model_copy(update=update), self.organiser).save(
            self.context.home.manifest
        )

    def take_back(self) -> None:
        """Have the run go on in another generation."""
        self.manifest.roll_back(self.organiser).save(self.context.home.manifest)


@contextmanager
def served_gate(folder: Path, hub: HubServer, **gate: Any) -> Iterator[ServedGate]:
    """Serve the gate of a new tiny run, which admits anyone unless the settings say otherwise."""
    listening = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    home, key, organiser, clock = Home(folder), SigningKey.generate(), SigningKey.generate(), AdvancedClock()
    _write_run(home.manifest, address, key, organiser)
    chosen = {"client_id": CLIENT_ID, "issuer": hub.address, **gate}
    settings = Settings(address=address, gate=GateSettings(**chosen))
    database = Database.open(f"sqlite:///{home.database}")
    context = WebContext(home=home, settings=settings, database=database, gate_key=key, clock=clock)
    served = ServedGate(address, hub, context, clock, organiser)
    server = uvicorn.Server(uvicorn.Config(_Recording(served), log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield served
    finally:
        served.ending.set()
        server.should_exit = True
        thread.join()
        listening.close()
        database.close()


def see(hub: HubServer, address: str, name: str) -> requests.Response:
    """Open an address as the browser of a person who consents, and follow its redirects."""
    hub.openid.browser = name
    return requests.get(address, timeout=10)


def _write_run(manifest: Path, address: str, gate: SigningKey, organiser: SigningKey) -> None:
    training = RunManifest.load(write_tiny_run(manifest.parent)).training
    contact = Contact(
        title="A gated run",
        coordinator=address,
        gate=GateRules(key=gate.public_key),
        issued_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    RunManifest.create(training, contact, organiser).save(manifest)


class _Recording:
    """The app, and a record of all that comes."""

    def __init__(self, served: ServedGate) -> None:
        self._served, self._app = served, bare_app(served.context)
        self._app.include_router(downloads.router)
        self._app.include_router(progress.router)
        self._app.include_router(pictures.router)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        headers = b"\n".join(name + b": " + value for name, value in scope["headers"])
        target = scope["path"].encode() + b"?" + scope["query_string"]
        self._served.received.append(b"\n".join((scope["method"].encode() + b" " + target, headers, body)))
        if instead := self._served.instead.get(scope["path"]):
            await self._misbehave(instead, send)
            return
        given = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Any:
            return given.pop() if given else await receive()

        await self._app(scope, replay, send)

    async def _misbehave(self, instead: Instead, send: Any) -> None:
        headers = [(name.encode(), value.encode()) for name, value in instead.headers.items()]
        await send({"type": "http.response.start", "status": instead.status, "headers": headers})
        while instead.drips and not self._served.ending.is_set():
            await send({"type": "http.response.body", "body": b" ", "more_body": True})
            await asyncio.sleep(0.05)
        await send({"type": "http.response.body", "body": instead.body})
