"""Images from prompts: codes are drawn one after the other and decoded by the codec."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.codec.vqgan import ImageCodec
from core.model.transformer import Transformer
from core.text import CaptionTokenizer


@dataclass(frozen=True)
class Sampling:
    """How codes are drawn (Borzunov et al., 2022, section 3.4: top 256 logits, or the top 0.75 of probability)."""

    top_k: int = 256
    temperature: float = 1.0
    seed: int = 0


@torch.no_grad()
def draw_codes(model: Transformer, text: Tensor, sampling: Sampling) -> Tensor:
    """Codes, int64 (batch, grid, grid), for captions int64 (batch, text_length); the same for the same seed."""
    config = model.config
    generator = torch.Generator(text.device).manual_seed(sampling.seed)
    codes = text.new_empty(len(text), 0)
    for _ in range(config.image_length):
        logits = model.next_code_logits(text, codes).float() / sampling.temperature
        top = logits.topk(min(sampling.top_k, config.image_vocab), dim=-1)
        choice = torch.multinomial(top.values.softmax(-1), 1, generator=generator)
        codes = torch.cat([codes, top.indices.gather(-1, choice)], dim=1)
    return codes.view(-1, config.grid, config.grid)


def generate(
    model: Transformer,
    codec: ImageCodec,
    tokenizer: CaptionTokenizer,
    prompts: Sequence[str],
    sampling: Sampling,
) -> Tensor:
    """One image for each prompt: float (prompts, 3, height, width) in [0, 1]."""
    device = next(model.parameters()).device
    codes = draw_codes(model, tokenizer.encode(prompts).to(device), sampling)
    return codec.decode(codes.cpu())
