"""Makes a trainer's memory plan, and brings its model to where and how the plan computes."""

from dataclasses import dataclass, field
from pathlib import Path

import torch

from core.errors import MemoryPlanError
from core.memory.failures import failed
from core.memory.machine import CUDA_CONTEXT, Allowance, MachineResources
from core.memory.planning import MemoryPlan
from core.memory.search import PlanChoices
from core.model.family.trainable import TrainableModel
from core.model.gpu import emptiest_gpu
from core.run.plan import plan_of
from core.run.rules import TrainingRules
from core.swarm.wire.device_class import DeviceClass


@dataclass(frozen=True)
class Resources:
    """The inputs of a memory plan."""

    machine: MachineResources = field(default_factory=lambda: MachineResources(ram_bytes=1 << 60))
    """The machine to plan for; by default a processor and unlimited memory."""
    allowance: Allowance = field(default_factory=Allowance)
    """The share of it that the volunteer allows."""
    choices: PlanChoices = field(default_factory=PlanChoices)
    """The techniques to choose from."""


def plan_for(training: TrainingRules, resources: Resources, failures: Path) -> MemoryPlan:
    """Plan the computation for the memory there is.

    Args:
        training: Rules of the run.
        resources: Machine, allowance and techniques to choose from.
        failures: File that remembers what ran out of memory before (`core.memory.failures`).

    Raises:
        MemoryPlanError: There is too little memory.
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


def place(model: TrainableModel, found: MemoryPlan) -> None:
    """Round and move ``model`` as planned in ``found``.

    Masters must be taken, and processes forked, before.
    """
    model.compute_in(found.techniques.precision)
    if found.on_gpu:
        device = emptiest_gpu()
        total = torch.cuda.get_device_properties(device).total_memory
        torch.cuda.set_per_process_memory_fraction(share_for_tensors(found.question.allowance, total), device)
        model.to(device)
    model.use(found.techniques)


def share_for_tensors(allowance: Allowance, total: int) -> float:
    """Return the share of a GPU's ``total`` bytes that this process's tensors may take under ``allowance``.

    CUDA's own memory is left aside. Beyond the share an allocation fails, and micro-steps go on with leaner
    techniques (`core.model.micro_steps`).
    """
    if allowance.gpu_bytes is None:
        return 1.0
    return min(1.0, max(0, allowance.gpu_bytes - CUDA_CONTEXT) / total)


def device_class(model: TrainableModel) -> DeviceClass:
    """Return the class of the device on which ``model`` is."""
    device = next(model.parameters()).device
    if device.type != "cuda":
        return DeviceClass.CPU
    return DeviceClass.of_gpu(torch.cuda.get_device_properties(device).total_memory)
