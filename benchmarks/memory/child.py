"""Measures one combination of techniques in a process of its own, and prints what it took as a line of JSON.

A whole life of a trainer is run twice: the model is built, two micro-steps add up their gradients, the optimizer
makes its step. The first run, undisturbed, gives the process's peak of resident memory; the second, under
``torch.profiler``, that of tensors.
"""

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn

from benchmarks.measuring.tensor_memory import peak_bytes
from benchmarks.memory.cases import CASES, INSTANCES, MemoryCase
from core.families.causal_lm.config import CausalConfig
from core.memory.lasting import has_masters
from core.memory.models import AnyModel, OwnModel
from core.optim.adamw import AdamW8bit
from core.optim.lamb import Lamb8bit
from core.optim.masters import Masters

_MICRO_STEPS = 2
_ALL = 1 << 62
_KIB = 1024


_Build = Callable[[AnyModel, MemoryCase], tuple[nn.Module, Callable[[], object]]]


def live(build: _Build, case: MemoryCase) -> None:
    """Build the model, train on two micro-batches, and make the optimizer's step."""
    torch.manual_seed(0)
    module, micro_step = build(INSTANCES[case.model], case)
    step = _optimizer_step(module, case)
    for _ in range(_MICRO_STEPS):
        micro_step()
    step()


def _builder(case: MemoryCase) -> _Build:
    """Return the builder of a case's model, imported only now, as ``transformers`` takes memory of its own."""
    if isinstance(INSTANCES[case.model], OwnModel):
        from benchmarks.memory.own_model import build

        return build
    from benchmarks.memory.other_models import build as build_other

    return build_other


def _optimizer_step(module: nn.Module, case: MemoryCase) -> Callable[[], object]:
    """Return the step of ``core.swarm.state.replica``, or one on the model's own parameters if it has no masters."""
    kind = AdamW8bit if isinstance(INSTANCES[case.model], CausalConfig) else Lamb8bit
    min_8bit_size = 65_536 if case.techniques.eight_bit_optimizer else _ALL
    if not has_masters(case.techniques):
        return kind(module.parameters(), lr=1e-3, min_8bit_size=min_8bit_size).step
    masters = Masters(module.named_parameters())
    optimizer = kind([p for _, p in masters.named_parameters()], lr=1e-3, min_8bit_size=min_8bit_size)

    def step() -> None:
        masters.set_gradients([p.grad for p in masters.model_parameters() if p.grad is not None])
        optimizer.step()
        masters.drop_gradients()
        masters.copy_to_model()

    return step


def _peak_resident() -> int:
    """Return the bytes of the high-water mark that Linux keeps of this process."""
    status = Path("/proc/self/status").read_text().splitlines()
    (line,) = (line for line in status if line.startswith("VmHWM:"))
    return int(line.split()[1]) * _KIB


def measure(case: MemoryCase) -> dict[str, int]:
    """Measure the peaks in bytes, and what the process held once everything was imported."""
    build = _builder(case)
    imported = _peak_resident()
    live(build, case)
    resident = _peak_resident()
    return {"imported": imported, "resident": resident, "tensors": peak_bytes(lambda: live(build, case))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", type=int)
    case = CASES[parser.parse_args().case]
    torch.set_num_threads(1)
    print(json.dumps(measure(case)))


if __name__ == "__main__":
    main()
