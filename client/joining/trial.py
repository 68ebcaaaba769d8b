"""How fast this machine would train a run, tried out for a while by a child (`client.trial`), and what that says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from client.joining.allowed import Allowed
from core.children.program import Program
from core.children.supervisor import Supervisor
from core.lines import Message
from core.messages import Failed, Heartbeat, Hello
from core.rules import TrainingRules


class StartTrial(Message):
    type: Literal["start_trial"] = "start_trial"
    training: TrainingRules
    """As `without_shards` leaves them."""
    allowed: Allowed
    seconds: Annotated[float, Field(ge=0)]
    """To measure for, after a first micro-step that does not count; at least one is measured."""


class Tried(Message):
    """How far it is; the last of them is the result."""

    type: Literal["tried"] = "tried"
    samples: int
    seconds: float

    @property
    def samples_per_hour(self) -> float:
        return 3600 * self.samples / max(self.seconds, 1e-9)


TRIALS: TypeAdapter[StartTrial] = TypeAdapter(StartTrial)
TrialMessage = Hello | Heartbeat | Failed | Tried
FROM_TRIAL: TypeAdapter[TrialMessage] = TypeAdapter(Annotated[TrialMessage, Field(discriminator="type")])

Show = Callable[[Tried], None]


@dataclass(frozen=True)
class TrialSettings:
    """How to try."""

    allowed: Allowed
    seconds: float
    log: Path
    module: str = "client.trial"
    environment: Mapping[str, str] = field(default_factory=dict)
    is_idle: bool = True
    """Whether it runs only where nothing else wants to."""


async def try_out(training: TrainingRules, settings: TrialSettings, show: Show) -> Tried:
    """Measure in a process that yields to all others; ChildError or what it said if it cannot be done."""
    allowed = settings.allowed
    start = StartTrial(training=without_shards(training), allowed=allowed, seconds=settings.seconds)
    environment = {
        "OMP_NUM_THREADS": str(allowed.threads),
        **_visible(allowed.gpus),
        **settings.environment,
    }
    program = Program(
        "trial", settings.module, start, settings.log, is_idle=settings.is_idle, environment=environment
    )
    latest: list[Tried] = []

    def hear(message: TrialMessage) -> None:
        if isinstance(message, Tried):
            latest[:] = [message]
            show(message)

    outcome = await Supervisor(program, FROM_TRIAL).run(hear)
    if not outcome.in_order or not latest:
        raise outcome.error()
    return latest[0]


def _visible(gpus: tuple[int, ...] | None) -> dict[str, str]:
    """Shows CUDA those GPUs alone, numbered as the driver does."""
    if gpus is None:
        return {}
    return {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": ",".join(map(str, gpus))}


def without_shards(training: TrainingRules) -> TrainingRules:
    """The rules without all shards but one: a line has no room for thousands, and a trial reads none."""
    data = training.data.model_copy(update={"shards": training.data.shards[:1]})
    return training.model_copy(update={"data": data})
