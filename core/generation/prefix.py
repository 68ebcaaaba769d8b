"""Reads prompts, a sublayer at a time, and hands out what codes will see of them."""

import torch
from torch import Tensor

from core.generation.sublayers import TextSeen
from core.model.ends import normalise
from core.model.products import fast_products
from core.model.transformer import Transformer, check_tokens


class Prefix:
    """The text's way through the model: computed once, whatever number of images is drawn of each prompt.

    Nothing is lost if ``model.between``, which is called before each sublayer, raises.
    """

    def __init__(self, model: Transformer, text: Tensor) -> None:
        """For tokens int64 (prompts, text_length); ValueError if they are not."""
        check_tokens("text", text, model.config.text_length, model.config.text_vocab)
        self._model, self._read = model, 0
        # The model's layers want whole rows of codes; the text does not see them.
        filler = text.new_zeros(len(text), model.config.grid)
        x = model.embed(model.ids(text, filler))
        self._streams = [x, x.clone()] if model.config.reversible else [x]

    @property
    def done(self) -> bool:
        return self._read == 2 * self._model.config.depth

    def read_on(self) -> TextSeen | None:
        """Compute the next sublayer; what codes see of the text there, if it is attention."""
        self._model.between()
        branch = self._model.layer_branches(self._read // 2)[self._read % 2]
        count, attends = len(self._streams), self._read % 2 == 0
        stream, other = self._streams[self._read % count], self._streams[(self._read + 1) % count]
        with fast_products(stream.device):
            kept = branch.add_to(stream, other, attends)
        self._read += 1
        return TextSeen(kept.heads.text_key.mT.contiguous(), kept.heads.text_value) if attends else None

    def hidden(self) -> Tensor:
        """What predicts the first code, (prompts, dim), once ``done``."""
        last = self._model.config.text_length
        mean = torch.stack([stream[:, last] for stream in self._streams]).mean(dim=0)
        return normalise(mean, self._model.norm)[0]
