"""What one peer's trainer is told by whoever starts it; what all peers share is in the run manifest."""

from dataclasses import dataclass, field
from pathlib import Path

from core.beside import Samples
from core.placement import Resources


@dataclass(frozen=True)
class TrainerSettings:
    """Of one peer, for one life of its trainer."""

    manifest: Path
    """The files it names lie beside it."""
    state_dir: Path
    """Where this peer keeps its identity and its checkpoint."""
    initial_peers: tuple[str, ...] = ()
    """Multiaddresses; those of the manifest's contact part are used where none is given."""
    listen: tuple[str, ...] = ("/ip4/127.0.0.1/tcp/0",)
    admission: str | None = None
    """Access token, for a run that has a gate; `CommandSource.admission` renews it."""
    client_mode: bool = False
    """Accept no incoming connections."""
    relay: bool = False
    """Be reached through relays, for a machine behind a NAT."""
    seed: int = 0
    """Makes this peer's order of the data its own."""
    threads: int = 1
    upload: int | None = None
    download: int | None = None
    """Caps in bytes a second; None for none. ``Peer.line`` changes them while it trains."""
    resources: Resources = field(default_factory=Resources)
    """What the memory plan is made of."""
    stop_at_epoch: int | None = None
    stay: bool = False
    """At the end, stay in the swarm until told to stop, for peers that come late to fetch the state from."""
    checkpoint_every: int = 10
    """Epochs between checkpoints."""
    samples: Samples | None = None
    """Pictures of the run's sample prompts that this peer draws, or takes turns with others to draw; None: none."""
    deterministic: bool = False
    """One peer alone, its epochs counted in micro-steps: a resumed run equals an uninterrupted one bit for bit."""
    landing_micro_steps: int = 0
    """In deterministic mode: micro-steps on the old parameters after an epoch's end."""

    @property
    def checkpoint(self) -> Path:
        return self.state_dir / "checkpoint"

    @property
    def failures(self) -> Path:
        """Where it is remembered what took too much memory."""
        return self.state_dir / "out-of-memory.json"
