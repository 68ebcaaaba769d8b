"""Makes a trainer's memory plan, and brings its model to where and how the plan computes."""

from dataclasses import dataclass, field
from pathlib import Path

import torch

from core.errors import MemoryPlanError
from core.memory.failures import failed
from core.memory.machine import Allowance, Machine
from core.memory.planning import MemoryPlan
from core.memory.search import Choices
from core.model.transformer import Transformer
from core.rules import TrainingRules
from core.run_plan import plan_of
from core.swarm.device_class import DeviceClass


@dataclass(frozen=True)
class Resources:
    """What a memory plan is made of."""

    machine: Machine = field(default_factory=lambda: Machine(ram_bytes=1 << 60))
    """What there is to plan with; by default a processor and no end of memory."""
    allowance: Allowance = field(default_factory=Allowance)
    """What the volunteer lets the trainer take of it."""
    choices: Choices = field(default_factory=Choices)
    """What may be chosen from."""


def plan_for(training: TrainingRules, resources: Resources, failures: Path) -> MemoryPlan:
    """How to compute within the memory there is; MemoryPlanError if there is too little.

    ``failures`` is the file that remembers what ran out of memory before (`core.memory.failures`).
    """
    machine, allowance = resources.machine, resources.allowance
    available, has_gpu = allowance.of(machine), machine.gpu_bytes is not None
    found = plan_of(
        training,
        machine,
        allowance,
        resources.choices,
        avoid=failed(failures, training.model, available, on_gpu=has_gpu),
        avoid_on_processor=failed(failures, training.model, available, on_gpu=False),
    )
    if not found.fits:
        raise MemoryPlanError(found.reason, "Close other programs, or allow training to take more memory.")
    return found


def place(model: Transformer, found: MemoryPlan) -> None:
    """Round and move the model as planned; masters are taken, and processes forked, before."""
    model.compute_in(found.techniques.precision)
    if found.on_gpu:
        model.to(emptiest_gpu())
    model.use(found.techniques)


def device_class(model: Transformer) -> DeviceClass:
    """That of the device on which the model is."""
    device = next(model.parameters()).device
    if device.type != "cuda":
        return DeviceClass.CPU
    return DeviceClass.of_gpu(torch.cuda.get_device_properties(device).total_memory)


def emptiest_gpu() -> torch.device:
    """The GPU with the most free memory, as that is what the plan was made for."""
    index = max(range(torch.cuda.device_count()), key=lambda item: torch.cuda.mem_get_info(item)[0])
    return torch.device("cuda", index)
