"""Our model as the memory benchmark trains it: random captions and codes."""

from collections.abc import Callable

import torch
from torch import nn

from benchmarks.memory.cases import MemoryCase
from core.memory.models import AnyModel
from core.model.config import ModelConfig
from core.model.micro_steps import MicroSteps
from core.model.transformer import Transformer


def build(model: AnyModel, case: MemoryCase, device: str = "cpu") -> tuple[nn.Module, Callable[[], object]]:
    """Return a model in the case's precision, and what adds up a micro-batch's gradients, as the trainer does."""
    assert isinstance(model, ModelConfig)
    techniques = case.techniques
    module = Transformer(model, torch.Generator().manual_seed(0), techniques).to(device)
    text = torch.randint(1, model.text_vocab, (techniques.micro_batch, model.text_length))
    codes = torch.randint(0, model.image_vocab, (techniques.micro_batch, model.image_length))
    steps = MicroSteps(module, leaner=())
    text, codes = text.to(device), codes.to(device)
    return module, lambda: steps.add_gradients(text, codes)
