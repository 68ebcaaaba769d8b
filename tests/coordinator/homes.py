"""Homes of coordinators for tests: of a tiny run, on loopback, at ports that are free."""

import contextlib
import secrets
import shutil
import socket
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from coordinator.create import NewRun, create
from coordinator.draft import Draft
from coordinator.home import Home
from coordinator.settings import Checkpoints, GateSettings, Settings, SwarmSettings, Web
from core.admission.peer_key import PeerKey
from tests.coordinator.empty_database import empty_database
from tests.swarms.tiny_run import write_tiny_run

NOW = datetime(2026, 6, 1, tzinfo=UTC)
OPEN = GateSettings(open=True)
EVERY = Checkpoints(every=1)


_given: set[int] = set()
"""Ports that this process was given: two of one coordinator may not be alike."""


def free_port() -> int:
    """One that is free now, below those that systems give to whoever asks for any: it is hardly taken meanwhile."""
    while True:
        port = 20_000 + secrets.randbelow(10_000)
        if port in _given:
            continue
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            _given.add(port)
            return port


def loopback_settings(gate: GateSettings = OPEN, checkpoints: Checkpoints = EVERY) -> Settings:
    """All at free ports of this machine."""
    port = free_port()
    return Settings(
        address=f"http://127.0.0.1:{port}",
        web=Web(port=port),
        swarm=SwarmSettings(
            listen=(f"/ip4/127.0.0.1/tcp/{free_port()}",),
            auxiliary=False,
            publisher_listen=("/ip4/127.0.0.1/tcp/0",),
        ),
        gate=gate,
        checkpoints=checkpoints,
    )


def make_home(folder: Path, settings: Settings | None = None, **run: Any) -> Home:
    """The home of a new tiny run in a folder ``home`` below the one given; its peers have the keys of others'."""
    home = Home(folder / "home")
    put_peer_keys(home)
    draft = Draft.load(write_tiny_run(folder / "tiny", **run), NOW)
    create(home, NewRun(draft), settings or loopback_settings(), NOW)
    return home


def put_peer_keys(home: Home) -> None:
    """Begin a home with the keys of its peers, each of which takes as long to make as a test."""
    identities = (home.bootstrap_identity, home.recorder_identity, home.publisher_identity)
    for number, identity in enumerate(identities):
        identity.parent.mkdir(parents=True, exist_ok=True)
        identity.write_bytes(_peer_key(number))
        identity.chmod(0o400)


@cache
def _peer_key(number: int) -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / str(number)
        PeerKey.load_or_create(file)
        return file.read_bytes()


def copied_home(made: Home, folder: Path) -> Home:
    """A copy of a home that was never served, with a database: all of the same run, at the same ports."""
    home = Home(shutil.copytree(made.root, folder / "home"))
    home.database.write_bytes(empty_database())
    return home
