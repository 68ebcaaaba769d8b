"""Training on cards of 4 to 80 GB against dalle-pytorch 1.6.6: samples a second at the paper's size.

A card is this GPU with so much of its memory allowed, less half a GiB for CUDA itself. It holds parameters, gradients
and activations; the optimizer lies in RAM on both sides, as in the paper's run. Ours trains as its memory plan for
that card says, in 16 bits with float32 masters elsewhere; dalle-pytorch under torch's autocast in the same 16 bits,
forward and backward, with the largest batch that fits: it is found from its peaks at one and two samples, and lowered
where it does not do. Both first compute the loss of the same samples with the same weights. `ratio` is ours by dalle-
pytorch's samples a second.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import torch

from benchmarks.contestants.worker import Worker, WorkerError
from benchmarks.contests.cases import TINY, dalle_pytorch_options, write_batches
from benchmarks.contests.contest import REFERENCE, REFERENCE_PYTHON
from benchmarks.gpu.needs import importable, why_missing
from benchmarks.gpu.part import MeasuredRow, PartReport, run_part, sixteen_bit
from benchmarks.measuring.report import rounded
from benchmarks.training import reached
from core.memory import plan
from core.memory.machine import MachineResources
from core.memory.planning import MemoryPlan
from core.memory.search import PlanChoices
from core.model.config import ModelConfig, preset
from core.model.techniques import Activations, Precision, Techniques

OURS = "idlebrush"
WITHOUT_REFERENCE = "none"
PACKAGES = ("dalle_pytorch", "einops", "axial_positional_embedding", "rotary_embedding_torch")
CARDS_GIB = (80, 24, 12, 8, 4)
"""Sizes of cards in the order of measuring: if the time is over, those of the smaller cards are left out."""
_FOR_CUDA = 1 << 29
_RAM = 1 << 40
_WARM_UP, _MOST, _SECONDS = {REFERENCE: 1, OURS: 3}, 5, 6.0
_GOAL = 3.0
_MOST_ELEMENTS = 2**31 - 1
"""Elements of a tensor for which torch's kernels count in 32 bits."""
_TOLERANCE = 2e-2
"""Relative deviation of the loss, in 16 bits."""
_TF32 = "high"
"""Matmul precision at which the remaining float32 products run on tensor cores, on both sides."""


