"""Images from prompts: codes are drawn one after the other and decoded by the codec."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

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

    @classmethod
    def of_prompts(cls, image_vocab: int) -> Self:
        """For the run's sample prompts: the paper's share of the vocabulary, and cool, because on a small grid a
        single unlikely code spoils a picture."""
        return cls(top_k=max(1, image_vocab // 32), temperature=0.7)


class Drawing:
    """Images in the making: ``step`` draws the next code of each, so that a loop can do other things in between."""

    def __init__(self, model: Transformer, text: Tensor, sampling: Sampling) -> None:
        """For captions or prompts as tokens, int64 (images, text_length)."""
        device = next(model.parameters()).device
        self._model, self._text, self._sampling = model, text.to(device), sampling
        self._generator = torch.Generator(device).manual_seed(sampling.seed)
        self._codes = self._text.new_empty(len(text), 0)

    @property
    def done(self) -> bool:
        return self._codes.shape[1] == self._model.config.image_length

    @torch.no_grad()
    def step(self) -> None:
        """Draw one more code of each image; the same for the same seed."""
        logits = self._model.next_code_logits(self._text, self._codes).float() / self._sampling.temperature
        top = logits.topk(min(self._sampling.top_k, logits.shape[-1]), dim=-1)
        choice = torch.multinomial(top.values.softmax(-1), 1, generator=self._generator)
        self._codes = torch.cat([self._codes, top.indices.gather(-1, choice)], dim=1)

    def codes(self) -> Tensor:
        """Codes, int64 (images, grid, grid), once ``done``."""
        grid = self._model.config.grid
        return self._codes.view(-1, grid, grid)


def draw_codes(model: Transformer, text: Tensor, sampling: Sampling) -> Tensor:
    """Codes, int64 (images, grid, grid), for tokens int64 (images, text_length)."""
    drawing = Drawing(model, text, sampling)
    while not drawing.done:
        drawing.step()
    return drawing.codes()


def generate(
    model: Transformer,
    codec: ImageCodec,
    tokenizer: CaptionTokenizer,
    prompts: Sequence[str],
    sampling: Sampling,
) -> Tensor:
    """One image for each prompt: float (prompts, 3, height, width) in [0, 1]."""
    return codec.decode(draw_codes(model, tokenizer.encode(prompts), sampling).cpu())
