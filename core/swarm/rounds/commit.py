"""The commit of an epoch: a vote for the aggregate at hand, and the wait for those of more than half of the users.

A peer votes for what it holds whole. Where no aggregate has the quorum for longer than a vote takes to be seen, a
peer votes again, for the one that most users name, after it has fetched its bytes. So the groups of an epoch come to
one aggregate. As in the ballots of a synod (Lamport, 1998), two quorums have a user in common. It withdraws its vote
before it gives another, and gives none if its first one may have made a quorum. Peers that see other users as present
may believe two aggregates all the same, as may those whose looks take longer than the settling time. Every later vote
names its parent, so the peers of the smaller branch find out and re-synchronise (core.swarm.membership.agreement).
"""

import asyncio
import hashlib
import logging
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from hivemind.p2p import PeerID

from core.swarm.quorum.decision import QuorumDecision, at_place, backing, is_refused, leading, record_in
from core.swarm.quorum.electorate import Electorate
from core.swarm.quorum.votes import Subject, Vote, against, names_nothing, subject_of, without_parts
from core.swarm.rounds.combination import combined_id
from core.swarm.rounds.commit_log import CommitLog
from core.swarm.rounds.events import RoundEvent
from core.swarm.rounds.group import Group
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.wire.records import MOST_REFUSED_ROOTS, CommitRecord
from core.tasks import end_tasks

_log = logging.getLogger(__name__)

POLL_SECONDS, POLL_SECONDS_AT_LAST, POLL_GROWTH = 0.1, 1.0, 1.3
GROWTH_SETTLES, TIE_SETTLES = 4, 3
"""Times to settle after which the committee of a large swarm grows, and after which one of two equals gives way."""
_NAMED_WRITERS = 3


def root_digest(epoch: int, parent: bytes, group: bytes, parts: Sequence[ReducedPart]) -> bytes:
    """Return the digest that names an epoch's aggregate whole: its epoch and parent, its group and every part.

    Args:
        epoch: the epoch that the aggregate leads from.
        parent: root of the commit that led to that epoch.
        group: id of the group.
        parts: all reduced parts, in order.
    """
    return root_of(epoch, parent, group, [part.digest for part in parts])


def root_of(epoch: int, parent: bytes, group: bytes, digests: Sequence[bytes]) -> bytes:
    """Return the root, as `root_digest` computes it, from the ``digests`` of the parts.

    The gradients lead from ``epoch``; ``parent`` is the root of the commit that led there, ``group`` the
    group's id.
    """
    whole = hashlib.sha256(repr((epoch, parent, group, len(digests))).encode())
    for digest in digests:
        whole.update(digest)
    return whole.digest()


def record_of(
    epoch: int, parent: bytes, group: Group, parts: Sequence[ReducedPart], *, state: bytes | None = None
) -> CommitRecord:
    """Return the record that commits a group's aggregate; all members that have every part write the same one.

    The records of members that began from other states differ in ``state`` alone. They commit the same aggregate.

    Args:
        epoch: the epoch that the aggregate leads from.
        parent: root of the commit that led to that epoch.
        group: the group that reduced; where it combined with others, the last part names all of them.
        parts: all reduced parts, in order; the weight of the last counts the samples.
        state: root of the pieces of the state that the round led from; None if the writer holds none.
    """
    groups = parts[-1].groups
    number = combined_id(groups) if groups else group.id
    return CommitRecord(
        epoch=epoch,
        parent=parent,
        root=root_digest(epoch, parent, number, parts),
        group=number,
        members=sum(item.members for item in groups) if groups else len(group.senders),
        samples=parts[-1].weight,
        state=state,
    )


@dataclass(frozen=True)
class Ballot:
    """The vote on one epoch as a peer takes part in it."""

    epoch: int
    """The epoch that the aggregate leads from."""
    parent: bytes
    """Root of the commit that led to that epoch."""
    electorate: Electorate
    """The users that were present when the round began, this peer's own among them."""
    state: bytes | None
    """Root of the pieces of this peer's own state, which its vote names."""
    settle_seconds: float
    """Seconds after which a vote has been seen by all; without a quorum, a peer may vote again then."""
    patience_seconds: float
    """Seconds after which the round fails if no peer has voted for anything that others can have."""
    longest_seconds: float
    """Seconds after which the round fails without a quorum."""
    has_round: bool = True
    """True for a peer that has exchanged, and can try again; False for one that only votes on what others have."""


