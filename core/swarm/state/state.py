"""A peer's whole state as it is given to late peers: float32 parameters and raw optimizer state, nothing lossy."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch

from core.errors import SwarmError

SECTION_BYTES = 64 * 2**20
"""Largest size of a section in bytes.

A state crosses between processes in sections: one file descriptor each, and no copy of the whole.
"""

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


def sections_of(
    tensors: dict[str, torch.Tensor], *, section_bytes: int = SECTION_BYTES
) -> list[torch.Tensor]:
    """Return a copy of the bytes of ``tensors``, in order, as flat uint8 tensors of shape (bytes,).

    Each has ``section_bytes`` but for the last, which may have fewer. The mapping is empty then: each tensor leaves
    it once it is copied, so that a state in memory of its own takes no more of it than one copy.
    """
    total = sum(item.nbytes for item in tensors.values())
    sections = [
        torch.empty(min(section_bytes, total - start), dtype=torch.uint8)
        for start in range(0, total, section_bytes)
    ]
    offset = 0
    for name in list(tensors):
        [flat], taken = flat_bytes({name: tensors.pop(name)}), 0
        while taken < len(flat):
            section, start = sections[offset // section_bytes], offset % section_bytes
            length = min(len(flat) - taken, len(section) - start)
            section[start : start + length] = flat[taken : taken + length]
            taken, offset = taken + length, offset + length
    return sections


def flat_bytes(tensors: Mapping[str, torch.Tensor]) -> Iterator[torch.Tensor]:
    """Yield the bytes of each of ``tensors``, in order, as uint8 tensors of shape (bytes,) on the CPU.

    They are no copies of tensors that are contiguous and on the CPU.
    """
    for item in tensors.values():
        yield item.detach().cpu().contiguous().view(-1).view(torch.uint8)


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
