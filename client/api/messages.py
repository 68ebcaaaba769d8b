"""What a trainer and its supervisor say to each other; the events are those of `core.events`, one to one."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, NonNegativeInt, PositiveInt, TypeAdapter

from core import events
from core.generation.request import GenerationRequest
from core.lines import Message
from core.messages import Admit, BootstrapReady, Failed, Heartbeat, Hello


class SampleRequest(Message):
    """Draw the images of the run's sample prompts every few epochs."""

    every: PositiveInt
    path: Path | None = None
    """The sheet of the newest, by this trainer alone; None: frames of the time-lapse, in turns with the others."""


class Budget(Message):
    """What training may take, changeable while it runs."""

    threads: PositiveInt | None = None
    """To compute with; None: as many as at the start."""
    share: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Of the time; the rest is slept."""
    upload: PositiveInt | None = None
    download: PositiveInt | None = None
    """Bytes per second; None: no limit."""


class Start(Message):
    """The supervisor's first message: all that a trainer is told. Secrets travel here, never elsewhere."""

    type: Literal["start"] = "start"
    protocol: Literal[1] = 1
    manifest: Path
    state_dir: Path
    initial_peers: tuple[str, ...]
    listen: tuple[str, ...]
    seed: int
    threads: PositiveInt
    micro_batch: PositiveInt
    """At most; the memory plan may take less."""
    stop_at_epoch: PositiveInt | None = None
    paused: bool = False
    """Join the swarm, but compute nothing until told to resume."""
    stay: bool = False
    """At the end, stay in the swarm until told to stop, for peers that come late."""
    checkpoint_every: PositiveInt
    samples: SampleRequest | None = None
    deterministic: bool = False
    admission: Annotated[str | None, Field(repr=False)] = None
    """Access token, for a run that has a gate; `Admit` renews it."""
    client_mode: bool = False
    """Accept no incoming connections."""
    relay: bool = False
    """Be reached through relays, for a machine behind a NAT."""
    gpus: tuple[NonNegativeInt, ...] | None = None
    """Those that may be used, as the driver numbers them; None: all."""
    gpu_memory: PositiveInt | None = None
    ram: PositiveInt | None = None
    """Bytes that the volunteer allows; None: all that is free."""
    budget: Budget = Budget()


class Order(Message):
    """What a running trainer is to do."""

    type: Literal["order"] = "order"
    command: events.Command
    number: int = 0
    """Of an order to pause: what is settled repeats it."""


class SetBudget(Message):
    """What a running trainer may take from now on."""

    type: Literal["set_budget"] = "set_budget"
    budget: Budget


class DrawPictures(Message):
    """Pictures that a running trainer, or a generator, is to draw; there is one such order at a time."""

    type: Literal["draw_pictures"] = "draw_pictures"
    id: str
    request: GenerationRequest
    folder: Path
    """Made for the pictures, once all of them are drawn."""


class DropPictures(Message):
    """The pictures of the last order are not wanted any more."""

    type: Literal["drop_pictures"] = "drop_pictures"


class StartGenerator(Message):
    """All that a generator is told: which pictures to draw, by what, and what it may take of the machine."""

    type: Literal["start_generator"] = "start_generator"
    protocol: Literal[1] = 1
    manifest: Path
    checkpoint: Path
    order: DrawPictures
    threads: PositiveInt
    gpus: tuple[NonNegativeInt, ...] | None = None
    """Those that may be used, as the driver numbers them; None: all."""
    gpu_memory: PositiveInt | None = None
    ram: PositiveInt | None = None
    """Bytes that the volunteer allows; None: all that is free."""
    budget: Budget = Budget()
    """Whose caps of the connection it keeps to; as in a trainer, they can change while it runs."""
    may_fetch: NonNegativeInt | None = None
    """Bytes that it may download; None: as many as it takes."""


class Joined(Message):
    type: Literal["joined"] = "joined"
    peer_id: str
    epoch: int
    parameters: int


