"""Makes the summary of a swarm out of its records: a pure function but for the peers that it names."""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.swarm.membership.swarm_view import age_of_epoch, upper_median
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
from core.swarm.wire.voices import Voiced, in_turns, shared_out, users_among, voiced_by_role, voices_of

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
    voters: tuple[Voiced, ...]

    @property
    def records(self) -> list[ProgressRecord]:
        """The records without their voices."""
        return [record for record, _ in self.voters]


def summarise(
    records: Sequence[ProgressRecord], *, peer_id: bytes, level: int, now: float, chance: random.Random
) -> SummaryRecord:
    """Return the summary of a swarm.

    Places are those of most users; peers at another one are counted, and have no vote. The peers that are named are
    drawn anew each time, among those that can be asked first, so that those who ask share them out. Of one user's
    peers more than one is named only after one of each other user.

    Args:
        records: the newest record of each peer, without those of peers that leave.
        peer_id: id of the summariser.
        level: level at which peers are to store their records from now on.
        now: DHT time in seconds at which the records had been read.
        chance: draws the peers that are named.
    """
    voters = voiced_by_role(records)
    places = _places(voters)
    groups = _bounded(_groups(voters, places))
    if any(group.place == len(places) for group in groups):
        places.append(_NOWHERE)
    named = _shares(groups)
    rows = [
        row
        for group, number in zip(groups, named, strict=True)
        for row in _rows(group, places[group.place], number, now, chance)
    ]
    return SummaryRecord(peer_id=peer_id, time=now, level=level, places=places, rows=packed_rows(rows))


def _places(voters: Sequence[Voiced]) -> list[SwarmPlace]:
    """Return the places at which most users stand; those of trainers at work come first."""
    at = defaultdict[tuple[int, bytes], list[Voiced]](list)
    for item in voters:
        at[item.record.epoch, item.record.head].append(item)

    def weight(place: tuple[int, bytes]) -> tuple[int, int]:
        at_work = (item for item in at[place] if item.record.computes and item.record.synchronised)
        return voices_of(at_work), voices_of(at[place])

    chosen = sorted(at, key=lambda place: (*weight(place), place), reverse=True)[:MOST_PLACES]
    return [_place(at[place]) for place in chosen]


def _place(there: Sequence[Voiced]) -> SwarmPlace:
    known = [item for item in there if item.record.synchronised and not item.record.auxiliary] or there
    parameters = _most((record.parameters, voices) for record, voices in known) or _NO_DIGEST
    agreeing = [record for record, _ in known if record.parameters == parameters]
    state = _most((record.state, voices) for record, voices in known if record.state)
    first = min(agreeing, key=lambda record: record.peer_id)
    return SwarmPlace(
        epoch=first.epoch, head=first.head, parameters=parameters, sketch=_rounded(first.sketch), state=state
    )


def _rounded(sketch: Sequence[float]) -> list[float]:
    """Return a sketch cut to 24 bits: its tolerance is far larger, and zeros can be compressed."""
    return [
        math.ldexp(math.trunc(math.ldexp(part, 24)), power - 24) for part, power in map(math.frexp, sketch)
    ]


def _most(values: Iterable[tuple[bytes, int]]) -> bytes | None:
    """Return the value with the most voices, each of which comes with its units of them; None without any."""
    counts = Counter[bytes]()
    for value, voices in values:
        counts[value] += voices
    return min(counts, key=lambda value: (-counts[value], value), default=None)


def _groups(voters: Sequence[Voiced], places: Sequence[SwarmPlace]) -> list[_CohortRecords]:
    index = {(place.epoch, place.head): number for number, place in enumerate(places)}
    groups = defaultdict[tuple[int, CohortKind], list[Voiced]](list)
    for item in voters:
        record = item.record
        place = index.get((record.epoch, record.head))
        kind = CohortKind(**{name: getattr(record, name) for name in CohortKind._fields})
        if place is None:  # it has no vote, and is expected in no round
            place, kind = len(places), kind._replace(synchronised=False, reducing=False, gives=False)
        groups[place, kind].append(item)
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

    ordered = sorted(
        groups, key=lambda group: (-len(group.voters), group.place, group.voters[0].record.peer_id)
    )
    kept = defaultdict[Hashable, list[_CohortRecords]](list)
    apart = len({like(group) for group in ordered})
    left = min(MOST_COHORTS, max(_ROWS, apart + _LEAST_DETAIL)) - apart
    for group in ordered:
        same = kept[like(group)]
        if same and left <= 0:
            same[0] = _CohortRecords(group.place, same[0].kind, same[0].voters + group.voters)
        else:
            left -= bool(same)
            same.append(group)
    # There are more roles at places than rows only if peers state what no real ones do.
    found = [group for same in kept.values() for group in same]
    return sorted(found, key=lambda group: len(group.voters), reverse=True)[:MOST_COHORTS]


def _shares(groups: Sequence[_CohortRecords]) -> list[int]:
    """Return the number of peers that a summary names out of each of ``groups``, one at least."""
    named = [1] * len(groups)
    able = [number for number, group in enumerate(groups) if group.kind.reducing or group.kind.gives]
    while sum(named) < _NAMED:
        most = max(able, key=lambda number: len(groups[number].voters) / named[number], default=None)
        if most is None or named[most] >= len(groups[most].voters):
            break
        named[most] += 1
    return named


def _rows(
    group: _CohortRecords, place: SwarmPlace, number: int, now: float, chance: random.Random
) -> list[CohortRow]:
    """Return the rows of one group: the counts are shared out evenly among the peers that are named."""
    records = group.records
    able = [record for record in records if record.can_be_asked] or records
    drawn = _drawn(sorted(able, key=lambda record: record.peer_id), min(number, len(able)), chance)
    rate = sum(record.samples_per_second for record in records)
    age = now - _time_of(records, rate)
    reached = upper_median((age_of_epoch(record, now), voices) for record, voices in group.voters)
    samples = min(sum(record.samples for record in records), _LARGEST_COUNT)
    peers = shared_out(len(records), len(drawn))
    voices = _in_proportion(voices_of(group.voters), peers)
    return [
        CohortRow(
            record.peer_id,
            group.place,
            group.kind,
            record.state is not None and record.state == place.state,
            peers[index],
            voices[index],
            shared_out(samples, len(drawn))[index],
            min(rate / len(drawn), _LARGEST_NUMBER),
            max(0.0, age),
            min(max(0.0, reached - max(0.0, age)), _LARGEST_NUMBER),
            min(max(record.looks_every for record in records), _LARGEST_NUMBER),
        )
        for index, record in enumerate(drawn)
    ]


def _drawn(able: Sequence[ProgressRecord], number: int, chance: random.Random) -> list[ProgressRecord]:
    """Draw a ``number`` of the ``able``: a second peer of a user only after one of each."""
    if users_among(able) == len(able):
        return chance.sample(able, number)
    return in_turns(chance.sample(able, len(able)))[:number]


def _in_proportion(number: int, parts: Sequence[int]) -> list[int]:
    """Return integers in the proportions of ``parts`` whose sum is ``number``."""
    ends = [number * sum(parts[:count]) // sum(parts) for count in range(len(parts) + 1)]
    return [end - start for start, end in pairwise(ends)]


def _time_of(records: Sequence[ProgressRecord], rate: float) -> float:
    """Return the time from which the samples of all grow by the sum of their rates."""
    if rate <= 0:
        return sum(record.time for record in records) / len(records)
    return sum(record.time * record.samples_per_second for record in records) / rate
