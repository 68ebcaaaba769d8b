"""Events that a training loop reports, and orders that it takes: frozen messages, without torch."""

from enum import StrEnum
from typing import Annotated, Literal, Protocol

from pydantic import Field, NonNegativeInt, PositiveInt

from core.messages.lines import Message
from core.messages.paths import SharedPath
from core.messages.pictures import GenerationRequest
from core.messages.reach import ReachChanged, ReachFound
from core.messages.waiting import SwarmWait


class Command(StrEnum):
    """Order that a running training loop takes."""

    PAUSE = "pause"
    RESUME = "resume"
    FINISH = "finish"  # complete the current epoch, save, leave
    STOP = "stop"  # save at the last epoch's edge and leave now


class TrainingBudget(Message):
    """Limits of a training loop, changeable while it runs."""

    threads: PositiveInt | None = None
    """Number of threads that compute; None keeps the number of the start."""
    share: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Share of the time in which the loop computes; it sleeps for the rest."""
    upload: PositiveInt | None = None
    """Bytes sent per second, at most; None sets no limit."""
    download: PositiveInt | None = None
    """Bytes received per second, at most; None sets no limit."""


class PictureOrder(Message):
    """Pictures that a running trainer, between micro-steps, or a generator is to draw; one order at a time."""

    type: Literal["draw_pictures"] = "draw_pictures"
    id: str
    """Identifier of the order, chosen by the sender and never used twice."""
    request: GenerationRequest
    folder: SharedPath
    """Folder that is made for the pictures once all of them are drawn."""


class CommandSource(Protocol):
    """Source of commands that a training loop looks at between micro-steps and within them, without blocking."""

    @property
    def budget(self) -> TrainingBudget:
        """The newest budget."""

    @property
    def admission(self) -> str | None:
        """The newest access token that arrived since the start, if any."""

    @property
    def pictures(self) -> PictureOrder | None:
        """The pictures that are to be drawn now, if any."""

    @property
    def pause_number(self) -> int:
        """Number of the order to pause that was taken last."""

    def poll(self) -> Command | None:
        """Take and return the next command, or return None if there is none."""

    def wait(self, seconds: float) -> Command | None:
        """Take and return the next command, or return None after ``seconds``; used while paused."""

    def pressing(self, seconds: float = 0.0) -> bool:
        """Return true if a command to pause or to stop arrives within ``seconds``; it is not taken.

        A new budget ends the wait, too.
        """


class Joined(Message):
    """The peer is part of the swarm and about to compute."""

    type: Literal["joined"] = "joined"
    peer_id: str
    epoch: int
    """Epoch at which the peer begins."""
    parameters: int


class Planned(Message):
    """Memory that the trainer plans to take, with the reason; sent again after it had to take less."""

    type: Literal["planned"] = "planned"
    reason: str
    """A sentence for people."""
    micro_batch: int
    """Number of samples in a micro-step."""
    gpu_bytes: int
    """Bytes of GPU memory that the plan takes; 0: the processor trains."""
    ram_bytes: int
    """Bytes of RAM that the plan takes."""


class EpochProgress(Message):
    """Progress of the swarm within the current epoch, as a peer last saw it."""

    epoch: int
    loss: float | None
    """Mean loss of this peer's micro-steps in this epoch; None before the first."""
    samples: int
    """Samples this peer has accumulated in this epoch."""
    swarm_samples: int
    """Samples that all peers have accumulated in this epoch."""
    target_batch_size: int
    """Samples of all peers together that make an epoch."""
    peers: int
    """Trainers in the swarm."""
    samples_per_second: float
    """Rate of the whole swarm."""
    seconds_to_next_epoch: float | None
    """Seconds until the epoch is expected to be complete; None while that can't be told."""
    round_seconds: float | None = None
    """Seconds of an epoch where the clock ends it; None where ``target_batch_size`` samples do."""
    data_wait: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Share of the last second or so in which no data was there for a micro-step."""


class Progress(EpochProgress):
    """Progress of the swarm and of this peer within the current epoch; sent about once a second."""

    type: Literal["progress"] = "progress"
    bytes_sent: int
    """Bytes sent on the wire since the trainer started."""
    bytes_received: int
    """Bytes received on the wire since the trainer started."""
    micro_steps: int
    """Micro-steps since the trainer started."""
    compute_seconds: float
    """Seconds spent in micro-steps since the trainer started, without pauses and sleeps within."""
    waiting: SwarmWait | None = None
    """The reason for which this peer waits for others; None while it trains."""


class EpochCommitted(Message):
    """The swarm committed an epoch and this peer holds its parameters."""

    type: Literal["epoch_committed"] = "epoch_committed"
    epoch: int
    """Epochs that are committed now."""
    loss: float
    """Mean loss over the swarm's samples of this epoch."""
    samples: int
    """Samples of the epoch from all peers together."""
    own_samples: int
    """Samples of the epoch that are this peer's."""
    peers: int
    """Peers of the epoch's group that contributed or could have."""
    seconds: float
    """Seconds from the epoch before to this one."""
    parameter_digest: str
    bytes_sent: int
    """Bytes sent in this epoch."""
    bytes_received: int
    """Bytes received in this epoch."""


class Settled(Message):
    """The loop is paused: it computes nothing, waits in no round, and what it has gathered is kept."""

    type: Literal["settled"] = "settled"
    epoch: int
    samples: int
    """Samples that were accumulated in this epoch, and are kept."""
    number: int = 0
    """Number of the order to pause."""


class CheckpointSaved(Message):
    """A checkpoint of an epoch was written."""

    type: Literal["checkpoint_saved"] = "checkpoint_saved"
    epoch: int
    path: SharedPath


class SamplesDrawn(Message):
    """The sample prompts of the run were drawn at an epoch."""

    type: Literal["samples_drawn"] = "samples_drawn"
    epoch: int
    path: SharedPath
    texts: tuple[str, ...] = ()
    """Continuations of the prompts by the model, in runs of text; none in others."""


class PicturesProgress(Message):
    """Progress of an order for pictures; sent about once a second."""

    type: Literal["pictures_progress"] = "pictures_progress"
    id: str
    progress: float
    """Share that is done, from 0 to 1."""


class PicturesSaved(Message):
    """All pictures of an order are in the folder that it named."""

    type: Literal["pictures_saved"] = "pictures_saved"
    id: str


class PicturesFailed(Message):
    """An order for pictures cannot be carried out; training goes on."""

    type: Literal["pictures_failed"] = "pictures_failed"
    id: str
    code: str
    what: str
    remedy: str


class Notice(Message):
    """A sentence for the volunteer; training goes on."""

    type: Literal["notice"] = "notice"
    text: str


class Finished(Message):
    """The loop has done what it was to do; its peer leaves now, or stays for the others."""

    type: Literal["finished"] = "finished"
    epoch: int
    parameter_digest: str
    """Digest of the last parameters, whether the peer took part in the last epochs or fetched them."""


class Superseded(Message):
    """The organiser has rolled the run back: this peer ends in order, and is started again with the new manifest."""

    type: Literal["superseded"] = "superseded"
    generation: NonNegativeInt
    """Number of the new generation."""


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
    | ReachFound
    | ReachChanged
)
