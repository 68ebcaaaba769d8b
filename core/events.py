"""What a training loop tells whoever started it, and what it can be told: plain frozen values, no torch."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from core.generation.request import GenerationRequest


class Command(StrEnum):
    """What a training loop can be told while it runs."""

    PAUSE = "pause"
    RESUME = "resume"
    FINISH = "finish"  # complete the current epoch, save, leave
    STOP = "stop"  # save at the last epoch's edge and leave now


@dataclass(frozen=True)
class Budget:
    """What a training loop may take, changeable while it runs."""

    threads: int | None = None
    """To compute with; None: as many as at the start."""
    share: float = 1.0
    """Of the time, above 0; the rest is slept."""
    upload: int | None = None
    download: int | None = None
    """Bytes per second; None: no limit."""


@dataclass(frozen=True)
class PictureOrder:
    """Pictures to draw between micro-steps."""

    id: str
    """Given by whoever asks; no two orders share one."""
    request: GenerationRequest
    folder: Path
    """Made for the pictures, once all of them are drawn."""


class CommandSource(Protocol):
    """Where a training loop looks for commands between micro-steps and within them; it never blocks there."""

    @property
    def budget(self) -> Budget:
        """The newest."""

    @property
    def admission(self) -> str | None:
        """The newest access token that has come since the start; None: none."""

    @property
    def pictures(self) -> PictureOrder | None:
        """Those that are wanted now; None: none, or not any more."""

    @property
    def pause_number(self) -> int:
        """Of the order to pause that was taken last."""

    def poll(self) -> Command | None: ...

    def wait(self, seconds: float) -> Command | None:
        """The next command, or None after that many seconds; used while paused."""

    def pressing(self, seconds: float = 0.0) -> bool:
        """Whether a command to pause or to stop is there, waited for up to that many seconds; takes none.

        A new budget ends the wait, too.
        """


@dataclass(frozen=True)
class Joined:
    """The peer is part of the swarm and about to compute."""

    peer_id: str
    epoch: int
    parameters: int


@dataclass(frozen=True)
class Planned:
    """How much memory the trainer means to take, and why so; again after it had to take less."""

    reason: str
    """A sentence for people."""
    micro_batch: int
    gpu_bytes: int
    ram_bytes: int


@dataclass(frozen=True)
class Progress:
    """Where the swarm and this peer stand within the current epoch; sent about once a second."""

    epoch: int
    loss: float | None
    """Mean loss of this peer's micro-steps in this epoch; None before the first."""
    samples: int
    """Samples this peer has accumulated in this epoch."""
    swarm_samples: int
    target_batch_size: int
    peers: int
    samples_per_second: float
    """Of the whole swarm."""
    seconds_to_next_epoch: float | None
    bytes_sent: int
    bytes_received: int
    micro_steps: int
    compute_seconds: float
    """Since the trainer started; the time is that of micro-steps, without pauses and sleeps within."""
    data_wait: float = 0.0
    """Share of the time since the last of these messages in which there was no data for a micro-step."""


@dataclass(frozen=True)
class EpochCommitted:
    """The swarm committed an epoch and this peer holds its parameters."""

    epoch: int
    """Epochs done now."""
    loss: float
    """Mean over the swarm's samples of this epoch."""
    samples: int
    own_samples: int
    peers: int
    seconds: float
    parameter_digest: str
    bytes_sent: int
    bytes_received: int
    """In this epoch."""


@dataclass(frozen=True)
class Settled:
    """The loop is paused: it computes nothing, waits in no round, and what it has gathered is kept."""

    epoch: int
    samples: int
    """Gathered in this epoch, and kept."""
    number: int = 0
    """That of the order to pause."""


@dataclass(frozen=True)
class CheckpointSaved:
    epoch: int
    path: Path


@dataclass(frozen=True)
class SamplesDrawn:
    epoch: int
    path: Path


@dataclass(frozen=True)
class PicturesProgress:
    """How far an order for pictures is; sent about once a second."""

    id: str
    progress: float
    """From 0 to 1."""


@dataclass(frozen=True)
class PicturesSaved:
    """All pictures of an order are in the folder that it named."""

    id: str


@dataclass(frozen=True)
class PicturesFailed:
    """An order for pictures cannot be carried out; training goes on."""

    id: str
    code: str
    what: str
    remedy: str


@dataclass(frozen=True)
class Notice:
    """Something a volunteer may want to know, in words; training goes on."""

    text: str


@dataclass(frozen=True)
class Finished:
    """The loop has done what it was to do; its peer leaves now, or stays for the others."""

    epoch: int
    parameter_digest: str
    """Of what it ends with, whether it took part in the last epochs or fetched them."""


@dataclass(frozen=True)
class Superseded:
    """The organiser has taken the run back: this peer ends in order, and is started again with the new manifest."""

    generation: int
    """The new one."""


Event = (
    Joined
    | Planned
    | Progress
    | EpochCommitted
    | Settled
    | CheckpointSaved
    | SamplesDrawn
    | PicturesProgress
    | PicturesSaved
    | PicturesFailed
    | Notice
    | Finished
    | Superseded
)
