"""The last rounds, kept so that a peer that lacks parts of one can fetch just those bytes.

Auxiliary peers keep the parts that they reduced. Summaries of many more rounds are kept for those who follow the run.
"""

import asyncio
import logging
import math
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2, runtime_pb2

from core.errors import SwarmError
from core.memory.missed_rounds import BYTES_KEPT, LEAST_ROUNDS_KEPT, MOST_ROUNDS_KEPT
from core.swarm.bandwidth import AHEAD
from core.swarm.rounds.commit import root_digest
from core.swarm.rounds.group_list import Contributor, pack_contributors
from core.swarm.rounds.partition import Part
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.rounds.summary import RoundSummary, summary_from
from core.swarm.wire.bits import pack_indices, unpack_indices
from core.swarm.wire.encoding import MalformedPart
from core.swarm.wire.records import CommitRecord
from core.swarm.wire.streams import PeerLost, messages

_log = logging.getLogger(__name__)

_MOST_TURN_SILENCES = 8.0
"""Longest turn of a donor, as a multiple of the silence that it may keep: turns double while nobody gives a part."""
_PARTS_OF_A_TURN = 4.0
_KEPT_FOR_OTHERS = 64
_KEPT_BYTES_FOR_OTHERS = 256 << 20
"""Most bytes of rounds beyond the last two that are kept for others: two rounds of the paper's model."""
_SUMMARIES = 256
"""Number of summaries kept: 11 kB each on the wire for the paper's model and a group of 64, 9 MB of memory in all."""


class FetchFailed(SwarmError):
    """No donor had the committed bytes."""

    def __init__(self, what: str) -> None:
        """Make the error with ``what``, a sentence that says what no donor had; the remedy is fixed."""
        super().__init__(what, "The whole state is downloaded instead.")


@dataclass(frozen=True)
class CommittedRound:
    """An epoch's aggregate as all of its peers hold it."""

    record: CommitRecord
    parts: tuple[ReducedPart, ...]

    @property
    def groups(self) -> frozenset[bytes]:
        """Ids of the groups whose samples are in it."""
        return frozenset({self.record.group, *(item.id for item in self.parts[-1].groups)})


