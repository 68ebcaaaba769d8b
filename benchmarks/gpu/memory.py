"""Predicted and allocated memory of the GPU over micro-steps of our model and, with transformers, of other families.

Predicted is what ``core.memory`` says of tensors on a GPU, with the optimizer in RAM; measured is the most that
torch's allocator had given out at once (``torch.cuda.max_memory_allocated``), over building the model and two micro-
steps. The workspaces of CUDA's libraries are taken before, and told apart: `workspaces_MiB`. `reserved_ratio` is what
the allocator held for what it had given out, of which a plan leaves room for 1.1; `outside_MiB` is what the GPU has
lost besides, to CUDA itself and to other programs, for which a plan leaves 400 MiB. Sizes are in MiB; ratios are
predicted / measured.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import torch
from torch import nn

from benchmarks.gpu.needs import LIST, importable
from benchmarks.gpu.part import MeasuredRow, PartReport, run_part
from benchmarks.measuring.report import rounded
from benchmarks.measuring.tensor_memory import peaks, warm_up
from benchmarks.memory.cases import ALL_INSTANCES, MemoryCase
from core.memory.models import AnyModel
from core.model.techniques import Activations, Precision, Techniques

_MIB = 2**20
_MICRO_STEPS = 2
_ROOM = 0.9
"""Share of the GPU's free memory that a case is tried in."""
_WITHOUT_TRANSFORMERS = (
    "transformers is not installed for this Python. It brings many packages and is therefore not in "
    f"{LIST}: install it by itself, or compare our model alone"
)
KEEP, CHECKPOINT, REVERSE = Activations
FLOAT32, BFLOAT16, FLOAT16 = Precision
_OURS, _OTHER = "dalle", "dalle, 9 layers"
OURS = (
    MemoryCase(_OURS, None, Techniques(4, BFLOAT16, REVERSE)),
    MemoryCase(_OURS, None, Techniques(1, BFLOAT16, KEEP)),
    MemoryCase(_OURS, None, Techniques(2, BFLOAT16, REVERSE, checkpointed=32, kept=16)),
    MemoryCase(_OURS, None, Techniques(1, FLOAT32, REVERSE)),
    MemoryCase(_OURS, None, Techniques(2, FLOAT32, CHECKPOINT)),
    MemoryCase(_OTHER, None, Techniques(16, BFLOAT16, KEEP)),
    MemoryCase(_OTHER, None, Techniques(4, FLOAT32, KEEP)),
    MemoryCase(_OTHER, None, Techniques(4, FLOAT16, REVERSE)),
)
OTHERS = (
    MemoryCase("bert-base", 256, Techniques(8, BFLOAT16, KEEP)),
    MemoryCase("bert-base", 128, Techniques(4, FLOAT32, KEEP)),
    MemoryCase("gpt2", 512, Techniques(4, BFLOAT16, KEEP)),
    MemoryCase("gpt2", 512, Techniques(2, FLOAT32, CHECKPOINT)),
    MemoryCase("t5-small", 128, Techniques(4, FLOAT32, KEEP)),
    MemoryCase("gpt-j, 4 layers of 768", 256, Techniques(4, BFLOAT16, KEEP)),
)
SMALL = (
    MemoryCase("dalle, tiny", None, Techniques(2, FLOAT32, REVERSE)),
    MemoryCase("dalle, tiny", None, Techniques(2, BFLOAT16, KEEP)),
)

_Build = Callable[[AnyModel, MemoryCase, str], tuple[nn.Module, Callable[[], object]]]


def measure(report: PartReport) -> None:
    """Measure all cases that fit, ours first."""
    if report.on_gpu:
        warm_up(report.device)
        report.note(workspaces_MiB=rounded(torch.cuda.memory_allocated() / _MIB), **_outside())
    for case in OURS if report.on_gpu else SMALL:
        _attempt(report, case, build_ours)
    if not importable("transformers"):
        report.leave_out("BERT, GPT-2, T5, GPT-J", _WITHOUT_TRANSFORMERS)
        return
    for case in OTHERS if report.on_gpu else ():
        _attempt(report, case, _build_other)


def _attempt(report: PartReport, case: MemoryCase, build: _Build) -> None:
    case = replace(case, techniques=replace(case.techniques, optimizer_on_cpu=True))
    what = ", ".join(str(value) for value in case.columns().values())
    predicted = case.prediction(on_gpu=True).gpu_bytes
    if report.on_gpu and predicted > (free := torch.cuda.mem_get_info()[0] * _ROOM):
        needed = f"{predicted / _MIB:.0f} MiB are predicted, and {free / _MIB:.0f} are free"
        report.leave_out(what, needed)
        return
    report.attempt(what, lambda: _row(report, case, build, predicted), seconds=5.0)


def _row(report: PartReport, case: MemoryCase, build: _Build, predicted: int) -> Iterator[MeasuredRow]:
    measured, reserved = peaks(report.device, lambda: live(build, case, report.device.type))
    yield {
        **case.columns(),
        "predicted": rounded(predicted / _MIB, 5),
        "measured": rounded(measured / _MIB, 5),
        "ratio": rounded(predicted / measured, 4),
        "reserved_ratio": rounded(reserved / measured, 4),
    }


def live(build: _Build, case: MemoryCase, device: str) -> nn.Module:
    """Build the model and add up the gradients of some micro-batches."""
    torch.manual_seed(0)
    module, micro_step = build(ALL_INSTANCES[case.model], case, device)
    for _ in range(_MICRO_STEPS):
        micro_step()
    return module


def _outside() -> dict[str, Any]:
    free, total = torch.cuda.mem_get_info()
    return {"outside_MiB": rounded((total - free - torch.cuda.memory_reserved()) / _MIB)}


def build_ours(model: AnyModel, case: MemoryCase, device: str) -> tuple[nn.Module, Callable[[], object]]:
    from benchmarks.memory.own_model import build

    return build(model, case, device)


def _build_other(model: AnyModel, case: MemoryCase, device: str) -> tuple[nn.Module, Callable[[], object]]:
    from benchmarks.memory.other_models import build

    return build(model, case, device)


if __name__ == "__main__":
    sys.exit(run_part("memory", __doc__ or "", measure))
