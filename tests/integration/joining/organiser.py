"""A run that an organiser makes and serves by commands on this machine, with a gate that asks the Hub on loopback."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coordinator.home import Home
from coordinator.settings import Checkpoints, Settings, SwarmSettings
from core.admission.access_token import AccessToken, issue
from core.admission.peer_key import PeerKey
from core.run.join_link import MANIFEST_PATH, JoinLink
from core.run.manifest import RunManifest
from core.signing import SigningKey
from tests.command_line import idlebrush
from tests.coordinator.homes import free_port
from tests.hub.hub_server import CLIENT_ID
from tests.processes.process_tree import ProcessTree, started
from tests.swarms.tiny_run import write_tiny_run


@dataclass(frozen=True)
class Organiser:
    """An organiser who has a run in a folder."""

    home: Home

    @classmethod
    def begin(cls, folder: Path, **run: Any) -> "Organiser":
        """Make a tiny run, by the command."""
        own = cls(Home(folder / "organiser"))
        draft = write_tiny_run(folder / "draft", **run)
        # The website has to listen where its address says, which is not where it would by default.
        place = ("--address", f"http://127.0.0.1:{free_port()}", "--swarm-port", free_port())
        own.say("init", own.home.root, "--run", draft, "--client-id", CLIENT_ID, *place)
        return own

    def edit_settings(self, issuer: str, *, token_seconds: int = 600, **further: Any) -> None:
        """Have the gate ask that provider, and all listen on loopback alone; ``further`` settings differ too.

        Its tokens are good for ``token_seconds``.
        """
        settings = Settings.load(self.home.settings)
        port = settings.swarm.listen[0].rpartition("/")[2]
        changed = {
            "gate": settings.gate.model_copy(update={"issuer": issuer, "token_seconds": token_seconds}),
            "swarm": SwarmSettings(
                listen=(f"/ip4/127.0.0.1/tcp/{port}",),
                auxiliary=False,
                publisher_listen=("/ip4/127.0.0.1/tcp/0",),
            ),
            "checkpoints": Checkpoints(every=5),
            **further,
        }
        settings.model_copy(update=changed).save(self.home.settings)

    @contextmanager
    def serving(self) -> Iterator[ProcessTree]:
        """The command that serves the run, from when all of its processes run; nothing of it is left."""
        with started("-m", "client.cli", "coordinator", "serve", self.home.root, "--headless") as tree:
            for _ in ("bootstrap", "recorder", "publisher", "web"):
                tree.wait_for(r"^(bootstrap|recorder|publisher|web): running")
            yield tree

    def say(self, *words: object) -> str:
        """Run a command of `idlebrush coordinator`, and return its output."""
        done = idlebrush("coordinator", *words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def ban(self, name: str, *, reason: str) -> None:
        """Ban that user with immediate effect."""
        self.say("ban", name, "--reason", reason, "--at-once", "--home", self.home.root)

    @property
    def manifest(self) -> RunManifest:
        return RunManifest.load(self.home.manifest)

    @property
    def address(self) -> str:
        """The address of the website."""
        return Settings.load(self.home.settings).address

    @property
    def link(self) -> str:
        return str(JoinLink(self.address + MANIFEST_PATH, self.manifest.fingerprint))

    def token(self, name: str, identity: Path) -> str:
        """An access token as good as the newest that the gate gave for the peer with that key."""
        now, peer = int(time.time()), PeerKey.load_or_create(identity).peer_id
        token = AccessToken(self.manifest.training_digest, name, peer, now, now + 600)
        return issue(token, SigningKey.load(self.home.gate_key))
