"""One line of a memory table: what takes how many bytes, where, by which formula, and who says so."""

from dataclasses import dataclass
from enum import StrEnum


class Place(StrEnum):
    """Where bytes lie. On a machine that trains on its CPU, everything lies in RAM."""

    GPU = "GPU"
    RAM = "RAM"


@dataclass(frozen=True)
class Item:
    """Bytes and how they come about, before it is known where they lie."""

    name: str
    bytes: int
    formula: str


@dataclass(frozen=True)
class Line:
    """An item with its place and source: a paper's section, or the file of the implementation it describes."""

    name: str
    bytes: int
    place: Place
    formula: str
    source: str
