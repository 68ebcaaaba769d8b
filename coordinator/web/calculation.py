"""The memory calculator's answers: a plan for a machine, line by line, and what each technique saves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from core.errors import MemoryPlanError
from core.memory import plan, predict
from core.memory.fitness import depth_of
from core.memory.line import Line, Place
from core.memory.machine import Machine
from core.memory.models import MODELS, known_model
from core.memory.parameters import count
from core.memory.planning import MemoryPlan
from core.memory.prediction import Prediction
from core.memory.search import MICRO_BATCHES, Choices
from core.memory.techniques import Activations, Precision, Techniques
from core.memory.units import parse_size
from core.model.config import ModelConfig

C = TypeVar("C", Precision, Activations)
Written = Annotated[str, Field(max_length=12)]

_CORES = 8
_SIXTEEN_BITS = (Precision.FLOAT16, Precision.FLOAT32)


class Asked(BaseModel):
    """The calculator's form; empty fields are chosen as is best."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    model: Annotated[str, Field(max_length=40)] = "dalle"
    gpu: Written = "8 GiB"
    """Free GPU memory; 0 where there is none."""
    ram: Written = "16 GiB"
    batch: Written = ""
    length: Written = ""
    shared: Written = ""
    precision: Written = ""
    activations: Written = ""
    optimizer: Written = ""
    """8 or 32: bits of a moment."""
    offload: Written = ""
    """yes or no: whether the optimizer works on the CPU."""
    where: Written = "swarm"
    """swarm, or alone."""

    @property
    def chooses(self) -> bool:
        """Whether any technique is asked for."""
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
class Bar:
    """The lines of one kind of memory, as parts of what is free."""

    place: str
    moment: str
    lines: tuple[Line, ...]
    taken: int
    free: int
    usable: int


@dataclass(frozen=True)
class Rung:
    """What training takes with one technique more than on the rung before."""

    name: str
    gpu: int
    ram: int


@dataclass(frozen=True)
class Calculation:
    """An answer."""

    title: str
    citation: str
    parameters: int
    plan: MemoryPlan
    bars: tuple[Bar, ...]
    chosen: tuple[tuple[str, str], ...]
    """Techniques in words."""
    ladder: tuple[Rung, ...]


@lru_cache(maxsize=256)
def calculate(asked: Asked) -> Calculation:
    """The plan that was asked for; MemoryPlanError where the question makes no sense."""
    known = known_model(asked.model)
    shared, length = _number(asked.shared, "sets of shared layers"), _number(asked.length, "positions")
    found = plan(
        asked.model,
        _machine(asked),
        in_swarm=asked.where != "alone",
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
        ladder=tuple(_ladder(asked.model, length)),
    )


def models() -> Sequence[str]:
    """Those that can be asked for."""
    return tuple(MODELS)


def _machine(asked: Asked) -> Machine:
    ram = parse_size(asked.ram)
    if asked.gpu.strip() in ("", "0"):
        return Machine(ram, cores=_CORES, name="a processor")
    return Machine(ram, parse_size(asked.gpu), _CORES, _SIXTEEN_BITS, "a GPU")


def _choices(asked: Asked) -> Choices:
    batch = _number(asked.batch, "samples in a micro-batch")
    return Choices(
        MICRO_BATCHES if batch is None else (batch,),
        _one_of(Precision, asked.precision),
        _one_of(Activations, asked.activations),
        {"8": True, "32": False}.get(asked.optimizer),
        {"yes": True, "no": False}.get(asked.offload) if asked.where == "alone" else None,
    )


def _number(text: str, what: str) -> int | None:
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise MemoryPlanError(f"{text!r} is no number of {what}.", "Write digits, or leave it empty.")
    return int(text)


def _one_of(kind: type[C], text: str) -> C | None:
    return next((choice for choice in kind if choice.value == text), None)


def _bars(found: MemoryPlan) -> Iterator[Bar]:
    prediction, available, usable = found.prediction, found.available, found.available.usable
    if found.on_gpu:
        peak = prediction.peak(Place.GPU)
        lines = tuple(line for line in prediction.lines if line.place is Place.GPU)
        yield Bar("GPU memory", peak.name, _largest_first(lines), found.taken.gpu, available.gpu, usable.gpu)
    lines = tuple(line for line in prediction.resident_lines if line.bytes)
    moment = prediction.peak(Place.RAM).name
    yield Bar("RAM", moment, _largest_first(lines), found.taken.ram, available.ram, usable.ram)


def _largest_first(lines: tuple[Line, ...]) -> tuple[Line, ...]:
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
    yield (
        "Activations",
        {
            Activations.KEEP: "all are kept",
            Activations.CHECKPOINT: f"{again} of {depth} layers are computed twice",
            Activations.REVERSE: f"{again} of {depth} layers are rebuilt from their outputs",
        }[chosen.activations],
    )
    bits = "8 bits" if chosen.eight_bit_optimizer else "32 bits"
    yield "Optimizer", f"moments in {bits}, on the {'CPU' if chosen.optimizer_on_cpu else device}"


def _ladder(name: str, length: int | None) -> Iterator[Rung]:
    """The paper's techniques one after the other, of one sample at a time on a GPU, outside a swarm."""
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
        yield _rung(title, predict(model, techniques, sequence_length=length, shared_layers=shared))
    sets = len(model.patterns) if isinstance(model, ModelConfig) else 1
    yield _rung(
        "Layers share one set of weights" if sets == 1 else f"Layers share {sets} sets of weights",
        predict(model, techniques, sequence_length=length, shared_layers=sets),
    )


def _rung(title: str, prediction: Prediction) -> Rung:
    return Rung(title, prediction.gpu_bytes, prediction.ram_bytes)
