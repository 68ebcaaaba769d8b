"""Measures how fast this machine would train a run, by a child process (`client.benchmark`)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from client.hosts.host import HostedProcess, TrainerHost, host_of_system
from client.joining.allowed import ResourceLimits
from core.children.priority import waiting_threads
from core.children.program import Interpreter, Program
from core.messages.children import Failed, Heartbeat, Hello
from core.messages.lines import Message
from core.run.rules import TrainingRules
from core.run.training.families import AnyTrainingRules


class StartBenchmark(Message):
    type: Literal["start_benchmark"] = "start_benchmark"
    training: AnyTrainingRules
    """Rules of the run, as `without_shards` leaves them."""
    allowed: ResourceLimits
    seconds: Annotated[float, Field(ge=0)]
    """Time to measure after a first micro-step that does not count; at least one micro-step is measured."""


class SpeedMeasurement(Message):
    """Progress of a measurement; the last one is the result."""

    type: Literal["speed_measurement"] = "speed_measurement"
    samples: int
    seconds: float

    @property
    def samples_per_hour(self) -> float:
        return 3600 * self.samples / max(self.seconds, 1e-9)


BENCHMARKS: TypeAdapter[StartBenchmark] = TypeAdapter(StartBenchmark)
BenchmarkMessage = Hello | Heartbeat | Failed | SpeedMeasurement
FROM_BENCHMARK: TypeAdapter[BenchmarkMessage] = TypeAdapter(
    Annotated[BenchmarkMessage, Field(discriminator="type")]
)

_Show = Callable[[SpeedMeasurement], None]


@dataclass(frozen=True)
class BenchmarkSettings:
    """Settings of a measurement."""

    allowed: ResourceLimits
    seconds: float
    log: Path
    module: str = "client.benchmark"
    environment: Mapping[str, str] = field(default_factory=dict)
    is_idle: bool = True
    """True to run only while no other program needs the processor."""
    interpreter: Interpreter | None = None
    """Python that computes; None: this process's own."""
    host: TrainerHost = field(default_factory=host_of_system)
    """Host on which the process lives."""


async def measure_speed(
    training: TrainingRules, settings: BenchmarkSettings, show: _Show
) -> SpeedMeasurement:
    """Measure in a process that yields to all others; ChildError or what it said if it cannot be done."""
    allowed = settings.allowed
    start = StartBenchmark(training=without_shards(training), allowed=allowed, seconds=settings.seconds)
    environment = {
        **waiting_threads(allowed.threads),
        **_visible(allowed.gpus),
        **settings.environment,
    }
    program = Program(
        "benchmark",
        settings.module,
        start,
        settings.log,
        is_idle=settings.is_idle,
        interpreter=settings.interpreter,
        environment=environment,
    )
    latest: list[SpeedMeasurement] = []

    def hear(message: BenchmarkMessage) -> None:
        if isinstance(message, SpeedMeasurement):
            latest[:] = [message]
            show(message)

    outcome = await HostedProcess(settings.host).supervisor(program, FROM_BENCHMARK).run(hear)
    if not outcome.in_order or not latest:
        raise outcome.error()
    return latest[0]


def _visible(gpus: tuple[int, ...] | None) -> dict[str, str]:
    """Return variables that show CUDA those GPUs alone, numbered as the driver does; None: no variables."""
    if gpus is None:
        return {}
    return {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": ",".join(map(str, gpus))}


def without_shards(training: TrainingRules) -> TrainingRules:
    """Return the rules with one shard: a line has no room for thousands, and a benchmark reads none."""
    return training.with_few_files()
