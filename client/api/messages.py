"""Messages between a trainer or generator and its supervisor, beside the events of `core.messages.events`."""

from typing import Annotated, Literal

from pydantic import Field, NonNegativeInt, PositiveInt, TypeAdapter

from core.messages.children import Admit, Failed, Heartbeat, Hello
from core.messages.events import Command, Event, PictureOrder, PicturesProgress, PicturesSaved, TrainingBudget
from core.messages.lines import Message
from core.messages.paths import SharedPath


class SampleRequest(Message):
    """Draw the images of the run's sample prompts every few epochs."""

    every: PositiveInt
    """Number of epochs from one drawing to the next."""
    path: SharedPath | None = None
    """File for a sheet of the newest images, drawn by this trainer alone.

    None has all trainers draw time-lapse frames in turns.
    """


class Start(Message):
    """The supervisor's first message to a trainer. Secrets travel here, never by environment or arguments."""

    type: Literal["start"] = "start"
    protocol: Literal[1] = 1
    manifest: SharedPath
    """File of the run's manifest; the files that it names lie beside it."""
    state_dir: SharedPath
    """Folder of this peer's identity and checkpoint."""
    initial_peers: tuple[str, ...]
    listen: tuple[str, ...]
    seed: int
    """Seed that makes this peer's order of the data its own."""
    threads: PositiveInt
    """Threads that compute, unless the budget names another number."""
    micro_batch: PositiveInt
    """Samples of a micro-step, at most; the memory plan may take fewer."""
    stop_at_epoch: PositiveInt | None = None
    """Epoch at which the trainer ends, if the run is not over before; None: the run's last epoch."""
    paused: bool = False
    """Join the swarm, but compute nothing until an order to resume."""
    stay: bool = False
    """Stay in the swarm after the last epoch, for peers that come late, until an order to stop."""
    checkpoint_every: PositiveInt
    """Number of epochs from one checkpoint to the next."""
    samples: SampleRequest | None = None
    """Images that the trainer draws of the run's sample prompts; None: none."""
    deterministic: bool = False
    """True for one peer alone, whose resumed run equals an uninterrupted one bit for bit."""
    admission: Annotated[str | None, Field(repr=False)] = None
    """Access token, for a run that has a gate; `Admit` renews it."""
    finds_reach: bool = False
    """Find out how others reach this peer before it enters the swarm."""
    upnp: bool = True
    """True if the router is asked to forward the port by UPnP."""
    gpus: tuple[NonNegativeInt, ...] | None = None
    """GPUs that may be used, as the driver numbers them; None allows all."""
    gpu_memory: PositiveInt | None = None
    """Bytes of GPU memory that the volunteer allows; None allows all that is free."""
    ram: PositiveInt | None = None
    """Bytes of RAM that the volunteer allows; None allows all that is free."""
    budget: TrainingBudget = TrainingBudget()


class TrainerOrder(Message):
    """A command to a running trainer."""

    type: Literal["order"] = "order"
    command: Command
    number: int = 0
    """Number of an order to pause, which the answer repeats."""


class SetBudget(Message):
    """Limits of a running trainer from now on."""

    type: Literal["set_budget"] = "set_budget"
    budget: TrainingBudget


class DropPictures(Message):
    """Cancels the last order for pictures."""

    type: Literal["drop_pictures"] = "drop_pictures"


class StartGenerator(Message):
    """The supervisor's first message to a generator: the pictures, the model, and limits."""

    type: Literal["start_generator"] = "start_generator"
    protocol: Literal[1] = 1
    manifest: SharedPath
    checkpoint: SharedPath
    is_shipped: bool = False
    """True if the checkpoint comes with the program."""
    order: PictureOrder
    threads: PositiveInt
    """Threads that compute."""
    gpus: tuple[NonNegativeInt, ...] | None = None
    """GPUs that may be used, as the driver numbers them; None allows all."""
    gpu_memory: PositiveInt | None = None
    """Bytes of GPU memory that the volunteer allows; None allows all that is free."""
    ram: PositiveInt | None = None
    """Bytes of RAM that the volunteer allows; None allows all that is free."""
    budget: TrainingBudget = TrainingBudget()
    """Limits whose caps of the connection hold for a generator, too; they can change while it runs."""
    may_fetch: NonNegativeInt | None = None
    """Bytes that the generator may download; None sets no limit."""


class Traffic(Message):
    """Bytes that a generator has downloaded since it started; sent about once a second meanwhile."""

    type: Literal["traffic"] = "traffic"
    bytes_received: NonNegativeInt


TrainerMessage = Hello | Heartbeat | Failed | Event
GeneratorMessage = Hello | Heartbeat | Failed | PicturesProgress | PicturesSaved | Traffic

AnyOrder = TrainerOrder | SetBudget | PictureOrder | DropPictures | Admit

ORDERS: TypeAdapter[AnyOrder] = TypeAdapter(Annotated[AnyOrder, Field(discriminator="type")])
STARTS: TypeAdapter[Start] = TypeAdapter(Start)
FROM_TRAINER: TypeAdapter[TrainerMessage] = TypeAdapter(
    Annotated[TrainerMessage, Field(discriminator="type")]
)
GENERATOR_STARTS: TypeAdapter[StartGenerator] = TypeAdapter(StartGenerator)
FROM_GENERATOR: TypeAdapter[GeneratorMessage] = TypeAdapter(
    Annotated[GeneratorMessage, Field(discriminator="type")]
)
