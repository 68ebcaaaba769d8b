"""Micro-steps of a model on random samples, as its memory plan makes them, to measure a machine's speed."""

from collections.abc import Iterator

import torch

from core.memory.planning import MemoryPlan
from core.model.micro_steps import MicroSteps
from core.run.rules import TrainingRules
from core.run.training.families import family_of
from core.trainer.placement import place


def micro_steps(training: TrainingRules, plan: MemoryPlan) -> Iterator[int]:
    """Compute micro-steps without end; yield the number of samples after each.

    If memory runs out, leaner techniques are used, as by a trainer.

    Args:
        training: Rules of the run whose model is measured.
        plan: Memory plan of the computation.
    """
    generator = torch.Generator().manual_seed(0)
    family = family_of(training)
    model = family.model(training.model, generator)
    place(model, plan)
    steps = MicroSteps(model, (step.techniques for step in plan.steps_down()))
    device = next(model.parameters()).device
    while True:
        batch = steps.micro_batch
        inputs = family.random_inputs(training.model, batch, generator)
        steps.add_gradients(*(item.to(device) for item in inputs))
        yield batch
