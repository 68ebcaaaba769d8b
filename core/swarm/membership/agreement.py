"""The verdict on a peer's agreement with the swarm, and its next step: pure functions over progress records.

A single record proves nothing: anyone can sign one. What counts is where half of the users say they are, and even
that only sends a peer to fetch evidence (committed gradients, or a state with its digest), never to believe a number.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.digest import sketch_distance
from core.memory.missed_rounds import MOST_ROUNDS_FETCHED
from core.messages.waiting import SwarmWait
from core.swarm.membership.majority import (
    counts,
    heads,
    leading_epoch,
    leading_place,
    plurality,
    standing_among,
)
from core.swarm.state.beginning import Beginning
from core.swarm.state.vouching import VouchedState, vouched_by_progress
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.rendezvous import spread
from core.swarm.wire.voices import Voiced, in_turns, users_among, voiced


class Course(StrEnum):
    """The next step of a peer towards the swarm."""

    FOLLOW = "follow"  # it agrees with the swarm
    CATCH_UP = (
        "catch up"  # the swarm is few epochs ahead: fetch the gradients that were committed, one by one
    )
    DOWNLOAD = "download"  # it is further behind, on a losing branch, or its parameters have strayed
    AWAIT = (
        "await"  # it lacks what the swarm has, or has nothing of this generation yet, and no peer can give it
    )


@dataclass(frozen=True)
class Verdict:
    """A course, the peers that can help with it (best first), and why, in words."""

    course: Course
    donors: tuple[bytes, ...] = ()
    """Peers that give their states."""
    reason: str = ""
    keepers: tuple[bytes, ...] = ()
    """Further peers that may have committed rounds, and have or give no state."""
    waiting: SwarmWait | None = None
    """The reason in a word, for the course AWAIT."""
    servers: frozenset[bytes] = frozenset()
    """Donors that compute nothing, and are a few epochs behind at most: they give to many at once."""
    vouched: tuple[VouchedState, ...] = ()
    """States of the swarm's epoch or a later one that its records name, those that most peers name first."""
    claimants: int = 0
    """Number of different users among the donors."""
    missed: int = 0
    """Epochs that the swarm is ahead of the peer; 0 for any other course than to catch up or to download."""


_AGREED = Verdict(Course.FOLLOW)
_MOST_KEEPERS, _MOST_SERVERS = 8, 2


def assess(
    own: ProgressRecord,
    others: Sequence[ProgressRecord],
    *,
    sketch_tolerance: float,
    beginning: Beginning | None = None,
    aside: Sequence[ProgressRecord] = (),
    most_rounds: int = 1,
    is_alone: bool = False,
) -> Verdict:
    """Compare a peer with the others and decide its course.

    Ties are broken the same way by all, and a peer that has taken over the winner's state agrees with it, so
    that re-synchronising ends. A peer that only donates its state has no vote; where there are no trainers, it stands
    for those that have left.

    Args:
        own: this peer's record.
        others: the records of the other peers.
        sketch_tolerance: the largest relative distance between sketches of parameters that counts as
            agreement.
        beginning: the beginning of this peer's generation; records that cannot belong to it do not count.
            None admits all.
        aside: the records of peers that did not give what they claimed, if this peer is to wait for them. They have
            no vote; but where no other trainer is there, a peer that lacks what they have does not go on alone.
        most_rounds: missed epochs up to which committed rounds are fetched, and not a state.
        is_alone: true if it is sure that most users did not come along to this peer's epoch (`epoch_left_alone`).
    """
    verdict = _verdict(own, others, sketch_tolerance, beginning, most_rounds, is_alone)
    asked = set(verdict.donors)
    verdict = replace(verdict, claimants=users_among(record for record in others if record.peer_id in asked))
    if not any(counts(record, beginning) for record in others) and verdict.course == Course.FOLLOW:
        return _unless_behind(verdict, own, [record for record in aside if _holds(record, beginning)])
    return _able(verdict, own, others, beginning)


