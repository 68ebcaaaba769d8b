"""Micro-steps of our model on a GPU: samples a second, and the share of the GPU's arithmetic that they use.

The arithmetic is that of ``benchmarks.measuring.roofline``: matrix products alone, two operations a multiplication.
`model_TFLOP` counts each product once forward and twice backward, whatever is computed again, for a sample;
`computed_TFLOP` what the techniques compute again, too. MFU (Chowdhery et al., 2022) is `model_TFLOP` a second by the
peak: `MFU_of_table` by NVIDIA's figure for the card's dense 16-bit products, `MFU_of_product` by what a product of
two 8192 x 8192 matrices reached in the same run. `kernels` (beside the rows) is where the GPU's time goes in a micro-
step of the paper's model, with the techniques that the memory plan chooses for this whole GPU. The goal is judged for
these (`techniques`: plan); the others, `fixed`, show how speed depends on batch and activations.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

import torch
from torch import Tensor
from torch._C._autograd import DeviceType
from torch.profiler import ProfilerActivity, profile

from benchmarks.contests.cases import MID32, TINY, WIDE8
from benchmarks.gpu.part import MeasuredRow, PartReport, run_part, sixteen_bit, wait
from benchmarks.gpu.training import kept_by, plan_for
from benchmarks.measuring.report import rounded
from benchmarks.measuring.roofline import flops, products
from benchmarks.measuring.tensor_memory import free_memory
from benchmarks.training import reached
from core.memory import predict
from core.model.config import ModelConfig, preset
from core.model.micro_steps import MicroSteps
from core.model.techniques import Activations, Precision, Techniques
from core.model.transformer import Transformer

_SQUARE = 8192
_WARM_UP, _MOST, _SECONDS = 3, 10, 4.0
_ROOM = 0.85
_GOAL = 0.5
_KERNELS = 25

# Dense products in bfloat16, summed up in float32, in 10^12 operations a second: NVIDIA's data sheets, which give
# twice as much for sparse ones, and its papers on the architectures Ampere and Ada. The first name that fits counts.
PEAKS = (
    ("B200", 2250.0),
    ("H200", 989.4),
    ("H100 NVL", 835.0),
    ("H100 PCIe", 756.0),
    ("H100", 989.4),
    ("A100", 312.0),
    ("A10", 125.0),
    ("L40S", 362.0),
    ("L4", 121.0),
    ("RTX 4090", 165.2),
    ("RTX 3090", 71.0),
)


def peak_of(name: str) -> float | None:
    """Return the operations per second of the card ``name`` by the table; None if it does not know the card.

    Names are compared by whole words: an L40 is no L4.
    """
    words = f" {name.replace('-', ' ')} "
    return next((peak * 1e12 for known, peak in PEAKS if f" {known} " in words), None)


@dataclass(frozen=True)
class SpeedWorkload:
    """A model, and how its micro-steps are made."""

    name: str
    config: ModelConfig
    techniques: Techniques
    planned: bool = False
    """True if the memory plan chose the techniques."""

    @property
    def batch(self) -> int:
        return self.techniques.micro_batch

    @property
    def what(self) -> str:
        """Name of the measurement."""
        return f"{self.name}, {kept_by(self.config, self.techniques)}, batch {self.batch}"


_DALLE = preset("dalle")
_FIXED = (
    ("dalle", _DALLE, Activations.REVERSE, 8),
    ("dalle", _DALLE, Activations.KEEP, 8),
    ("dalle", _DALLE, Activations.KEEP, 1),
    ("dalle", _DALLE, Activations.REVERSE, 32),
    ("dalle", _DALLE, Activations.KEEP, 32),
    ("dalle", _DALLE, Activations.REVERSE, 1),
    ("wide8", WIDE8, Activations.KEEP, 16),
    ("mid32", MID32, Activations.KEEP, 32),
)
_SMALL = (
    ("tiny", TINY, Activations.KEEP, 2),
    ("tiny", TINY, Activations.REVERSE, 2),
)
_SMALL_GPU = 4 << 30
"""Bytes of the GPU for which the tiny model's plan is made on a machine without one."""


