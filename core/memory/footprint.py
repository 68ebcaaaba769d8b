"""Items of memory with their formulas, and a model's activations in a micro-step as such items."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class MemoryPlace(StrEnum):
    """Device that holds bytes. On a machine that trains on its CPU, everything lies in RAM."""

    GPU = "GPU"
    RAM = "RAM"


@dataclass(frozen=True)
class Item:
    """Tensors of one size and their formula, before it is known on which device they lie."""

    name: str
    each: int
    """Bytes of one tensor."""
    formula: str
    """Formula of one tensor, in words and numbers."""
    tensors: int = 1
    """Number of such tensors in a layer."""
    layers: int = 1
    """Number of layers that have these tensors."""

    @property
    def bytes(self) -> int:
        """Bytes of all tensors."""
        return self.each * self.tensors * self.layers

    @property
    def whole_formula(self) -> str:
        """Formula of all tensors."""
        layers = f"{self.layers} layers x " if self.layers > 1 else ""
        tensors = f"{self.tensors} x " if self.tensors > 1 else ""
        return layers + tensors + self.formula


@dataclass(frozen=True)
class MemoryLine:
    """A line of a memory table: an item with its device and source (a paper's section, or a file it describes)."""

    name: str
    bytes: int
    """Bytes of all tensors of the line."""
    place: MemoryPlace
    formula: str
    source: str


@dataclass(frozen=True)
class StepSizes:
    """Sizes of a micro-step that its activations depend on."""

    batch: int
    """Number of samples of the micro-step."""
    length: int
    """Positions of a sample; in T5, of encoder and decoder each."""
    value: int
    """Bytes of a value in the precision of the model."""
    gpu: bool
    """True on a GPU: CUDA's kernels keep other tensors than the CPU's."""
    checkpointed: bool = False
    """True if layers keep their inputs alone."""

    @property
    def tokens(self) -> int:
        """Positions of all samples together."""
        return self.batch * self.length

    def hidden(self, width: int) -> int:
        """Return the bytes of a tensor of (batch, length, width)."""
        return self.tokens * width * self.value

    def scores(self, heads: int) -> int:
        """Return the number of pairs of query and key in all ``heads`` of all samples."""
        return self.batch * heads * self.length**2

    def dropout_mask(self, width: int) -> int:
        """Return the bytes of a mask over (batch, length, width): CUDA's has one byte, the CPU's has values."""
        return self.tokens * width * (1 if self.gpu else self.value)

    def norm_statistics(self) -> int:
        """Return the bytes of a LayerNorm's means and deviations: float32 on CUDA, the values' type on a CPU."""
        return 2 * self.tokens * (4 if self.gpu else self.value)


@dataclass(frozen=True)
class SublayerFootprint:
    """A part of a layer; the backward pass meets the last one first."""

    name: str
    kept: tuple[Item, ...]
    """Tensors kept until the backward pass; the first sublayer of a layer begins with the layer's input."""
    working: tuple[Item, ...]
    """Most tensors that the backward pass holds at once beyond everything kept, less those that it has freed."""


@dataclass(frozen=True)
class StackFootprint:
    """Equal layers that run one after the other."""

    name: str
    layers: int
    sublayers: tuple[SublayerFootprint, ...]
    checkpoint: Item
    """Tensors that a layer keeps under gradient checkpointing; its first sublayer's items count them too."""
    parameter_bytes: int = 0
    """Bytes of one layer's parameters, in the precision of the model."""
    sets: int = 0
    """Sets of weights that the layers share; 0: none are shared."""


@dataclass(frozen=True)
class Footprint:
    """A model's activations in a micro-step, in the order in which they come about."""

    before: tuple[Item, ...]
    """Tensors kept by the embeddings."""
    stacks: tuple[StackFootprint, ...]
    beside: tuple[Item, ...]
    """Tensors kept until the layers' backward pass is over."""
    after: tuple[Item, ...]
    """Tensors kept by the last norm and the head, and freed before the layers' backward pass."""
    loss: tuple[Item, ...]
    """Tensors that the loss holds at its peak, forward or backward."""
    head: tuple[Item, ...]
    """Tensors that the backward pass of the output layer holds at its peak."""
    pending: tuple[Item, ...]
    """Gradients that wait, while the layers' backward pass is on, for others to be added to."""
    adding_up: tuple[Item, ...]
    """Gradients that the layers' backward pass adds up and passes on at its end."""
    embedding: tuple[Item, ...]
    """Tensors that the backward pass of the embeddings holds at its peak."""
    source: str


def total(items: Sequence[Item]) -> int:
    """Return the bytes of all ``items``."""
    return sum(item.bytes for item in items)
