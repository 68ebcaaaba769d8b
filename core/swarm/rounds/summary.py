"""A committed round without its gradients: contributors, mean loss, and proof of both.

A follower of a run's chain of commits needs no more, and it is small enough to be kept for hundreds of
epochs.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import msgpack
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2, runtime_pb2
from pydantic import ValidationError

from core.failure_series import FailureSeries, in_words
from core.swarm.rounds.combination import GroupTrees, ReducedGroup, combined_id
from core.swarm.rounds.commit import root_of
from core.swarm.rounds.group_list import Contributor, contributors_of_group
from core.swarm.rounds.partition import Part
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.wire.encoding import MalformedPart
from core.swarm.wire.records import CommitRecord
from core.swarm.wire.streams import PeerLost, messages

_log = logging.getLogger(__name__)

_DIGEST_BYTES = 32
_LISTS_AT_ONCE, _DONORS_OF_LISTS = 8, 3


@dataclass(frozen=True)
class RoundSummary:
    """The record of a committed round, the digests of its parts, and its last part."""

    record: CommitRecord
    """The commit record; the root covers all of it but ``members``, which the peer that gave the summary claims."""
    digests: tuple[bytes, ...]
    last: ReducedPart
    """The last part; its value is the mean loss, its weight the epoch's samples."""
    named: tuple[Contributor, ...] = ()
    """Contributors of those of several groups whose lists were received (`with_contributors`)."""

    @classmethod
    def of(cls, record: CommitRecord, parts: Sequence[ReducedPart]) -> Self:
        """Return the summary of the round with this ``record`` and all of its reduced ``parts``."""
        return cls(record, tuple(part.digest for part in parts), parts[-1])

    @property
    def contributors(self) -> tuple[Contributor, ...]:
        """Peers whose samples are in the epoch, according to their groups' reducers."""
        return self.last.contributors or self.named

    @property
    def peers(self) -> int:
        """Number of peers that contributed, or of several groups could have; the root proves it."""
        return sum(group.members for group in self.last.groups) or len(self.last.contributors)

    @property
    def samples(self) -> float:
        """Number of samples in the epoch."""
        return self.last.weight

    def loss(self, part: Part) -> float:
        """Return the mean loss over the epoch's samples; ``part`` is the last part of the run's rounds.

        Raises MalformedPart if the value does not decode or is not finite.
        """
        return float(self.last.values(part))

    def as_messages(self) -> tuple[averaging_pb2.AveragingData, averaging_pb2.AveragingData]:
        """Return the messages that carry the summary: the record with the digests, then the last part."""
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
        """Read the ``first`` and the ``second`` message of ``as_messages``.

        Raises MalformedPart unless they make up the ``root`` of a round of that many ``parts``.
        """
        record, packed = _record(first.group_id), first.tensor_part.buffer
        if len(packed) != parts * _DIGEST_BYTES:
            raise MalformedPart("A peer sent something other than the summary of a round.")
        digests = tuple(packed[at : at + _DIGEST_BYTES] for at in range(0, len(packed), _DIGEST_BYTES))
        last = ReducedPart.from_message(second, senders=record.members)
        proven = root_of(record.epoch, record.parent, record.group, digests)
        if {record.root, proven} != {root} or digests[-1] != last.digest or record.samples != last.weight:
            raise MalformedPart("A peer sent a summary that is not of the round that was committed.")
        if last.groups and combined_id(last.groups) != record.group:
            raise MalformedPart("A committed round names other groups than have committed.")
        if not (last.contributors or last.groups):
            raise MalformedPart("A committed round names no contributors.")
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
    failures: FailureSeries,
) -> RoundSummary | None:
    """Return the summary of a committed round, proven by its root; None if no donor has it.

    Args:
        root: root of the round's commit.
        donors: peers to ask, in this order.
        parts: the parts of the run's rounds.
        stub_of: gives the RPC stub of a peer.
        silence_seconds: seconds for which a donor may be silent; it may take twice as long in all.
        failures: notes each fetch: a failed one with the reason of every donor.
    """
    complaints = []
    for donor in donors:
        try:
            summary = await summary_from(stub_of(donor), root, parts, silence_seconds)
            failures.succeeded()
            return summary
        except (PeerLost, MalformedPart) as error:
            complaints.append(f"peer {donor}: {in_words(error)}")
            _log.debug("The summary of round %s was not received from %s", root.hex()[:8], complaints[-1])
    failures.failed(f"round {root.hex()[:8]}: {'; '.join(complaints) or 'there is no peer to ask'}")
    return None


