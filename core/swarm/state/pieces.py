"""Cuts a state into pieces, each with a digest, so that each can come from another donor and be checked by itself."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

import msgpack
import torch

from core.swarm.state.state import DonorFailed, StateSchema, SwarmState, flat_bytes
from core.swarm.wire.records import MAX_EPOCH

PIECE_BYTES = 1 << 20
"""Size of a piece in bytes; the last one of a state may be smaller.

A home that sends 5 Mbit/s gives one in two seconds. The list of a state of 759 MB, that of the paper's model with
moments in 8 bits, has 23 kB.
"""
DIGEST_BYTES = 32


class DonorLied(DonorFailed):
    """A donor gave bytes other than those that it had named; it is not asked again."""


@dataclass(frozen=True)
class StateOutline:
    """The list of the pieces of a state; its root names the state whole."""

    epoch: int
    head: bytes
    """Root digest of the commit that led here."""
    digests: bytes
    """SHA-256 of each piece, in order."""

    @property
    def root(self) -> bytes:
        """SHA-256 over epoch, head and the digests of all pieces: no two states share it."""
        tag = f"idlebrush state 1 {self.epoch} {self.head.hex()}\n".encode()
        return hashlib.sha256(tag + self.digests).digest()

    @property
    def pieces(self) -> int:
        """Number of pieces."""
        return len(self.digests) // DIGEST_BYTES

    def digest(self, index: int) -> bytes:
        """Return the digest of the piece with this ``index``."""
        return self.digests[index * DIGEST_BYTES : (index + 1) * DIGEST_BYTES]

    def pack(self) -> bytes:
        """Return the outline as it is sent."""
        packed: bytes = msgpack.packb({"epoch": self.epoch, "head": self.head, "digests": self.digests})
        return packed

    @classmethod
    def unpack(cls, packed: bytes, *, pieces: int) -> Self:
        """Read ``packed``, the outline of a state of ``pieces`` pieces; raises DonorFailed if it is malformed."""
        try:
            found: Any = msgpack.unpackb(packed)
        except (ValueError, msgpack.UnpackException) as error:
            raise DonorFailed("A donor's list of pieces is malformed.") from error
        if not isinstance(found, dict) or found.keys() != {"epoch", "head", "digests"}:
            raise DonorFailed("A donor's list of pieces is malformed.")
        epoch, head, digests = found["epoch"], found["head"], found["digests"]
        if type(epoch) is not int or not 0 <= epoch <= MAX_EPOCH:
            raise DonorFailed("A donor's state came without its epoch.")
        if not isinstance(head, bytes) or len(head) != DIGEST_BYTES or not isinstance(digests, bytes):
            raise DonorFailed("A donor's state came without its digests.")
        if len(digests) != pieces * DIGEST_BYTES:
            raise DonorFailed(f"A donor's state has other than the {pieces} pieces of this run's.")
        return cls(epoch, head, digests)


def outline_of(state: SwarmState) -> StateOutline:
    """Return the list of the pieces of ``state``."""
    return StateOutline(state.epoch, state.head, digests_of(flat_bytes(state.tensors)))


def digests_of(flats: Iterable[torch.Tensor], *, piece_bytes: int = PIECE_BYTES) -> bytes:
    """Return the digests of all pieces, in order.

    ``flats`` hold a state's bytes, in order: uint8 tensors of shape (bytes,) on the CPU. Each piece has
    ``piece_bytes`` of them but the last, which may have fewer.
    """
    digests, hasher, room = bytearray(), hashlib.sha256(), piece_bytes
    for flat in flats:
        rest = flat.numpy().data
        while rest:
            taken, rest = rest[:room], rest[room:]
            hasher.update(taken)
            room -= len(taken)
            if not room:
                digests += hasher.digest()
                hasher, room = hashlib.sha256(), piece_bytes
    if room < piece_bytes:
        digests += hasher.digest()
    return bytes(digests)


def pieces_in(size: int, *, piece_bytes: int = PIECE_BYTES) -> int:
    """Return the number of pieces of ``piece_bytes`` that ``size`` bytes make."""
    return -(-size // piece_bytes)


class PieceBuffer:
    """The bytes of a state that is on its way: the memory of the whole, of which pieces are filled in any order.

    The memory is shared, so that the state crosses to another process without a copy.
    """

    def __init__(self, outline: StateOutline, size: int, *, piece_bytes: int = PIECE_BYTES) -> None:
        """Take the memory of the state with this ``outline``: ``size`` bytes in pieces of ``piece_bytes``."""
        self.outline, self._piece_bytes = outline, piece_bytes
        storage = torch.UntypedStorage._new_shared(size)  # share_memory_ would copy all of it
        self.flat = torch.empty(0, dtype=torch.uint8).set_(storage)
        """The bytes, of shape (bytes,); they mean something once no piece is missing."""
        self.missing = dict.fromkeys(range(outline.pieces))
        """Indices of the pieces that have not come, in order."""

    def size_of(self, index: int) -> int:
        """Return the size in bytes of the piece with this ``index``."""
        return min(self._piece_bytes, len(self.flat) - index * self._piece_bytes)

    def put(self, index: int, data: bytes) -> bool:
        """Fill in ``data``, the piece with this ``index``, and return true if it was missing.

        Raises DonorLied if it has another digest.
        """
        if len(data) != self.size_of(index) or hashlib.sha256(data).digest() != self.outline.digest(index):
            raise DonorLied(f"A donor's piece {index} does not match its digest.")
        if index not in self.missing:
            return False
        start = index * self._piece_bytes
        self.flat[start : start + len(data)] = torch.frombuffer(bytearray(data), dtype=torch.uint8)
        del self.missing[index]
        return True


def joined(flat: torch.Tensor, schema: StateSchema, outline: StateOutline) -> SwarmState:
    """Return the state whose bytes are in ``flat``, of shape (bytes,), each tensor in the shape that ``schema`` says.

    The tensors are views of ``flat`` where their alignment allows it. Raises DonorFailed if the bytes do not make up
    the ``outline``, or hold values that are not finite.
    """
    tensors = _tensors(flat, schema)
    if digests_of([flat]) != outline.digests:
        raise DonorFailed("A donor's state does not match its own digest.")
    if not all(bool(torch.isfinite(item).all()) for item in tensors.values()):
        raise DonorFailed("A donor's state holds values that are not finite.")
    return SwarmState(outline.epoch, outline.head, tensors)


def _tensors(flat: torch.Tensor, schema: StateSchema) -> dict[str, torch.Tensor]:
    return dict(_named(flat, schema))


def _named(flat: torch.Tensor, schema: StateSchema) -> Iterator[tuple[str, torch.Tensor]]:
    offset = 0
    for item in schema:
        values = flat[offset : offset + item.bytes]
        if offset % item.dtype.itemsize:
            values = values.clone()  # a view of another type needs its own alignment
        yield item.name, values.view(item.dtype).reshape(item.shape)
        offset += item.bytes
