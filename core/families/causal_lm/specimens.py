"""Specimens of a causal language model: how it continues each sample prompt."""

import copy
from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor

from core.errors import GenerationError
from core.families.causal_lm.cards import SIDE, card
from core.families.causal_lm.model import CausalTransformer
from core.families.causal_lm.tokens import TextTokenizer
from core.families.causal_lm.writing import TEMPERATURE, TOP_K, Writing
from core.memory.units import format_size
from core.model.family.publishing import WritingChoices
from core.model.family.trainable import TrainableModel

_FLOAT32 = 4
"""Bytes of a value; keys and values of a model in 16 bits take half of them."""
_MOST_TOKENS = 64
"""Tokens that follow a prompt, at most."""


def bytes_to_write(model: CausalTransformer) -> int:
    """Return the bytes that writing with a copy of ``model`` takes: the copy, and keys and values of one whole text.

    Of one layer they are there twice while a token is added to them.
    """
    config = model.config
    copied = sum(item.numel() * item.element_size() for item in (*model.parameters(), *model.buffers()))
    return copied + 2 * (config.depth + 1) * config.length * config.dim * _FLOAT32 + config.vocab * _FLOAT32


class TextSpecimens:
    """Continues each prompt, always from the same seed: a specimen is what a model makes of a sample prompt."""

    tile = SIDE
    """Largest side in pixels of a card in a frame."""

    def __init__(self, prompts: Sequence[str], tokenizer: TextTokenizer, end_id: int) -> None:
        """Prepare to continue prompts.

        Args:
            prompts: Prompts to continue.
            tokenizer: Tokenizer of the run.
            end_id: Token that ends a text.
        """
        self._prompts, self._tokenizer, self._end = tuple(prompts), tokenizer, end_id
        self._tokens = [tokenizer.encode(prompt) for prompt in prompts]

    def begin(self, model: TrainableModel, free: int) -> Writing:
        """Begin to write with a copy of ``model``, within ``free`` bytes on its device.

        Raises:
            GenerationError: There is too little memory.
        """
        ours = cast(CausalTransformer, model)
        needed = bytes_to_write(ours)
        if needed > free:
            raise GenerationError(
                f"Writing needs {format_size(needed)} of memory, and {format_size(free)} are left.",
                "Let training take less memory.",
            )
        still = copy.deepcopy(ours).requires_grad_(False)
        tokens = min(_MOST_TOKENS, max(1, ours.config.length // 2))
        choices = WritingChoices(tokens, TEMPERATURE, TOP_K, seed=0)
        return Writing(still, self._tokens, end_id=self._end, choices=choices)

    def pictures(self, codes: Tensor) -> Tensor:
        """Return a card for each prompt and its continuation, float (prompts, 3, height, width) in [0, 1].

        Args:
            codes: Tokens of the continuations, int64 (prompts, tokens).
        """
        pairs = zip(self._prompts, self.texts(codes), strict=True)
        return torch.stack([card(prompt, text) for prompt, text in pairs])

    def texts(self, codes: Tensor) -> Sequence[str]:
        """Return the continuation of each prompt, without the prompt.

        Args:
            codes: Tokens of the continuations, int64 (prompts, tokens).
        """
        return [
            self._tokenizer.decode([token for token in row if token != self._end]) for row in codes.tolist()
        ]
