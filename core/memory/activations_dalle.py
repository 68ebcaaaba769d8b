"""Activations of our model (Borzunov et al., 2022): what ``core.model``'s forward and backward by hand hold.

Streams are float32 in every precision; what branches compute with has the type of the linear maps.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from core.memory.activations_shared import FLOAT32
from core.memory.backward import ActivationMoment
from core.memory.footprint import Item, StepSizes, total
from core.model.config import AttentionPattern, ModelConfig
from core.model.techniques import (
    LARGEST_SUMS,
    ROWS_ON_CPU,
    ROWS_ON_GPU,
    SCORES_ON_CPU,
    SCORES_ON_GPU,
    Activations,
    Techniques,
    aligned,
)

SOURCE = "core/model/stack.py, attention.py, feed_forward.py, loss.py"


@dataclass(frozen=True)
class _ActivationSizes:
    """Sizes from which the memory of DALL-E's activations is computed."""

    config: ModelConfig
    step: StepSizes
    techniques: Techniques

    @property
    def rows(self) -> int:
        """Positions of all samples, the last code's included, which predicts nothing."""
        return self.step.batch * (self.config.text_positions + self.config.image_length)

    @property
    def inner(self) -> int:
        """Width of all heads together."""
        return self.config.heads * self.config.dim_head

    @property
    def streams(self) -> int:
        return 2 if self.config.reversible else 1

    def stream(self, name: str, tensors: int = 1) -> Item:
        """Return ``tensors`` float32 tensors of (batch, positions, dim)."""
        dim = self.config.dim
        return Item(name, self.rows * dim * FLOAT32, f"{self.rows} rows x {dim} x 4 bytes", tensors)

    def values(self, name: str, width: int, tensors: int = 1, rows: int = 0) -> Item:
        """Return ``tensors`` tensors of (``rows``, ``width``) in the linear maps' precision.

        0 ``rows`` stands for all.
        """
        rows = rows or self.rows
        value = self.step.value
        return Item(name, rows * width * value, f"{rows} rows x {width} x {value} bytes", tensors)

    def weight(self, name: str, height: int, width: int) -> Item:
        value = self.step.value
        return Item(name, height * width * value, f"{height} x {width} x {value} bytes")


def dalle_moments(config: ModelConfig, step: StepSizes, techniques: Techniques) -> list[ActivationMoment]:
    """Return the moments of a micro-step that may be its peak.

    The activations of a layer are held until its backward pass.

    Args:
        config: Our model.
        step: Sizes of the micro-step.
        techniques: Techniques of the training.
    """
    sizes = _ActivationSizes(config, step, techniques)
    whole = _kept_layers(sizes)
    found = [ActivationMoment("loss", (*_kept(sizes, whole), *_ends(sizes), *_loss(sizes)))]
    for layer in _deep_layers(sizes):
        kept = _kept(sizes, layer - (config.depth - whole))
        below, where = (*kept, *_around_backward(sizes)), f"in layer {layer}"
        found += [
            ActivationMoment(
                f"backward pass of feed-forward {where}", (*below, *_feed_forward(sizes, layer))
            ),
            ActivationMoment(f"backward pass of attention {where}", (*below, *_attention(sizes, layer))),
        ]
    return found


def _deep_layers(sizes: _ActivationSizes) -> list[int]:
    """Return the numbers of the last layer and of the last that does not keep everything, counted from 1."""
    depth = sizes.config.depth
    return sorted({depth, depth - _kept_layers(sizes)} - {0}, reverse=True)


def _kept_layers(sizes: _ActivationSizes) -> int:
    keep = sizes.techniques.activations is Activations.KEEP
    return sizes.config.depth if keep else min(sizes.config.depth, sizes.techniques.kept)