def _verdict(
    own: ProgressRecord,
    others: Sequence[ProgressRecord],
    tolerance: float,
    beginning: Beginning | None,
    most_rounds: int,
    is_alone: bool,
) -> Verdict:
    standing = standing_among([record for record in others if counts(record, beginning)])
    if not standing:
        standing = [record for record in _donating(others, beginning) if record.epoch > own.epoch]
    voters = voiced([*standing, own] if own.synchronised else standing)
    has_begun = beginning is None or own.epoch >= beginning.epoch
    if not standing:
        return (
            _AGREED
            if has_begun
            else Verdict(Course.AWAIT, (), "no peer is there", (), SwarmWait.ROLLED_BACK_STATE)
        )
    epoch = leading_epoch(voters)
    if epoch > own.epoch:
        ahead = [record for record in standing if record.epoch >= epoch]
        course = Course.CATCH_UP if has_begun and epoch - own.epoch <= most_rounds else Course.DOWNLOAD
        behind = [record for record in _donating(others, beginning) if record.epoch > own.epoch]
        reason = f"the swarm is at epoch {epoch}, this peer at {own.epoch}"
        servers = _servers(behind, own, epoch)
        donors = _donors([*ahead, *behind], own, epoch, servers)
        vouched = vouched_by_progress(standing, least_epoch=epoch)
        return Verdict(course, donors, reason, servers=servers, vouched=vouched, missed=epoch - own.epoch)
    if own.epoch > epoch + 1 and (is_alone or not own.synchronised):
        return _back_to(epoch, own, standing)
    here = [item for item in voters if item.record.epoch == own.epoch]
    also = [record for record in _donating(others, beginning) if record.epoch == own.epoch]
    return _compare_branches(own, here, also) or _compare_parameters(own, here, also, tolerance) or _AGREED


def _back_to(epoch: int, own: ProgressRecord, standing: Sequence[ProgressRecord]) -> Verdict:
    """Return the verdict of a peer whose state is ahead of the swarm's, which is at ``epoch``.

    Either it was given that state, for which the giver alone vouches, or it went on without the others.
    """
    there = [record for record in standing if record.epoch <= epoch]
    vouched = vouched_by_progress(there, least_epoch=epoch)
    if own.synchronised:
        reason = (
            f"it went on without the swarm to epoch {own.epoch}, and most of the swarm is at epoch {epoch}"
        )
        return Verdict(Course.DOWNLOAD, _donors(there, own, epoch), reason, vouched=vouched)
    reason = f"it was given epoch {own.epoch}, the swarm is at {epoch}"
    return Verdict(Course.DOWNLOAD, _donors(standing, own), reason, vouched=vouched)


def _able(
    verdict: Verdict, own: ProgressRecord, others: Sequence[ProgressRecord], beginning: Beginning | None
) -> Verdict:
    """Return ``verdict`` with the keepers of rounds, or the course to wait if no peer can be asked for anything.

    The peers that are ahead may accept no connections. Then a peer does not go on by itself, on a branch of its own,
    while they are there.
    """
    if verdict.course not in (Course.CATCH_UP, Course.DOWNLOAD):
        return verdict
    able = [record for record in others if record.can_be_asked and record.peer_id not in verdict.donors]
    keepers = tuple(record.peer_id for record in in_order_of_asking(able, own.peer_id)[:_MOST_KEEPERS])
    if verdict.donors:
        return replace(verdict, keepers=keepers)
    place = leading_place(others)
    has_begun = beginning is None or own.epoch >= beginning.epoch
    few = place is not None and has_begun and 0 < place[0] - own.epoch <= MOST_ROUNDS_FETCHED
    if keepers and few:
        return replace(verdict, course=Course.CATCH_UP, keepers=keepers)
    return replace(verdict, course=Course.AWAIT, keepers=keepers, waiting=SwarmWait.NO_DONOR)


def _unless_behind(verdict: Verdict, own: ProgressRecord, aside: Sequence[ProgressRecord]) -> Verdict:
    """Return ``verdict``, or the course to wait if a peer that was set aside is ahead, or on another branch."""
    ahead = [
        record
        for record in aside
        if record.epoch > own.epoch or (record.epoch == own.epoch and record.head != own.head)
    ]
    if not ahead:
        return verdict
    reason = f"a peer at epoch {max(record.epoch for record in ahead)} gives nothing, and no other is there"
    return Verdict(Course.AWAIT, (), reason, (), SwarmWait.NO_DONOR)


