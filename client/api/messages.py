"""What a trainer and its supervisor say to each other; the events are those of `core.events`, one to one."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, PositiveInt, TypeAdapter

from core import events
from core.lines import Message
from core.messages import BootstrapReady, Failed, Heartbeat, Hello


class SampleRequest(Message):
    """Draw the images of the run's sample prompts every few epochs."""

    every: PositiveInt
    path: Path


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


class Order(Message):
    """What a running trainer is to do."""

    type: Literal["order"] = "order"
    command: events.Command


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


class Notice(Message):
    type: Literal["notice"] = "notice"
    text: str


class Finished(Message):
    type: Literal["finished"] = "finished"
    epoch: int
    parameter_digest: str


EventMessage = (
    Joined | Planned | Progress | EpochCommitted | CheckpointSaved | SamplesDrawn | Notice | Finished
)
TrainerMessage = Hello | Heartbeat | Failed | EventMessage
BootstrapMessage = Hello | Heartbeat | Failed | BootstrapReady

ORDERS: TypeAdapter[Order] = TypeAdapter(Order)
STARTS: TypeAdapter[Start] = TypeAdapter(Start)
FROM_TRAINER: TypeAdapter[TrainerMessage] = TypeAdapter(
    Annotated[TrainerMessage, Field(discriminator="type")]
)
FROM_BOOTSTRAP: TypeAdapter[BootstrapMessage] = TypeAdapter(
    Annotated[BootstrapMessage, Field(discriminator="type")]
)

_MESSAGES: dict[type[events.Event], type[EventMessage]] = {
    events.Joined: Joined,
    events.Planned: Planned,
    events.Progress: Progress,
    events.EpochCommitted: EpochCommitted,
    events.CheckpointSaved: CheckpointSaved,
    events.SamplesDrawn: SamplesDrawn,
    events.Notice: Notice,
    events.Finished: Finished,
}


def from_event(event: events.Event) -> EventMessage:
    """The message that carries a training loop's event."""
    return _MESSAGES[type(event)](**asdict(event))
