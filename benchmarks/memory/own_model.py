"""Our models as the memory benchmark trains them: random captions and codes, or random tokens."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from benchmarks.memory.cases import MemoryCase
from core.families.causal_lm.config import CausalConfig
from core.families.causal_lm.model import CausalTransformer
from core.memory.models import AnyModel
from core.model.config import ModelConfig
from core.model.family.trainable import TrainableModel
from core.model.micro_steps import MicroSteps
from core.model.techniques import Techniques
from core.model.transformer import Transformer


def build(model: AnyModel, case: MemoryCase, device: str = "cpu") -> tuple[nn.Module, Callable[[], object]]:
    """Return a model in the case's precision, and what adds up a micro-batch's gradients, as the trainer does."""
    assert isinstance(model, ModelConfig | CausalConfig)
    module = _made(model, case.techniques).to(device)
    steps = MicroSteps(module, leaner=())
    inputs = [item.to(device) for item in _inputs(model, case.techniques.micro_batch)]
    return module, lambda: steps.add_gradients(*inputs)


def _made(model: ModelConfig | CausalConfig, techniques: Techniques) -> TrainableModel:
    generator = torch.Generator().manual_seed(0)
    if isinstance(model, CausalConfig):
        return CausalTransformer(model, generator, techniques)
    return Transformer(model, generator, techniques)


def _inputs(model: ModelConfig | CausalConfig, samples: int) -> list[Tensor]:
    if isinstance(model, CausalConfig):
        return [torch.randint(0, model.vocab, (samples, model.length + 1))]
    text = torch.randint(1, model.text_vocab, (samples, model.text_length))
    return [text, torch.randint(0, model.image_vocab, (samples, model.image_length))]
