"""What a Parquet file's schema says of the columns that its row groups list, which is in the schema's order.

A row group names its columns as well, but pyarrow goes by their places alone: those names may say anything.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from core.data.parquet.thrift import BINARY, I32, Compact

MAX_ELEMENTS = 1 << 12
_DEEPEST = 100
"""Groups within groups, which pyarrow reads by calling itself."""
_OPTIONAL, _REPEATED = 1, 2


@dataclass(frozen=True, slots=True)
class Leaf:
    """A column, which may be part of a struct or list."""

    column: str
    """The first name of its path."""
    definitions: int = 0
    """Its highest definition level; 0 where no value may be missing."""
    repetitions: int = 0
    """Its highest repetition level; 0 outside lists."""

    def within(self, repetition: int) -> "Leaf":
        """What lies in it, if that is required, optional or repeated."""
        return Leaf(
            self.column,
            self.definitions + (repetition in (_OPTIONAL, _REPEATED)),
            self.repetitions + (repetition == _REPEATED),
        )


@dataclass(frozen=True, slots=True)
class _Element:
    name: str
    repetition: int
    parts: int
    valued: bool
    """Whether it has a type of its own, as leaves have."""


def leaves(data: Compact) -> tuple[Leaf, ...]:
    """Reads the list of a schema's elements, in which each is followed by its parts.

    Raises:
        IndexError, ValueError: it is damaged, or too deep or long.
    """
    elements = (_element(data) for _ in data.elements(MAX_ELEMENTS))
    root = next(elements, None)
    if root is None:
        raise ValueError("its schema is empty")
    found = tuple(leaf for _ in range(root.parts) for leaf in _below(elements, None, _DEEPEST))
    for _ in elements:  # to where the list ends
        pass
    return found


def _below(elements: Iterator[_Element], above: Leaf | None, room: int) -> Iterator[Leaf]:
    element = next(elements, None)
    if element is None or not room:
        raise ValueError("its schema ends too early, or is too deep")
    here = (above or Leaf(element.name)).within(element.repetition)
    if element.valued and not element.parts:
        yield here
    for _ in range(element.parts):
        yield from _below(elements, here, room - 1)


def _element(data: Compact) -> _Element:
    numbers, name = {1: -1, 3: 0, 5: 0}, ""
    for field, kind in data.fields():
        if field in numbers and kind == I32:
            numbers[field] = data.integer(32)
        elif field == 4 and kind == BINARY:
            name = data.binary().decode(errors="replace")
        else:
            data.skip(kind)
    return _Element(name, numbers[3], numbers[5], valued=numbers[1] >= 0)
