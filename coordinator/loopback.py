"""A coordinator for a run that is trained on this machine alone: open, on loopback, out of its trainers' way."""

import os
from collections.abc import Callable
from pathlib import Path

from coordinator.create import make_key
from coordinator.home import Home
from coordinator.serving.coordinator import Coordinator
from coordinator.serving.programs import Modules, Programs, Secrets
from coordinator.serving.view import Part, ServingView
from coordinator.settings import Gate, Settings, Swarm, Web

LOOPBACK = "/ip4/127.0.0.1/tcp/0"
SETTINGS = Settings(
    web=Web(port=0),
    swarm=Swarm(listen=(LOOPBACK,), auxiliary=False, publisher_listen=(LOOPBACK,)),
    gate=Gate(open=True),
)
_PARTS = frozenset({Part.BOOTSTRAP, Part.RECORDER, Part.WEB})
"""The trainers keep their own checkpoints here."""


def adopt(home: Home, manifest: Path, organiser_key: Path, bootstrap_identity: Path) -> None:
    """Make a home around a run that lies elsewhere in the same folder; what is there already stays."""
    for folder in (home.root, home.organiser_key.parent, home.bootstrap_identity.parent):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    bootstrap_identity.parent.mkdir(parents=True, exist_ok=True)
    for link, target in (
        (home.manifest.parent, manifest.parent),
        (home.organiser_key, organiser_key),
        (home.bootstrap_identity, bootstrap_identity),
    ):
        if not link.is_symlink():
            link.symlink_to(os.path.relpath(target, link.parent))
    make_key(home.gate_key)
    if not home.settings.exists():
        SETTINGS.save(home.settings)


def beside_trainers(
    home: Home,
    show: Callable[[ServingView], None],
    modules: Modules = Modules(),  # noqa: B008 - frozen
) -> Coordinator:
    """The coordinator of an adopted run; after `Coordinator.open_up` it takes what the trainers leave."""
    secrets = Secrets(home.database_url({}))
    settings = Settings.load(home.settings)
    return Coordinator(Programs(home, settings, secrets, modules, beside=True), show, parts=_PARTS)
