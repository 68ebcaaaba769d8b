"""Activations of the causal language model: what its forward and backward by hand hold."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.memory.activations_shared import FLOAT32
from core.memory.backward import ActivationMoment
from core.memory.footprint import Item, StepSizes, total
from core.model.techniques import (
    LARGEST_SUMS,
    SCORES_ON_CPU,
    SCORES_ON_GPU,
    Activations,
    Precision,
    Techniques,
)

if TYPE_CHECKING:
    from core.families.causal_lm.config import CausalConfig


@dataclass(frozen=True)
class _CausalSizes:
    """Sizes from which the memory of the activations is computed."""

    config: "CausalConfig"
    step: StepSizes
    techniques: Techniques

    @property
    def rows(self) -> int:
        """Positions of all samples."""
        return self.step.batch * self.config.length

    @property
    def streams(self) -> int:
        return 2 if self.config.reversible else 1

    @property
    def whole(self) -> int:
        """Number of layers that keep everything."""
        keep = self.techniques.activations is Activations.KEEP
        return self.config.depth if keep else min(self.config.depth, self.techniques.kept)

    def stream(self, name: str, tensors: int = 1) -> Item:
        """Return ``tensors`` float32 tensors of (batch, positions, dim)."""
        dim = self.config.dim
        return Item(name, self.rows * dim * FLOAT32, f"{self.rows} rows x {dim} x 4 bytes", tensors)

    def values(self, name: str, width: int, tensors: int = 1) -> Item:
        """Return ``tensors`` tensors of (batch, positions, ``width``) in the linear maps' precision."""
        value = self.step.value
        return Item(name, self.rows * width * value, f"{self.rows} rows x {width} x {value} bytes", tensors)

    def weight(self, name: str, height: int, width: int, *, rounded: bool) -> Item:
        """Return the gradient of a weight: in float32 it is added in place, in 16 bits it is apart from its sum.

        If ``rounded``, a CPU holds it in 16 bits too, which it converts.
        """
        value = 0 if self.step.value == FLOAT32 else FLOAT32
        if value and rounded and not self.step.gpu:
            value += self.step.value
        return Item(name, height * width * value, f"{height} x {width} x {value} bytes")

    @property
    def apart(self) -> bool:
        """True if queries, keys and values of heads are copied; of a single sample they are views."""
        return self.step.batch > 1


def causal_moments(config: "CausalConfig", step: StepSizes, techniques: Techniques) -> list[ActivationMoment]:
    """Return the moments of a micro-step that may be its peak; a layer's activations are held until it is undone.

    Args:
        config: Sizes of the model.
        step: Sizes of the micro-step.
        techniques: Techniques of the training.
    """
    sizes = _CausalSizes(config, step, techniques)
    found = [ActivationMoment("loss", (*_kept(sizes, sizes.whole), *_ends(sizes), *_loss(sizes)))]
    lean = config.depth - sizes.whole
    for layer in sorted({config.depth, lean} - {0}, reverse=True):
        keeps, where = layer > lean, f"in layer {layer}"
        around = _around(sizes)
        below = _kept(sizes, layer - lean)
        found.append(
            ActivationMoment(
                f"backward pass of feed-forward {where}", (*below, *around, *_feed_forward(sizes, keeps))
            )
        )
        below = _kept(sizes, layer - lean, is_undone=True)
        found.append(
            ActivationMoment(
                f"backward pass of attention {where}", (*below, *around, *_attention(sizes, keeps))
            )
        )
    return found


def _kept(sizes: _CausalSizes, whole: int, *, is_undone: bool = False) -> tuple[Item, ...]:
    """Return the activations that layers keep (``activations_by_sublayer``); ``whole`` layers keep all they have.

    If ``is_undone``, the feed-forward of the last of these layers has been undone, and keeps nothing more.
    """
    lean, undone = sizes.config.depth - sizes.whole, int(is_undone)
    reverse = sizes.techniques.activations is Activations.REVERSE
    inputs = min(lean, sizes.techniques.checkpointed) if reverse else 2 * lean
    streams = max(0, 2 * whole + inputs - undone)
    wide = max(0, whole - undone)
    return (
        sizes.stream("streams before sublayers", streams),
        sizes.values("attention: query, key, value, and output", sizes.config.dim, 4 * whole),
        sizes.values("feed-forward: input of GELU, and its output", sizes.config.hidden, 2 * wide),
    )


def _ends(sizes: _CausalSizes) -> tuple[Item, ...]:
    """Return the tensors held between the passes: streams, the final norm's input, and hidden states."""
    last = 1 if sizes.config.reversible else 0
    return (
        sizes.stream("streams, and their mean", sizes.streams + last),
        sizes.stream("hidden states"),
    )