def in_order_of_asking(records: Sequence[ProgressRecord], asking: bytes) -> list[ProgressRecord]:
    """Return ``records`` in the order in which the peer with the id ``asking`` asks for committed rounds.

    Auxiliary peers and those that donate come first, since they keep more rounds than trainers. Peers that are still
    joining come last: they keep none. Within each part every peer has an order of its own, by turns of the users.
    """
    shared = in_turns(spread(records, asking, identifier=lambda record: record.peer_id))
    return sorted(
        shared, key=lambda record: (not (record.auxiliary or record.donates), not record.synchronised)
    )


def _donating(records: Sequence[ProgressRecord], beginning: Beginning | None) -> list[ProgressRecord]:
    return [
        record
        for record in records
        if record.donates
        and record.synchronised
        and record.can_be_asked
        and (beginning is None or beginning.admits(record))
    ]


def _holds(record: ProgressRecord, beginning: Beginning | None) -> bool:
    """Return true if the peer claims to have a state of this generation, as a trainer or to give it."""
    claims = record.synchronised and (record.donates or not record.auxiliary)
    return claims and (beginning is None or beginning.admits(record))


def _compare_branches(
    own: ProgressRecord, here: Sequence[Voiced], also: Sequence[ProgressRecord]
) -> Verdict | None:
    head = plurality(heads(here), own.head)
    if head == own.head:
        return None
    there = [record for record in [*(item.record for item in here), *also] if record.head == head]
    return Verdict(
        Course.DOWNLOAD,
        _donors(there, own),
        f"epoch {own.epoch} was committed by another group",
        vouched=vouched_by_progress(there, least_epoch=own.epoch),
    )


def _compare_parameters(
    own: ProgressRecord, here: Sequence[Voiced], also: Sequence[ProgressRecord], tolerance: float
) -> Verdict | None:
    branch = [item for item in here if item.record.head == own.head]
    digest = plurality([(record.parameters, voices) for record, voices in branch], own.parameters)
    agreeing = [record for record, _ in branch if record.parameters == digest]
    if digest == own.parameters or not agreeing:
        return None
    distance = _distance(own.sketch, agreeing[0].sketch)
    if distance <= tolerance:
        return None  # unlike hardware: the same epoch, rounded differently
    giving = [record for record in also if record.head == own.head and record.parameters == digest]
    return Verdict(
        Course.DOWNLOAD,
        _donors([*agreeing, *giving], own),
        f"its parameters are {distance:.1e} from the swarm's, relatively",
        vouched=vouched_by_progress(agreeing, least_epoch=own.epoch),
    )


def _distance(sketch: Sequence[float], reference: Sequence[float]) -> float:
    return sketch_distance(sketch, reference) if len(sketch) == len(reference) else float("inf")


def _servers(donating: Sequence[ProgressRecord], own: ProgressRecord, epoch: int) -> frozenset[bytes]:
    """Return a few of the ``donating`` peers whose state leads to ``epoch`` by some rounds, which come faster.

    They are few, as any peer can claim to donate: trainers are asked beside them for what they name.
    """
    near = [record for record in donating if epoch - MOST_ROUNDS_FETCHED <= record.epoch <= epoch]
    shared = in_turns(spread(near, own.peer_id, identifier=lambda record: record.peer_id))
    return frozenset(record.peer_id for record in shared[:_MOST_SERVERS])


def _donors(
    records: Sequence[ProgressRecord],
    own: ProgressRecord,
    epoch: int = 0,
    servers: frozenset[bytes] = frozenset(),
) -> tuple[bytes, ...]:
    """Return the peers that accept connections: ``servers`` first, then those at ``epoch``, and those behind it last.

    A trainer on a home line takes minutes to give its state to one peer. Of those past the epoch the furthest comes
    last: a claim to be far ahead costs nothing. Equals are in an order of the asking peer's ``own``, so that not all
    ask the same ones, and alternate between users.
    """
    able = {record.peer_id: record for record in records if record.can_be_asked}
    shared = in_turns(spread(able.values(), own.peer_id, identifier=lambda record: record.peer_id))
    ranked = sorted(
        shared,
        key=lambda record: (
            record.peer_id not in servers,
            record.epoch < epoch,
            abs(record.epoch - epoch),
        ),
    )
    return tuple(record.peer_id for record in ranked)
