"""The parts that `make gpu` runs, and their shares of eight minutes; needs only the standard library."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

LEAST_SECONDS = 15.0
"""Seconds below which a part is left out: Python, torch and a model take most of them to start."""


@dataclass(frozen=True)
class GpuPart:
    """A separate program that measures, stops by itself when its time is over, and writes its results."""

    name: str
    module: str
    seconds: float
    """Seconds for the part; they grow by the time that earlier parts do not use."""
    does: str


PARTS = (
    GpuPart("tests", "benchmarks.gpu.cuda_tests", 100, "the tests that are marked cuda"),
    GpuPart(
        "memory", "benchmarks.gpu.memory", 70, "the memory that was predicted against what was allocated"
    ),
    GpuPart(
        "speed", "benchmarks.gpu.speed", 70, "micro-steps at the paper's size, as a share of the GPU's peak"
    ),
    GpuPart("generation", "benchmarks.gpu.generation", 70, "drawing with and without CUDA graphs"),
    GpuPart(
        "training", "benchmarks.gpu.training", 105, "training against dalle-pytorch on cards of 4 to 80 GB"
    ),
    GpuPart("volunteer", "benchmarks.gpu.volunteer", 105, "the client as a volunteer runs it, on this GPU"),
)


class PartEnding(StrEnum):
    """Outcome of a part in one word."""

    RAN = "ran"
    FAILED = "failed"
    LEFT_OUT = "left out"


@dataclass(frozen=True)
class Omission:
    """A measurement that was left out."""

    what: str
    why: str


@dataclass(frozen=True)
class PartOutcome:
    """Outcome of a part, with reasons."""

    part: GpuPart
    ending: PartEnding
    seconds: float = 0.0
    limit: float = 0.0
    """Seconds that the part had."""
    why: str = ""
    """Reason for the failure or omission; empty if the part ran."""
    left_out: tuple[Omission, ...] = ()
    """Measurements of the part that were left out."""


RunPart = Callable[[GpuPart, float], PartOutcome]
"""Function that runs a part within a time limit in seconds."""


def run_all(
    parts: Sequence[GpuPart], seconds: float, run: RunPart, clock: Callable[[], float]
) -> Iterator[PartOutcome]:
    """Run the parts in turn, all within ``seconds``; yield each one's outcome when it ends."""
    deadline = clock() + seconds
    for index, part in enumerate(parts):
        left = deadline - clock()
        limit = left * part.seconds / sum(other.seconds for other in parts[index:])
        if limit < LEAST_SECONDS:
            yield PartOutcome(
                part, PartEnding.LEFT_OUT, why=f"only {max(0.0, left):.0f} s of the time were left"
            )
        else:
            yield run(part, limit)


def summary(outcomes: Sequence[PartOutcome]) -> Iterator[str]:
    """Yield readable lines: the parts that ran, and those that were left out, with reasons."""
    for outcome in outcomes:
        why = f": {outcome.why}" if outcome.why else ""
        yield f"{outcome.part.name} ({outcome.part.does}): {outcome.ending}, {outcome.seconds:.0f} s{why}"
        for omission in outcome.left_out:
            yield f"    left out: {omission.what}: {omission.why}"
