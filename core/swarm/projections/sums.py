"""The question for projections of a state at a place, and the answer, as both are sent."""

import struct
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from core.projection import SEED_BYTES, SUMS, TensorSums
from core.swarm.wire.encoding import MalformedPart
from core.swarm.wire.records import MAX_EPOCH

_DIGEST_BYTES = 32
_PLACE = struct.Struct(f"<I{_DIGEST_BYTES}s")
BUSY = b"busy"
"""The answer of a peer that is worth asking again."""
QUESTION_BYTES = _PLACE.size + SEED_BYTES


@dataclass(frozen=True)
class SumsQuestion:
    """The question for the projection of the state at a place of the chain of commits."""

    epoch: int
    head: bytes
    """Root of the commit that led to the place."""
    seed: bytes
    """Seed that the verifier has drawn once the state was fixed."""

    def pack(self) -> bytes:
        """Return the question as bytes, `QUESTION_BYTES` of them."""
        return _PLACE.pack(self.epoch, self.head) + self.seed

    @classmethod
    def unpack(cls, packed: bytes) -> Self:
        """Read a question that `pack` made; raises MalformedPart if there is none in ``packed``."""
        if len(packed) != QUESTION_BYTES:
            raise MalformedPart("A question for a projection has another length.")
        epoch, head = _PLACE.unpack(packed[: _PLACE.size])
        if epoch > MAX_EPOCH:
            raise MalformedPart("A question for a projection names an epoch that no run has.")
        return cls(epoch, head, packed[_PLACE.size :])


@dataclass(frozen=True)
class StateSums:
    """The projection of a peer's state, or its place alone where that is another than the one asked for."""

    epoch: int
    head: bytes
    sums: TensorSums | None
    """Sums of each tensor, float32 of shape (tensors, SUMS); None at another place."""

    def is_at(self, epoch: int, head: bytes) -> bool:
        """Return true if the state is of ``epoch``, and the commit with the root ``head`` led to it."""
        return (self.epoch, self.head) == (epoch, head)

    def fields(self) -> dict[str, Any]:
        """Return the values that make it up, for msgpack."""
        sums = b"" if self.sums is None else self.sums.astype("<f4").tobytes()
        return {"epoch": self.epoch, "head": self.head, "sums": sums}

    @classmethod
    def of_fields(cls, found: object) -> Self:
        """Read what `fields` returned; raises MalformedPart if ``found`` is something else."""
        if not isinstance(found, dict) or found.keys() != {"epoch", "head", "sums"}:
            raise MalformedPart("An answer is no projection of a state.")
        epoch, head, sums = found["epoch"], found["head"], found["sums"]
        if type(epoch) is not int or not isinstance(head, bytes) or not isinstance(sums, bytes):
            raise MalformedPart("An answer is no projection of a state.")
        if len(sums) % (4 * SUMS):
            raise MalformedPart("A projection of a state ends within the sums of a tensor.")
        values = np.frombuffer(sums, dtype="<f4").reshape(-1, SUMS).astype(np.float32)
        return cls(epoch, head, values if sums else None)
