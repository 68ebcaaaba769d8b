"""The seat of one peer in a benchmarked swarm: what its process is started with, and how that process prepares."""

import json
import multiprocessing
import os
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from core.children import logs, parent_death
from core.memory.search import PlanChoices
from core.model.techniques import Precision
from core.run.manifest import RunManifest
from core.swarm.admission.admission import Admission
from core.swarm.dht import Network, start_dht
from core.swarm.membership.run_state import RunStateValidator
from core.swarm.wire.identity import PeerIdentity
from core.trainer.placement import Resources
from core.trainer.settings import TrainerSettings
from tests.swarms.hivemind_locks import own_locks


@dataclass(frozen=True)
class PeerSeat:
    """One peer of a swarm, as its process is told of it."""

    folder: Path
    """Folder of the swarm, in which each peer has one of its name."""
    name: str
    manifest: Path
    initial_peers: tuple[str, ...]
    tokens: tuple[str, ...]
    """Access tokens of this peer and of further peers of its user, whose identities `identity_of` reads."""
    seed: int
    """Seed of the order in which this peer's trainer reads the data."""
    share: float
    """Share of the time in which its trainer computes."""
    micro_batch: int
    snapshot_every: int
    """Epochs between two snapshots of the parameters."""
    attack: str = ""
    """Name of its attack; empty for an honest peer."""
    hostile: int = 0
    """Number of this peer among the hostile ones."""
    options: dict[str, Any] = field(default_factory=dict)
    """Arguments of the attack."""
    threads: int = 1
    """Threads with which its trainer computes."""
    precision: Precision | None = None
    """Type in which its trainer computes; None: the one that its plan chooses."""

    @property
    def home(self) -> Path:
        """Folder of the peer."""
        return self.folder / self.name

    @property
    def events(self) -> Path:
        """File with a line of JSON for each event of the peer."""
        return self.folder / f"{self.name}.jsonl"

    @property
    def log(self) -> Path:
        """File with all that the peer logs and prints."""
        return self.folder / f"{self.name}.log"

    @property
    def entrance(self) -> Path:
        """File with the addresses of a peer through which others enter, a line each."""
        return self.home / "addresses"

    @property
    def snapshots(self) -> Path:
        """Folder of the snapshots of its parameters."""
        return self.folder / f"{self.name}-snapshots"

    def identity_of(self, number: int = 0) -> PeerIdentity:
        """Return the identity of this peer, or of a further peer of its user, by its ``number``; it is made once."""
        return PeerIdentity.load_or_create(self.home / (f"identity-{number}" if number else "identity"))

    @property
    def settings(self) -> TrainerSettings:
        """Settings of the peer's trainer."""
        return TrainerSettings(
            manifest=self.manifest,
            state_dir=self.home,
            network=Network(initial_peers=self.initial_peers, check_identity=False),
            admission=self.tokens[0],
            seed=self.seed,
            resources=Resources(
                choices=PlanChoices(micro_batches=(self.micro_batch,), precision=self.precision)
            ),
            threads=self.threads,
            checkpoint_every=self.snapshot_every,
        )

    def enter_dht(self, number: int = 0) -> Any:
        """Start a DHT node as the product's peers do, without a trainer.

        It has the identity and the token of this peer, or of the further peer of its user with that ``number``.
        """
        manifest, identity = RunManifest.load(self.manifest), self.identity_of(number)
        return start_dht(
            Network(initial_peers=self.initial_peers, check_identity=False),
            identity,
            prefix=manifest.dht_prefix,
            total_epochs=manifest.training.schedule.total_epochs,
            validators=[RunStateValidator(manifest)],
            admission=Admission.of_run(manifest, identity.peer_id, self.tokens[number]),
        )


class EventLog:
    """A peer's events as lines of JSON, in a file that a death during a write does not corrupt."""

    def __init__(self, path: Path) -> None:
        """Append to the file at ``path``."""
        self._file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND)

    def write(self, kind: str, **content: object) -> None:
        """Append an event of that ``kind`` with the monotonic time and its ``content``."""
        line = json.dumps({"kind": kind, "time": time.monotonic(), **content}, default=str)
        os.write(self._file, line.encode() + b"\n")


def prepare_process(seat: PeerSeat) -> None:
    """Make this process one of a peer: it ends with its parent, shares no lock, and prints to the log of ``seat``."""
    own_locks()
    multiprocessing.set_start_method("fork", force=True)  # for what hivemind starts
    parent_death.signal_on_parent_death(signal.SIGKILL)
    parent_death.tie_forks()
    torch.set_num_threads(1)
    seat.home.mkdir(parents=True, exist_ok=True)
    opened = os.open(seat.log, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(opened, stream)
    logs.to_standard_error()
