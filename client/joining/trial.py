"""How fast this machine would train a run, tried out for a while: a child process, and what it says.

Run as a module it is that process; torch is imported in there alone.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from client.machine.reading import read_machine
from core import child
from core.children.supervisor import Program, Supervisor
from core.lines import Channel, Message
from core.memory.machine import Allowance
from core.messages import Failed, Heartbeat, Hello
from core.rules import TrainingRules
from core.run_plan import plan_of


class StartTrial(Message):
    type: Literal["start_trial"] = "start_trial"
    training: TrainingRules
    """Without most of its shards, of which a line has no room for thousands."""
    gpu_memory: int | None
    ram: int | None
    """The most that it may take, in bytes; None: all that is free."""
    gpus: tuple[int, ...] | None
    """Those that it may use, as the driver numbers them; None: all."""
    threads: Annotated[int, Field(gt=0)]
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

    threads: int
    seconds: float = 60.0
    allowance: Allowance = field(default_factory=Allowance)
    """What the volunteer lets training take."""
    log: Path = field(default=Path("trial.log"))
    module: str = "client.joining.trial"
    environment: dict[str, str] = field(default_factory=dict)
    gpus: tuple[int, ...] | None = None
    """Those that may train, as the driver numbers them; None: all."""


async def try_out(training: TrainingRules, settings: TrialSettings, show: Show) -> Tried:
    """Measure in a process that yields to all others; ChildError or what it said if it cannot be done."""
    start = StartTrial(
        training=_shortened(training),
        gpu_memory=settings.allowance.gpu_bytes,
        ram=settings.allowance.ram_bytes,
        gpus=settings.gpus,
        threads=settings.threads,
        seconds=settings.seconds,
    )
    environment = {
        "OMP_NUM_THREADS": str(settings.threads),
        **_visible(settings.gpus),
        **settings.environment,
    }
    program = Program("trial", settings.module, start, settings.log, is_idle=True, environment=environment)
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


def _shortened(training: TrainingRules) -> TrainingRules:
    data = training.data.model_copy(update={"shards": training.data.shards[:1]})
    return training.model_copy(update={"data": data})


def _work(start: StartTrial, channel: Channel) -> None:
    """In the child: time micro-steps until the time is over."""
    import torch

    from core.trial import micro_steps

    torch.set_num_threads(start.threads)
    allowance = Allowance(start.gpu_memory, start.ram)
    steps = micro_steps(
        start.training.model, plan_of(start.training, read_machine(gpus=start.gpus), allowance)
    )
    next(steps)
    samples, began = 0, time.monotonic()
    while samples == 0 or time.monotonic() - began < start.seconds:
        samples += next(steps)
        channel.send(Tried(samples=samples, seconds=time.monotonic() - began), replaceable=True)


if __name__ == "__main__":
    child.live(TRIALS, _work)
