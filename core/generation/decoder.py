"""Decodes codes one after the other, for several images of each prompt at once; on a GPU as a CUDA graph.

A CUDA graph launches hundreds of small kernels as one. The step that it captures is tested on a CPU as well, with
positions in tensors as there.
"""

from collections.abc import Callable
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor

from core.generation.cache_layout import CodePosition, Slots
from core.generation.caches import AtPosition, AttentionCache, ShiftCache, ShiftSlots, Slices, Visibility
from core.generation.sublayers import (
    AttentionStep,
    CodeEntry,
    FeedForwardStep,
    HeadBuffer,
    LayerContext,
    Prefix,
    code_rotations,
)
from core.model.ends import normalise
from core.model.family.trainable import do_nothing
from core.model.layers import Layer, Sublayer, WeightSet
from core.model.products import fast_products
from core.model.transformer import Transformer

_WARM_UPS = 3


class CapturedStep:
    """A step as a CUDA graph: its codes and its position lie in tensors of its own."""

    def __init__(
        self, step: Callable[[Tensor, CodePosition], Tensor], images: int, device: torch.device
    ) -> None:
        """Capture a step on a GPU.

        The step is run at position 0 ahead of time: what it writes there, it must be able to write again.

        Args:
            step: Computes a tensor of a fixed shape from codes, int64 of shape (images,), and their position, int64
                of shape (1,), without a look at their values on the CPU.
            images: Number of images.
            device: The GPU.
        """
        self._codes = torch.zeros(images, dtype=torch.int64, device=device)
        self._position = torch.zeros(1, dtype=torch.int64, device=device)
        aside, here = torch.cuda.Stream(device), torch.cuda.current_stream(device)
        aside.wait_stream(here)
        with torch.cuda.stream(aside):  # libraries take their workspaces, which a capture must not
            for _ in range(_WARM_UPS):
                step(self._codes, self._position)
        here.wait_stream(aside)
        self._graph = torch.cuda.CUDAGraph()
        # Of that stream's GPU, which need not be the current one; other threads of a trainer go on as they like.
        with torch.cuda.graph(self._graph, stream=aside, capture_error_mode="thread_local"):
            self._out = step(self._codes, self._position)

    def __call__(self, codes: Tensor, position: int) -> Tensor:
        """Return the result of ``step`` for ``codes``, int64 of shape (images,), at ``position``.

        The next call overwrites the result.
        """
        self._codes.copy_(codes)
        self._position.fill_(position)
        self._graph.replay()
        return self._out