class Planned(Message):
    type: Literal["planned"] = "planned"
    reason: str
    micro_batch: int
    gpu_bytes: int
    ram_bytes: int


class Progress(Message):
    type: Literal["progress"] = "progress"
    epoch: int
    loss: float | None
    samples: int
    swarm_samples: int
    target_batch_size: int
    peers: int
    samples_per_second: float
    seconds_to_next_epoch: float | None
    bytes_sent: int
    bytes_received: int
    micro_steps: int
    compute_seconds: float
    data_wait: Annotated[float, Field(ge=0, le=1)] = 0.0


class Settled(Message):
    type: Literal["settled"] = "settled"
    epoch: int
    samples: int
    number: int = 0


class EpochCommitted(Message):
    type: Literal["epoch_committed"] = "epoch_committed"
    epoch: int
    loss: float
    samples: int
    own_samples: int
    peers: int
    seconds: float
    parameter_digest: str
    bytes_sent: int
    bytes_received: int


class CheckpointSaved(Message):
    type: Literal["checkpoint_saved"] = "checkpoint_saved"
    epoch: int
    path: Path


class SamplesDrawn(Message):
    type: Literal["samples_drawn"] = "samples_drawn"
    epoch: int
    path: Path


class PicturesProgress(Message):
    type: Literal["pictures_progress"] = "pictures_progress"
    id: str
    progress: float


class PicturesSaved(Message):
    type: Literal["pictures_saved"] = "pictures_saved"
    id: str


class PicturesFailed(Message):
    type: Literal["pictures_failed"] = "pictures_failed"
    id: str
    code: str
    what: str
    remedy: str


class Traffic(Message):
    """What has passed a generator's line since it started; sent about once a second while it downloads."""

    type: Literal["traffic"] = "traffic"
    bytes_received: NonNegativeInt


class Notice(Message):
    type: Literal["notice"] = "notice"
    text: str


class Finished(Message):
    type: Literal["finished"] = "finished"
    epoch: int
    parameter_digest: str


class Superseded(Message):
    type: Literal["superseded"] = "superseded"
    generation: NonNegativeInt


EventMessage = (
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
TrainerMessage = Hello | Heartbeat | Failed | EventMessage
GeneratorMessage = Hello | Heartbeat | Failed | PicturesProgress | PicturesSaved | Traffic
BootstrapMessage = Hello | Heartbeat | Failed | BootstrapReady

AnyOrder = Order | SetBudget | DrawPictures | DropPictures | Admit

ORDERS: TypeAdapter[AnyOrder] = TypeAdapter(Annotated[AnyOrder, Field(discriminator="type")])
STARTS: TypeAdapter[Start] = TypeAdapter(Start)
FROM_TRAINER: TypeAdapter[TrainerMessage] = TypeAdapter(
    Annotated[TrainerMessage, Field(discriminator="type")]
)
GENERATOR_STARTS: TypeAdapter[StartGenerator] = TypeAdapter(StartGenerator)
FROM_GENERATOR: TypeAdapter[GeneratorMessage] = TypeAdapter(
    Annotated[GeneratorMessage, Field(discriminator="type")]
)
FROM_BOOTSTRAP: TypeAdapter[BootstrapMessage] = TypeAdapter(
    Annotated[BootstrapMessage, Field(discriminator="type")]
)

_MESSAGES: dict[type[events.Event], type[EventMessage]] = {
    events.Joined: Joined,
    events.Planned: Planned,
    events.Progress: Progress,
    events.EpochCommitted: EpochCommitted,
    events.Settled: Settled,
    events.CheckpointSaved: CheckpointSaved,
    events.SamplesDrawn: SamplesDrawn,
    events.PicturesProgress: PicturesProgress,
    events.PicturesSaved: PicturesSaved,
    events.PicturesFailed: PicturesFailed,
    events.Notice: Notice,
    events.Finished: Finished,
    events.Superseded: Superseded,
}


def from_event(event: events.Event) -> EventMessage:
    """The message that carries a training loop's event."""
    return _MESSAGES[type(event)](**asdict(event))
