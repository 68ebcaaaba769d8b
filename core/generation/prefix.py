"""Reads prompts, a sublayer at a time, and keeps what codes will see of them."""

import torch
from torch import Tensor

from core.generation.sublayers import TextSeen
from core.model.ends import normalise
from core.model.products import fast_products
from core.model.transformer import Transformer, check_tokens


class Prefix:
    """The text's way through the model: computed once, however many images are drawn of each prompt.

    Nothing is lost if ``model.between``, which is called before each sublayer, raises.
    """

    @torch.no_grad()
    def __init__(self, model: Transformer, text: Tensor) -> None:
        """For tokens int64 (prompts, text_length); ValueError if they are not."""
        check_tokens("text", text, model.config.text_length, model.config.text_vocab)
        self.prompts = len(text)
        self.seen: list[TextSeen] = []
        """By layer, once ``done``."""
        text = text.to(model.vocabulary.weight.device)
        # The model's layers want whole rows of codes; the text does not see them.
        x = model.embed(model.ids(text, text.new_zeros(len(text), model.config.grid)))
        self._model, self._read = model, 0
        self._streams = [x, x.clone()] if model.config.reversible else [x]

    @property
    def done(self) -> bool:
        return self._read == 2 * self._model.config.depth

    @torch.no_grad()
    def read_on(self) -> None:
        """Compute the next sublayer."""
        self._model.between()
        branch = self._model.layer_branches(self._read // 2)[self._read % 2]
        count, attends = len(self._streams), self._read % 2 == 0
        stream, other = self._streams[self._read % count], self._streams[(self._read + 1) % count]
        with fast_products(stream.device):
            kept = branch.add_to(stream, other, attends)
        if attends:
            self.seen.append(TextSeen(kept.heads.text_key.mT.contiguous(), kept.heads.text_value))
        self._read += 1
        if self.done:  # of the streams, only what predicts the first code is needed any more
            self._streams = [stream[:, self._model.config.text_length].clone() for stream in self._streams]

    @torch.no_grad()
    def hidden(self) -> Tensor:
        """What predicts the first code, (prompts, dim), once ``done``."""
        return normalise(torch.stack(self._streams).mean(dim=0), self._model.norm)[0]
