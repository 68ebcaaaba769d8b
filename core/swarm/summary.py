"""What a committed round was, without its gradients: who contributed, the mean loss, and proof of both.

Whoever follows a run's chain of commits needs no more, and it is small enough to be kept for hundreds of epochs.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import msgpack
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2, runtime_pb2
from pydantic import ValidationError

from core.swarm.commit import root_of
from core.swarm.encoding import MalformedPart
from core.swarm.partition import Part
from core.swarm.records import CommitRecord
from core.swarm.reduction import Contributor, ReducedPart
from core.swarm.streams import PeerLost, messages

_DIGEST_BYTES = 32


@dataclass(frozen=True)
class RoundSummary:
    """The record of a committed round, the digests of its parts, and its last part."""

    record: CommitRecord
    """``members`` is what whoever gave the summary says; the root covers all else."""
    digests: tuple[bytes, ...]
    last: ReducedPart
    """Its value is the mean loss, its weight the epoch's samples."""

    @classmethod
    def of(cls, record: CommitRecord, parts: Sequence[ReducedPart]) -> Self:
        return cls(record, tuple(part.digest for part in parts), parts[-1])

    @property
    def contributors(self) -> tuple[Contributor, ...]:
        """Whose samples are in the epoch, by what their group's reducer was told."""
        return self.last.contributors

    @property
    def samples(self) -> float:
        return self.last.weight

    def loss(self, part: Part) -> float:
        """The mean over the epoch's samples; raises MalformedPart where the value is none, as one not finite."""
        return float(self.last.values(part))

    def as_messages(self) -> tuple[averaging_pb2.AveragingData, averaging_pb2.AveragingData]:
        """As it is sent to those who ask: the record with the digests, then the last part."""
        first = averaging_pb2.AveragingData(
            code=averaging_pb2.AVERAGED_PART,
            group_id=msgpack.packb(self.record.pack()),
            tensor_part=runtime_pb2.Tensor(buffer=b"".join(self.digests)),
        )
        return first, self.last.as_message()

    @classmethod
    def from_messages(
        cls, root: bytes, first: averaging_pb2.AveragingData, second: averaging_pb2.AveragingData, parts: int
    ) -> Self:
        """Read ``as_messages``; raises MalformedPart unless it makes up the root of a round of so many parts."""
        record, packed = _record(first.group_id), first.tensor_part.buffer
        if len(packed) != parts * _DIGEST_BYTES:
            raise MalformedPart("A peer sent something other than the summary of a round.")
        digests = tuple(packed[at : at + _DIGEST_BYTES] for at in range(0, len(packed), _DIGEST_BYTES))
        last = ReducedPart.from_message(second, senders=record.members)
        proven = root_of(record.epoch, record.parent, record.group, digests)
        if {record.root, proven} != {root} or digests[-1] != last.digest or record.samples != last.weight:
            raise MalformedPart("A peer sent a summary that is not of the round that was committed.")
        if not last.contributors:
            raise MalformedPart("A committed round names nobody who contributed.")
        return cls(record, digests, last)


def _record(packed: bytes) -> CommitRecord:
    try:
        return CommitRecord.model_validate(msgpack.unpackb(packed))
    except (ValueError, TypeError, ValidationError, msgpack.UnpackException) as error:
        raise MalformedPart("A peer sent a summary without the record of its round.") from error


async def fetch_summary(
    root: bytes,
    donors: Sequence[PeerID],
    *,
    parts: Sequence[Part],
    stub_of: Callable[[PeerID], Any],
    silence_seconds: float,
) -> RoundSummary | None:
    """The summary of a committed round, proven by its root, from the first donor that has it; None if none has.

    A donor may take twice ``silence_seconds`` in all.
    """
    for donor in donors:
        try:
            async with asyncio.timeout(2 * silence_seconds):
                call = stub_of(donor).rpc_fetch_summary(averaging_pb2.AveragingData(group_id=root))
                first, second = await _two(messages(call, silence_seconds=silence_seconds))
                summary = RoundSummary.from_messages(root, first, second, len(parts))
                summary.loss(parts[-1])  # refuses what does not decode
                return summary
        except (PeerLost, MalformedPart, TimeoutError):
            continue
    return None


async def _two(stream: AsyncIterator[averaging_pb2.AveragingData]) -> list[averaging_pb2.AveragingData]:
    found = []
    async for message in stream:
        found.append(message)
        if message.code != averaging_pb2.AVERAGED_PART or len(found) > 2:
            break
    if len(found) != 2:
        raise MalformedPart("A peer does not have the summary of that round, or sent another thing.")
    return found
