"""A block: the codes of some hundred images as bytes, in the fewest bits that pay.

Little-endian: ``IBC`` and a 1 for the version; 8 bits each for coding and grid, 16 each for the sizes of codebook and
block; a CRC-32 of all but itself; the payload. Coding 0 has each code in as many bits as the largest needs, image by
image, the highest bit first. Coding 1 has the codebook in a new order (`similarity`), written as by coding 0, and a
stream (`scan`) of places in that order.
"""

import struct
import zlib
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from core.data.packed.scan import decode_codes, encode_codes
from core.data.packed.similarity import similar_order
from core.errors import DataError

MAX_GRID = 64
MAX_VOCAB = 1 << 15
_MAX_IMAGES, _MAX_CODES = 1 << 12, 1 << 20
_MAGIC = b"IBC\x01"
_FIELDS = struct.Struct("<4sBBHH")
_CRC = struct.Struct("<I")
_WORTHWHILE = 0.97
"""A prediction takes a hundred times as long as unpacking bits: part of those that it must not need more of."""

Integers = NDArray[np.integer[Any]]


class _Coding(IntEnum):
    BITS = 0
    PREDICTED = 1


@dataclass(frozen=True)
class _Header:
    coding: int
    grid: int
    vocab: int
    images: int

    def __post_init__(self) -> None:
        """ValueError for a block that must not, or cannot be."""
        if not (1 <= self.grid <= MAX_GRID and 1 <= self.vocab <= MAX_VOCAB):
            raise ValueError(f"it claims {self.grid} x {self.grid} codes of {self.vocab}")
        if not 1 <= self.images <= images_per_block(self.grid):
            raise ValueError(f"it claims {self.images} images of {self.grid} x {self.grid} codes")

    @classmethod
    def read(cls, block: bytes) -> Self:
        if len(block) < _FIELDS.size + _CRC.size:
            raise ValueError("it is cut short")
        magic, *values = _FIELDS.unpack_from(block)
        if magic != _MAGIC:
            raise ValueError("it is of no layout that this version knows")
        return cls(*values)

    def write(self) -> bytes:
        return _FIELDS.pack(_MAGIC, self.coding, self.grid, self.vocab, self.images)

    @property
    def bits(self) -> int:
        """Of a code."""
        return max(1, (self.vocab - 1).bit_length())

    @property
    def codes(self) -> int:
        return self.images * self.grid**2


def images_per_block(grid: int) -> int:
    """The most images a block has: the more, the better they are predicted, and the more memory they need."""
    return min(_MAX_IMAGES, _MAX_CODES // grid**2)


def pack(codes: Integers, grid: int, vocab: int) -> bytes:
    """The block of codes of shape (images, grid * grid), in [0, vocab), of at most ``images_per_block``."""
    if codes.shape[1:] != (grid**2,) or codes.min() < 0 or codes.max() >= vocab:
        raise ValueError(f"codes must be {grid} x {grid} an image, in [0, {vocab})")
    plain = _Header(_Coding.BITS, grid, vocab, len(codes))
    payload = _to_bits(codes, plain.bits)
    pays = int(_WORTHWHILE * len(payload))
    if _bytes(vocab, plain.bits) < pays:
        predicted = _predicted(codes.astype(np.int64).reshape(-1, grid, grid), plain)
        if len(predicted) < pays:
            return _sealed(replace(plain, coding=_Coding.PREDICTED), predicted)
    return _sealed(plain, payload)


def unpack(block: bytes, where: str) -> NDArray[np.int16]:
    """The codes of a block, of shape (images, grid * grid); ``where`` names it in errors.

    Raises:
        DataError: it is damaged, or of a later version.
    """
    try:
        header = _Header.read(block)
        payload = block[_FIELDS.size + _CRC.size :]
        if _crc(header, payload) != _CRC.unpack_from(block, _FIELDS.size)[0]:
            raise ValueError("its checksum differs")
        codes = _read(header, payload)
        if codes.max() >= header.vocab:
            raise ValueError(f"it holds {codes.max()}, but claims codes below {header.vocab}")
    except ValueError as error:
        raise DataError(
            f"The codes of {where} cannot be unpacked: {error}.", "Fetch the shard again."
        ) from error
    return codes.reshape(header.images, -1).astype(np.int16)


def _sealed(header: _Header, payload: bytes) -> bytes:
    return header.write() + _CRC.pack(_crc(header, payload)) + payload


def _crc(header: _Header, payload: bytes) -> int:
    return zlib.crc32(payload, zlib.crc32(header.write()))


def _read(header: _Header, payload: bytes) -> Integers:
    match header.coding:
        case _Coding.BITS:
            return _of_bits(payload, header.codes, header.bits)
        case _Coding.PREDICTED:
            return _of_predicted(payload, header)
    raise ValueError("it is of no coding that this version knows")


def _predicted(codes: NDArray[np.int64], header: _Header) -> bytes:
    order = similar_order(codes, header.vocab)
    return _to_bits(order, header.bits) + encode_codes(np.argsort(order)[codes], header.bits)


def _of_predicted(payload: bytes, header: _Header) -> Integers:
    size = _bytes(header.vocab, header.bits)
    order = _of_bits(payload[:size], header.vocab, header.bits)
    places = decode_codes(payload[size:], header.images, header.grid, header.bits)
    if places.max() >= header.vocab:
        raise ValueError("it points out of its codebook")
    return order[places]


def _bytes(count: int, bits: int) -> int:
    return -(-count * bits // 8)


def _to_bits(numbers: Integers, bits: int) -> bytes:
    places = np.arange(bits)[::-1]
    return np.packbits((numbers.reshape(-1, 1) >> places & 1).astype(np.uint8)).tobytes()


def _of_bits(data: bytes, count: int, bits: int) -> Integers:
    if len(data) != _bytes(count, bits):
        raise ValueError(f"{count} numbers of {bits} bits do not take {len(data)} bytes")
    found = np.unpackbits(np.frombuffer(data, np.uint8), count=count * bits).reshape(count, bits)
    return found @ (1 << np.arange(bits)[::-1])
