"""Holds a summary against records that a peer has drawn at random: pure functions.

Shares are those of peers, which records drawn at random show as they are. Of voices they show bounds alone: a user
with many peers is more likely to be among those that are drawn, where it has a voice as any other.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.swarm.membership.cohorts import Cohort, cohorts_in
from core.swarm.membership.swarm_view import peers_of
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.summaries import SummaryRecord
from core.swarm.wire.voices import VOICE, users_among


@dataclass(frozen=True)
class CheckTolerance:
    """The differences that a summary may have to records drawn at random, which are a few seconds newer or older."""

    least_drawn: int = 16
    """Records of trainers at work that are needed for any judgement."""
    moving_seconds: float = 180.0
    """Seconds for which a peer may be said to be where it was, or records may not have been read yet."""
    share: float = 0.5
    """Largest difference between shares of the peers at the leading place, or of voices in a number of peers."""
    factor: float = 4.0
    """Largest factor between the numbers of peers in a shard, and by which users at an epoch may be understated."""


def contradiction(
    summary: SummaryRecord,
    drawn: Sequence[ProgressRecord],
    shards: int,
    tolerance: CheckTolerance = CheckTolerance(),
) -> str | None:
    """Return in which way records that were drawn at random contradict ``summary``; None if they do not.

    Rates are not compared: one fast machine among a few that were drawn, or that were not, says nothing.

    Args:
        summary: the summary to check.
        drawn: all records of the shards of the summary's level that this peer drew.
        shards: number of these shards.
        tolerance: the differences that are allowed.
    """
    near = [
        item
        for item in drawn
        if abs(item.time - summary.time) <= tolerance.moving_seconds and item.computes and item.synchronised
    ]
    stated = summary.peers / (1 << summary.level)
    if stated * shards >= tolerance.least_drawn and (
        wrong := _wrong_number(stated, len(drawn) / shards, tolerance)
    ):
        return wrong
    if len(near) < tolerance.least_drawn:
        return None
    trainers = [item for item in cohorts_in(summary) if item.computes and item.synchronised]
    if not trainers:
        return f"it counts no trainers at work, and of {len(near)} records all are theirs"
    return _wrong_place(trainers, near, tolerance) or _wrong_voices(trainers, near, tolerance)


def confirms(
    summary: SummaryRecord,
    drawn: Sequence[ProgressRecord],
    shards: int,
    tolerance: CheckTolerance = CheckTolerance(),
) -> bool:
    """Return true if records that were drawn at random are enough to judge ``summary``, and do not contradict it.

    In a small swarm half of what a shard has by the summary is enough.

    Args:
        summary: the summary to judge.
        drawn: all records of the shards of the summary's level that this peer drew.
        shards: number of these shards.
        tolerance: the differences that are allowed.
    """
    least = min(tolerance.least_drawn, summary.peers / (1 << summary.level) / 2)
    is_enough = len(drawn) >= max(1.0, least)
    return is_enough and contradiction(summary, drawn, shards, tolerance) is None


def _wrong_number(stated: float, read: float, tolerance: CheckTolerance) -> str | None:
    least, most = sorted((stated, read))
    if most > tolerance.factor * least:
        return f"by it a shard has {stated:.0f} records, and those that were drawn have {read:.0f}"
    return None


def _wrong_place(
    trainers: Sequence[Cohort], near: Sequence[ProgressRecord], tolerance: CheckTolerance
) -> str | None:
    """Return how far the share of peers at a place, or at its neighbours in the chain, differs."""
    stated, read = _by_epoch(trainers), _by_epoch(near)
    for epoch in stated.keys() | read.keys():
        around = (epoch - 1, epoch, epoch + 1)
        by_summary, by_records = sum(stated[item] for item in around), sum(read[item] for item in around)
        if max(stated[epoch] - by_records, read[epoch] - by_summary) > tolerance.share:
            return f"by it {stated[epoch]:.0%} are at epoch {epoch}, by {len(near)} records {read[epoch]:.0%}"
    return _wrong_head(trainers, near, tolerance)


def _by_epoch(records: Sequence[ProgressRecord]) -> defaultdict[int, float]:
    """Return the shares of peers by their epochs."""
    total, shares = peers_of(records), defaultdict[int, float](float)
    for record in records:
        shares[record.epoch] += record.peers / total
    return shares


def _wrong_voices(
    trainers: Sequence[Cohort], near: Sequence[ProgressRecord], tolerance: CheckTolerance
) -> str | None:
    """Return that the voices at an epoch are fewer than records show, or more than the peers of users can have."""
    for epoch in {record.epoch for record in near}:
        # A peer may have been drawn several times, and would count as several peers of one user.
        there = list({record.peer_id: record for record in near if record.epoch == epoch}.values())
        around = [cohort for cohort in trainers if abs(cohort.epoch - epoch) <= 1]
        voices, users = sum(cohort.voices for cohort in around) / VOICE, users_among(there)
        if users > tolerance.factor * voices:
            return (
                f"it counts {voices:.1f} voices at epoch {epoch}, and {users} users are there by the records"
            )
        if len(there) >= tolerance.least_drawn and around:
            stated, read = voices / peers_of(around), users / len(there)
            if stated - read > tolerance.share:
                return f"by it a peer at epoch {epoch} has {stated:.2f} voices, by the records {read:.2f} at most"
    return None


def _wrong_head(
    trainers: Sequence[Cohort], near: Sequence[ProgressRecord], tolerance: CheckTolerance
) -> str | None:
    """Return that most peers at an epoch are said to have another head than the records have."""
    stated, read = _heads_by_epoch(trainers), _heads_by_epoch(near)
    for epoch in stated.keys() & read.keys():
        if sum(read[epoch].values()) < tolerance.least_drawn:
            continue
        head, peers = read[epoch].most_common(1)[0]
        if peers > tolerance.share * sum(read[epoch].values()) and head not in stated[epoch]:
            return f"it names another head of epoch {epoch} than {peers} records"
    return None


def _heads_by_epoch(records: Sequence[ProgressRecord]) -> Mapping[int, Counter[bytes]]:
    found = defaultdict[int, Counter[bytes]](Counter)
    for record in records:
        found[record.epoch][record.head] += record.peers
    return found
