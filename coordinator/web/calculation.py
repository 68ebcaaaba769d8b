"""The memory calculator's answers: a plan for a machine, what each technique saves, and what a run needs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from core.errors import MemoryPlanError
from core.memory import plan, predict
from core.memory.fitness import depth_of
from core.memory.footprint import MemoryLine, MemoryPlace
from core.memory.machine import MachineResources
from core.memory.models import MODELS, known_model
from core.memory.parameters import count
from core.memory.planning import MemoryPlan
from core.memory.prediction import Prediction
from core.memory.search import MICRO_BATCHES, PlanChoices
from core.memory.units import parse_size
from core.model.config import ModelConfig
from core.model.techniques import Activations, Precision, Techniques
from core.run.manifest import RunManifest
from core.run.rules import RunModel

C = TypeVar("C", Precision, Activations, bool)
Written = Annotated[str, Field(max_length=12)]

_CORES = 8
_SIXTEEN_BITS = (Precision.FLOAT16, Precision.FLOAT32)
_GIB = 1 << 30
_RAM = 32 * _GIB
_SIZES = (2, 3, 4, 6, 8, 10, 12, 16, 24, 32, 48, 64, 96)
"""Common memory sizes of computers, in GiB."""


class CalculatorForm(BaseModel):
    """The calculator's form; empty fields are chosen for the best result."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    model: Annotated[str, Field(max_length=40)] = "dalle"
    gpu: Written = "8 GiB"
    """Free GPU memory; 0 if there is none."""
    ram: Written = "16 GiB"
    batch: Written = ""
    length: Written = ""
    shared: Written = ""
    precision: Written = ""
    activations: Written = ""
    optimizer: Written = ""
    """Bits of an optimizer moment: 8 or 32."""
    offload: Written = ""
    """Value yes or no: yes if the optimizer works on the CPU."""
    where: Written = "swarm"
    """Value swarm or alone."""

    @property
    def chooses(self) -> bool:
        """True if any technique is chosen."""
        return any(
            (
                self.batch,
                self.length,
                self.shared,
                self.precision,
                self.activations,
                self.optimizer,
                self.offload,
            )
        )


@dataclass(frozen=True)
class MemoryBar:
    """The lines of one kind of memory, as fractions of the free memory."""

    place: str
    moment: str
    lines: tuple[MemoryLine, ...]
    taken: int
    free: int
    usable: int


@dataclass(frozen=True)
class TechniqueStep:
    """Memory of training with one technique more than on the previous step, in bytes."""

    name: str
    gpu: int
    ram: int


@dataclass(frozen=True)
class Calculation:
    """The calculator's answer."""

    title: str
    citation: str
    parameters: int
    plan: MemoryPlan
    bars: tuple[MemoryBar, ...]
    chosen: tuple[tuple[str, str], ...]
    """Names of techniques and their choices, in words."""
    steps: tuple[TechniqueStep, ...]


@lru_cache(maxsize=256)
def calculate(asked: CalculatorForm) -> Calculation:
    """Return the plan for these answers; raise MemoryPlanError if the question makes no sense."""
    known = known_model(asked.model)
    shared, length = _number(asked.shared, "sets of shared layers"), _number(asked.length, "positions")
    found = plan(
        asked.model,
        _machine(asked),
        in_swarm=_one_of({"swarm": True, "alone": False}, asked.where) is not False,
        choices=_choices(asked),
        sequence_length=length,
        shared_layers=shared,
    )
    return Calculation(
        title=asked.model,
        citation=known.citation,
        parameters=count(found.question.model, found.question.shared_layers or 0),
        plan=found,
        bars=tuple(_bars(found)),
        chosen=tuple(_in_words(found)),
        steps=tuple(_technique_steps(asked.model, length)),
    )


def models() -> Sequence[str]:
    """Return the names of the models that can be chosen."""
    return tuple(MODELS)


def _machine(asked: CalculatorForm) -> MachineResources:
    ram = parse_size(asked.ram)
    if asked.gpu.strip() in ("", "0"):
        return MachineResources(ram, cores=_CORES, name="a processor")
    return MachineResources(ram, parse_size(asked.gpu), _CORES, _SIXTEEN_BITS, "a GPU")


def _choices(asked: CalculatorForm) -> PlanChoices:
    batch = _number(asked.batch, "samples in a micro-batch")
    return PlanChoices(
        MICRO_BATCHES if batch is None else (batch,),
        _one_of({choice.value: choice for choice in Precision}, asked.precision),
        _one_of({choice.value: choice for choice in Activations}, asked.activations),
        _one_of({"8": True, "32": False}, asked.optimizer),
        _one_of({"yes": True, "no": False}, asked.offload),
    )


def _number(text: str, what: str) -> int | None:
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise MemoryPlanError(f"{text!r} is not a number of {what}.", "Write digits, or leave it empty.")
    return int(text)


