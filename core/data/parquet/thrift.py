"""Reads Thrift's compact protocol as Parquet writes it, field by field: what nobody asks for is never kept."""

import math
from collections.abc import Iterator

DEEPEST = 16
"""Structs within structs; Parquet has a third of that."""
_TRUE, _FALSE, _BYTE, _INTEGERS, _DOUBLE, _BINARY, _LISTS, _MAP, _STRUCT = (
    1,
    2,
    3,
    (4, 5, 6),
    7,
    8,
    (9, 10),
    11,
    12,
)


class Compact:
    """A struct after another from a position on.

    Raises:
        IndexError: the data end too early.
        ValueError: they are of no kind that Parquet writes.
    """

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.at = at
        self._data = data

    def fields(self) -> Iterator[tuple[int, int]]:
        """Number and kind of each field of a struct; whoever asks reads or skips its value before the next."""
        field = 0
        while head := self._byte():
            field = field + (head >> 4) if head >> 4 else self.integer()
            yield field, head & 15

    def integer(self) -> int:
        value = self._unsigned()
        return value >> 1 ^ -(value & 1)

    def binary(self) -> bytes:
        length = self._unsigned()
        self._go(length)
        return self._data[self.at - length : self.at]

    def elements(self, most: float = math.inf) -> Iterator[int]:
        """The kind of each element of a list; its value is to be read or skipped before the next.

        ValueError if it has more than ``most``.
        """
        head = self._byte()
        count = head >> 4 if head >> 4 < 15 else self._unsigned()
        if count > most:
            raise ValueError(f"a list has {count} elements, of {most} at most")
        for _ in range(count):
            yield head & 15

    def skip(self, kind: int, depth: int = DEEPEST) -> None:
        """Pass over a field's value."""
        if not depth:
            raise ValueError("structs are nested too deeply")
        if kind in (_TRUE, _FALSE):
            return
        if kind == _BYTE:
            self._go(1)
        elif kind in _INTEGERS:
            self._unsigned()
        elif kind == _DOUBLE:
            self._go(8)
        elif kind == _BINARY:
            self.binary()
        elif kind in _LISTS:
            for element in self.elements():
                self._skip_element(element, depth - 1)
        elif kind == _STRUCT:
            for _, inner in self.fields():
                self.skip(inner, depth - 1)
        else:
            raise ValueError(f"a value has the kind {kind}")

    def _skip_element(self, kind: int, depth: int) -> None:
        # A truth value is part of a field's head, but takes a byte in a list.
        self.skip(_BYTE if kind in (_TRUE, _FALSE) else kind, depth)

    def _unsigned(self) -> int:
        value = shift = 0
        while (byte := self._byte()) & 0x80:
            value |= (byte & 0x7F) << shift
            shift += 7
            if shift > 63:
                raise ValueError("a number has more than 64 bits")
        return value | byte << shift

    def _byte(self) -> int:
        self._go(1)
        return self._data[self.at - 1]

    def _go(self, length: int) -> None:
        self.at += length
        if self.at > len(self._data):
            raise IndexError("the data end too early")
