"""Images in the making: codes are drawn one after the other, so that a loop can do other things in between."""

import torch
from torch import Tensor

from core.generation.choice import choose, image_keys
from core.generation.decoder import Decoder
from core.generation.prefix import Prefix
from core.generation.sampling import Sampling
from core.model.transformer import Transformer


class Drawing:
    """Some images of each prompt, all of them one code further with each step."""

    def __init__(
        self,
        model: Transformer,
        text: Tensor | Prefix,
        sampling: Sampling,
        first_image: int = 0,
        images_per_prompt: int = 1,
    ) -> None:
        """For captions or prompts as tokens, int64 (prompts, text_length), or read already.

        Images come prompt by prompt; those of each prompt are numbered from ``first_image``. An image depends on its
        prompt, the seed and its number, in whatever batches a request is drawn: where the products of another batch
        round otherwise, by 1e-6 or so, about one code in a million is drawn otherwise.
        """
        self._sampling, self._length, self._grid = sampling, model.config.image_length, model.config.grid
        prefix = text if isinstance(text, Prefix) else Prefix(model, text)
        self._decoder = Decoder(model, prefix, images_per_prompt)
        device = next(model.parameters()).device
        numbers = range(first_image, first_image + images_per_prompt)
        self._keys = image_keys(sampling.seed, numbers).repeat(prefix.prompts).to(device)
        self._codes = torch.empty(len(self._keys), self._length, dtype=torch.int64, device=device)
        self._drawn = 0

    @property
    def done(self) -> bool:
        return self._drawn == self._length

    @property
    def progress(self) -> float:
        """From 0 to 1."""
        return self._drawn / self._length

    @torch.no_grad()
    def step(self) -> None:
        """Draw one more code of each image, or read a part of the text before the first; a short while.

        If ``model.between`` raises in it, the step can be taken again.
        """
        if not self._decoder.ready:
            self._decoder.read_on()
            return
        codes = choose(self._decoder.logits(), self._sampling, self._keys, self._drawn)
        self._codes[:, self._drawn] = codes
        if self._drawn + 1 < self._length:
            self._decoder.append(codes)
        self._drawn += 1

    def codes(self) -> Tensor:
        """Codes, int64 (images, grid, grid), once ``done``."""
        return self._codes.view(-1, self._grid, self._grid)


def draw_codes(model: Transformer, text: Tensor, sampling: Sampling, images_per_prompt: int = 1) -> Tensor:
    """Codes, int64 (images, grid, grid), for tokens int64 (prompts, text_length)."""
    drawing = Drawing(model, text, sampling, images_per_prompt=images_per_prompt)
    while not drawing.done:
        drawing.step()
    return drawing.codes()
