"""Decides which aggregate is committed, and for which one a peer votes next: pure functions over votes."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from core.swarm.quorum.electorate import Electorate
from core.swarm.quorum.votes import Subject, Vote, names_nothing, subject_of
from core.swarm.wire.records import CommitRecord


@dataclass(frozen=True)
class QuorumDecision:
    """An aggregate that has the quorum."""

    record: CommitRecord
    """A record that names it."""
    votes: Fraction
    """Number of users that voted for it."""
    seats: float
    """Number of votes of which it needed more than half; in a drawn committee it needed more."""


def at_place(votes: Iterable[Vote], epoch: int, parent: bytes) -> list[Vote]:
    """Return the newest vote of each writer among ``votes`` for the step from ``epoch`` after ``parent``."""
    newest: dict[bytes, Vote] = {}
    for vote in votes:
        if (vote.record.epoch, vote.record.parent) == (epoch, parent):
            before = newest.get(vote.writer)
            if before is None or before.record.attempt < vote.record.attempt:
                newest[vote.writer] = vote
    return list(newest.values())


def backing(votes: Sequence[Vote]) -> Mapping[Subject, Fraction]:
    """Return the number of users behind each subject of ``votes``, which are one of each writer.

    Every user has one vote. Peers of one user that vote differently have equal parts of it. What was withdrawn does
    not count, nor does a vote for nothing, withdrawn or not.
    """
    peers = Counter(vote.voice for vote in votes if not names_nothing(vote.record))
    found = defaultdict[Subject, Fraction](Fraction)
    for vote in votes:
        if not vote.record.withdrawn and not names_nothing(vote.record):
            found[vote.subject] += Fraction(1, peers[vote.voice])
    return found


def decided(
    votes: Iterable[Vote], epoch: int, parent: bytes, electorate: Electorate, growth: int | None = None
) -> QuorumDecision | None:
    """Return the aggregate that is committed by the votes of enough users; None if there is none.

    That is more than half of all users of a small swarm, and `votes_needed` of the committee of a large one. What was
    decided by a committee stays so when it has grown. The samples that an aggregate claims decide nothing.

    Args:
        votes: all votes that are known.
        epoch: the epoch that the aggregate leads from.
        parent: root of the commit that led to that epoch.
        electorate: the users that were present when the round began.
        growth: steps by which the committee of a large swarm may have grown; None for any number of them.
    """
    there = at_place(votes, epoch, parent)
    steps = electorate.most_growth if growth is None else min(growth, electorate.most_growth)
    found = (_decided_by(there, parent, electorate, step) for step in range(steps + 1))
    return next((decision for decision in found if decision is not None), None)


def _decided_by(
    there: Sequence[Vote], parent: bytes, electorate: Electorate, growth: int
) -> QuorumDecision | None:
    """Return what the committee with that ``growth`` decided by votes that are ``there``, one of each writer."""
    voices = {vote.voice for vote in there}
    if not electorate.has_quorum(Fraction(len(voices)), voices, growth):
        return None  # few strangers could have each peer draw committees after any number of roots
    counted = [vote for vote in there if electorate.draws(parent, vote.voice, growth)]
    voices = {vote.voice for vote in counted}
    best = _first(backing(counted))
    if best is None or not electorate.has_quorum(best[1], voices, growth):
        return None
    return QuorumDecision(record_in(counted, best[0]), best[1], electorate.seats(voices, growth))


def may_be_decided(
    votes: Iterable[Vote],
    epoch: int,
    parent: bytes,
    subject: Subject,
    electorate: Electorate,
    growth: int | None = None,
) -> bool:
    """Return true if any peer may have seen the quorum for ``subject``, with votes that were withdrawn meanwhile.

    A peer that has withdrawn its vote, and sees that, does not vote for another aggregate. Of those who made the
    quorum, the first one to look after it had withdrawn sees the votes of all others, withdrawn or not.

    Args:
        votes: all votes that are known.
        epoch: the epoch that the aggregate leads from.
        parent: root of the commit that led to that epoch.
        subject: the aggregate for which this peer has voted.
        electorate: the users that were present when the round began.
        growth: steps by which the committee of a large swarm may have grown; None for any number of them.
    """
    before = [
        replace(vote, record=vote.record.model_copy(update={"withdrawn": False}))
        for vote in at_place(votes, epoch, parent)
    ]
    found = decided(before, epoch, parent, electorate, growth)
    return found is not None and subject_of(found.record) == subject


def is_refused(
    votes: Iterable[Vote], epoch: int, parent: bytes, subject: Subject, electorate: Electorate
) -> bool:
    """Return true if ``subject`` gets no quorum even by the votes of all known users that are not against it.

    That is never so in a large swarm: its committee may be larger than the mean, and grows.

    Args:
        votes: all votes that are known.
        epoch: the epoch that the aggregate leads from.
        parent: root of the commit that led to that epoch.
        subject: the aggregate.
        electorate: the users that were present when the round began.
    """
    if electorate.drawn_share() < 1.0:
        return False
    there = at_place(votes, epoch, parent)
    voices = {vote.voice for vote in there}
    refusing = {vote.voice for vote in there if subject.root in vote.record.refused}
    refusing -= {vote.voice for vote in there if vote.subject == subject}
    left = Fraction(electorate.seats(voices)) - len(refusing)
    return not electorate.has_quorum(left, voices)


def outvotes(votes: Sequence[Vote], parent: bytes, electorate: Electorate, voices: Collection[str]) -> bool:
    """Return true if others have more votes for one aggregate than some users, whose votes would give it the quorum.

    Args:
        votes: one vote of each writer for the step; those of the users with ``voices`` do not count.
        parent: root of the commit that led to the epoch.
        electorate: the users that were present when the round began.
        voices: voices of those users, who can have no more votes than these for an aggregate of their own.
    """
    drawn = {voice for voice in voices if electorate.draws(parent, voice)}
    others = [vote for vote in votes if vote.voice not in voices and electorate.draws(parent, vote.voice)]
    most = max(backing(others).values(), default=Fraction())
    present = drawn | {vote.voice for vote in others}
    return most > len(drawn) and electorate.has_quorum(most + len(drawn), present)


def leading(votes: Sequence[Vote]) -> Subject | None:
    """Return the subject of ``votes`` with most users behind it, among equals that with the smallest root.

    All peers that see the same votes name the same one: where two groups halve the swarm, all of its users come to
    vote for one of them. None without any vote.
    """
    best = _first(backing(votes))
    return best[0] if best else None


def record_in(votes: Iterable[Vote], subject: Subject) -> CommitRecord:
    """Return the record of that one of ``votes`` for ``subject`` whose writer comes first."""
    named = (vote for vote in votes if vote.subject == subject and not vote.record.withdrawn)
    return min(named, key=lambda vote: vote.writer).record


def _first(backed: Mapping[Subject, Fraction]) -> tuple[Subject, Fraction] | None:
    return min(backed.items(), key=lambda item: (-item[1], item[0]), default=None)
