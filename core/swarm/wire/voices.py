"""One voice for each user: how much the word of a peer weighs where the peers of a swarm disagree. Pure functions.

Keys cost nothing, and a user of a gated run may have dozens of peers. So k peers of one user have one voice together.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from core.swarm.wire.records import CertifiedRecord, ProgressRecord

VOICE = 5040
"""Units of one voice, so that shares of it can be added up without rounding: all peers must break ties alike."""

Voter = str | bytes
"""The name of a user, or the id of a peer that has none, as in an open run."""


class Voiced(NamedTuple):
    """A record and the units of a voice that its peer has."""

    record: ProgressRecord
    voices: int
    """Number of units of a voice; `VOICE` is one voice."""


def voter_of(record: CertifiedRecord, peer_id: bytes) -> Voter:
    """Return the user of a ``record`` that the peer with the id ``peer_id`` wrote, or this id where it names no user.

    The name counts as verified: readers of a gated run refuse records whose certificate the gate did not sign. In an
    open run no record names a user, so that each peer has a voice of its own. Whoever starts a thousand peers there
    has a thousand voices: nothing in a record could bound that.
    """
    return record.user or peer_id


def shared_out(number: int, parts: int) -> list[int]:
    """Return ``parts`` integers whose sum is ``number`` and that differ by 1 at most, the larger ones first."""
    return [number // parts + (index < number % parts) for index in range(parts)]


def voiced(records: Sequence[ProgressRecord]) -> list[Voiced]:
    """Return ``records`` in their order, each with its units of a voice among those that are given.

    Peers of one user share a voice equally. A record that stands for many peers brings the voices that its summary
    has counted.
    """
    by_voter = defaultdict[Voter, list[int]](list)
    voices = list[int]()
    for index, record in enumerate(records):
        counted = record.counted_voices
        voices.append(VOICE if counted is None else counted)
        if counted is None:
            by_voter[voter_of(record, record.peer_id)].append(index)
    for indices in by_voter.values():
        if len(indices) > 1:  # one that is alone has a whole voice already
            indices.sort(key=lambda index: records[index].peer_id)
            for index, share in zip(indices, shared_out(VOICE, len(indices)), strict=True):
                voices[index] = share
    return list(map(Voiced, records, voices))


def voiced_by_role(records: Sequence[ProgressRecord]) -> list[Voiced]:
    """Return ``records`` with the voices that a summary counts, in any order.

    Decisions compare peers of one role: trainers that go on, say, and those that are paused only where no other is
    there. So the peers of a user share one voice in each role.
    """
    roles = defaultdict[Hashable, list[ProgressRecord]](list)
    for record in records:
        roles[record.auxiliary, record.synchronised, record.paused].append(record)
    return [item for there in roles.values() for item in voiced(there)]


def voices_of(voters: Iterable[Voiced]) -> int:
    """Return the units of all voices of ``voters`` together."""
    return sum(item.voices for item in voters)


def in_turns(records: Iterable[ProgressRecord]) -> list[ProgressRecord]:
    """Return ``records`` with the first one of each user in front, then the second ones, and so on."""
    turns = defaultdict[Voter, int](int)
    ordered = list[tuple[int, ProgressRecord]]()
    for record in records:
        voter = voter_of(record, record.peer_id)
        ordered.append((turns[voter], record))
        turns[voter] += 1
    return [record for _, record in sorted(ordered, key=lambda item: item[0])]


def users_among(records: Iterable[ProgressRecord]) -> int:
    """Return the number of different users among the peers of ``records``; a peer without one counts as one."""
    return len({voter_of(record, record.peer_id) for record in records})
