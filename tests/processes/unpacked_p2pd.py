"""Unpacks hivemind's libp2p daemon in this environment: ``python -m tests.processes.unpacked_p2pd``.

hivemind ships p2pd packed by UPX. Each start then unpacks 28 MB, which takes five sixths of what a start costs, and
keeps them in memory of its own. Tests start some 600 daemons. A program that is packed in another way, or for another
kind of processor, stays as it is.
"""

import importlib.util
import os
import struct
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

_MAGIC = b"UPX!"
_INFO_AT, _INFO_SIZE = 0xE8, 24
"""Place and size of UPX's own description, behind the header of the packed program and its three segments."""
_BLOCK = struct.Struct("<IIBBxx")
"""Sizes of a block unpacked and packed, its method, and its filter; the rest is of filters."""
_NRV2E, _NO_FILTER = 8, 0
_COUNT_AT, _SEGMENTS_AT, _SECTIONS_AT, _SECTION_COUNT_AT = 56, 64, 40, 60
"""Places in the header of a program: the number of its segments and they, where its sections are and how many."""
_SEGMENT = struct.Struct("<IIQQQQQQ")
_LOADED = 1
"""Kind of a segment that is loaded."""
_END = 0xFFFFFFFF
_FAR = 0x500
"""Bytes back from which on a repetition is a byte longer."""


class _Bits:
    """The packed bytes, and the bits between them, which come in words of 32."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed
        self._at = self._word = self._left = 0

    def bit(self) -> int:
        """Return the next bit."""
        if not self._left:
            self._word = int.from_bytes(self._packed[self._at : self._at + 4], "little")
            self._at, self._left = self._at + 4, 32
        self._left -= 1
        return self._word >> self._left & 1

    def byte(self) -> int:
        """Return the next byte."""
        self._at += 1
        return self._packed[self._at - 1]


def unpack(packed: bytes) -> bytes:
    """Return what was packed by NRV2E, the method of UCL that UPX prefers for programs on x86."""
    bits, unpacked, last = _Bits(packed), bytearray(), 1
    bit, byte = bits.bit, bits.byte
    while True:
        while bit():
            unpacked.append(byte())
        back = _distance(bits)
        if back == 2:
            is_short, back = bit(), last
        else:
            back = (back - 3) * 256 + byte()
            if back == _END:
                return bytes(unpacked)
            is_short = ~back & 1
            back = last = (back >> 1) + 1
        length = _length(bits, is_short) + (back > _FAR)
        repeated = unpacked[-back:] if length >= back else unpacked[-back : length - back]
        unpacked += (repeated * (length // back + 1))[:length]


def _distance(bits: _Bits) -> int:
    distance = 2 + bits.bit()
    while not bits.bit():
        distance = (distance - 1) * 2 + bits.bit()
        distance = distance * 2 + bits.bit()
    return distance


def _length(bits: _Bits, is_short: int) -> int:
    if is_short:
        return 2 + bits.bit()
    if bits.bit():
        return 4 + bits.bit()
    length = 2 + bits.bit()
    while not bits.bit():
        length = length * 2 + bits.bit()
    return length + 4


def _blocks(program: bytes) -> Iterator[bytes]:
    """Yield the parts of a packed program; ValueError where one is packed in another way."""
    at = _INFO_AT + _INFO_SIZE
    while (sizes := _BLOCK.unpack_from(program, at))[0]:
        size, packed_size, method, filtered = sizes
        if (method, filtered) != (_NRV2E, _NO_FILTER):
            raise ValueError(f"method {method} and filter {filtered} are not known")
        at += _BLOCK.size
        part = unpack(program[at : at + packed_size])
        if len(part) != size:
            raise ValueError(f"a part has {len(part)} bytes instead of {size}")
        yield part
        at += packed_size


def unpacked_program(program: bytes) -> bytes:
    """Return a program for 64-bit Linux as it was before UPX packed it, without the table of sections.

    Raises:
        ValueError: It is not packed, or in another way.
    """
    if program[_INFO_AT + 4 : _INFO_AT + 8] != _MAGIC:
        raise ValueError("it is not packed by UPX")
    header, *parts = _blocks(program)
    (count,) = struct.unpack_from("<H", header, _COUNT_AT)
    segments = (_SEGMENT.unpack_from(header, _SEGMENTS_AT + each * _SEGMENT.size) for each in range(count))
    loaded = [segment for segment in segments if segment[0] == _LOADED]
    whole = bytearray(max(segment[2] + segment[5] for segment in loaded))
    whole[: len(header)] = header
    for segment, part in zip(loaded, parts, strict=True):
        end = segment[2] + segment[5]
        whole[end - len(part) : end] = part
    struct.pack_into("<Q", whole, _SECTIONS_AT, 0)
    struct.pack_into("<HH", whole, _SECTION_COUNT_AT, 0, 0)
    return bytes(whole)


def replace(path: Path) -> None:
    """Put the unpacked program in the place of the packed one; ValueError, and no change, if that can't be."""
    unpacked = unpacked_program(path.read_bytes())
    descriptor, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "wb") as file:
        file.write(unpacked)
    Path(name).chmod(path.stat().st_mode)
    Path(name).replace(path)


def main() -> int:
    """Unpack the program of this environment's hivemind; 0 also if there is nothing to unpack."""
    found = importlib.util.find_spec("hivemind")
    assert found is not None
    assert found.origin is not None
    path = Path(found.origin).parent / "hivemind_cli" / "p2pd"
    try:
        replace(path)
    except ValueError as error:
        print(f"{path} stays as it is: {error}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
