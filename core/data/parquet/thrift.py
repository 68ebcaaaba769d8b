"""Reads Thrift's compact protocol as Parquet writes it, field by field; values that are not needed are not kept."""

import math
from collections.abc import Iterator

DEEPEST = 16
"""Deepest nesting of structs that is read; Parquet has a third of that."""
TRUE, FALSE, I32, I64, BINARY, LIST, STRUCT = 1, 2, 5, 6, 8, 9, 12
"""Type codes of the compact protocol."""
_BYTE, _INTEGERS, _DOUBLE, _LISTS = 3, (4, I32, I64), 7, (LIST, 10)


class Compact:
    """Reader of one struct after another, from the byte ``at`` of the data on.

    Data that another reader might understand differently are refused: a field that comes twice, or a number
    of more bits than its kind has.

    Raises:
        IndexError: the data end too early.
        ValueError: the data have a form that Parquet does not write.
    """

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.at = at
        self._data = data

    def fields(self) -> Iterator[tuple[int, int]]:
        """Yield number and kind of each field of a struct; read or skip its value before the next.

        Raises ValueError if the numbers do not rise.
        """
        field = 0
        while head := self._byte():
            last, field = field, field + (head >> 4) if head >> 4 else self.integer(16)
            if not last < field < 1 << 15:
                raise ValueError("the fields of a struct are out of order")
            yield field, head & 15

    def integer(self, bits: int = 64) -> int:
        """Return the next signed integer, of at most ``bits`` bits."""
        value = self.unsigned(bits)
        return value >> 1 ^ -(value & 1)

    def unsigned(self, bits: int = 64) -> int:
        """Return the next unsigned integer; raises ValueError if it has more than ``bits`` bits."""
        value = shift = 0
        while (byte := self._byte()) & 0x80 and shift < bits:
            value |= (byte & 0x7F) << shift
            shift += 7
        value |= byte << shift
        if value >> bits:
            raise ValueError(f"a number has more than {bits} bits")
        return value

    def binary(self) -> bytes:
        """Return the next byte string, which begins with its length."""
        return self.take(self.unsigned())

    def take(self, length: int) -> bytes:
        """Return the next ``length`` bytes."""
        self._go(length)
        return self._data[self.at - length : self.at]

    def elements(self, most: float = math.inf) -> Iterator[int]:
        """Yield the kind of each element of a list; read or skip its value before the next.

        Raises ValueError if the list has more than ``most`` elements.
        """
        head = self._byte()
        count = head >> 4 if head >> 4 < 15 else self.unsigned()
        if count > most:
            raise ValueError(f"a list has {count} elements, of {most} at most")
        for _ in range(count):
            yield head & 15

    def skip(self, kind: int, depth: int = DEEPEST) -> None:
        """Pass over a value of a ``kind``, with at most ``depth`` levels of structs and lists.

        Raises ValueError if it is nested more deeply, or if the kind is not known.
        """
        if not depth:
            raise ValueError("structs are nested too deeply")
        if kind in (TRUE, FALSE):
            return
        if kind == _BYTE:
            self._go(1)
        elif kind in _INTEGERS:
            self.unsigned()
        elif kind == _DOUBLE:
            self._go(8)
        elif kind == BINARY:
            self.binary()
        elif kind in _LISTS:
            for element in self.elements():
                self._skip_element(element, depth - 1)
        elif kind == STRUCT:
            for _, inner in self.fields():
                self.skip(inner, depth - 1)
        else:
            raise ValueError(f"a value has the kind {kind}")

    def _skip_element(self, kind: int, depth: int) -> None:
        # A truth value is part of a field's head, but takes a byte in a list.
        self.skip(_BYTE if kind in (TRUE, FALSE) else kind, depth)

    def _byte(self) -> int:
        self._go(1)
        return self._data[self.at - 1]

    def _go(self, length: int) -> None:
        self.at += length
        if self.at > len(self._data):
            raise IndexError("the data end too early")
