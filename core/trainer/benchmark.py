"""Micro-steps of a model on random samples, as its memory plan makes them, to measure a machine's speed."""

from collections.abc import Iterator

import torch
from torch import Tensor

from core.memory.planning import MemoryPlan
from core.model.config import ModelConfig
from core.model.micro_steps import MicroSteps
from core.model.transformer import Transformer
from core.trainer.placement import place


def micro_steps(config: ModelConfig, plan: MemoryPlan) -> Iterator[int]:
    """Compute micro-steps without end; yield the number of samples after each.

    If memory runs out, leaner techniques are used, as by a trainer.

    Args:
        config: Sizes of the model.
        plan: Memory plan of the computation.
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
