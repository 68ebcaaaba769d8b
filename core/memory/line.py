"""One line of a memory table: what takes how many bytes, where, by which formula, and who says so."""

from dataclasses import dataclass
from enum import StrEnum


class Place(StrEnum):
    """Where bytes lie. On a machine that trains on its CPU, everything lies in RAM."""

    GPU = "GPU"
    RAM = "RAM"


@dataclass(frozen=True)
class Item:
    """Tensors of one size and how that comes about, before it is known where they lie."""

    name: str
    each: int
    """Bytes of one of them."""
    formula: str
    """Of one of them, in words and numbers."""
    tensors: int = 1
    layers: int = 1
    """How many layers have them."""

    @property
    def bytes(self) -> int:
        """Of all of them."""
        return self.each * self.tensors * self.layers

    @property
    def whole_formula(self) -> str:
        """The formula of all of them."""
        layers = f"{self.layers} layers x " if self.layers > 1 else ""
        tensors = f"{self.tensors} x " if self.tensors > 1 else ""
        return layers + tensors + self.formula


@dataclass(frozen=True)
class Line:
    """An item with its place and source: a paper's section, or the file of the implementation it describes."""

    name: str
    bytes: int
    place: Place
    formula: str
    source: str
