"""Decodes codes one after the other, for several images of each prompt at once."""

import torch
from torch import Tensor

from core.model.transformer import Transformer


class Decoder:
    """Logits of the next code of each image, given those before it."""

    def __init__(self, model: Transformer, text: Tensor, images_per_prompt: int = 1) -> None:
        """``text`` are captions or prompts as tokens, int64 (prompts, text_length); images come prompt by prompt."""
        self._model = model
        device = next(model.parameters()).device
        self._text = text.to(device).repeat_interleave(images_per_prompt, dim=0)
        self._codes = self._text.new_empty(len(self._text), 0)

    @property
    def position(self) -> int:
        """Codes of each image that are known."""
        return self._codes.shape[1]

    @property
    def ready(self) -> bool:
        """Whether the text is read."""
        return True

    def read_on(self) -> None:
        """Read one layer more of the text."""

    def logits(self) -> Tensor:
        """Of the next code: (images, image_vocab)."""
        return self._model.next_code_logits(self._text, self._codes)

    def append(self, codes: Tensor) -> None:
        """Take the next code of each image, int64 (images)."""
        self._codes = torch.cat([self._codes, codes[:, None]], dim=1)