class CommittedRounds:
    """The newest rounds by their groups; older ones can only be had as whole states."""

    def __init__(self, *, for_others: bool = False, most_bytes: int = _KEPT_BYTES_FOR_OTHERS) -> None:
        """Keep as many rounds as a trainer keeps, or ``for_others``, who may have no one else to ask, more of them.

        ``most_bytes`` bound what is kept for others.
        """
        self._most = _KEPT_FOR_OTHERS if for_others else MOST_ROUNDS_KEPT
        self._most_bytes = most_bytes if for_others else BYTES_KEPT
        self._rounds: OrderedDict[bytes, Mapping[int, ReducedPart]] = OrderedDict()
        self._bytes = 0
        self._summaries: OrderedDict[bytes, RoundSummary] = OrderedDict()
        self._contributors: OrderedDict[bytes, tuple[Contributor, ...]] = OrderedDict()

    def keep(self, committed: CommittedRound) -> None:
        """Keep the ``committed`` round and its summary; the oldest ones beyond the limits are dropped."""
        self.keep_parts(committed.record.group, dict(enumerate(committed.parts)))
        self.keep_summary(RoundSummary.of(committed.record, committed.parts))

    def keep_parts(self, group: bytes, parts: Mapping[int, ReducedPart]) -> None:
        """Keep ``parts`` of the round of ``group`` (its id), by their indices; the oldest rounds are dropped."""
        self._drop(group)
        self._rounds[group] = parts
        self._bytes += _size(parts)
        while len(self._rounds) > LEAST_ROUNDS_KEPT and (
            len(self._rounds) > self._most or self._bytes > self._most_bytes
        ):
            self._drop(next(iter(self._rounds)))

    def part_after(self, root: bytes, index: int) -> ReducedPart | None:
        """Return the part with that ``index`` of the round whose commit has this ``root``; None if it is not kept."""
        summary = self._summaries.get(root)
        return self._rounds.get(summary.record.group, {}).get(index) if summary is not None else None

    def parts_of(self, group: bytes) -> Mapping[int, ReducedPart]:
        """Return the parts that are kept of the round of ``group`` (its id), by their indices."""
        return self._rounds.get(group, {})

    def _drop(self, group: bytes) -> None:
        self._bytes -= _size(self._rounds.pop(group, {}))

    def whole(self, record: CommitRecord, parts: int) -> CommittedRound | None:
        """Return the round of a number of ``parts`` that ``record`` names, if it is kept whole; None if it is not."""
        kept = self._rounds.get(record.group, {})
        found = [kept.get(index) for index in range(parts)]
        if not all(found) or not _is_of(record, found):
            return None
        return CommittedRound(record, tuple(part for part in found if part))

    def keep_summary(self, summary: RoundSummary) -> None:
        """Keep the ``summary`` of a round; the oldest ones beyond the limit are dropped."""
        self._summaries[summary.record.root] = summary
        while len(self._summaries) > _SUMMARIES:
            self._summaries.popitem(last=False)

    def keep_contributors(self, group: bytes, contributors: Sequence[Contributor]) -> None:
        """Keep the ``contributors`` of a ``group`` (its id) that combined with others; the oldest are dropped."""
        self._contributors[group] = tuple(contributors)
        while len(self._contributors) > _SUMMARIES:
            self._contributors.popitem(last=False)

    def name_contributors(self, group: bytes) -> averaging_pb2.AveragingData:
        """Return the message with the contributors of a ``group`` (its id), or a refusal if they are not kept."""
        found = self._contributors.get(group)
        if found is None:
            return averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID)
        return averaging_pb2.AveragingData(
            code=averaging_pb2.AVERAGED_PART, group_id=pack_contributors(found)
        )

    def summarise(self, root: bytes) -> Iterable[averaging_pb2.AveragingData]:
        """Return the messages of the summary of the round with this ``root``, or a refusal if it is not kept."""
        summary = self._summaries.get(root)
        if summary is None:
            return (averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID),)
        return summary.as_messages()

    def serve(self, request: averaging_pb2.AveragingData) -> Iterable[averaging_pb2.AveragingData]:
        """Yield those of the parts that ``request`` names which are kept, or a refusal if there are none.

        The request's group id is that of the round's group; its tensor's buffer holds the wanted indices, none for
        all; its weight is the pace of the reader, which the writer of the messages keeps. The buffer of the first
        message holds the indices of the parts that follow, each once and as the reducer had sent it.
        """
        kept = self._rounds.get(request.group_id, {})
        asked = unpack_indices(request.tensor_part.buffer) or list(kept)
        wanted = [index for index in asked if index in kept]
        if not wanted:
            yield averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID)
            return
        yield _message(b"", wanted)
        for index in wanted:
            yield kept[index].as_message()


def _size(parts: Mapping[int, ReducedPart]) -> int:
    return sum(len(part.message.buffer) for part in parts.values())