def workloads(precision: Precision, gpu_bytes: int | None) -> Iterator[SpeedWorkload]:
    """Yield the workloads in order, each once: first the one that a trainer takes on this GPU, if its plan fits.

    Args:
        precision: 16-bit type that the GPU computes with.
        gpu_bytes: Free bytes of the GPU; None if there is none: the tiny model's workloads.
    """
    planned = _planned(precision, gpu_bytes)
    if planned is not None:
        yield planned
    for name, config, activations, batch in _SMALL if gpu_bytes is None else _FIXED:
        techniques = Techniques(
            batch, precision, activations, eight_bit_optimizer=True, optimizer_on_cpu=True
        )
        if planned is None or (config, techniques) != (planned.config, planned.techniques):
            yield SpeedWorkload(name, config, techniques)


def _planned(precision: Precision, gpu_bytes: int | None) -> SpeedWorkload | None:
    name, config = ("tiny", TINY) if gpu_bytes is None else ("dalle", _DALLE)
    found = plan_for(config, _SMALL_GPU if gpu_bytes is None else gpu_bytes, precision)
    return (
        SpeedWorkload(name, config, found.techniques, planned=True) if found.fits and found.on_gpu else None
    )


def measure(report: PartReport) -> None:
    """Measure the peak, then each workload that fits, and after the first of them where its time goes."""
    dtype = sixteen_bit(report.device)
    product = product_flops(report.device, dtype, _SQUARE if report.on_gpu else 256)
    table = peak_of(torch.cuda.get_device_name()) if report.on_gpu else None
    report.note(
        dtype=str(dtype).removeprefix("torch."),
        peak_TFLOP_of_product=rounded(product / 1e12),
        peak_TFLOP_of_table=table and table / 1e12,
    )
    if report.on_gpu and table is None:
        report.leave_out("MFU by the table", f"the table does not know {torch.cuda.get_device_name()}")
    precision = Precision.BFLOAT16 if dtype == torch.bfloat16 else Precision.FLOAT16
    free_memory()
    for number, workload in enumerate(workloads(precision, _free_bytes(report))):
        if number == 0 and not workload.planned:
            report.leave_out("the memory plan's own batch", "the paper's model does not fit this GPU")
        if not _fits(report, workload):
            report.leave_out(workload.what, "it is predicted to need more memory than is free")
            continue
        report.attempt(workload.what, partial(_row, report, workload, product, table), seconds=8.0)
        if number == 0:
            report.attempt("kernels", partial(_kernels, report, workload), seconds=10.0)


def _free_bytes(report: PartReport) -> int | None:
    return torch.cuda.mem_get_info()[0] if report.on_gpu else None


def product_flops(device: torch.device, dtype: torch.dtype, size: int) -> float:
    """Measure the operations per second in products of two random square matrices."""
    left, right = torch.randn(2, size, size, device=device).to(dtype)
    out = torch.empty_like(left)

    def multiply() -> float:
        wait(device)
        began = time.perf_counter()
        torch.mm(left, right, out=out)
        wait(device)
        return time.perf_counter() - began

    for _ in range(_WARM_UP):
        multiply()
    return float(2 * size**3 / median(multiply() for _ in range(_MOST)))


def _fits(report: PartReport, workload: SpeedWorkload) -> bool:
    free = _free_bytes(report)
    if workload.planned or free is None:  # a plan has left its own head-room
        return True
    return predict(workload.config, workload.techniques, device_is_gpu=True).gpu_bytes < _ROOM * free


