"""Cuts a run's gradients into parts, for peers that have no model."""

import torch

from core.model.transformer import Transformer
from core.run.rules import TrainingRules
from core.swarm.rounds.partition import Part, round_parts


def parts_of_run(training: TrainingRules) -> tuple[Part, ...]:
    """Return the parts of a round under the rules in ``training``, in order.

    They are the same parts that the run's trainers get from their parameters.
    """
    with torch.device("meta"):  # only the sizes are needed
        sizes = [item.numel() for item in Transformer(training.model).parameters()]
    return round_parts(sizes, training.swarm)