@dataclass(frozen=True)
class IncompleteRound:
    """The round of a peer that lacks parts of it, as a reducer was lost."""

    record: CommitRecord
    """A record of the group and its place; its root means nothing."""
    awaited: frozenset[bytes]
    """Ids of the other members that live, as far as this peer knows: one of them may have all parts, and vote."""


FetchRound = Callable[[CommitRecord], Awaitable[bool]]
"""Fetches the bytes that a record names, and keeps them for others; returns false if no peer gave them."""


async def commit(
    ballot: Ballot,
    own: CommitRecord | None,
    log: CommitLog,
    fetch: FetchRound,
    *,
    incomplete: IncompleteRound | None = None,
    unwanted: CommitRecord | None = None,
    delays: int = 0,
    count: Callable[[RoundEvent], None] = lambda event: None,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    clock: Callable[[], float] | None = None,
) -> QuorumDecision | None:
    """Commit an epoch, or learn what others have committed; returns as soon as a quorum is seen.

    Args:
        ballot: the epoch, its users, and the limits of time.
        own: the record of the aggregate at hand; None for a peer that lacks parts.
        log: the log of the run's votes.
        fetch: gets what others voted for, so that this peer can vote for it.
        incomplete: the round of which this peer lacks parts; None if it has them, or had no round.
        unwanted: the record of the aggregate at hand if this peer rejects it; None if it does not, or has none.
        delays: times to settle for which this peer does not vote for ``own``, since other groups vote before.
        count: called with the events of the round.
        sleep: waits for some seconds.
        clock: gives the present time in seconds; None takes the time of the running event loop.

    Returns:
        The commit with its votes; None if there is none in time.
    """
    clock = clock or asyncio.get_running_loop().time
    return await _Voting(ballot, own, log, fetch, incomplete, unwanted, delays, count, sleep, clock).run()


