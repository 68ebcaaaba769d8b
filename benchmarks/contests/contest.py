"""Compares our model with dalle-pytorch in one case: same weights and batches, in turns, one thread each."""

import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import torch
from safetensors import safe_open

from benchmarks.contestants.worker import ROOT, Worker, WorkerError
from benchmarks.contests.cases import TrainingCase, dalle_pytorch_options, write_batches
from benchmarks.measuring.roofline import Product, ProductShape, least_seconds, measure, products
from benchmarks.measuring.timing import Duration, typical
from core.model.config import ModelConfig
from core.model.dalle_pytorch_names import our_name

REFERENCE = "dalle-pytorch"
REFERENCE_PYTHON = ROOT / ".venv-dalle-pytorch" / "bin" / "python"
TOLERANCES = {"highest": 1e-3, "medium": 5e-2}
"""Allowed relative deviations; at "medium" some processors multiply in bfloat16."""


@dataclass(frozen=True)
class Deviation:
    """Our relative deviations from dalle-pytorch's results; the gradient's is the largest 2-norm."""

    loss: float
    gradient: float
    parameter: str


@dataclass
class Side:
    """Measurements of one contestant."""

    peak_bytes: int = 0
    peak_rss: int = 0
    durations: dict[str, list[Duration]] = field(default_factory=dict)
    """Durations of the repetitions by precision."""

    def typical(self, precision: str) -> Duration:
        """Return the medians of its micro-steps."""
        return typical(self.durations[precision])


@dataclass
class Contest:
    """Measurements of one case."""

    case: TrainingCase
    sides: dict[str, Side]
    """Measurements of dalle-pytorch, and of our model by the name of its techniques."""
    deviations: dict[tuple[str, str], Deviation] = field(default_factory=dict)
    """Deviations by techniques and precision."""
    gemm: dict[str, list[dict[ProductShape, float]]] = field(default_factory=dict)
    """Speeds of the matrix products in each round, by precision."""

    def products(self, techniques: str) -> list[Product]:
        """Return the matrix products of our micro-step."""
        return products(self.case.config, self.case.techniques[techniques])

    def least_seconds(self, techniques: str, precision: str) -> float:
        """Return the CPU seconds of our micro-step at the median speeds of this machine's GEMM."""
        rounds = self.gemm[precision]
        speeds = {shape: median(one[shape] for one in rounds) for shape in rounds[0]}
        return least_seconds(self.products(techniques), speeds)


def hold(case: TrainingCase, precisions: Sequence[str], repeats: int, reference: Path) -> Contest:
    """Compare the results of both, then time them in turns; raise WorkerError if the results differ."""
    contest = Contest(case, {name: Side() for name in (REFERENCE, *case.techniques)})
    with TemporaryDirectory() as name, workers(case, reference, "cpu", Path(name)) as started:
        for precision in precisions:
            _check(contest, started, precision, Path(name))
        for _ in range(repeats):
            for precision in precisions:
                _time_in_turns(contest, started, precision)
        for side, worker in started.items():
            contest.sides[side].peak_rss = worker.ask("peak_rss")
            contest.sides[side].peak_bytes = worker.ask("memory", precision=precisions[-1])["peak"]
    return contest


@contextmanager
def workers(case: TrainingCase, reference: Path, device: str, folder: Path) -> Iterator[dict[str, Worker]]:
    """Start dalle-pytorch and our model with each of the techniques, from the same weights and one batch."""
    weights, batches = folder / "weights.safetensors", folder / "batches.safetensors"
    write_batches(case.config, case.batch, batches)
    with ExitStack() as stack:
        started = {}
        for name, python, module, options in _contestants(case, reference):
            file = folder / f"{name}.json"
            file.write_text(json.dumps({**options, "device": device}))
            worker = stack.enter_context(Worker(python, f"benchmarks.contestants.{module}", file, weights))
            worker.ask(
                "batches", path=str(batches)
            )  # answered once its model is there: the weights are, then
            started[name] = worker
        yield started


def _contestants(case: TrainingCase, reference: Path) -> Iterator[tuple[str, Path, str, dict[str, Any]]]:
    """Yield name, Python, module and options of each; dalle-pytorch comes first, as it makes the weights."""
    yield REFERENCE, reference, "dalle_pytorch", dalle_pytorch_options(case.config)
    config = case.config.model_dump(mode="json")
    for name, techniques in case.techniques.items():
        options = {"config": config, "techniques": asdict(techniques)}
        yield name, Path(sys.executable), "idlebrush", options


def _check(contest: Contest, started: Mapping[str, Worker], precision: str, folder: Path) -> None:
    """Run one untimed micro-step of all, and note our deviations from dalle-pytorch's results."""
    gradients = {name: folder / f"gradients of {name}.safetensors" for name in started}
    losses = {
        name: worker.ask("check", precision=precision, path=str(gradients[name]))
        for name, worker in started.items()
    }
    for name in contest.case.techniques:
        loss = abs(losses[name] / losses[REFERENCE] - 1)
        farthest = farthest_gradient(contest.case.config, gradients[name], gradients[REFERENCE])
        contest.deviations[name, precision] = deviation = Deviation(loss, *farthest)
        insist(contest.case, name, precision, deviation)


def farthest_gradient(config: ModelConfig, ours: Path, theirs: Path) -> tuple[float, str]:
    """Return the largest ||ours - theirs|| / ||theirs|| of the gradients, and the parameter's name."""
    with safe_open(ours, "pt") as mine, safe_open(theirs, "pt") as reference:
        names = {our_name(config, name): name for name in reference.keys()}  # noqa: SIM118 - no mapping
        if names.keys() != set(mine.keys()):
            raise WorkerError("Both sides have gradients of different parameters.", "See core.model.config.")
        return max(
            (_distance(mine.get_tensor(name), reference.get_tensor(other)), name)
            for name, other in names.items()
        )


def _distance(ours: torch.Tensor, theirs: torch.Tensor) -> float:
    difference = (ours.view_as(theirs) - theirs).norm()
    distance = float(difference / theirs.norm()) if difference else 0.0
    return (
        distance if math.isfinite(distance) else math.inf
    )  # which a comparison finds, unlike what is no number


def insist(case: TrainingCase, techniques: str, precision: str, deviation: Deviation) -> None:
    """Raise WorkerError if a deviation is beyond the tolerance."""
    tolerance = TOLERANCES[precision]
    if (
        deviation.loss <= tolerance and deviation.gradient <= tolerance
    ):  # neither is where one is not a number
        return
    raise WorkerError(
        f"At {case.name}, {techniques}, {precision} our results are not dalle-pytorch's: {deviation}.",
        "A comparison of speed would mean nothing: find out what differs.",
    )


def _time_in_turns(contest: Contest, started: Mapping[str, Worker], precision: str) -> None:
    """Time one micro-step of each, and this machine's GEMM at our shapes."""
    for name, worker in started.items():
        duration = Duration(**worker.ask("step", precision=precision))
        contest.sides[name].durations.setdefault(precision, []).append(duration)
    torch.set_float32_matmul_precision(precision)
    speeds = measure(contest.products(next(iter(contest.case.techniques))))
    contest.gemm.setdefault(precision, []).append(speeds)
