"""The least time in which this machine could run a micro-step: its matrix products at the speed of its GEMM.

Counted are the multiplications that the gradient needs, 2 operations each: every product once forward and
twice backward, for the gradients of its two factors, and once more where its sublayer is recomputed. A query
counts all keys of its line (25 in the convolutional layer) and of the text; predictions count their own
vocabulary alone. All else (softmax, norms, rotations, shifts, moving memory) is taken to be free, so that no
program reaches this.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import torch
from torch import Tensor

from benchmarks.measuring.timing import timed
from core.model.config import AttentionPattern, ModelConfig
from core.model.products import fast_products
from core.model.techniques import Activations, Techniques

FORWARD_AND_BACKWARD = 3
_MEASURED_ROWS, _MEASURED_STACK = 1024, 64
_BENCHMARKS = 3


@dataclass(frozen=True)
class ProductShape:
    """``stack`` products of (rows, inner) with (inner, columns)."""

    stack: int
    rows: int
    inner: int
    columns: int

    @property
    def flops(self) -> int:
        return 2 * self.stack * self.rows * self.inner * self.columns

    @property
    def measured(self) -> "ProductShape":
        """Part of the shape that suffices to measure its speed: larger ones only cost time and memory."""
        return ProductShape(
            min(self.stack, _MEASURED_STACK), min(self.rows, _MEASURED_ROWS), self.inner, self.columns
        )


@dataclass(frozen=True)
class Product:
    """A product of the model, and how often its shape is computed in a micro-step, in all passes."""

    name: str
    shape: ProductShape
    passes: int


def products(config: ModelConfig, techniques: Techniques) -> list[Product]:
    """Return all matrix products of one micro-step of ``techniques.micro_batch`` samples."""
    batch, positions = techniques.micro_batch, config.sequence_length
    found = [
        Product(name, shape, FORWARD_AND_BACKWARD + _again(config, techniques, layer, name))
        for layer in range(config.depth)
        for name, shape in (
            *_attention(config, layer, batch).items(),
            *_feed_forward(config, batch * positions).items(),
        )
    ]
    text = ProductShape(1, batch * config.text_length, config.dim, config.text_classes)
    image = ProductShape(1, batch * config.image_length, config.dim, config.image_vocab)
    predictions = {"predict text": text, "predict codes": image}
    return found + [Product(name, shape, FORWARD_AND_BACKWARD) for name, shape in predictions.items()]


def flops(found: Sequence[Product]) -> int:
    """Return the floating point operations of all products."""
    return sum(product.passes * product.shape.flops for product in found)


def measure(found: Sequence[Product]) -> dict[ProductShape, float]:
    """Return the operations per CPU second of each shape, as the mean over its three products."""
    with fast_products(torch.device("cpu")):
        return {shape: shape.flops / _seconds(shape) for shape in {item.shape.measured for item in found}}


def least_seconds(found: Sequence[Product], speeds: dict[ProductShape, float]) -> float:
    """Return the CPU seconds of a micro-step that consists of these products alone at these speeds."""
    return sum(item.passes * item.shape.flops / speeds[item.shape.measured] for item in found)


def _attention(config: ModelConfig, layer: int, batch: int) -> dict[str, ProductShape]:
    inner, tokens = config.heads * config.dim_head, batch * config.sequence_length
    heads = batch * config.heads
    to_text = (heads, config.sequence_length, config.dim_head, config.text_positions)
    if config.layer_pattern(layer) is AttentionPattern.CONVOLUTIONAL:
        to_codes = (heads, config.image_length, config.dim_head, config.convolution_size**2)
    else:
        to_codes = (heads * config.grid, config.grid, config.dim_head, config.grid)
    return {
        "queries, keys, values": ProductShape(1, tokens, config.dim, 3 * inner),
        "scores of text": ProductShape(*to_text),
        "scores of codes": ProductShape(*to_codes),
        "mean of text": ProductShape(*to_text),
        "mean of codes": ProductShape(*to_codes),
        _ATTENTION_OUT: ProductShape(1, tokens, inner, config.dim),
    }


def _feed_forward(config: ModelConfig, tokens: int) -> dict[str, ProductShape]:
    hidden = config.feed_forward_factor * config.dim
    return {
        "feed-forward in": ProductShape(1, tokens, config.dim, 2 * hidden),
        _FEED_FORWARD_OUT: ProductShape(1, tokens, hidden, config.dim),
    }


_ATTENTION_OUT, _FEED_FORWARD_OUT = "attention out", "feed-forward out"


def _again(config: ModelConfig, techniques: Techniques, layer: int, name: str) -> int:
    """Return a product's recomputations for the backward pass; a sublayer's last one only rebuilds inputs."""
    if techniques.activations is Activations.KEEP or layer >= config.depth - techniques.kept:
        return 0
    rebuilt = techniques.activations is Activations.REVERSE
    if name == _FEED_FORWARD_OUT:
        return int(rebuilt and layer < config.depth - techniques.kept - techniques.checkpointed)
    return int(rebuilt or name != _ATTENTION_OUT)


def _seconds(shape: ProductShape) -> float:
    """Return the median seconds of a few trials after a warm-up, of the product and its gradients."""
    left = torch.randn(shape.stack, shape.rows, shape.inner)
    right = torch.randn(shape.stack, shape.columns, shape.inner)
    grad = torch.randn(shape.stack, shape.rows, shape.columns)
    factors = ((left, right.mT), (grad, right), (grad.mT, left))
    return sum(_typical_seconds(*pair) for pair in factors) / len(factors)


def _typical_seconds(left: Tensor, right: Tensor) -> float:
    if len(left) == 1:
        left, right = left[0], right[0]
    out = torch.matmul(left, right)
    return median(timed(lambda: torch.matmul(left, right, out=out)).cpu for _ in range(_BENCHMARKS))
