"""Draws one picture of each of several prompts, so many at a time as fit into memory."""

import torch
from torch import Tensor

from core.generation.drawing import Drawing
from core.generation.memory import bytes_of_text, bytes_per_image
from core.generation.sampling import Sampling
from core.memory.techniques import Precision
from core.model.config import ModelConfig
from core.model.transformer import Transformer


def prompts_that_fit(config: ModelConfig, room: int, most: int, precision: Precision) -> int:
    """How many prompts to draw a picture of at once in ``room`` bytes: 1 to ``most``, though 1 may not fit."""
    image = bytes_per_image(config, precision)
    fit = (
        count
        for count in range(most, 1, -1)
        if bytes_of_text(config, count, precision) + count * image <= room
    )
    return next(fit, 1)


class PromptDrawing:
    """The first picture of each prompt; it does not depend on how many are drawn at a time."""

    def __init__(self, model: Transformer, text: Tensor, sampling: Sampling, at_once: int) -> None:
        """For prompts as tokens, int64 (prompts, text_length)."""
        self._model, self._sampling = model, sampling
        self._left = list(text.split(at_once))
        self._drawing: Drawing | None = None
        self._codes: list[Tensor] = []

    @property
    def done(self) -> bool:
        return self._drawing is None and not self._left

    @property
    def device(self) -> torch.device:
        """Where it computes."""
        return self._model.vocabulary.weight.device

    def step(self) -> None:
        """A little further: a code of each picture that is drawn now, or a part of their prompts."""
        if self._drawing is None:
            self._drawing = Drawing(self._model, self._left.pop(0), self._sampling)
            return
        self._drawing.step()
        if self._drawing.done:
            self._codes.append(self._drawing.codes().cpu())
            self._drawing = None

    def codes(self) -> Tensor:
        """Codes, int64 (prompts, grid, grid), on the CPU, once ``done``."""
        return torch.cat(self._codes)