async def complete(
    record: CommitRecord,
    have: Sequence[ReducedPart | None],
    donors: Sequence[PeerID],
    *,
    parts: Sequence[Part],
    stub_of: Callable[[PeerID], Any],
    chunk_seconds: float,
    rate: Callable[[], float] = lambda: math.inf,
    on_slow: Callable[[PeerID], None] = lambda donor: None,
) -> CommittedRound:
    """Return the committed round, whole, after fetching the parts that are missing.

    Each donor gives the missing parts that it has: reducers may have only their own. The first donor that has the
    round's summary gives the digests of all parts, which make up the record's root. By those each part is checked
    when it comes, and a donor that gives another one costs that part alone. Auxiliary peers that reduced a few parts
    have no summary. If there was none, and the parts do not make up the root in the end, one donor must give all.

    A donor has a turn of two silences, after which the next one is asked for what is still missing: one that gives
    a byte now and then would hold the round up else. Those that were too slow have another turn after all others.

    Args:
        record: the record that commits the round.
        have: the reduced parts at hand, None for each missing one.
        donors: peers to ask, in this order.
        parts: the parts of the run's rounds, by which the bytes are checked.
        stub_of: gives the RPC stub of a peer.
        chunk_seconds: seconds for which a donor may be silent.
        rate: gives the bytes a second that may come at present; infinite without a limit.
        on_slow: called with each donor whose turn ended before it had given what it was asked for.

    Raises:
        FetchFailed: no donor gave the missing parts.
    """
    if all(have) and _is_of(record, have):
        return CommittedRound(record, tuple(part for part in have if part))
    source = _PartsSource(record, parts, stub_of, chunk_seconds, rate, on_slow, list(have))
    asked = list(donors)
    while asked and source.turn_silences <= _MOST_TURN_SILENCES:
        before = source.given
        for donor in asked:
            if await source.is_completed_by(donor):
                return CommittedRound(record, tuple(part for part in source.whole if part))
        asked = [donor for donor in asked if donor in source.slow]
        if source.given == before:
            # a part may take longer than a turn: the line is slow, or the donor has many readers
            source.turn_silences *= 2
    whole = source.whole
    if all(whole):
        _log.info("Epoch %d: the parts at hand are not of the committed round.", record.epoch)
    for donor in donors if all(whole) else ():
        found = await source.parts_of(donor, range(len(have)))
        given = [found.get(index) for index in range(len(have))]
        if all(given) and _is_of(record, given):
            return CommittedRound(record, tuple(part for part in given if part))
        _log.warning("Epoch %d: the parts of peer %s do not match the commit.", record.epoch, donor)
    raise FetchFailed(f"None of {len(donors)} peers gave the committed gradients of epoch {record.epoch}.")


