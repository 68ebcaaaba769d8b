"""Settings of one peer's trainer; the run manifest has what all peers share."""

from dataclasses import dataclass, field
from pathlib import Path

from core.swarm.dht import Network
from core.trainer.pictures import Samples
from core.trainer.placement import Resources


@dataclass(frozen=True)
class TrainerSettings:
    """Settings of one peer, for one life of its trainer."""

    manifest: Path
    """File of the manifest; the files that it names lie beside it."""
    state_dir: Path
    """Folder of this peer's identity and checkpoint."""
    network: Network = field(default_factory=Network)
    """Addresses of this peer and of the swarm; without initial peers, those of the manifest's contact part hold."""
    finds_reach: bool = False
    """True to find out how others reach this peer before it enters the swarm; false: as the network says."""
    admission: str | None = None
    """Access token, for a run that has a gate; `CommandSource.admission` renews it."""
    seed: int = 0
    """Seed that makes this peer's order of the data its own."""
    threads: int = 1
    """Threads that compute, unless the budget names another number."""
    upload: int | None = None
    """Upload limit in bytes per second; None: no limit. ``Peer.line`` changes it while the peer trains."""
    download: int | None = None
    """Download limit in bytes per second; None: no limit. ``Peer.line`` changes it while the peer trains."""
    resources: Resources = field(default_factory=Resources)
    """The inputs of the memory plan."""
    stop_at_epoch: int | None = None
    """Epoch at which the trainer ends, if the run is not over before; None: the run's last epoch."""
    stay: bool = False
    """True to stay in the swarm at the end until ordered to stop, so that late peers can fetch the state."""
    checkpoint_every: int = 10
    """Epochs between checkpoints."""
    samples: Samples | None = None
    """Pictures of the run's sample prompts that this peer draws, or takes turns with others to draw; None: none."""
    deterministic: bool = False
    """True for one peer alone, its epochs counted in micro-steps.

    A resumed run then equals an uninterrupted one bit for bit.
    """
    landing_micro_steps: int = 0
    """Micro-steps on the old parameters after an epoch's end, in deterministic mode."""

    @property
    def checkpoint(self) -> Path:
        """Folder of this peer's checkpoint."""
        return self.state_dir / "checkpoint"

    @property
    def identity(self) -> Path:
        """File of this peer's key."""
        return self.state_dir / "identity"

    @property
    def port(self) -> Path:
        """File that keeps the port to listen at, if any port will do."""
        return self.state_dir / "port"

    @property
    def failures(self) -> Path:
        """File that remembers the plans that took too much memory."""
        return self.state_dir / "out-of-memory.json"
