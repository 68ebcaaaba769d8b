"""Makes the summary of a swarm out of its records: a pure function but for the peers that it names."""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from core.swarm.membership.swarm_view import age_of_epoch, peers_of, upper_median
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.summaries import (
    MOST_COHORTS,
    MOST_PLACES,
    CohortKind,
    CohortRow,
    SummaryRecord,
    SwarmPlace,
    packed_rows,
)

_NAMED = 32
"""Peers that a summary names, unless its cohorts are more: those that can be asked share the rest."""
_ROWS, _LEAST_DETAIL = 40, 16
"""Rows that are enough, since all peers get each of them, and those that tell devices and reasons to wait apart.

States are vouched for by the peers that are named: places of many peers must have more rows than those of few.
"""
_LARGEST_COUNT, _LARGEST_NUMBER = 2**32 - 1, 1e11
"""Bounds of the counts and numbers in a row: peers may state anything."""
_NO_DIGEST = b"\0" * 32
_NOWHERE = SwarmPlace(epoch=0, head=_NO_DIGEST, parameters=_NO_DIGEST, sketch=[])
"""Place of the peers that are at none of the places of a summary."""


@dataclass(frozen=True)
class _CohortRecords:
    """The records of one cohort before it is summed up; ``place`` is the index of its place."""

    place: int
    kind: CohortKind
    records: tuple[ProgressRecord, ...]


def summarise(
    records: Sequence[ProgressRecord], *, peer_id: bytes, level: int, now: float, chance: random.Random
) -> SummaryRecord:
    """Return the summary of a swarm.

    Places are those of most peers; peers at another one are counted, and have no vote. The peers that are named are
    drawn anew each time, among those that can be asked first, so that those who ask share them out.

    Args:
        records: the newest record of each peer, without those of peers that leave.
        peer_id: id of the summariser.
        level: level at which peers are to store their records from now on.
        now: DHT time in seconds at which the records had been read.
        chance: draws the peers that are named.
    """
    places = _places(records)
    groups = _bounded(_groups(records, places))
    if any(group.place == len(places) for group in groups):
        places.append(_NOWHERE)
    named = _shares(groups)
    rows = [
        row
        for group, number in zip(groups, named, strict=True)
        for row in _rows(group, places[group.place], number, now, chance)
    ]
    return SummaryRecord(peer_id=peer_id, time=now, level=level, places=places, rows=packed_rows(rows))


def _places(records: Sequence[ProgressRecord]) -> list[SwarmPlace]:
    """Return the places at which most peers stand; those of trainers at work come first."""
    at = defaultdict[tuple[int, bytes], list[ProgressRecord]](list)
    for record in records:
        at[record.epoch, record.head].append(record)

    def weight(place: tuple[int, bytes]) -> tuple[int, int]:
        return peers_of(item for item in at[place] if item.computes and item.synchronised), len(at[place])

    chosen = sorted(at, key=lambda place: (*weight(place), place), reverse=True)[:MOST_PLACES]
    return [_place(at[place]) for place in chosen]


def _place(there: Sequence[ProgressRecord]) -> SwarmPlace:
    known = [record for record in there if record.synchronised and not record.auxiliary] or there
    parameters = _most(record.parameters for record in known) or _NO_DIGEST
    agreeing = [record for record in known if record.parameters == parameters]
    state = _most(record.state for record in known if record.state)
    first = min(agreeing, key=lambda record: record.peer_id)
    return SwarmPlace(
        epoch=first.epoch, head=first.head, parameters=parameters, sketch=_rounded(first.sketch), state=state
    )


def _rounded(sketch: Sequence[float]) -> list[float]:
    """Return a sketch cut to 24 bits: its tolerance is far larger, and zeros can be compressed."""
    return [
        math.ldexp(math.trunc(math.ldexp(part, 24)), power - 24) for part, power in map(math.frexp, sketch)
    ]


def _most(values: Iterable[bytes]) -> bytes | None:
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value), default=None)