@dataclass
class _PartsSource:
    """Asks peers for parts of one committed round, and checks them by the digests of its summary once it has that."""

    record: CommitRecord
    parts: Sequence[Part]
    stub_of: Callable[[PeerID], Any]
    chunk_seconds: float
    rate: Callable[[], float]
    on_slow: Callable[[PeerID], None]
    whole: list[ReducedPart | None]
    """The parts at hand, None for each that is missing."""
    given: int = 0
    """Number of parts that donors gave."""
    digests: tuple[bytes, ...] | None = None
    turn_silences: float = 2.0
    """Time in which a donor must give all that it is asked for, as a multiple of the silence that it may keep."""
    slow: set[PeerID] = field(default_factory=set)
    """Donors whose last turn has ended before they were done."""

    async def is_completed_by(self, donor: PeerID) -> bool:
        """Ask ``donor`` for what is missing; return true once all parts are there, and make up the record's root."""
        if not await self.learns_digests(donor):
            return False
        self.whole = self.checked(self.whole)
        missing = [index for index, part in enumerate(self.whole) if part is None]
        found = await self.parts_of(donor, missing) if missing else {}
        self.given += len(found)
        for index, part in found.items():
            self.whole[index] = part
        return all(self.whole) and _is_of(self.record, self.whole)

    async def learns_digests(self, donor: PeerID) -> bool:
        """Ask ``donor`` for the digests unless they are known; return false if it is lost."""
        if self.digests is not None:
            return True
        try:
            async with self._turn(donor):
                summary = await summary_from(
                    self.stub_of(donor), self.record.root, self.parts, self.chunk_seconds
                )
                self.digests = summary.digests
        except PeerLost as error:
            why = str(error) or type(error).__name__
            _log.warning(
                "Epoch %d: peer %s did not give the round's digests: %s", self.record.epoch, donor, why
            )
            return False
        except MalformedPart as error:  # it may have parts all the same
            _log.debug("Epoch %d: peer %s has no digests: %s", self.record.epoch, donor, error)
        return True

    def checked(self, whole: Sequence[ReducedPart | None]) -> list[ReducedPart | None]:
        """Return the parts of ``whole`` that are of the committed round, as far as that is known, else None."""
        if self.digests is None:
            return list(whole)
        return [
            part if part is not None and part.digest == digest else None
            for part, digest in zip(whole, self.digests, strict=True)
        ]

    async def parts_of(self, donor: PeerID, wanted: Sequence[int]) -> dict[int, ReducedPart]:
        """Return the ``wanted`` parts that ``donor`` gives before it is lost or breaks the rules.

        None that cannot be checked is taken from a donor that breaks them.
        """
        found: dict[int, ReducedPart] = {}
        epoch = self.record.epoch
        try:
            async with self._turn(donor):
                await self._fetch(donor, wanted, found)
        except (PeerLost, MalformedPart) as error:
            if isinstance(error, MalformedPart) and self.digests is None:
                found.clear()
            why = str(error) or type(error).__name__
            missing = len(wanted) - len(found)
            _log.warning("Epoch %d: peer %s did not give %d missing parts: %s", epoch, donor, missing, why)
        if found:
            _log.info("Epoch %d: peer %s gave %d of %d missing parts.", epoch, donor, len(found), len(wanted))
        return found

    @property
    def _turn_seconds(self) -> float:
        """Seconds of a turn: at the pace that is asked for, a few parts come in it."""
        largest = max(part.aggregate_bytes for part in self.parts)
        return max(self.turn_silences * self.chunk_seconds, _PARTS_OF_A_TURN * largest / self.rate())

    @asynccontextmanager
    async def _turn(self, donor: PeerID) -> AsyncIterator[None]:
        """Let ``donor`` have its turn; raises PeerLost once that has ended."""
        self.slow.discard(donor)
        try:
            async with asyncio.timeout(self._turn_seconds):
                yield
        except TimeoutError as error:
            self.slow.add(donor)
            self.on_slow(donor)
            raise PeerLost("it took too long, and the next one is asked") from error

    async def _fetch(self, donor: PeerID, wanted: Sequence[int], found: dict[int, ReducedPart]) -> None:
        rate = self.rate()
        question = _message(self.record.group, wanted, pace=0.0 if math.isinf(rate) else AHEAD * rate)
        call = self.stub_of(donor).rpc_fetch_committed(question)
        due: Iterator[int] | None = None
        async for message in messages(call, silence_seconds=self.chunk_seconds):
            if message.code != averaging_pb2.AVERAGED_PART:
                raise MalformedPart("it does not have them.")
            if due is None:
                due = iter(_promised(message, wanted))
                continue
            index = next(due, None)
            if index is None:
                raise MalformedPart("A peer sent more parts than it had promised.")
            reduced = ReducedPart.from_message(message, senders=self.record.members)
            if self.digests is not None and reduced.digest != self.digests[index]:
                raise MalformedPart(f"Its part {index} is not of the committed round.")
            reduced.values(self.parts[index])  # refuses what does not decode
            found[index] = reduced
        if due is None or next(due, None) is not None:
            raise MalformedPart("A peer sent fewer parts than it had promised.")


def _promised(message: averaging_pb2.AveragingData, wanted: Sequence[int]) -> list[int]:
    promised = unpack_indices(message.tensor_part.buffer)
    if not set(wanted).issuperset(promised):
        raise MalformedPart("A peer promised other parts than were asked for.")
    return promised


def _is_of(record: CommitRecord, parts: Sequence[ReducedPart | None]) -> bool:
    """Return true if all ``parts`` make up the root of ``record``, which states the samples of the last one."""
    whole = [part for part in parts if part]
    root = root_digest(record.epoch, record.parent, record.group, whole)
    return root == record.root and whole[-1].weight == record.samples


def _message(group: bytes, indices: Sequence[int], pace: float = 0.0) -> averaging_pb2.AveragingData:
    return averaging_pb2.AveragingData(
        code=averaging_pb2.AVERAGED_PART,
        group_id=group,
        tensor_part=runtime_pb2.Tensor(buffer=pack_indices(indices)),
        weight=pace,
    )
