"""Draws images code by code, so that a loop can do other work between two codes."""

import torch
from torch import Tensor

from core.generation.cache_layout import bytes_of_text, bytes_per_image
from core.generation.choice import choose, image_keys
from core.generation.decoder import Decoder
from core.generation.sublayers import Prefix
from core.messages.sampling import Sampling
from core.model.config import ModelConfig
from core.model.techniques import Precision
from core.model.transformer import Transformer


class Drawing:
    """Some images of each prompt, drawn together: each step adds one code to all of them."""

    def __init__(
        self,
        model: Transformer,
        text: Tensor | Prefix,
        sampling: Sampling,
        first_image: int = 0,
        images_per_prompt: int = 1,
    ) -> None:
        """Prepare to draw images, ordered by prompt.

        An image depends on its prompt, the seed and its number, not on the batches that a request is drawn
        in. Where products of another batch size round otherwise, by 1e-6 or so, about one code in a million
        differs.

        Args:
            model: Model that draws.
            text: Captions or prompts as tokens, int64 (prompts, text_length), or their `Prefix`; of `guided_text`
                where ``sampling`` is guided.
            sampling: How codes are chosen, and the seed.
            first_image: Number of the first image of each prompt.
            images_per_prompt: Number of images of each prompt.
        """
        self._sampling, self._length, self._grid = sampling, model.config.image_length, model.config.grid
        prefix = text if isinstance(text, Prefix) else Prefix(model, text)
        self._decoder = Decoder(model, prefix, images_per_prompt)
        device = next(model.parameters()).device
        numbers = range(first_image, first_image + images_per_prompt)
        self._rows = 1 + sampling.is_guided
        self._keys = image_keys(sampling.seed, numbers).repeat(prefix.prompts // self._rows).to(device)
        self._codes = torch.empty(len(self._keys), self._length, dtype=torch.int64, device=device)
        self._drawn = 0

    @property
    def done(self) -> bool:
        """True if all codes are drawn."""
        return self._drawn == self._length

    @property
    def progress(self) -> float:
        """Share of the codes that are drawn, from 0 to 1."""
        return self._drawn / self._length

    @torch.no_grad()
    def step(self) -> None:
        """Draw one more code of each image, or take the text through one more sublayer before the first.

        If ``model.between`` raises meanwhile, the step can be repeated.
        """
        if not self._decoder.ready:
            self._decoder.read_on()
            return
        codes = choose(self._logits(), self._sampling, self._keys, self._drawn)
        self._codes[:, self._drawn] = codes
        if self._drawn + 1 < self._length:
            self._decoder.append(codes.repeat(self._rows))
        self._drawn += 1

    def _logits(self) -> Tensor:
        """Return the logits of each image's next code, guided if that is wanted: (images, vocabulary)."""
        logits = self._decoder.logits()
        if not self._sampling.is_guided:
            return logits
        asked, without = logits.float().chunk(2)
        return torch.lerp(without, asked, self._sampling.guidance)

    def codes(self) -> Tensor:
        """Return the codes, int64 (images, grid, grid), once ``done``."""
        return self._codes.view(-1, self._grid, self._grid)


def guided_text(text: Tensor, empty: Tensor, sampling: Sampling) -> Tensor:
    """Return what a `Drawing` reads: the prompts, and if it is guided, the empty caption as often.

    Args:
        text: Tokens of the prompts, int64 (prompts, text_length).
        empty: Tokens of the empty caption, int64 (1, text_length).
        sampling: How codes are chosen.
    """
    return torch.cat([text, empty.expand_as(text)]) if sampling.is_guided else text


def draw_codes(model: Transformer, text: Tensor, sampling: Sampling, images_per_prompt: int = 1) -> Tensor:
    """Return the codes of all images, int64 (images, grid, grid), ordered by prompt.

    Args:
        model: Model that draws.
        text: Tokens, int64 (prompts, text_length); of `guided_text` where ``sampling`` is guided.
        sampling: How codes are chosen, and the seed.
        images_per_prompt: Number of images of each prompt.
    """
    drawing = Drawing(model, text, sampling, images_per_prompt=images_per_prompt)
    while not drawing.done:
        drawing.step()
    return drawing.codes()


def prompts_that_fit(
    config: ModelConfig, room: int, most: int, precision: Precision, *, guided: bool = False
) -> int:
    """Return the number of prompts to draw an image of at once; at least 1, even if 1 does not fit.

    Args:
        config: Sizes of the model.
        room: Bytes that drawing may take.
        most: Largest number to return.
        precision: Precision in which the model computes.
        guided: True if each image is computed with and without its prompt.
    """
    image, rows = bytes_per_image(config, precision), 1 + guided
    fit = (
        count
        for count in range(most, 1, -1)
        if bytes_of_text(config, rows * count, precision) + rows * count * image <= room
    )
    return next(fit, 1)


class PromptDrawing:
    """The first picture of each prompt; it does not depend on the number of prompts drawn at a time."""

    def __init__(
        self, model: Transformer, text: Tensor, empty: Tensor, sampling: Sampling, at_once: int
    ) -> None:
        """Prepare to draw prompts, a few at a time.

        Args:
            model: Model that draws.
            text: Tokens of the prompts, int64 (prompts, text_length).
            empty: Tokens of the empty caption, int64 (1, text_length).
            sampling: How codes are chosen, and the seed.
            at_once: Number of prompts that are drawn together.
        """
        self._model, self._sampling = model, sampling
        self._left = [guided_text(part, empty, sampling) for part in text.split(at_once)]
        self._drawing: Drawing | None = None
        self._codes: list[Tensor] = []

    @property
    def done(self) -> bool:
        """True if the pictures of all prompts are drawn."""
        return self._drawing is None and not self._left

    @property
    def device(self) -> torch.device:
        """Device of the model."""
        return self._model.vocabulary.weight.device

    def step(self) -> None:
        """Draw one more code of the current pictures, or read a part of their prompts."""
        if self._drawing is None:
            self._drawing = Drawing(self._model, self._left.pop(0), self._sampling)
            return
        self._drawing.step()
        if self._drawing.done:
            self._codes.append(self._drawing.codes().cpu())
            self._drawing = None

    def codes(self) -> Tensor:
        """Return the codes, int64 (prompts, grid, grid), on the CPU, once ``done``."""
        return torch.cat(self._codes)
