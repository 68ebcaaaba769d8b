"""The last committed rounds, kept whole so that a peer that lacks a part of one can fetch just those bytes.

Summaries of many more rounds are kept for peers that follow the run.
"""

import logging
import struct
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2, runtime_pb2

from core.errors import SwarmError
from core.swarm.rounds.commit import root_digest
from core.swarm.rounds.partition import Part
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.rounds.summary import RoundSummary
from core.swarm.wire.encoding import MalformedPart
from core.swarm.wire.records import CommitRecord
from core.swarm.wire.streams import PeerLost, messages

_log = logging.getLogger(__name__)

_KEPT = 2
_SUMMARIES = 256
"""Number of summaries kept: 11 kB each on the wire for the paper's model and a group of 64, 9 MB of memory in all."""
_INDEX = struct.Struct("<I")


class FetchFailed(SwarmError):
    """No donor had the committed bytes."""

    def __init__(self, what: str) -> None:
        """Make the error with ``what``, a sentence that says what no donor had; the remedy is fixed."""
        super().__init__(what, "The whole state is downloaded instead.")

    def __reduce__(self) -> tuple[type["FetchFailed"], tuple[str]]:
        return type(self), (self.what,)


@dataclass(frozen=True)
class CommittedRound:
    """An epoch's aggregate as all of its peers hold it."""

    record: CommitRecord
    parts: tuple[ReducedPart, ...]


class CommittedRounds:
    """The newest rounds by their roots; older ones can only be had as whole states."""

    def __init__(self) -> None:
        self._rounds: OrderedDict[bytes, CommittedRound] = OrderedDict()
        self._summaries: OrderedDict[bytes, RoundSummary] = OrderedDict()

    def keep(self, committed: CommittedRound) -> None:
        """Keep the ``committed`` round and its summary; the oldest ones beyond the limits are dropped."""
        self._rounds[committed.record.root] = committed
        while len(self._rounds) > _KEPT:
            self._rounds.popitem(last=False)
        self.keep_summary(RoundSummary.of(committed.record, committed.parts))

    def keep_summary(self, summary: RoundSummary) -> None:
        """Keep the ``summary`` of a round; the oldest ones beyond the limit are dropped."""
        self._summaries[summary.record.root] = summary
        while len(self._summaries) > _SUMMARIES:
            self._summaries.popitem(last=False)

    def summarise(self, root: bytes) -> Iterable[averaging_pb2.AveragingData]:
        """Return the messages of the summary of the round with this ``root``, or a refusal if it is not kept."""
        summary = self._summaries.get(root)
        if summary is None:
            return (averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID),)
        return summary.as_messages()

    def serve(self, request: averaging_pb2.AveragingData) -> Iterable[averaging_pb2.AveragingData]:
        """Yield the parts that ``request`` names, each as the reducer had sent it, or a refusal if they are not kept.

        The request's group id is the round's root; its tensor's buffer holds the wanted indices, none for all
        parts.
        """
        committed = self._rounds.get(request.group_id)
        wanted = _indices(request.tensor_part.buffer)
        if committed is None or not _are_distinct(wanted, len(committed.parts)):
            yield averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID)
            return
        for index in wanted or range(len(committed.parts)):
            yield committed.parts[index].as_message()


async def complete(
    record: CommitRecord,
    have: Sequence[ReducedPart | None],
    donors: Sequence[PeerID],
    *,
    parts: Sequence[Part],
    stub_of: Callable[[PeerID], Any],
    chunk_seconds: float,
) -> CommittedRound:
    """Return the committed round, whole, after fetching the parts that are missing.

    All parts are fetched if those at hand are of another round. Only bytes whose digests make up the record's
    root are accepted.

    Args:
        record: the record that commits the round.
        have: the reduced parts at hand, None for each missing one.
        donors: peers to ask, in this order.
        parts: the parts of the run's rounds, by which the bytes are checked.
        stub_of: gives the RPC stub of a peer.
        chunk_seconds: seconds for which a donor may be silent.

    Raises:
        FetchFailed: no donor gave the missing parts.
    """
    if all(have) and _root(record, have) == record.root:
        return CommittedRound(record, tuple(part for part in have if part))
    nothing: list[ReducedPart | None] = [None] * len(have)
    attempts = (have, nothing) if any(have) and not all(have) else (nothing,)
    for donor in donors:
        for held in attempts:
            missing = [index for index, part in enumerate(held) if part is None]
            try:
                call = stub_of(donor).rpc_fetch_committed(_request(record.root, missing))
                found = await _read(call, missing, record, parts, chunk_seconds)
            except (PeerLost, MalformedPart) as error:
                _log.warning(
                    "Epoch %d: peer %s did not give %d missing parts: %s",
                    record.epoch,
                    donor,
                    len(missing),
                    str(error) or type(error).__name__,
                )
                break
            whole = tuple(part or found[index] for index, part in enumerate(held))
            if _root(record, whole) == record.root:
                _log.info("Epoch %d: peer %s gave %d missing parts.", record.epoch, donor, len(missing))
                return CommittedRound(record, whole)
            if len(missing) < len(held):
                _log.info("Epoch %d: the parts at hand are not of the committed round.", record.epoch)
            else:
                _log.warning("Epoch %d: the parts of peer %s do not match the commit.", record.epoch, donor)
    raise FetchFailed(f"None of {len(donors)} peers gave the committed gradients of epoch {record.epoch}.")


def _root(record: CommitRecord, parts: Sequence[ReducedPart | None]) -> bytes:
    return root_digest(record.epoch, record.parent, record.group, [part for part in parts if part])


def _request(root: bytes, missing: Sequence[int]) -> averaging_pb2.AveragingData:
    packed = b"".join(_INDEX.pack(index) for index in missing)
    return averaging_pb2.AveragingData(group_id=root, tensor_part=runtime_pb2.Tensor(buffer=packed))


def _indices(packed: bytes) -> list[int]:
    usable = len(packed) - len(packed) % _INDEX.size
    return [index for (index,) in _INDEX.iter_unpack(packed[:usable])]


def _are_distinct(indices: Sequence[int], parts: int) -> bool:
    return len(set(indices)) == len(indices) and all(index < parts for index in indices)


async def _read(
    call: Any,
    missing: Sequence[int],
    record: CommitRecord,
    parts: Sequence[Part],
    chunk_seconds: float,
) -> dict[int, ReducedPart]:
    found: dict[int, ReducedPart] = {}
    due = iter(missing)
    async for message in messages(call, silence_seconds=chunk_seconds):
        index = next(due, None)
        if index is None or message.code != averaging_pb2.AVERAGED_PART:
            raise MalformedPart("A peer sent something other than the committed parts.")
        reduced = ReducedPart.from_message(message, senders=record.members)
        reduced.values(parts[index])  # refuses what does not decode
        found[index] = reduced
    if len(found) != len(missing):
        raise MalformedPart("A peer sent fewer parts than were asked for.")
    return found
