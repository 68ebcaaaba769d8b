"""Micro-steps of a run's model as its memory plan makes them, of random samples: how fast does a machine train?"""

from collections.abc import Iterator

import torch
from torch import Tensor

from core.memory.planning import MemoryPlan
from core.micro_steps import MicroSteps
from core.model.config import ModelConfig
from core.model.transformer import Transformer
from core.placement import place


def micro_steps(config: ModelConfig, plan: MemoryPlan) -> Iterator[int]:
    """Compute one after the other, for ever; after each, yields how many samples it was of.

    Where memory runs out, it goes on with less of it, as a trainer does.
    """
    generator = torch.Generator().manual_seed(0)
    model = Transformer(config, generator)
    place(model, plan)
    steps = MicroSteps(model, (step.techniques for step in plan.steps_down()))
    device = next(model.parameters()).device
    while True:
        batch = steps.micro_batch
        text = _random_tokens(config.text_vocab, (batch, config.text_length), generator)
        codes = _random_tokens(config.image_vocab, (batch, config.image_length), generator)
        steps.add_gradients(text.to(device), codes.to(device))
        yield batch


def _random_tokens(vocabulary: int, shape: tuple[int, int], generator: torch.Generator) -> Tensor:
    return torch.randint(1, vocabulary, shape, generator=generator)