@dataclass(frozen=True)
class Held:
    """Bytes on the GPU: a fixed part before a micro-step, and a part for each of its samples."""

    always: float
    each_sample: float

    @classmethod
    def between(cls, one: float, two: float) -> "Held":
        """Return the parts from the peak bytes at batches of one and of two samples."""
        return cls(2 * one - two, two - one)

    def largest_batch(self, available: float, config: ModelConfig) -> int:
        """Return the number of samples that fit; 0 if not even one does.

        dalle-pytorch computes the logits of a whole batch, and torch's kernels crash where they are 2^31 or more.
        """
        logits = config.sequence_length * (config.text_classes + config.image_vocab)
        return max(0, min(int((available - self.always) / self.each_sample), _MOST_ELEMENTS // logits))


@dataclass
class GpuContest:
    """The model, and the workers that train it."""

    report: PartReport
    config: ModelConfig
    folder: Path
    precision: Precision
    workers: dict[str, Worker] = field(default_factory=dict)

    def batches(self, worker: Worker, size: int) -> None:
        """Give a worker batches of ``size`` samples."""
        path = self.folder / "batches.safetensors"
        write_batches(self.config, size, path)
        worker.ask("batches", path=str(path))

    def rest_all_but(self, name: str) -> None:
        """Free what the other workers need not hold: all of them share the memory of one GPU."""
        for other, worker in self.workers.items():
            if other != name:
                worker.ask("rest")


def measure(report: PartReport) -> None:
    """Measure both sides, or ours alone, on every card."""
    config = preset("dalle") if report.on_gpu else TINY
    precision = Precision(str(sixteen_bit(report.device)).removeprefix("torch."))
    with TemporaryDirectory() as name, ExitStack() as stack:
        contest = GpuContest(report, config, Path(name), precision)
        report.attempt("starting the models", partial(_start, contest, stack), seconds=20.0)
        if OURS not in contest.workers:
            return
        held = _held(contest) if REFERENCE in contest.workers else None
        if report.on_gpu:
            total = torch.cuda.get_device_properties(report.device).total_memory
            measure_cards(contest, held, CARDS_GIB, total)
        else:
            measure_cards(contest, held, CARDS_GIB[-2:], None)


def measure_cards(contest: GpuContest, held: Held | None, cards: Sequence[int], total: int | None) -> None:
    """Measure ``cards`` in this order; leave out those that are larger than the GPU, or that no time is left for.

    Args:
        held: dalle-pytorch's memory; None if it is not measured.
        cards: Sizes in GiB.
        total: Bytes of the GPU; None if there is none.
    """
    for card in cards:
        # Cards lack a little of what they are named by.
        if total is not None and card * 2**30 > 1.02 * total:
            contest.report.leave_out(f"{card} GiB", f"this GPU has {total / 2**30:.0f} GiB")
            continue
        contest.report.attempt(f"{card} GiB", partial(rows_of_card, contest, card, held), seconds=8.0)


def reference_python(asked: str) -> Path | None:
    """Return a Python with dalle-pytorch: the requested one, this one, or that of `make bench`; or None.

    ``asked`` is its path; ``none`` asks for none, and nothing leaves the choice open.
    """
    if asked == WITHOUT_REFERENCE:
        return None
    if asked:
        return Path(asked)
    if all(map(importable, PACKAGES)):
        return Path(sys.executable)
    return REFERENCE_PYTHON if REFERENCE_PYTHON.exists() else None


def _start(contest: GpuContest, stack: ExitStack) -> Iterator[MeasuredRow]:
    """Start the workers, dalle-pytorch first, as it makes the weights; and compare the losses of both."""
    weights: list[Path] = []
    if (python := reference_python(contest.report.reference)) is None:
        missing = [package for package in PACKAGES if not importable(package)]
        why = why_missing(*missing) if missing else "it was not asked for"
        contest.report.leave_out("dalle-pytorch", f"{why}; ours is measured alone")
    else:
        weights.append(contest.folder / "weights.safetensors")
        options = {**dalle_pytorch_options(contest.config), "autocast": contest.precision.value}
        _start_worker(contest, stack, REFERENCE, python, "dalle_pytorch", options, weights)
    techniques = Techniques(precision=contest.precision, activations=Activations.REVERSE)
    ours = {"config": contest.config.model_dump(mode="json"), "techniques": asdict(techniques)}
    _start_worker(contest, stack, OURS, Path(sys.executable), "idlebrush", ours, weights)
    losses = {name: _attempt(worker)["loss"] for name, worker in contest.workers.items()}
    contest.report.note(losses=losses, precision=contest.precision.value)
    if REFERENCE in losses and not abs(losses[OURS] / losses[REFERENCE] - 1) <= _TOLERANCE:
        contest.report.fail("the same loss", f"{losses}: a comparison of speed would mean nothing")
    yield from ()


def _start_worker(
    contest: GpuContest,
    stack: ExitStack,
    name: str,
    python: Path,
    module: str,
    options: dict[str, Any],
    weights: list[Path],
) -> None:
    file = contest.folder / f"{name}.json"
    file.write_text(json.dumps({**options, "device": contest.report.device.type}))
    worker = stack.enter_context(Worker(python, f"benchmarks.contestants.{module}", file, *weights))
    contest.batches(worker, 1)  # answered once its model is there
    contest.workers[name] = worker


def _attempt(worker: Worker) -> dict[str, float]:
    """Run a micro-step that must succeed."""
    found: dict[str, float] | None = worker.ask("attempt", precision=_TF32)
    if found is None:
        raise WorkerError("A single sample takes more memory than there is.", "Take a GPU with more of it.")
    return found


def _held(contest: GpuContest) -> Held:
    """Return dalle-pytorch's memory on a GPU; on a CPU its memory is unknown, and not needed."""
    worker, peaks = contest.workers[REFERENCE], []
    contest.rest_all_but(REFERENCE)
    for size in (1, 2):
        contest.batches(worker, size)
        _attempt(worker)
        peaks.append(_attempt(worker)["peak"])
    return Held.between(*peaks) if peaks[0] else Held(0.0, 2.0**30)


def rows_of_card(contest: GpuContest, card: int, held: Held | None) -> Iterator[MeasuredRow]:
    """Yield dalle-pytorch's row, if it is available, and ours."""
    available, theirs = card * 2**30 - _FOR_CUDA, None
    if held is not None:
        theirs = _time_theirs(contest, available, held)
        yield _row(card, REFERENCE, theirs, None)
    yield _row(card, OURS, _time_ours(contest, card, available), theirs)


@dataclass(frozen=True)
class Timed:
    """A contestant's speed on a card; no samples if none fits."""

    batch: int = 0
    seconds: float = 0.0
    peak_bytes: float = 0.0
    activations: str = "-"
    lowered: int = 0
    """Times that a smaller plan or batch was tried because memory ran out."""

    @property
    def speed(self) -> float:
        return self.batch / self.seconds if self.batch else 0.0


def _time_theirs(contest: GpuContest, available: int, held: Held) -> Timed:
    contest.rest_all_but(REFERENCE)
    worker, batch, lowered = contest.workers[REFERENCE], held.largest_batch(available, contest.config), 0
    worker.ask("allow", size=available)
    while batch:
        contest.batches(worker, batch)
        if found := _typical(contest, REFERENCE):
            return Timed(batch, *found, lowered=lowered)
        batch, lowered = batch * 9 // 10, lowered + 1
    return Timed(lowered=lowered)


def _time_ours(contest: GpuContest, card: int, available: int) -> Timed:
    contest.rest_all_but(OURS)
    worker, lowered = contest.workers[OURS], 0
    worker.ask("allow", size=available)
    found: MemoryPlan | None = plan_for(contest.config, card << 30, contest.precision)
    while found is not None and found.fits:
        techniques = found.techniques
        worker.ask("use", techniques=asdict(techniques))
        contest.batches(worker, techniques.micro_batch)
        if timed := _typical(contest, OURS):
            return Timed(techniques.micro_batch, *timed, kept_by(contest.config, techniques), lowered)
        found, lowered = found.leaner(), lowered + 1
    return Timed(lowered=lowered)


def plan_for(config: ModelConfig, gpu_bytes: int, precision: Precision) -> MemoryPlan:
    """Return the plan of a trainer on a GPU with ``gpu_bytes`` free; the tiny model gets few samples for a test."""
    machine = MachineResources(
        _RAM, gpu_bytes, precisions=(Precision.FLOAT32, precision), name=f"{gpu_bytes / 2**30:.0f} GiB"
    )
    choices = PlanChoices.up_to(2) if config == TINY else PlanChoices()
    return plan(config, machine, choices=replace(choices, precision=precision))


def kept_by(config: ModelConfig, techniques: Techniques) -> str:
    """Describe the activations that layers keep, in a few words."""
    if techniques.activations is Activations.KEEP:
        return "keep"
    kept = f", {techniques.kept} of {config.depth} keep all" if techniques.kept else ""
    return techniques.activations.value + kept


def _typical(contest: GpuContest, side: str) -> tuple[float, float] | None:
    """Return micro-steps' median seconds and their peak of memory in bytes; None if memory runs out."""
    worker, warm_up = contest.workers[side], _WARM_UP[side]
    taken, peak = list[float](), 0.0
    while len(taken) < warm_up + _MOST:
        found = worker.ask("attempt", precision=_TF32)
        if found is None:
            return None
        taken.append(found["wall"])
        peak = max(peak, found["peak"])
        enough = sum(taken[warm_up:]) > _SECONDS or contest.report.budget.left < 2 * taken[-1]
        if enough and len(taken) > warm_up:
            break
    return median(taken[warm_up:]), peak


def _row(card: int, side: str, timed: Timed, other: Timed | None) -> MeasuredRow:
    ratio = timed.speed / other.speed if other and other.speed else 0.0
    return {
        "card_GiB": card,
        "side": side,
        "batch": timed.batch,
        "activations": timed.activations,
        "s_a_step": rounded(timed.seconds),
        "samples_/_s": rounded(timed.speed),
        "peak_GiB": rounded(timed.peak_bytes / 2**30, 3),
        "lowered": timed.lowered,
        "ratio": rounded(ratio, 3),
        "goal": reached(ratio, _GOAL) if ratio else "-",
    }


if __name__ == "__main__":
    sys.exit(run_part("training", __doc__ or "", measure))