def _loss(sizes: _CausalSizes) -> Iterator[Item]:
    """Yield a chunk's logits and their gradients, and gradients of hidden states; see ``core.model.functions``."""
    config, value, chunk = sizes.config, sizes.step.value, sizes.techniques.loss_chunk
    rows = sizes.rows if chunk is None else min(sizes.rows, max(1, chunk // config.vocab))
    bytes_each = FLOAT32 if value == FLOAT32 else FLOAT32 + value
    logits = rows * config.vocab
    yield Item("logits of a chunk", logits * bytes_each, f"{logits} x {bytes_each} bytes")
    at_once = config.vocab * config.dim <= LARGEST_SUMS
    # Where the factor of the loss is known already, the chunk's hidden states are multiplied by it.
    copies = 1 if at_once or value != FLOAT32 else 2
    formula = f"{rows} rows x {config.dim} x 4 bytes"
    yield Item("gradients of a chunk's hidden states", rows * config.dim * FLOAT32, formula, copies)
    yield sizes.stream("gradients of hidden states")
    if value != FLOAT32:
        yield sizes.values("hidden states in the head's precision", config.dim)
    if at_once:
        size = config.vocab * config.dim * FLOAT32
        formula = f"{config.vocab} x {config.dim} x 4 bytes"
        yield Item("gradient of the vocabulary, until its factor", size, formula)
    yield sizes.weight("a chunk's gradient of the vocabulary", config.vocab, config.dim, rounded=True)


def _around(sizes: _CausalSizes) -> tuple[Item, ...]:
    """Return the tensors that the backward pass of the layers holds from its start to its end."""
    last = 1 if sizes.config.reversible else 0
    return (
        sizes.stream("streams, and their mean", sizes.streams + last),
        sizes.stream("gradients of the streams and of their mean", sizes.streams + 1),
        sizes.stream("hidden states, which the loss was given, and their gradient", 2),
    )


def _feed_forward(sizes: _CausalSizes, keeps: bool) -> tuple[Item, ...]:
    """Return the tensors of the backward pass through a feed-forward that ``keeps`` all it has, or does not."""
    hidden = sizes.config.hidden
    again = () if keeps else (sizes.values("GELU and its input, computed again", hidden, 2),)
    gelu = (sizes.values("gradients of GELU and of its input", hidden, 2),)
    return (*_entered(sizes), *again, *max(gelu, _leaving(sizes, hidden, hidden), key=total))


def _attention(sizes: _CausalSizes, keeps: bool) -> tuple[Item, ...]:
    """Return the tensors of the backward pass through an attention that ``keeps`` all it has, or does not.

    Its scores are never held as a whole.
    """
    dim = sizes.config.dim
    again = () if keeps else (sizes.values("query, key, value, and output, computed again", dim, 4),)
    moments = (_scores(sizes), _joined(sizes), _leaving(sizes, 3 * dim, dim))
    return (*_entered(sizes), *again, *max(moments, key=total))


def _entered(sizes: _CausalSizes) -> tuple[Item, ...]:
    """Return the input of a branch behind its norm, and the output's gradient where that has another type."""
    if sizes.step.value == FLOAT32:
        return (sizes.stream("normed input"),)
    items = (sizes.values("normed input and gradient of the output, rounded", sizes.config.dim, 2),)
    if sizes.techniques.precision is Precision.FLOAT16:
        return (*items, sizes.stream("gradient of the output, multiplied"))
    return items


def _leaving(sizes: _CausalSizes, width: int, of_exit: int) -> tuple[Item, ...]:
    """Return the tensors of a branch's end: gradients of both weights, of what is behind the norm, and of the input.

    ``width`` channels enter the branch's function, and ``of_exit`` leave it.
    """
    dim = sizes.config.dim
    inner = sizes.values("gradient of what the norm's output was mapped to", width)
    left = sizes.weight("gradient of the exit's weight, until it is added", of_exit, dim, rounded=False)
    streams = sizes.stream("gradients of the normed input and of the input", 2)
    name = "gradient of the entry's weight, until it is added"
    converted = (sizes.weight(name, width, dim, rounded=True),)
    apart = (sizes.weight(name, width, dim, rounded=False), streams)
    return (inner, left, *max(converted, apart, key=total))


def _scores(sizes: _CausalSizes) -> tuple[Item, ...]:
    """Return the tensors of some heads' scores and gradients, and what is held until all heads are done."""
    heads, all_heads = _some_heads(sizes), sizes.step.batch * sizes.config.heads
    # Those of the first heads are held until the next ones, which may be fewer, replace them.
    following = min(heads, all_heads - heads)
    most = max(3 * heads, heads + 3 * following)
    return (
        sizes.values("query, key, value apart, and gradients of all", sizes.config.dim, _held(sizes)),
        _some_scores(sizes, most),
    )


def _joined(sizes: _CausalSizes) -> tuple[Item, ...]:
    """Return the tensors held when the gradients of all heads are brought together; the last scores are there yet."""
    heads, all_heads = _some_heads(sizes), sizes.step.batch * sizes.config.heads
    last = all_heads - heads * ((all_heads - 1) // heads)
    return (
        sizes.values("query, key, value apart, and gradients of all", sizes.config.dim, _held(sizes) + 3),
        _some_scores(sizes, 2 * last),
    )


def _held(sizes: _CausalSizes) -> int:
    """Return the number of tensors of (rows, dim): gradients of query, key, value and output, and copies of all."""
    return 8 if sizes.apart else 4


def _some_heads(sizes: _CausalSizes) -> int:
    """Return the heads of samples whose scores are held at a time."""
    most = SCORES_ON_GPU if sizes.step.gpu else SCORES_ON_CPU
    return min(sizes.step.batch * sizes.config.heads, max(1, most // sizes.config.length**2))


def _some_scores(sizes: _CausalSizes, squares: int) -> Item:
    length, value = sizes.config.length, sizes.step.value
    formula = f"{squares} x {length}^2 scores x {value} bytes"
    return Item("scores of some heads, and gradients", squares * length**2 * value, formula)
