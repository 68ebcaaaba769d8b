"""A tiny model with all there is in one, its batches and its gradients."""

import torch
from torch import Tensor

from core.model.config import ModelConfig
from core.model.techniques import Techniques
from core.model.transformer import Transformer

# All patterns, shared weights, an unrotated remainder of each head, a window as wide as the image.
TINY = ModelConfig(
    dim=16, depth=6, heads=2, dim_head=16, text_length=3, text_vocab=7, grid=5, image_vocab=6, shared_layers=4
)


def build(config: ModelConfig, techniques: Techniques | None = None) -> Transformer:
    """A float64 model with random values in every parameter."""
    model = Transformer(config, torch.Generator().manual_seed(1), techniques).double()
    generator = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator), alpha=0.2)
    return model


def batch(config: ModelConfig, size: int = 2) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(3)
    text = torch.randint(config.text_vocab, (size, config.text_length), generator=generator)
    text[0, -1] = 0
    return text, torch.randint(config.image_vocab, (size, config.image_length), generator=generator)


def gradients(loss: Tensor, model: Transformer) -> dict[str, Tensor]:
    names, parameters = zip(*model.named_parameters(), strict=True)
    return dict(zip(names, torch.autograd.grad(loss, parameters), strict=True))