class _Voting:
    """One peer's course through one ballot."""

    def __init__(
        self,
        ballot: Ballot,
        own: CommitRecord | None,
        log: CommitLog,
        fetch: FetchRound,
        incomplete: IncompleteRound | None,
        unwanted: CommitRecord | None,
        delays: int,
        count: Callable[[RoundEvent], None],
        sleep: Callable[[float], Awaitable[None]],
        clock: Callable[[], float],
    ) -> None:
        self._ballot, self._own, self._log, self._fetch = ballot, own, log, fetch
        self._incomplete, self._unwanted, self._delays = incomplete, unwanted, delays
        self._count, self._sleep, self._clock = count, sleep, clock
        self._began = clock()
        self._voted: Subject | None = None
        self._voted_at, self._seen_at = 0.0, math.inf
        """Seconds of the ballot at which this peer voted, and at which it first saw another's vote."""
        self._earlier = log.own_vote(ballot.epoch, ballot.parent)
        """This peer's last vote at the place, which has to be withdrawn before it votes for something else."""
        self._objected_at = -math.inf
        """Seconds of the ballot at which this peer last voted against something."""
        self._refused: list[bytes] = []
        """Roots that it voted against in the ballot."""
        self._has_told = False
        self._fetching: tuple[CommitRecord, asyncio.Task[bool]] | None = None
        """The record whose bytes are being fetched."""

    async def run(self) -> QuorumDecision | None:
        try:
            await self._begin()
            pause = POLL_SECONDS
            while True:
                await self._log.read(self._ballot.epoch)
                standing = self._standing()
                if (decision := self._decision()) is not None or self._is_over(standing):
                    await self._await_bytes_of(decision)
                    if decision is None and self._fetching is not None and not self._fetching[1].done():
                        self._log.book.doubt_slow(self._fetching[0])
                    return decision
                told = await self._advance(standing) or await self._object() or await self._tell(standing)
                if not told:
                    await self._sleep(pause)
                    pause = min(POLL_GROWTH * pause, POLL_SECONDS_AT_LAST)
        finally:
            if self._fetching is not None:
                await end_tasks([self._fetching[1]])

    async def _begin(self) -> None:
        """Vote for the own aggregate at once, and learn which users voted late in the epoch before.

        A peer that has voted at this place in an earlier round looks before it votes again.
        """
        ballot = self._ballot
        first = [self._log.read(ballot.epoch - 1)] if ballot.epoch else []
        if self._own is not None and not self._delays and self._may_vote and self._earlier is None:
            await asyncio.gather(*first, self._vote(self._own))
        else:
            await asyncio.gather(*first)

    def _decision(self) -> QuorumDecision | None:
        ballot = self._ballot
        found = self._log.decided(ballot.epoch, ballot.parent, ballot.electorate, self._growth)
        if found is not None and not self._is_settled:
            return None
        if found is not None:
            _log_decision(found, self._log.book.standing(ballot.epoch, ballot.parent))
        return found

    @property
    def _is_settled(self) -> bool:
        """True unless the quorum leaves out silent users whose votes may be on their way.

        Two homes that cannot reach each other find at the same moment that the other is silent. Each would commit an
        epoch alone, and make a branch, unless it waited until the other's vote is seen.
        """
        ballot = self._ballot
        if not self._log.counts_on_silence(ballot.epoch, ballot.parent, ballot.electorate):
            return True
        return self._elapsed - self._voted_at >= ballot.settle_seconds

    def _is_over(self, standing: Sequence[Vote]) -> bool:
        """Return true if the time for a quorum is over; less is left while no vote is ``standing``."""
        ballot = self._ballot
        patience = 0.0 if self._has_told and self._nobody_has_it else ballot.patience_seconds
        if self._elapsed < (ballot.longest_seconds if standing else patience):
            return self._ends_refused()
        _log_missed(ballot, self._log.book.standing(ballot.epoch, ballot.parent))
        if self._voted is not None:
            self._log.book.note_missed(ballot.electorate, ballot.epoch, ballot.parent)
        return True

    def _ends_refused(self) -> bool:
        """Return true if half of the users are against each aggregate that any voted for, and log that.

        This peer's own is among these, voted for or not, and one that it rejects. Another round is tried at once
        then. What others voted for at the same moment has been seen by then.
        """
        ballot, book = self._ballot, self._log.book
        said_at = self._voted_at if self._voted is not None else self._objected_at
        has_spoken = self._voted is not None or bool(self._refused)
        if not (ballot.has_round and has_spoken) or self._elapsed - said_at < ballot.settle_seconds:
            return False
        place, everything = (ballot.epoch, ballot.parent), book.votes(ballot.epoch)
        electorate = book.counted(ballot.electorate, ballot.epoch)
        # what nobody gave is in nobody's way
        subjects = set(backing([vote for vote in book.standing(*place) if not book.doubts(vote)]))
        at_hand = (self._own, self._unwanted)
        subjects |= {subject_of(record) for record in at_hand if record is not None}
        subjects |= {self._voted} if self._voted is not None else set()
        if not subjects:  # what this peer was against was withdrawn
            return False
        if not all(is_refused(everything, *place, subject, electorate) for subject in subjects):
            return False
        roots = ", ".join(sorted(subject.root.hex()[:8] for subject in subjects))
        _log.warning("Epoch %d: half of the users or more voted against %s.", ballot.epoch, roots)
        return True

    @property
    def _nobody_has_it(self) -> bool:
        """True if all members of this peer's group that live have said that they lack parts of the round."""
        if self._incomplete is None or not self._incomplete.awaited:
            return False
        ballot, group = self._ballot, self._incomplete.record.group
        newest = at_place(self._log.book.votes(ballot.epoch), ballot.epoch, ballot.parent)
        lacking = {
            vote.writer for vote in newest if names_nothing(vote.record) and vote.record.group == group
        }
        return self._incomplete.awaited <= lacking

    @property
    def _has_voted(self) -> bool:
        """True if this peer has signed a vote at the place, also if its store seemed to fail: others may have it."""
        return self._log.own_vote(self._ballot.epoch, self._ballot.parent) is not None

    async def _await_bytes_of(self, decision: QuorumDecision | None) -> None:
        """Wait for the bytes of the commit if they are on their way; they would have to be fetched again."""
        if decision is not None and self._fetching is not None:
            record, task = self._fetching
            if subject_of(record) == subject_of(decision.record):
                await asyncio.wait({task})

    @property
    def _elapsed(self) -> float:
        return self._clock() - self._began

    @property
    def _growth(self) -> int:
        """Steps by which the committee has grown: it doubles while it does not come to a decision."""
        steps = self._elapsed / max(GROWTH_SETTLES * self._ballot.settle_seconds, POLL_SECONDS)
        return min(int(steps), self._ballot.electorate.size.bit_length())

    @property
    def _may_vote(self) -> bool:
        electorate = self._ballot.electorate
        return electorate.draws(self._ballot.parent, electorate.own, self._growth)

    def _standing(self) -> list[Vote]:
        """Return the votes of the committee for what others can have and this peer may vote for, as far as known."""
        electorate, parent = self._ballot.electorate, self._ballot.parent
        return [
            vote
            for vote in self._log.book.eligible(self._ballot.epoch, parent)
            if electorate.draws(parent, vote.voice, self._growth)
        ]

    async def _advance(self, standing: Sequence[Vote]) -> bool:
        """Vote, or fetch what is to be voted for; return true if this peer has voted."""
        if self._fetching is not None:
            return await self._vote_if_fetched()
        choice = self._choice(standing) if self._may_vote else None
        if choice is None:
            return False
        if self._own is not None and subject_of(choice) == subject_of(self._own):
            return await self._vote(self._own)
        self._fetching = choice, asyncio.ensure_future(self._fetch(choice))
        return False

    async def _object(self) -> bool:
        """Vote against what this peer rejects, if it has no aggregate to vote for; return true if it did so.

        After some ballots the others would take it for silent, and come to a quorum without it. One that is to vote
        for an aggregate of its own is waited for: others end the ballot where half of the users are against all.
        """
        if self._has_voted or self._own is not None or not self._may_vote:
            return False
        if self._elapsed - self._objected_at < self._ballot.settle_seconds:
            return False
        record = self._newly_rejected()
        if record is None:
            return False
        roots = [*self._refused, record.root][-MOST_REFUSED_ROOTS:]
        said = against(record, self._ballot.state, roots)
        if self._incomplete is not None:  # says both at once
            said = without_parts(self._incomplete.record, roots)
        if not await self._log.write(said):
            return False
        self._refused, self._objected_at = roots, self._elapsed
        self._has_told = self._incomplete is not None
        return True

    def _newly_rejected(self) -> CommitRecord | None:
        """Return a record that this peer rejects and has not voted against: that with most votes, or the one at hand.

        That is told when others have had the time to vote for something else.
        """
        standing = self._log.book.standing(self._ballot.epoch, self._ballot.parent)
        rejected = [
            vote
            for vote in standing
            if self._log.book.rejects(vote.record) and vote.record.root not in self._refused
        ]
        if (first := leading(rejected)) is not None:
            return record_in(rejected, first)
        own = self._unwanted
        if own is None or own.root in self._refused or self._elapsed < self._ballot.settle_seconds:
            return None
        return own

    async def _tell(self, standing: Sequence[Vote]) -> bool:
        """Tell the others of the group that this peer lacks parts, if no vote is ``standing``; true if it did so."""
        if self._incomplete is None or standing or self._elapsed < self._ballot.settle_seconds:
            return False  # those that have all parts vote at once
        if self._has_told or self._refused or self._has_voted or not self._may_vote:
            return False
        self._has_told = await self._log.write(without_parts(self._incomplete.record))
        return self._has_told

    async def _vote_if_fetched(self) -> bool:
        """Vote for what was fetched, if that has ended well; a quorum for another aggregate may come before."""
        assert self._fetching is not None
        record, task = self._fetching
        if not task.done():
            return False
        self._fetching = None
        return task.result() and await self._vote(
            record.model_copy(update={"state": self._ballot.state, "certificate": b"", "signature": b""})
        )

    def _choice(self, standing: Sequence[Vote]) -> CommitRecord | None:
        """Return the record that this peer is to vote for now; None to wait."""
        standing = self._log.book.tried_first(standing)
        first, now, settle = leading(standing), self._elapsed, self._ballot.settle_seconds
        if self._voted is None and self._own is not None:
            if now < self._delays * settle:
                return None
            return record_in(standing, first) if first is not None and self._earlier is None else self._own
        if first is None or first == self._voted:
            return None
        self._seen_at = min(self._seen_at, now)
        if self._voted is None:
            return record_in(standing, first) if now - self._seen_at >= settle else None
        backed = backing(standing)
        wait = settle if backed[first] > backed.get(self._voted, 0) else TIE_SETTLES * settle
        return record_in(standing, first) if now - self._voted_at >= wait else None

    async def _vote(self, record: CommitRecord) -> bool:
        """Write this peer's vote for ``record``; return true if any peer stored it.

        A vote for something else is withdrawn before. It stands again if it may have made a quorum that others saw,
        unless its bytes are lost for good: a peer that stood by it would commit nothing any more.
        """
        earlier = self._earlier
        if (
            earlier is not None
            and subject_of(earlier) != subject_of(record)
            and not self._log.is_lost(earlier)
            and not await self._withdraw(earlier)
        ):
            record = earlier
        written = await self._write(record)
        if written:
            self._voted, self._voted_at, self._earlier = subject_of(record), self._elapsed, record
        return written

    async def _withdraw(self, earlier: CommitRecord) -> bool:
        """Withdraw the ``earlier`` vote; return true once it is sure that no peer believes what it was for."""
        ballot = self._ballot
        _log.info("Epoch %d: the vote for %s is withdrawn.", ballot.epoch, earlier.root.hex()[:8])
        if not await self._log.write(earlier.model_copy(update={"withdrawn": True})):
            return False
        await self._sleep(ballot.settle_seconds)  # looks that began before have ended then
        await self._log.read(ballot.epoch)
        place = ballot.epoch, ballot.parent
        return not self._log.may_be_decided(*place, subject_of(earlier), ballot.electorate, self._growth)

    async def _write(self, record: CommitRecord) -> bool:
        root, epoch = record.root.hex()[:8], record.epoch
        _log.info("Epoch %d: the commit record %s is being written.", epoch, root)
        self._count(RoundEvent.WRITING)
        began = self._clock()
        written = await self._log.write(record.model_copy(update={"withdrawn": False}))
        seconds = self._clock() - began
        self._count(RoundEvent.WRITTEN)
        if written:
            _log.info("Epoch %d: the commit record %s was stored in %.2f s.", epoch, root, seconds)
        else:
            _log.warning("Epoch %d: no peer stored the commit record %s within %.2f s.", epoch, root, seconds)
        return written


