"""Finds where the majority of a swarm's users stands, by their peers' records: pure functions.

A single record proves nothing, and neither do many of one user: each user has one voice (`core.swarm.wire.voices`).
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from core.messages.waiting import SwarmWait
from core.swarm.state.beginning import Beginning
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.voices import VOICE, Voiced, voiced, voices_of

_LACKING = (SwarmWait.NO_DONOR, SwarmWait.ROLLED_BACK_STATE)
"""Reasons to wait of peers that want what others have: where they stand, they do not want to stay."""

_SEVERAL = 3 * VOICE // 2
"""Units of voices that one user alone cannot have, nor one with a few peers of another."""


def counts(record: ProgressRecord, beginning: Beginning | None = None) -> bool:
    """Return true if ``record`` is of a trainer that stands behind its epoch, in the generation of ``beginning``."""
    stands = record.synchronised and not record.auxiliary
    return stands and (beginning is None or beginning.admits(record))


def standing_among(synchronised: Sequence[ProgressRecord]) -> Sequence[ProgressRecord]:
    """Return the ``synchronised`` records that are not paused, or all where every one is.

    Paused peers fall behind for no fault.
    """
    return [record for record in synchronised if not record.paused] or synchronised


def leading_place(records: Sequence[ProgressRecord]) -> tuple[int, bytes] | None:
    """Return the epoch and head at which the trainers among ``records`` stand; None if there are no trainers."""
    standing = standing_among(list(filter(counts, records)))
    if not standing:
        return None
    voters = voiced(standing)
    epoch = leading_epoch(voters)
    return epoch, plurality(heads([item for item in voters if item.record.epoch == epoch]), b"")


def believed_epoch(records: Sequence[ProgressRecord]) -> int | None:
    """Return the epoch that the trainers among ``records`` have reached by the word of several; None without any.

    That is the leading epoch, but where there are several users, at least two must have reached it, the second one
    with half of its peers: one that claims to be far ahead of the only other one proves nothing.
    """
    standing = standing_among(list(filter(counts, records)))
    if not standing:
        return None
    voters = voiced(standing)
    leading, voices = leading_epoch(voters), voices_of(voters)
    if voices <= VOICE:
        return leading
    return min(leading, _epoch_reached_by(min(_SEVERAL, voices), voters))


def beyond_belief(records: Sequence[ProgressRecord], beginning: Beginning) -> frozenset[bytes]:
    """Return the ids of the peers among ``records`` that claim an epoch which the swarm cannot have reached yet.

    ``beginning`` is the beginning of the generation.
    """
    believed = believed_epoch([record for record in records if beginning.admits(record)])
    if believed is None:
        return frozenset()
    return frozenset(record.peer_id for record in records if record.epoch > believed + 1)


def epoch_left_alone(
    own: ProgressRecord, others: Sequence[ProgressRecord], beginning: Beginning | None = None
) -> int | None:
    """Return the epoch of the majority if the peer of ``own`` is more than one past it; None if it is not.

    Then more than half of the voices are of users that did not come along. Where exactly half did, the swarm is at
    the further epoch, and those that are behind follow. Peers that pause, and those that wait for a state of others,
    fall behind for no fault of those that go on, and have no say.

    Args:
        own: this peer's record.
        others: the records of the other peers.
        beginning: the beginning of this peer's generation; records that cannot belong to it do not count.
    """
    if not own.synchronised:
        return None
    going_on = [
        record
        for record in others
        if counts(record, beginning) and not record.paused and record.waiting not in _LACKING
    ]
    voters = voiced([*going_on, own])
    epoch = leading_epoch(voters)
    return epoch if own.epoch > epoch + 1 else None


def leading_epoch(voters: Sequence[Voiced]) -> int:
    """Return the largest epoch that at least half of the voices of ``voters`` have reached."""
    return _epoch_reached_by((voices_of(voters) + 1) // 2, voters)


def _epoch_reached_by(least: int, voters: Sequence[Voiced]) -> int:
    """Return the largest epoch that at least ``least`` units of the voices of ``voters`` have reached."""
    last, *others = sorted(voters, key=lambda item: item.record.epoch, reverse=True)
    for item in others:
        if last.voices >= least:
            break
        least, last = least - last.voices, item
    return last.record.epoch


def heads(voters: Iterable[Voiced]) -> list[tuple[bytes, int]]:
    """Return the heads of ``voters`` with the units of their voices."""
    return [(record.head, voices) for record, voices in voters]


def plurality(values: Iterable[tuple[bytes, int]], default: bytes) -> bytes:
    """Return the one of ``values`` with the most voices; among equals the smallest, so that all peers choose alike.

    Each value comes with the units of the voices for it. Without any value the result is ``default``.
    """
    found = Counter[bytes]()
    for value, voices in values:
        found[value] += voices
    return min(found, key=lambda value: (-found[value], value), default=default)