def _kept(sizes: _ActivationSizes, whole: int) -> Iterator[Item]:
    """Yield the activations that layers keep (``activations_by_sublayer``); ``whole`` layers keep all they have."""
    lean = sizes.config.depth - _kept_layers(sizes)
    reverse = sizes.techniques.activations is Activations.REVERSE
    inputs = min(lean, sizes.techniques.checkpointed) if reverse else 2 * lean
    yield sizes.stream("streams before sublayers", 2 * whole + inputs)
    yield sizes.values("attention: rotated query, key, value, and output", sizes.inner, 4 * whole)
    hidden = 2 * sizes.config.feed_forward_factor * sizes.config.dim
    yield sizes.values("feed-forward: input of GEGLU", hidden, whole)


def _ends(sizes: _ActivationSizes) -> tuple[Item, ...]:
    """Return the tensors held between the passes: streams, the final norm's input, and hidden states."""
    last = 1 if sizes.config.reversible else 0
    return (
        sizes.stream("streams, and their mean", sizes.streams + last),
        sizes.values("hidden states", sizes.config.dim),
    )


def _loss(sizes: _ActivationSizes) -> Iterator[Item]:
    """Yield a chunk's logits and their gradients, and gradients of hidden states; see ``core.model.functions``."""
    config, batch, value = sizes.config, sizes.step.batch, sizes.step.value
    chunk = sizes.techniques.loss_chunk
    logits = max(
        _chunk(chunk, batch * config.text_length, config.text_classes),
        _chunk(chunk, batch * config.image_length, config.image_vocab),
    )
    bytes_each = FLOAT32 if value == FLOAT32 else FLOAT32 + value
    yield Item("logits of a chunk", logits * bytes_each, f"{logits} x {bytes_each} bytes")
    copies = 2 if batch > 1 else 1  # of a single sample, texts and images are views of its hidden states
    yield sizes.values("hidden states by vocabulary, and their gradients", config.dim, copies)
    classes = config.text_classes + config.image_vocab
    if classes * config.dim <= LARGEST_SUMS:
        size = classes * config.dim * FLOAT32
        yield Item(
            "gradient of the vocabulary, until its factor", size, f"{classes} x {config.dim} x 4 bytes"
        )
    if value != FLOAT32:
        yield _rounded_gradient(sizes, "a chunk's gradient of the vocabulary", config.text_classes)


