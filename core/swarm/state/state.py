"""A peer's whole state as it is given to late peers: float32 parameters and raw optimizer state, nothing lossy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from core.digest import digest
from core.errors import SwarmError
from core.swarm.wire.records import MAX_EPOCH

_SECTION_BYTES = 64 * 2**20
"""Largest size of a section in bytes.

A state crosses between processes in sections: one file descriptor each, and no copy of the whole.
"""

_DIGEST_BYTES = 32

PARAMETERS, OPTIMIZER = "parameters.", "optimizer."
"""Prefixes of the names in the two halves of a state."""


@dataclass(frozen=True)
class TensorSchema:
    """The required shape and type of one tensor of the state."""

    name: str
    shape: tuple[int, ...]
    dtype: torch.dtype

    @property
    def bytes(self) -> int:
        """Size of the tensor in bytes."""
        return torch.Size(self.shape).numel() * self.dtype.itemsize


StateSchema = tuple[TensorSchema, ...]


def schema_of(tensors: Mapping[str, torch.Tensor]) -> StateSchema:
    """Return the schema of a state with these ``tensors``: name, shape and type of each, in their order."""
    return tuple(TensorSchema(name, tuple(item.shape), item.dtype) for name, item in tensors.items())


@dataclass(frozen=True)
class SwarmState:
    """Parameters and optimizer state at the edge of an epoch."""

    epoch: int
    head: bytes
    """Root digest of the commit that led here."""
    tensors: dict[str, torch.Tensor]

    def metadata(self) -> dict[str, Any]:
        """Return the values that travel ahead of the tensors: epoch, head and digest."""
        return {"epoch": self.epoch, "head": self.head, "digest": bytes.fromhex(digest(self.tensors))}

    def sections(self, *, section_bytes: int = _SECTION_BYTES) -> list[torch.Tensor]:
        """Return a copy of all tensors' bytes, in order, as flat uint8 tensors of shape (bytes,).

        Each has ``section_bytes`` but for the last, which may have fewer.
        """
        pieces = [
            item.detach().cpu().contiguous().view(-1).view(torch.uint8) for item in self.tensors.values()
        ]
        total = sum(len(piece) for piece in pieces)
        sections = [
            torch.empty(min(section_bytes, total - start), dtype=torch.uint8)
            for start in range(0, total, section_bytes)
        ]
        offset = 0
        for piece in pieces:
            taken = 0
            while taken < len(piece):
                section, start = sections[offset // section_bytes], offset % section_bytes
                length = min(len(piece) - taken, len(section) - start)
                section[start : start + length] = piece[taken : taken + length]
                taken, offset = taken + length, offset + length
        return sections


def under(half: str, tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return one ``half`` of a state's ``tensors``, in their own shapes, by their names without the half's prefix."""
    return {name.removeprefix(half): item for name, item in tensors.items() if name.startswith(half)}


class DonorFailed(SwarmError):
    """A donor did not give a whole, well-formed state; the next one is tried."""

    def __init__(self, what: str) -> None:
        """Make the error with ``what``, a sentence that says how the donor failed; the remedy is fixed."""
        super().__init__(what, "Another peer is asked for the state.")

    def __reduce__(self) -> tuple[type["DonorFailed"], tuple[str]]:
        return type(self), (self.what,)


class StateReader:
    """Assembles a state from a stream of chunks, and refuses everything that does not fit the schema.

    A donor cannot make us hold more than the state's own size.
    """

    def __init__(self, schema: StateSchema) -> None:
        self._schema = schema
        self._flat = torch.empty(sum(item.bytes for item in schema), dtype=torch.uint8)
        self._filled = 0
        self._metadata: dict[str, Any] | None = None

    def metadata(self, found: object) -> None:
        """Take the values in ``found``, which came ahead of the tensors; raises DonorFailed if they are malformed."""
        if self._metadata is not None or not isinstance(found, dict):
            raise DonorFailed("A donor's state came with malformed metadata.")
        if type(epoch := found.get("epoch")) is not int or not 0 <= epoch <= MAX_EPOCH:
            raise DonorFailed("A donor's state came without its epoch.")
        if not all(_is_digest(found.get(key)) for key in ("head", "digest")):
            raise DonorFailed("A donor's state came without its digests.")
        self._metadata = found

    def chunk(self, data: bytes) -> None:
        """Take the next bytes of the state; raises DonorFailed if ``data`` is empty or exceeds the state's size."""
        end = self._filled + len(data)
        if not data:
            raise DonorFailed("A donor kept us waiting with empty messages.")
        if end > len(self._flat):
            raise DonorFailed(f"A donor sent more than the {len(self._flat)} bytes that the state has.")
        self._flat[self._filled : end] = torch.frombuffer(bytearray(data), dtype=torch.uint8)
        self._filled = end

    def finish(self) -> SwarmState:
        """Return the whole state, its digest checked; raises DonorFailed if anything is missing or wrong."""
        if self._metadata is None or self._filled < len(self._flat):
            raise DonorFailed(f"A donor sent {self._filled} of {len(self._flat)} bytes.")
        return unflatten(self._flat, self._schema, self._metadata)

    @property
    def began(self) -> bool:
        """True once the metadata or any bytes came."""
        return self._metadata is not None or self._filled > 0

    @property
    def flat(self) -> torch.Tensor:
        """The bytes of the state, of shape (bytes,), to hand over to another process in one piece."""
        return self._flat


def _is_digest(value: object) -> bool:
    return isinstance(value, bytes) and len(value) == _DIGEST_BYTES


def unflatten(flat: torch.Tensor, schema: Sequence[TensorSchema], metadata: Mapping[str, Any]) -> SwarmState:
    """Cut the bytes in ``flat``, of shape (bytes,), into the tensors of ``schema``, each a copy of its own shape.

    Raises DonorFailed if the tensors do not have the digest in ``metadata``, or hold values that are not
    finite.
    """
    tensors, offset = {}, 0
    for item in schema:
        # a copy, because a view of another type needs its own alignment
        tensors[item.name] = flat[offset : offset + item.bytes].clone().view(item.dtype).reshape(item.shape)
        offset += item.bytes
    state = SwarmState(metadata["epoch"], metadata["head"], tensors)
    if state.metadata()["digest"] != metadata["digest"]:
        raise DonorFailed("A donor's state does not match its own digest.")
    if not all(bool(torch.isfinite(item).all()) for item in tensors.values()):
        raise DonorFailed("A donor's state holds values that are not finite.")
    return state
