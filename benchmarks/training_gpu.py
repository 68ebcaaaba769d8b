"""Training on an NVIDIA GPU: tokens per second, MFU and memory with the batch that fills a 4, 8, 12 or 24 GB card.

NOT TRIED YET: no GPU could be had. A card holds parameters, gradients and activations, as in the paper's run, whose
optimizer lies in RAM; half a GiB is left to CUDA itself. The model FLOPs of MFU are those of benchmarks/roofline.py
without recomputation, and the peak is what this GPU reaches in a large square product of the same type.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import torch

from benchmarks.contest import REFERENCE, workers
from benchmarks.contestants.micro_step import gpu_dtype
from benchmarks.contestants.worker import Worker
from benchmarks.report import rounded
from benchmarks.roofline import flops, products
from benchmarks.timing import timed
from benchmarks.training_cases import Case, write_batches
from core.memory.techniques import Techniques
from core.model.config import ModelConfig

CARDS_GIB = (4, 8, 12, 24)
_FOR_CUDA = 1 << 29
_WARM_UP, _REPEATS, _SQUARE = 3, 10, 8192
_PRECISION = "medium"


@dataclass(frozen=True)
class Held:
    """Bytes on the GPU: what is there before a micro-step, and what each sample of it adds."""

    always: float
    each_sample: float

    @classmethod
    def between(cls, one: float, two: float) -> "Held":
        """From the peaks at batches of one and of two samples."""
        return cls(2 * one - two, two - one)

    def largest_batch(self, available: float) -> int:
        """Samples that fit; 0 if not even one does."""
        return max(0, int((available - self.always) / self.each_sample))


def measure_gpu(case: Case, reference: Path) -> Iterator[dict[str, Any]]:
    """A row for each card and side, each with its own largest batch."""
    with (
        TemporaryDirectory() as name,
        workers(replace(case, batch=1), reference, "cuda", Path(name)) as started,
    ):
        batches = Path(name) / "batches.safetensors"
        held = {side: _held(case.config, worker, batches) for side, worker in started.items()}
        peak_flops = square_flops()
        for card in CARDS_GIB:
            largest = {side: found.largest_batch(card * 2**30 - _FOR_CUDA) for side, found in held.items()}
            yield from _rows(case, card, largest, started, peak_flops, batches)


def square_flops() -> float:
    """Floating point operations per second of this GPU in the type that the models compute in."""
    side = torch.randn(_SQUARE, _SQUARE, device="cuda", dtype=gpu_dtype())

    def multiply() -> None:
        torch.mm(side, side)
        torch.cuda.synchronize()

    multiply()
    return 2 * _SQUARE**3 / median(timed(multiply).wall for _ in range(_REPEATS))


def _held(config: ModelConfig, worker: Worker, batches: Path) -> Held:
    return Held.between(*(_peak(config, worker, batch, batches) for batch in (1, 2)))


def _peak(config: ModelConfig, worker: Worker, batch: int, batches: Path) -> float:
    """Bytes on the GPU at the peak of a micro-step of that many samples."""
    write_batches(config, batch, batches)
    worker.ask("batches", path=str(batches))
    found = worker.ask("memory", precision=_PRECISION)
    return float(found["held"] + found["peak"])


def _rows(
    case: Case,
    card: int,
    largest: Mapping[str, int],
    started: Mapping[str, Worker],
    peak_flops: float,
    batches: Path,
) -> Iterator[dict[str, Any]]:
    speeds: dict[str, float] = {}
    for side, worker in started.items():
        row: dict[str, Any] = {"model": case.name, "card_GiB": card, "side": side, "batch": largest[side]}
        if not largest[side]:
            yield {**row, "tokens_/_s": 0.0, "MFU": 0.0, "peak_GiB": 0.0, "ratio": 0.0}
            continue
        peak = _peak(case.config, worker, largest[side], batches)
        seconds = median(worker.ask("step", precision=_PRECISION)["wall"] for _ in range(_WARM_UP + _REPEATS))
        speeds[side] = largest[side] * case.config.sequence_length / seconds
        needed = flops(products(case.config, Techniques(micro_batch=largest[side])))
        yield {
            **row,
            "tokens_/_s": rounded(speeds[side]),
            "MFU": rounded(needed / seconds / peak_flops, 3),
            "peak_GiB": rounded(peak / 2**30, 3),
            "ratio": rounded(speeds[side] / speeds[REFERENCE], 3) if REFERENCE in speeds else 0.0,
        }