def _groups(records: Sequence[ProgressRecord], places: Sequence[SwarmPlace]) -> list[_CohortRecords]:
    index = {(place.epoch, place.head): number for number, place in enumerate(places)}
    groups = defaultdict[tuple[int, CohortKind], list[ProgressRecord]](list)
    for record in records:
        place = index.get((record.epoch, record.head))
        kind = CohortKind(**{name: getattr(record, name) for name in CohortKind._fields})
        if place is None:  # it has no vote, and is expected in no round
            place, kind = len(places), kind._replace(synchronised=False, reducing=False, gives=False)
        groups[place, kind].append(record)
    return [_CohortRecords(place, kind, tuple(found)) for (place, kind), found in groups.items()]


def _bounded(groups: Sequence[_CohortRecords]) -> list[_CohortRecords]:
    """Return as many of ``groups`` as a summary is to hold; the smallest are added to others that differ in little.

    Their devices and reasons to wait are then counted as those of the group to which they are added. Only where even
    that leaves too many, those of one role are added up, whatever the way in which others reach them.
    """
    by_ways = {(group.place, *group.kind[:6], group.kind.reach) for group in groups}
    is_fine = len(by_ways) <= MOST_COHORTS

    def like(group: _CohortRecords) -> Hashable:
        kind = group.kind
        return (group.place, *kind[:6], kind.reach) if is_fine else (group.place, kind.role)

    ordered = sorted(groups, key=lambda group: (-len(group.records), group.place, group.records[0].peer_id))
    kept = defaultdict[Hashable, list[_CohortRecords]](list)
    apart = len({like(group) for group in ordered})
    left = min(MOST_COHORTS, max(_ROWS, apart + _LEAST_DETAIL)) - apart
    for group in ordered:
        same = kept[like(group)]
        if same and left <= 0:
            same[0] = _CohortRecords(group.place, same[0].kind, same[0].records + group.records)
        else:
            left -= bool(same)
            same.append(group)
    # There are more roles at places than rows only if peers state what no real ones do.
    found = [group for same in kept.values() for group in same]
    return sorted(found, key=lambda group: len(group.records), reverse=True)[:MOST_COHORTS]


def _shares(groups: Sequence[_CohortRecords]) -> list[int]:
    """Return the number of peers that a summary names out of each of ``groups``, one at least."""
    named = [1] * len(groups)
    able = [number for number, group in enumerate(groups) if group.kind.reducing or group.kind.gives]
    while sum(named) < _NAMED:
        most = max(able, key=lambda number: len(groups[number].records) / named[number], default=None)
        if most is None or named[most] >= len(groups[most].records):
            break
        named[most] += 1
    return named


def _rows(
    group: _CohortRecords, place: SwarmPlace, number: int, now: float, chance: random.Random
) -> list[CohortRow]:
    """Return the rows of one group: the counts are shared out evenly among the peers that are named."""
    records = group.records
    able = [record for record in records if record.can_be_asked] or records
    drawn = chance.sample(sorted(able, key=lambda record: record.peer_id), min(number, len(able)))
    rate = sum(record.samples_per_second for record in records)
    age = now - _time_of(records, rate)
    reached = upper_median((age_of_epoch(record, now), 1) for record in records)
    samples = min(sum(record.samples for record in records), _LARGEST_COUNT)
    peers = _shared_out(len(records), len(drawn))
    return [
        CohortRow(
            record.peer_id,
            group.place,
            group.kind,
            record.state is not None and record.state == place.state,
            peers[index],
            _shared_out(samples, len(drawn))[index],
            min(rate / len(drawn), _LARGEST_NUMBER),
            max(0.0, age),
            min(max(0.0, reached - max(0.0, age)), _LARGEST_NUMBER),
            min(max(record.looks_every for record in records), _LARGEST_NUMBER),
        )
        for index, record in enumerate(drawn)
    ]


def _time_of(records: Sequence[ProgressRecord], rate: float) -> float:
    """Return the time from which the samples of all grow by the sum of their rates."""
    if rate <= 0:
        return sum(record.time for record in records) / len(records)
    return sum(record.time * record.samples_per_second for record in records) / rate


def _shared_out(number: int, parts: int) -> list[int]:
    return [number // parts + (index < number % parts) for index in range(parts)]