class Steps:
    """Micro-steps of a workload, on random samples."""

    def __init__(self, report: PartReport, workload: SpeedWorkload) -> None:
        generator, config = torch.Generator().manual_seed(0), workload.config
        model = Transformer(config, generator, workload.techniques).to(report.device)
        self._device, self._steps = report.device, MicroSteps(model, leaner=())
        self._text = self._random(config.text_vocab, workload.batch, config.text_length, generator)
        self._codes = self._random(config.image_vocab, workload.batch, config.image_length, generator)

    def _random(self, vocabulary: int, batch: int, length: int, generator: torch.Generator) -> Tensor:
        return torch.randint(1, vocabulary, (batch, length), generator=generator).to(self._device)

    def __call__(self) -> float:
        """Make one; its seconds."""
        wait(self._device)
        began = time.perf_counter()
        self._steps.add_gradients(self._text, self._codes)
        wait(self._device)
        return time.perf_counter() - began


def _row(
    report: PartReport, workload: SpeedWorkload, product: float, table: float | None
) -> Iterator[MeasuredRow]:
    step = Steps(report, workload)
    if report.on_gpu:
        torch.cuda.reset_peak_memory_stats()
    seconds = typical_seconds(step, min(_SECONDS, report.budget.left / 2))
    needed = flops(products(workload.config, Techniques(workload.batch)))
    computed = flops(products(workload.config, workload.techniques))
    yield {
        "model": workload.name,
        "techniques": "plan" if workload.planned else "fixed",
        "activations": kept_by(workload.config, workload.techniques),
        "batch": workload.batch,
        "ms": rounded(1e3 * seconds),
        "samples_/_s": rounded(workload.batch / seconds),
        "tokens_/_s": rounded(workload.batch * workload.config.sequence_length / seconds),
        "model_TFLOP": rounded(needed / workload.batch / 1e12),
        "computed_TFLOP": rounded(computed / workload.batch / 1e12),
        "TFLOP_/_s": rounded(needed / seconds / 1e12),
        "MFU_of_product": rounded(needed / seconds / product, 3),
        "MFU_of_table": rounded(needed / seconds / table, 3) if table else 0.0,
        "goal": reached(needed / seconds / table, _GOAL if workload.planned else None) if table else "-",
        "peak_GiB": rounded(torch.cuda.max_memory_allocated() / 2**30, 3) if report.on_gpu else 0.0,
    }


def typical_seconds(step: Steps, seconds: float) -> float:
    """Return the median seconds of a few steps, at least one, after those that warm up."""
    for _ in range(_WARM_UP):
        step()
    taken = [step()]
    while len(taken) < _MOST and sum(taken) < seconds:
        taken.append(step())
    return median(taken)


def _kernels(report: PartReport, workload: SpeedWorkload) -> Iterator[MeasuredRow]:
    """Note where the time of one micro-step goes; it has no rows."""
    step = Steps(report, workload)
    step()
    activities = [ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if report.on_gpu else [])]
    with profile(activities=activities) as profiler:
        step()
    report.note(kernels=_shares(profiler.key_averages(), on_gpu=report.on_gpu))
    yield from ()


def _shares(averages: Any, *, on_gpu: bool) -> list[dict[str, Any]]:
    """Return the operations that take the most time by themselves, with their calls and their shares of all."""
    name = "self_device_time_total" if on_gpu else "self_cpu_time_total"
    # Of a GPU its kernels alone: an operation's row counts those that it has launched once more.
    device = DeviceType.CUDA if on_gpu else DeviceType.CPU
    own = (event for event in averages if event.device_type == device)
    events = sorted(own, key=lambda event: float(getattr(event, name)), reverse=True)
    whole = sum(float(getattr(event, name)) for event in events) or 1.0
    return [
        {
            "name": event.key[:120],
            "calls": event.count,
            "ms": rounded(getattr(event, name) / 1e3),
            "share": rounded(getattr(event, name) / whole, 3),
        }
        for event in events[:_KERNELS]
    ]


if __name__ == "__main__":
    sys.exit(run_part("speed", __doc__ or "", measure))