def _chunk(chunk: int | None, rows: int, classes: int) -> int:
    """Return the number of logits that are held at a time."""
    return classes * (rows if chunk is None else min(rows, max(1, chunk // classes)))


def _around_backward(sizes: _ActivationSizes) -> tuple[Item, ...]:
    """Return the tensors that the backward pass of the layers holds from its start to its end."""
    last = 1 if sizes.config.reversible else 0
    return (
        sizes.stream("streams, and their mean", sizes.streams + last),
        sizes.stream("gradients of the streams and of their mean", sizes.streams + 1),
        sizes.values("hidden states, which the loss was given, and their gradient", sizes.config.dim, 2),
    )


def _rebuilds(sizes: _ActivationSizes, layer: int, *, feed_forward: bool) -> bool:
    """Return true if the input of a sublayer follows from its output, counted from layer 1."""
    lean = sizes.config.depth - _kept_layers(sizes)
    if sizes.techniques.activations is not Activations.REVERSE or layer > lean:
        return False
    return not feed_forward or layer <= lean - sizes.techniques.checkpointed


def _feed_forward(sizes: _ActivationSizes, layer: int) -> Iterator[Item]:
    """Yield the tensors of the backward pass through the GEGLU, some rows at a time.

    Before it, as much is reserved as the rest may take.
    """
    dim, inner = sizes.config.dim, sizes.config.feed_forward_factor * sizes.config.dim
    rebuilds = _rebuilds(sizes, layer, feed_forward=True)
    yield sizes.values("entered values and their gradient", dim, 2)
    if not rebuilds:
        yield sizes.weight("product for the gradients of the output projection", dim, inner)
    reserve = (3 * sizes.rows * dim + 2 * dim * inner) * FLOAT32
    formula = f"(3 x {sizes.rows} rows x {dim} + 2 x {dim} x {inner}) x 4 bytes"
    reserved = (Item("memory that is reserved for the rest", reserve, formula),)
    yield from max(reserved, _geglu(sizes, layer, inner), key=total)


def _geglu(sizes: _ActivationSizes, layer: int, inner: int) -> tuple[Item, ...]:
    """Return the tensors of a piece's widest moment: hidden values and their gradients, and a weight's."""
    most = ROWS_ON_GPU if sizes.step.gpu else ROWS_ON_CPU
    rows = -(-sizes.rows // -(-sizes.rows // most))
    return (
        sizes.values("GEGLU of some rows, and gradients", inner, 3 if _keeps(sizes, layer) else 5, rows),
        sizes.values("gradient of an output of some rows", sizes.config.dim, 1, rows),
        _rounded_gradient(sizes, "gradient of a weight, until it is added", 2 * inner),
    )


def _rounded_gradient(sizes: _ActivationSizes, name: str, height: int) -> Item:
    """Return the gradient of a product: in float32 added in place; in 16 bits apart, and converted by a CPU."""
    apart = FLOAT32 if sizes.step.gpu else sizes.step.value + FLOAT32
    dim, value = sizes.config.dim, 0 if sizes.step.value == FLOAT32 else apart
    return Item(name, height * dim * value, f"{height} x {dim} x {value} bytes")


def _attention(sizes: _ActivationSizes, layer: int) -> Iterator[Item]:
    """Yield the tensors of the backward pass through attention.

    It goes by some heads at a time, and then through the rotation, which works in float32.
    """
    rebuilds = _rebuilds(sizes, layer, feed_forward=False)
    name = "entered values, and gradient of the output" if rebuilds else "entered values"
    yield sizes.values(name, sizes.config.dim, 2 if rebuilds else 1)
    tensors = 5 if _keeps(sizes, layer) else 9
    yield sizes.values("query, key, value, output and their gradients", sizes.inner, tensors)
    turned = 3 if sizes.step.value == FLOAT32 else 9
    size = sizes.rows * sizes.inner * FLOAT32
    formula = f"{sizes.rows} rows x {sizes.inner} x 4 bytes"
    rotated = Item("rotated gradients of query, key, value", size, formula, turned)
    yield from max((rotated,), _scores(sizes, layer), key=total)


def _scores(sizes: _ActivationSizes, layer: int) -> tuple[Item, ...]:
    """Return the probabilities of some heads, and their gradients.

    A window's keys and values are copied for each row.
    """
    config, value = sizes.config, sizes.step.value
    window = config.convolution_size if _is_convolutional(config, layer) else 1
    on_gpu = sizes.step.gpu
    seen = aligned(aligned(config.text_positions, on_gpu=on_gpu) + window * config.grid, on_gpu=on_gpu)
    most = SCORES_ON_GPU if on_gpu else SCORES_ON_CPU
    heads = min(sizes.step.batch * config.heads, max(1, most // (config.image_length * seen)))
    formula = f"{heads} heads x {config.image_length} x {seen} scores"
    if window == 1:
        return (Item("scores of some heads", heads * config.image_length * seen * value, formula, 3),)
    size = heads * config.grid * window * config.grid * config.dim_head * value
    copied = f"{heads} heads x {config.grid} rows x {window * config.grid} keys x {config.dim_head} values"
    return (
        Item("scores of some heads", heads * config.image_length * seen * value, formula, 2),
        Item("keys and values by row, and their gradients", size, copied, 4),
    )


def _is_convolutional(config: ModelConfig, layer: int) -> bool:
    return config.layer_pattern(layer - 1) is AttentionPattern.CONVOLUTIONAL


def _keeps(sizes: _ActivationSizes, layer: int) -> bool:
    """Return true if a layer, counted from 1, keeps everything."""
    return layer > sizes.config.depth - _kept_layers(sizes)
