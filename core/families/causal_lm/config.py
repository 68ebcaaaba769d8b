"""Sizes of a causal language model of GPT-2's shape (Radford et al., 2019); without torch."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from core.families.causal_lm.memory import causal_moments
from core.memory.backward import ActivationMoment
from core.memory.footprint import StepSizes
from core.memory.parameters import Parameter
from core.model.config import Size
from core.model.family.config import FamilyConfig
from core.model.techniques import Techniques

KIND: Literal["causal-lm"] = "causal-lm"
_FLOAT32 = 4


class CausalConfig(FamilyConfig):
    """A decoder-only transformer over text: learned positions, norms before branches, GELU, tied embedding."""

    kind: Literal["causal-lm"] = KIND
    dim: Size
    """Channels of a position in the stream that the layers add to."""
    heads: Size
    length: Annotated[int, Field(gt=0, le=4096)] = 1024
    """Positions of a sample: the tokens that it predicts."""
    vocab: Annotated[int, Field(gt=0, le=2**24)] = 50_257
    """Number of the tokenizer's tokens."""
    feed_forward_factor: Size = 4
    """Channels inside the feed-forward sublayer, as a multiple of `dim`."""
    shared_layers: Annotated[int, Field(ge=0)] = 0
    """Sets of weights that the layers use in turns (Lan et al., 2020); 0: each layer has its own."""

    @model_validator(mode="after")
    def _heads_fit(self) -> Self:
        if self.dim % self.heads:
            raise ValueError("dim must be a multiple of heads")
        if self.shared_layers > self.depth:
            raise ValueError("shared_layers must not be more than depth")
        return self

    @property
    def weight_sets(self) -> int:
        """Number of sets of layers' weights."""
        return self.shared_layers or self.depth

    @property
    def sequence_length(self) -> int:
        """Positions of a sample that predict."""
        return self.length

    @property
    def hidden(self) -> int:
        """Channels inside the feed-forward sublayer."""
        return self.feed_forward_factor * self.dim

    def parameters(self) -> Sequence[Parameter]:
        """Return every parameter of the model once."""
        dim, hidden, sets = self.dim, self.hidden, self.weight_sets
        return [
            Parameter("tied embedding and head weight", (self.vocab, dim)),
            Parameter("query, key, value weight", (3 * dim, dim), sets),
            Parameter("query, key, value bias", (3 * dim,), sets),
            Parameter("attention output weight", (dim, dim), sets),
            Parameter("feed-forward in weight", (hidden, dim), sets),
            Parameter("feed-forward in bias", (hidden,), sets),
            Parameter("feed-forward out weight", (dim, hidden), sets),
            Parameter("biases of outputs", (dim,), 2 * sets),
            Parameter("norms", (dim,), 2 * (2 * sets + 1), always_float32=True),
            Parameter("position embedding", (self.length, dim), always_float32=True),
        ]

    def buffer_bytes(self, value: int) -> int:
        """Return the bytes of the model's buffers; ``value`` is the bytes of a value in its precision."""
        return (self.vocab + self.dim + self.length**2) * _FLOAT32

    def moments(self, step: StepSizes, techniques: Techniques) -> Sequence[ActivationMoment]:
        """Return the moments of a micro-step that may be its peak, as `FamilyConfig.moments` says."""
        return causal_moments(self, step, techniques)

    def operations(self) -> tuple[int, int]:
        """Return the operations of the layers' products, and of the head's, in a forward pass of a sample."""
        weights = 4 * self.dim**2 + 2 * self.dim * self.hidden
        scores = 2 * self.length * self.dim
        layers = 2 * self.length * self.depth * (weights + scores)
        return layers, 2 * self.length * self.vocab * self.dim
