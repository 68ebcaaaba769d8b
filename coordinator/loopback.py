"""A coordinator for a run trained on this machine alone: open, on loopback, and with low priority."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

from coordinator.home import Home
from coordinator.serving.coordinator import Coordinator
from coordinator.serving.programs import Modules, Programs, Secrets
from coordinator.serving.view import ServedProcess, ServingView
from coordinator.settings import GateSettings, Settings, SwarmSettings, Web
from core.admission.peer_key import PeerKey
from core.signing import SigningKey

HOST = "127.0.0.1"
PORTS = range(8080, 8100)
"""Ports for the website. It takes the first free one and keeps it."""
_ANY_PORT = (f"/ip4/{HOST}/tcp/0",)
_PARTS = frozenset({ServedProcess.BOOTSTRAP, ServedProcess.RECORDER, ServedProcess.WEB})
"""Parts that run here; there is no publisher, since the trainers keep their own checkpoints."""
_NICENESS = 5
"""Niceness of the processes; at idle priority the website would not start while all cores train."""
_SECONDS_TO_CLOSE = 1.0
"""Seconds for processes with nothing to save to end while a person waits."""


def adopt(home: Home, manifest: Path, organiser_key: Path, bootstrap_identity: Path) -> None:
    """Make a home around a run in the same folder; files that exist already are kept."""
    for folder in (home.organiser_key.parent, home.bootstrap_identity.parent):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    PeerKey.load_or_create(bootstrap_identity)
    for link, target in (
        (home.manifest.parent, manifest.parent),
        (home.organiser_key, organiser_key),
        (home.bootstrap_identity, bootstrap_identity),
    ):
        if not link.is_symlink():
            link.symlink_to(os.path.relpath(target, link.parent))
    SigningKey.load_or_create(home.gate_key)
    known = Settings.load(home.settings) if home.settings.exists() else None
    if known is None or not all(map(_is_free, _ports(known))):
        _settings(known).save(home.settings)


def beside_trainers(
    home: Home,
    show: Callable[[ServingView], None],
    modules: Modules = Modules(),  # noqa: B008 - frozen
) -> Coordinator:
    """Return the coordinator of an adopted run; `Coordinator.open_up` starts all but the bootstrap peer."""
    secrets = Secrets(home.database_url({}))
    programs = Programs(home, Settings.load(home.settings), secrets, modules, niceness=_NICENESS)
    return Coordinator(programs, show, parts=_PARTS, seconds_to_close=_SECONDS_TO_CLOSE)


def _settings(known: Settings | None) -> Settings:
    """Return settings with free ports; those of the ``known`` settings stay where they are free."""
    port = next(filter(_is_free, (*((known.web.port,) if known else ()), *PORTS)), None) or _any_free()
    # A trainer that runs on while the coordinator is started again finds the swarm where it was.
    entry = known.swarm.listen if known and all(map(_is_free, _ports(known)[1:])) else None
    entry = entry or (f"/ip4/{HOST}/tcp/{_any_free()}",)
    return Settings(
        address=f"http://{HOST}:{port}",
        web=Web(host=HOST, port=port),
        swarm=SwarmSettings(listen=entry, auxiliary=False, publisher_listen=_ANY_PORT),
        gate=GateSettings(open=True),
    )


def _ports(settings: Settings) -> tuple[int, ...]:
    """Return the ports of the website and of the bootstrap peer; port 0, which earlier versions wrote, is free."""
    listen = (int(address.rpartition("/tcp/")[2]) for address in settings.swarm.listen)
    return (settings.web.port, *(port for port in listen if port))


def _is_free(port: int) -> bool:
    try:
        with socket.create_server((HOST, port)):
            return True
    except OSError:
        return False


def _any_free() -> int:
    with socket.create_server((HOST, 0)) as server:
        return int(server.getsockname()[1])