def _log_decision(decision: QuorumDecision, standing: Sequence[Vote]) -> None:
    """Log the record that counts for an epoch, who voted for it, and its rivals."""
    chosen, rivals = subject_of(decision.record), backing(standing)
    _log.info(
        "Epoch %d: commit record %s counts with %s of %g votes%s.",
        decision.record.epoch,
        _described(chosen, standing),
        _number(decision.votes),
        decision.seats,
        "".join(
            f"; {_described(item, standing)} has {_number(rivals[item])}" for item in rivals if item != chosen
        ),
    )


def _log_missed(ballot: Ballot, standing: Sequence[Vote]) -> None:
    _log.warning(
        "Epoch %d: no aggregate has the votes of more than half of %d users%s.",
        ballot.epoch,
        ballot.electorate.size,
        "".join(
            f"; {_described(item, standing)} has {_number(votes)}"
            for item, votes in backing(standing).items()
        ),
    )


def _described(subject: Subject, standing: Sequence[Vote]) -> str:
    writers = [vote for vote in standing if vote.subject == subject]
    named = (
        ", ".join(str(PeerID(vote.writer)) for vote in writers[:_NAMED_WRITERS]) or "no peer that is known"
    )
    others = f" and {len(writers) - _NAMED_WRITERS} others" if len(writers) > _NAMED_WRITERS else ""
    members = writers[0].record.members if writers else 0
    return f"{subject.root.hex()[:8]} ({subject.samples:g} samples of {members} members, written by {named}{others})"


def _number(votes: Fraction) -> str:
    return f"{float(votes):g}"