class Decoder:
    """Computes the logits of each image's next code from the codes before it.

    The text is read once for each prompt, a sublayer at a time, and then each code in one step. Weights are
    the model's own, and must not change meanwhile. If ``model.between`` raises, the same call can be
    repeated.
    """

    @torch.no_grad()
    def __init__(self, model: Transformer, text: Tensor | Prefix, images_per_prompt: int = 1) -> None:
        """Prepare to decode images of captions or prompts; the images are ordered by prompt.

        Args:
            model: Model that computes.
            text: Tokens, int64 (prompts, text_length), or the `Prefix` of prompts whose images are drawn in
                several batches.
            images_per_prompt: Number of images of each prompt.

        Raises:
            ValueError: the tokens are not what the model reads.
        """
        config, like = model.config, model.vocabulary.weight
        self._model, self._config, self._like = model, config, like
        self._prefix = text if isinstance(text, Prefix) else Prefix(model, text)
        self._per_prompt, self._images = images_per_prompt, images_per_prompt * self._prefix.prompts
        patterns = map(config.layer_pattern, range(config.depth))
        self._slots = {pattern: Slots.of(config, pattern) for pattern in patterns}
        self._visibility = {pattern: Visibility(slots, like) for pattern, slots in self._slots.items()}
        self._rotations = Slices(code_rotations(config, model.rotations))
        self._places = None if config.rotary else Slices(model.image_position())
        self._heads = HeadBuffer(config, self._prefix.prompts, images_per_prompt, like)
        self._captured: CapturedStep | None = None
        self._sublayers: list[AttentionStep | FeedForwardStep] = []
        self._logits: Tensor | None = None
        self.position = 0
        """Number of codes of each image that have been appended."""
        if self._prefix.done:
            self._begin()

    @property
    def ready(self) -> bool:
        """True if the text is read."""
        return self._logits is not None

    @torch.no_grad()
    def read_on(self) -> None:
        """Take the text through one more sublayer."""
        self._prefix.read_on()
        if self._prefix.done:
            self._begin()

    def _begin(self) -> None:
        """Make the caches and the first code's logits."""
        layers = range(self._config.depth)
        self._sublayers = [sublayer for layer in layers for sublayer in self._layer_steps(layer)]
        hidden = self._prefix.hidden().repeat_interleave(self._per_prompt, dim=0)
        self._logits = self._project(hidden)

    def logits(self) -> Tensor:
        """Return the logits of the next code, (images, image_vocab); they are valid until the next `append`."""
        while self._logits is None:
            self.read_on()
        return self._logits

    @torch.no_grad()
    def append(self, codes: Tensor) -> None:
        """Take in the next code of each image, ``codes``, int64 of shape (images,).

        Raises ValueError if no code follows it.
        """
        if self.position + 1 >= self._config.image_length:
            raise ValueError(f"An image has {self._config.image_length} codes, and no code follows the last.")
        self.logits()  # for which the text is read
        self._logits = self._next_logits(codes)
        self.position += 1

    def _next_logits(self, codes: Tensor) -> Tensor:
        if not self._like.is_cuda:
            return self.compute(codes, self.position, self._model.between)
        self._model.between()
        if self._captured is None:
            self._captured = CapturedStep(self.compute, self._images, self._like.device)
        return self._captured(codes, self.position)

    @torch.no_grad()
    def compute(
        self, codes: Tensor, position: CodePosition, between: Callable[[], None] = do_nothing
    ) -> Tensor:
        """Return the logits, (images, image_vocab), of the codes after ``codes``.

        Earlier codes are in the caches, which also take in ``codes``, at each call.

        Args:
            codes: Codes at ``position``, int64 of shape (images,).
            position: Position in the image, as a number or a tensor of one element.
            between: Called before each sublayer.
        """
        streams, at = self._embed(codes, position), self._at(position)
        for index, sublayer in enumerate(self._sublayers):
            between()
            stream, other = streams[index % len(streams)], streams[(index + 1) % len(streams)]
            sublayer.add_to(stream, other, at)
        mean = streams[0] if len(streams) == 1 else (streams[0] + streams[1]).div_(2)
        return self._project(normalise(mean, self._model.norm)[0])

    def _embed(self, codes: Tensor, position: CodePosition) -> list[Tensor]:
        """Return the streams at their start, each (images, dim)."""
        x = F.embedding(codes + self._config.text_classes, self._like).to(self._model.norm.weight.dtype)
        if self._places is not None:
            x += self._places[position]
        return [x, x.clone()] if self._config.reversible else [x]

    def _at(self, position: CodePosition) -> AtPosition:
        visible = {pattern: of.at(position) for pattern, of in self._visibility.items()}
        return AtPosition(self._rotations[position], visible, ShiftSlots.of(position, self._config.grid))

    def _layer_steps(self, index: int) -> tuple[AttentionStep, FeedForwardStep]:
        layer = cast(Layer, self._model.layers[index])
        weights = cast(WeightSet, self._model.weights[str(self._config.weight_set(index))])
        pattern, n = self._config.layer_pattern(index), self._images * self._config.heads
        cache = AttentionCache(self._slots[pattern], n, self._config.dim_head, self._like)
        seen = LayerContext(pattern, cache, self._prefix.seen[index])
        own, other = layer.attention, layer.feed_forward
        return (
            AttentionStep(self._entry(own), weights.attention, own.scale, seen, self._heads),
            FeedForwardStep(self._entry(other), weights.feed_forward, other.scale),
        )

    def _entry(self, own: Sublayer) -> CodeEntry:
        config = self._config
        shift = ShiftCache(config.grid, self._images, config.dim, self._like) if config.token_shift else None
        return CodeEntry(own.norm, shift, self._like.dtype)

    def _project(self, hidden: Tensor) -> Tensor:
        """Return the image's logits of normalised hidden states, (images, dim)."""
        _, (weight, bias) = self._model.vocabularies()
        with fast_products(hidden.device):
            return F.linear(hidden.to(weight.dtype), weight, bias)
