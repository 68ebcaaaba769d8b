"""How a run's gradients are cut, for peers that have no model."""

import torch

from core.model.transformer import Transformer
from core.rules import TrainingRules
from core.swarm.partition import Part, round_parts


def parts_of_run(training: TrainingRules) -> tuple[Part, ...]:
    """The parts of a round, in their order; the same that its trainers get from their parameters."""
    with torch.device("meta"):  # only the sizes are needed
        sizes = [item.numel() for item in Transformer(training.model).parameters()]
    return round_parts(sizes, training.swarm)
