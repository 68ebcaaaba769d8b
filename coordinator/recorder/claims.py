"""Keeps what peers' own records state: their claims towards the latest epochs, and the classes of their machines."""

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hivemind.p2p import PeerID

from coordinator.ledger.credit import (
    EVERY_PEER,
    MAX_CONTRIBUTORS,
    NO_PEER,
    UNSEEN_SECONDS,
    Audit,
    Claim,
    KnownMachine,
)
from core.swarm.membership.observing import ShardReading
from core.swarm.wire.device_class import DeviceClass
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.summaries import shard_of

_EPOCHS = 16
_MOST_MACHINES = 2 * MAX_CONTRIBUTORS
"""Most machines that are remembered, at about 0.3 kB each: 10 MB. The ledger remembers those of contributors."""


@dataclass
class _Stated:
    """The highest numbers of a peer's records of one epoch."""

    samples: int
    samples_per_second: float
    device: DeviceClass
    time: float
    """DHT time in seconds at which the samples were counted."""


@dataclass
class _EpochRecords:
    """The records of one epoch, as far as they were read."""

    stated: dict[bytes, _Stated] = field(default_factory=dict)
    """Numbers by peer id, of the peers whose records state work towards the epoch."""
    present: set[bytes] = field(default_factory=set)
    """Ids of further peers that had a record in a drawn shard, which says nothing of the epoch."""
    drawn: set[tuple[int, int]] = field(default_factory=set)
    """Levels and numbers of the shards that were drawn while the swarm was at the epoch."""
    is_whole: bool = False
    """True if the records of all peers were read, up to the newest look at this epoch."""


class Claims:
    """The peers' signed claims towards the latest epochs, bounded in number."""

    def __init__(self) -> None:
        """Begin without any."""
        self._places: OrderedDict[tuple[int, bytes], _EpochRecords] = OrderedDict()

    def note(self, readings: Sequence[ShardReading], leading: tuple[int, bytes] | None) -> None:
        """Add the records of ``readings``; the highest count and rate of each peer and epoch are kept.

        Only records at the swarm's place, ``leading``, count, or those at its next epoch if most peers are
        there.
        """
        is_whole = any(reading.level == 0 for reading in readings)
        working = [item for reading in readings for item in reading.records if _works(item, reading.level)]
        for place in _places(working, leading):
            found = self._places.setdefault(place, _EpochRecords())
            _note(found.stated, (item for item in working if (item.epoch, item.head) == place))
            found.is_whole |= is_whole
            if place == leading:
                found.is_whole = is_whole  # a swarm that grows is read in part from then on
                self._places.move_to_end(place)
                _note_drawn(found, [reading for reading in readings if reading.level])
        while len(self._places) > _EPOCHS:
            self._places.popitem(last=False)

    def of(
        self, epoch: int, head: bytes, contributors: Iterable[bytes], now: float
    ) -> tuple[Mapping[str, Claim], Audit]:
        """Return the claims of an epoch's ``contributors``, by peer id in base58, and which of them were audited.

        Args:
            epoch: number of epochs done before it.
            head: root of the commit that led there.
            contributors: ids of the peers that the commit names.
            now: DHT time in seconds, at which the epoch is over.
        """
        found = self._places.get((epoch, head))
        if found is None:
            return {}, NO_PEER
        named = list(contributors)
        claims = {
            _name(peer): _claim(found.stated[peer], now, is_whole=found.is_whole)
            for peer in named
            if peer in found.stated
        }
        if found.is_whole:
            return claims, EVERY_PEER
        return claims, Audit(frozenset(_drawn(found, named)) | claims.keys())


class KnownMachines:
    """The machines of the peers whose records were read last, bounded in number."""

    def __init__(self, most: int = _MOST_MACHINES) -> None:
        """Begin without any; remember ``most`` of them."""
        self._most = most
        self._machines: OrderedDict[bytes, KnownMachine] = OrderedDict()

    def note(self, readings: Sequence[ShardReading]) -> None:
        """Remember what the records of ``readings`` state; the last record of a peer counts."""
        for record in (item for reading in readings for item in reading.records if not item.auxiliary):
            before = self._machines.pop(record.peer_id, None)
            rate = record.samples_per_second or (before.samples_per_second if before else 0.0)
            self._machines[record.peer_id] = KnownMachine(record.device, rate)
        while len(self._machines) > self._most:
            self._machines.popitem(last=False)

    def of(self, peers: Iterable[bytes]) -> Mapping[str, KnownMachine]:
        """Return the machines of those of ``peers`` that are known, by peer id in base58."""
        return {_name(peer): self._machines[peer] for peer in peers if peer in self._machines}


def _works(record: ProgressRecord, level: int) -> bool:
    """Return true if the record states work: one that is renewed every 40 s may be from before the first sample."""
    return not record.auxiliary and bool(record.samples or (level and record.samples_per_second))


def _places(
    working: Sequence[ProgressRecord], leading: tuple[int, bytes] | None
) -> Iterator[tuple[int, bytes]]:
    if leading is not None:
        yield leading
        ahead = Counter(item.head for item in working if item.epoch == leading[0] + 1)
        yield from ((leading[0] + 1, head) for head, _ in ahead.most_common(1))


def _note(stated: dict[bytes, _Stated], records: Iterable[ProgressRecord]) -> None:
    for record in records:
        known = stated.get(record.peer_id)
        if known is None and len(stated) >= MAX_CONTRIBUTORS:
            continue
        rate, device = record.samples_per_second, record.device
        if known is None:
            stated[record.peer_id] = _Stated(record.samples, rate, device, record.time)
            continue
        known.samples_per_second, known.device = max(known.samples_per_second, rate), device
        if record.samples >= known.samples:
            known.samples, known.time = record.samples, record.time


def _note_drawn(found: _EpochRecords, readings: Sequence[ShardReading]) -> None:
    if len(found.present) > MAX_CONTRIBUTORS:
        return
    found.drawn |= {(reading.level, reading.shard) for reading in readings}
    found.present |= {item.peer_id for reading in readings for item in reading.records}


def _drawn(found: _EpochRecords, contributors: Iterable[bytes]) -> Iterator[str]:
    """Yield the names of the contributors whose shards were drawn, and who had no record in them."""
    levels = {level for level, _ in found.drawn}
    for peer in contributors:
        is_drawn = any((level, shard_of(peer, level)) in found.drawn for level in levels)
        if is_drawn and peer not in found.present:
            yield _name(peer)


def _claim(stated: _Stated, now: float, *, is_whole: bool) -> Claim:
    unseen = UNSEEN_SECONDS if is_whole else max(UNSEEN_SECONDS, now - stated.time)
    return Claim(stated.samples, stated.samples_per_second, stated.device, unseen)


def _name(peer: bytes) -> str:
    return str(PeerID(peer).to_base58())
