"""What the forward pass of a model keeps for its backward pass, and what each part of backward needs beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.memory.line import Item


@dataclass(frozen=True)
class Step:
    """The sizes of a micro-step that its activations depend on."""

    batch: int
    length: int
    """Positions of a sample; in T5, of encoder and decoder each."""
    value: int
    """Bytes of a value in the precision of the model."""
    gpu: bool
    """CUDA's kernels keep other tensors than the CPU's."""
    checkpointed: bool = False
    """Whether layers keep their inputs alone."""

    @property
    def tokens(self) -> int:
        """Positions of all samples together."""
        return self.batch * self.length

    def hidden(self, width: int) -> int:
        """Bytes of a tensor of (batch, length, width)."""
        return self.tokens * width * self.value

    def scores(self, heads: int) -> int:
        """How many pairs of query and key there are in all heads of all samples."""
        return self.batch * heads * self.length**2

    def dropout_mask(self, width: int) -> int:
        """Bytes of a mask over (batch, length, width): CUDA's has one byte, the CPU's has values."""
        return self.tokens * width * (1 if self.gpu else self.value)

    def norm_statistics(self) -> int:
        """Bytes of a LayerNorm's means and deviations: float32 on CUDA, the type of the values on a CPU."""
        return 2 * self.tokens * (4 if self.gpu else self.value)


@dataclass(frozen=True)
class Sublayer:
    """A part of a layer; the backward pass meets the last one first."""

    name: str
    kept: tuple[Item, ...]
    """Until its backward pass; the first of a layer begins with the layer's input."""
    working: tuple[Item, ...]
    """The most that its backward pass holds at once beyond everything kept, less what it has freed."""

    @property
    def kept_bytes(self) -> int:
        return total(self.kept)


@dataclass(frozen=True)
class Stack:
    """Like layers, one after the other."""

    name: str
    layers: int
    sublayers: tuple[Sublayer, ...]
    checkpoint: Item
    """What a layer keeps under gradient checkpointing; its first sublayer's items count it too."""
    parameter_bytes: int = 0
    """Of one layer's parameters, in the precision of the model."""
    sets: int = 0
    """Sets of weights that the layers share; 0: none are shared."""

    @property
    def kept_bytes(self) -> int:
        """Of one layer that keeps everything."""
        return sum(sublayer.kept_bytes for sublayer in self.sublayers)


@dataclass(frozen=True)
class Footprint:
    """A model's activations in a micro-step, in the order in which they come about."""

    before: tuple[Item, ...]
    """Kept by the embeddings."""
    stacks: tuple[Stack, ...]
    beside: tuple[Item, ...]
    """Kept until the layers' backward pass is over."""
    after: tuple[Item, ...]
    """Kept by the last norm and the head, and freed before the layers' backward pass."""
    loss: tuple[Item, ...]
    """The most that the loss holds at once, forward or backward."""
    head: tuple[Item, ...]
    """The most that the backward pass of the output layer holds at once."""
    pending: tuple[Item, ...]
    """Gradients that wait, while the layers' backward pass is on, for others to be added to."""
    adding_up: tuple[Item, ...]
    """Gradients that the layers' backward pass adds up and passes on at its end."""
    embedding: tuple[Item, ...]
    """The most that the backward pass of the embeddings holds at once."""
    source: str


def total(items: Sequence[Item]) -> int:
    """Bytes of all of them."""
    return sum(item.bytes for item in items)