async def summary_from(stub: Any, root: bytes, parts: Sequence[Part], silence_seconds: float) -> RoundSummary:
    """Return the summary of the round with this ``root`` from the peer behind ``stub``, proven by the root.

    ``parts`` are the parts of the run's rounds. The peer may be silent for ``silence_seconds``, and take twice as
    long in all. Raises PeerLost if it is lost, MalformedPart if it does not have the summary or sends another thing.
    """
    try:
        async with asyncio.timeout(2 * silence_seconds):
            call = stub.rpc_fetch_summary(averaging_pb2.AveragingData(group_id=root))
            first, second = await _two(messages(call, silence_seconds=silence_seconds))
    except TimeoutError as error:
        raise PeerLost("TimeoutError") from error
    summary = RoundSummary.from_messages(root, first, second, len(parts))
    summary.loss(parts[-1])  # refuses what does not decode
    return summary


async def with_contributors(
    summary: RoundSummary,
    donors: Sequence[PeerID],
    *,
    stub_of: Callable[[PeerID], Any],
    silence_seconds: float,
) -> RoundSummary:
    """Return ``summary`` with the contributors of all groups that combined in its round, as far as they can be had.

    Each list is proven by its digest in the round. The head of the group is asked, then the head of the group above,
    which has kept the list as well, then the ``donors``.

    Args:
        summary: the summary of a round; that of a round of one group has its contributors already.
        donors: peers that know of the round.
        stub_of: gives the RPC stub of a peer.
        silence_seconds: seconds for which a peer may be silent.
    """
    groups, free = summary.last.groups, asyncio.Semaphore(_LISTS_AT_ONCE)
    trees = GroupTrees(len(groups))

    async def list_of(position: int) -> tuple[Contributor, ...]:
        above = trees.above(position, len(summary.digests) - 1)
        heads = [groups[item].head for item in (position, above) if item is not None]
        asked = dict.fromkeys([*map(PeerID, heads), *donors[:_DONORS_OF_LISTS]])
        async with free:
            for peer in asked:
                try:
                    return await _contributors_from(stub_of(peer), groups[position], silence_seconds)
                except (PeerLost, MalformedPart) as error:
                    _log.debug("Peer %s gave no contributors of a group: %s", peer, in_words(error))
        _log.warning(
            "Epoch %d: nobody gave the contributors of group %s, which has %g samples.",
            summary.record.epoch,
            groups[position].id.hex()[:8],
            groups[position].samples,
        )
        return ()

    found = await asyncio.gather(*map(list_of, range(len(groups))))
    return replace(summary, named=tuple(item for named in found for item in named))


async def _contributors_from(
    stub: Any, group: ReducedGroup, silence_seconds: float
) -> tuple[Contributor, ...]:
    try:
        async with asyncio.timeout(2 * silence_seconds):
            call = stub.rpc_fetch_contributors(averaging_pb2.AveragingData(group_id=group.id))
            async for message in messages(call, silence_seconds=silence_seconds):
                if message.code == averaging_pb2.AVERAGED_PART:
                    return contributors_of_group(group, message.group_id)
                break
    except TimeoutError as error:
        raise PeerLost("TimeoutError") from error
    raise MalformedPart("A peer does not have the contributors of that group.")


async def _two(stream: AsyncIterator[averaging_pb2.AveragingData]) -> list[averaging_pb2.AveragingData]:
    found = []
    async for message in stream:
        found.append(message)
        if message.code != averaging_pb2.AVERAGED_PART or len(found) > 2:
            break
    if len(found) != 2:
        raise MalformedPart("A peer does not have the summary of that round, or sent another thing.")
    return found
