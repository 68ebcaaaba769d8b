"""Weights as dalle-hivemind's program would publish them, of any size, and what to compare them with."""

from pathlib import Path

import torch
from torch import Tensor

from core.model.config import ModelConfig

GOLDENS = Path(__file__).parent / "goldens"
GOLDEN = ModelConfig(
    dim=8, depth=7, heads=2, dim_head=16, text_length=5, text_vocab=11, grid=4, image_vocab=9
)
"""The model of benchmarks/goldens/dalle_hivemind.py."""


def state_of(config: ModelConfig, *, wrapper: str = "model.", device: str = "cpu") -> dict[str, Tensor]:
    """Random weights by the names of the training build; tied ones are one tensor, as in a live model."""
    generator = torch.Generator().manual_seed(0)

    def random(*shape: int) -> Tensor:
        if device == "meta":
            return torch.empty(shape, device=device)
        return torch.randn(shape, generator=generator)

    dim, inner, hidden = config.dim, config.heads * config.dim_head, config.feed_forward_factor * config.dim
    classes, positions = config.text_classes + config.image_vocab, config.text_positions + config.image_length
    state = {
        "transformer.pos_emb": random(1, positions, config.dim_head // 3 // 2 * 6),
        "to_logits.0.weight": random(dim),
        "to_logits.0.bias": random(dim),
        "to_logits.1.weight": random(classes, dim),
        "to_logits.1.bias": random(classes),
    }
    for embedding in ("text_emb", "image_emb"):
        for kind in ("weight", "bias"):
            state[f"{embedding}.linear.{kind}"] = state[f"to_logits.1.{kind}"]
    sets: dict[int, dict[str, Tensor]] = {}
    blocks, branches = ("blocks", ("f.net", "g.net")) if config.reversible else ("layers", ("0", "1"))
    for layer in range(config.depth):
        weights = sets.setdefault(
            config.weight_set(layer),
            {
                "f.to_qkv.weight": random(3 * inner, dim),
                "f.to_out.0.weight": random(dim, inner),
                "f.to_out.0.bias": random(dim),
                "g.net.0.weight": random(2 * hidden, dim),
                "g.net.0.bias": random(2 * hidden),
                "g.net.3.weight": random(dim, hidden),
                "g.net.3.bias": random(dim),
            },
        )
        for kind, branch in zip("fg", branches, strict=True):
            base = f"transformer.layers.{blocks}.{layer}.{branch}."
            state[f"{base}scale"] = random(1, 1, dim)
            state[f"{base}fn.norm.weight"], state[f"{base}fn.norm.bias"] = random(dim), random(dim)
            for name, tensor in weights.items():
                if name.startswith(kind):
                    state[f"{base}fn.fn.fn.{name[2:]}"] = tensor
    return {wrapper + name: tensor for name, tensor in state.items()}