def _one_of(choices: Mapping[str, C], text: str) -> C | None:
    """Return the choice of that name; None if the field is empty."""
    if text and text not in choices:
        raise MemoryPlanError(f"{text!r} is not a choice here.", f"Choose one of: {', '.join(choices)}.")
    return choices.get(text)


def _bars(found: MemoryPlan) -> Iterator[MemoryBar]:
    prediction, available, usable = found.prediction, found.available, found.available.usable
    if found.on_gpu:
        peak = prediction.peak(MemoryPlace.GPU)
        lines = tuple(line for line in prediction.lines if line.place is MemoryPlace.GPU)
        yield MemoryBar(
            "GPU memory", peak.name, _largest_first(lines), found.taken.gpu, available.gpu, usable.gpu
        )
    lines = tuple(line for line in prediction.resident_lines if line.bytes)
    moment = prediction.peak(MemoryPlace.RAM).name
    yield MemoryBar("RAM", moment, _largest_first(lines), found.taken.ram, available.ram, usable.ram)


def _largest_first(lines: tuple[MemoryLine, ...]) -> tuple[MemoryLine, ...]:
    return tuple(sorted(lines, key=lambda line: -line.bytes))


def _in_words(found: MemoryPlan) -> Iterator[tuple[str, str]]:
    chosen, depth = found.techniques, depth_of(found.question.model)
    device = "GPU" if found.on_gpu else "processor"
    yield "Trains on", device
    yield (
        "Micro-batch",
        f"{chosen.micro_batch} samples at a time" if chosen.micro_batch > 1 else "one sample at a time",
    )
    yield "Precision", chosen.precision.value
    again = depth - chosen.kept
    layers = f"{again} of {depth} layers {'is' if again == 1 else 'are'}"
    their = "its" if again == 1 else "their"
    yield (
        "Activations",
        {
            Activations.KEEP: "all are kept",
            Activations.CHECKPOINT: f"{layers} computed twice",
            Activations.REVERSE: f"{layers} rebuilt from {their} outputs",
        }[chosen.activations],
    )
    bits = "8 bits" if chosen.eight_bit_optimizer else "32 bits"
    yield "Optimizer", f"moments in {bits}, on the {'CPU' if chosen.optimizer_on_cpu else device}"


def _technique_steps(name: str, length: int | None) -> Iterator[TechniqueStep]:
    """Yield the paper's techniques one after the other, at one sample on a GPU, without a swarm."""
    model = known_model(name).architecture
    ours = isinstance(model, ModelConfig)
    lean = Activations.REVERSE if ours else Activations.CHECKPOINT
    techniques = Techniques()
    shared = 0 if ours else None
    changes: tuple[tuple[str, dict[str, Any]], ...] = (
        ("Nothing saved: everything in 32 bits", {}),
        ("Moments of the optimizer in 8 bits", {"eight_bit_optimizer": True}),
        ("Optimizer’s state in RAM", {"optimizer_on_cpu": True}),
        ("Layers reversed" if ours else "Activations checkpointed", {"activations": lean}),
        ("Parameters and activations in 16 bits", {"precision": Precision.FLOAT16}),
    )
    for title, change in changes:
        techniques = replace(techniques, **change)
        yield _technique_step(title, predict(model, techniques, sequence_length=length, shared_layers=shared))
    sets = len(model.patterns) if isinstance(model, ModelConfig) else 1
    yield _technique_step(
        "Layers share one set of weights" if sets == 1 else f"Layers share {sets} sets of weights",
        predict(model, techniques, sequence_length=length, shared_layers=sets),
    )


def _technique_step(title: str, prediction: Prediction) -> TechniqueStep:
    return TechniqueStep(title, prediction.gpu_bytes, prediction.ram_bytes)


@dataclass(frozen=True)
class Needs:
    """The smallest sizes of memory, free for training, that have a plan; None if none up to 96 GiB has."""

    ram_gib: int | None
    """GiB of RAM without a GPU."""
    gpu_gib: int | None


def needs_of(manifest: RunManifest) -> Needs:
    return _needs(manifest.training.model)


@lru_cache(maxsize=4)
def _needs(model: RunModel) -> Needs:
    without = (size for size in _SIZES if _fits(model, MachineResources(size * _GIB)))
    sixteen = (Precision.FLOAT16, Precision.FLOAT32)
    with_gpu = (
        size for size in _SIZES if _fits(model, MachineResources(_RAM, size * _GIB, precisions=sixteen))
    )
    return Needs(next(without, None), next(with_gpu, None))


def _fits(model: RunModel, machine: MachineResources) -> bool:
    found = plan(model, machine)
    return found.fits and found.on_gpu == (machine.gpu_bytes is not None)
