"""The log of votes: what a peer has read of it and written to it, and where it is in the DHT.

The votes of an epoch are under one key, and each writer has a subkey there.
"""

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence

import hivemind
from hivemind.utils import get_dht_time

from core.swarm.evidence.evidence import PlaceInRun, evidence_of
from core.swarm.evidence.reporting import report
from core.swarm.quorum.decision import QuorumDecision, decided, may_be_decided, outvotes
from core.swarm.quorum.electorate import Electorate
from core.swarm.quorum.vote_book import DOUBTS, VoteBook
from core.swarm.quorum.votes import DoubleVote, Subject, Vote, is_signed, names_nothing, sign_vote
from core.swarm.wire.identity import PeerIdentity, peer_id_of
from core.swarm.wire.own_certificate import OPEN_RUN, OwnCertificate
from core.swarm.wire.records import (
    COMMIT_KEYS,
    COMMIT_SECONDS,
    CommitRecord,
    bounded,
    commit_key,
    parse_all,
)

_log = logging.getLogger(__name__)


class CommitLog(ABC):
    """Reads and writes votes, and remembers those of the last epochs; a subclass knows where they are."""

    def __init__(
        self, dht_clock: Callable[[], float] = get_dht_time, *, book: VoteBook | None = None
    ) -> None:
        """Begin without a vote; ``dht_clock`` gives the DHT time in seconds, and ``book`` keeps the votes."""
        self._dht_clock, self._book = dht_clock, book or VoteBook()
        self._last_attempt = 0
        self._writer = b""
        """Id of this peer in its votes; empty before it has written one."""
        self._own: CommitRecord | None = None
        """The vote that this peer has signed last."""
        self.store_seconds: deque[float] = deque(maxlen=16)
        """Seconds that the last stores took."""

    @abstractmethod
    async def _found(self, epoch: int) -> list[Vote]:
        """Return the votes that are stored where those of ``epoch`` are; some may be of other epochs."""

    @abstractmethod
    async def _store(self, record: CommitRecord) -> Vote | None:
        """Sign ``record`` as this peer's vote and store it; return the vote, None if no peer stored it."""

    @property
    def book(self) -> VoteBook:
        """The votes that were seen, and the proofs of double votes."""
        return self._book

    async def read(self, epoch: int) -> Sequence[Vote]:
        """Return the votes of ``epoch`` that were seen up to now, without those of writers that are doubted."""
        for vote in await self._found(epoch):
            if vote.record.epoch == epoch:
                self._book.add(vote)
        return self._book.votes(epoch)

    async def read_later(self, epoch: int, most: int) -> Mapping[int, Sequence[Vote]]:
        """Return the votes of the ``most`` epochs after ``epoch``, by epoch; epochs without a vote are left out.

        The book does not keep them: it has room for few epochs, and votes for far ones would displace those of the
        epochs to come, which anyone may write.
        """
        later: dict[int, list[Vote]] = {}
        for vote in self._book.credible(await self._all()):
            if epoch < vote.record.epoch <= epoch + most:
                later.setdefault(vote.record.epoch, []).append(vote)
        return later

    async def newest(self) -> dict[bytes, CommitRecord]:
        """Return the newest record of each writer (its id) that is stored now, of whatever epoch."""
        found = sorted(await self._all(), key=lambda vote: (vote.record.epoch, vote.record.attempt))
        return {vote.writer: vote.record for vote in found}

    async def _all(self) -> list[Vote]:
        found = await asyncio.gather(*map(self._found, range(COMMIT_KEYS)))
        return [vote for votes in found for vote in votes]

    async def decision(self, epoch: int, parent: bytes, electorate: Electorate) -> QuorumDecision | None:
        """Return the commit after ``parent``, which led to ``epoch``, if it has the quorum of ``electorate`` now."""
        await self.read(epoch)
        return self.decided(epoch, parent, electorate)

    def decided(
        self, epoch: int, parent: bytes, electorate: Electorate, growth: int | None = None
    ) -> QuorumDecision | None:
        """Return the commit of ``epoch`` after ``parent`` with the quorum of ``electorate``, as read so far.

        Users that were silent lately do not count. ``growth`` counts the steps by which the committee of a large
        swarm may have grown; None: any number of them, for who looks when the ballots of others have ended.
        """
        counted = self._book.counted(electorate, epoch)
        found = decided(self._book.votes(epoch), epoch, parent, counted, growth)
        if found is not None:
            self._book.note_decided(epoch)
        return found

    def outvotes(self, epoch: int, parent: bytes, electorate: Electorate, voices: Collection[str]) -> bool:
        """Return true if others have more votes than the users with ``voices``, and need just those for the quorum.

        The step leads from ``epoch`` after ``parent``, and ``electorate`` are its users. What this peer doubts or
        rejects does not count, nor do users that were silent lately.
        """
        counted = self._book.counted(electorate, epoch)
        return outvotes(self._book.eligible(epoch, parent), parent, counted, voices)

    def counts_on_silence(self, epoch: int, parent: bytes, electorate: Electorate) -> bool:
        """Return true if no commit has the quorum unless users that were silent lately are left out.

        The step leads from ``epoch`` after ``parent``, and ``electorate`` are its users.
        """
        present = electorate.excluding(self._book.proven)
        return decided(self._book.votes(epoch), epoch, parent, present) is None

    def may_be_decided(
        self, epoch: int, parent: bytes, subject: Subject, electorate: Electorate, growth: int | None = None
    ) -> bool:
        """Return true if any peer may have seen the quorum for ``subject``, by the votes that were read so far.

        The step leads from ``epoch`` after ``parent``, and ``electorate`` are its users. The committee of a large
        swarm may have grown by ``growth`` steps; None: by any number of them.
        """
        counted = self._book.counted(electorate, epoch)
        return may_be_decided(self._book.all_votes(epoch), epoch, parent, subject, counted, growth)

    def own_vote(self, epoch: int, parent: bytes) -> CommitRecord | None:
        """Return this peer's last vote for the step from ``epoch`` after ``parent``; None if that names nothing."""
        own = self._own
        if own is None or names_nothing(own) or (own.epoch, own.parent) != (epoch, parent):
            return None
        return own

    async def write(self, record: CommitRecord) -> bool:
        """Sign ``record`` as this peer's vote, and store it over its earlier one; return true if any peer stored it.

        The number of the attempt is the DHT time in seconds, or the next after that of the last vote: a process that
        was started again signs no second root under a number that it has used.
        """
        self._last_attempt = max(self._last_attempt + 1, int(self._dht_clock()))
        self._own = record.model_copy(update={"attempt": self._last_attempt})
        is_held = not record.withdrawn and not self.is_lost(record)
        began = time.monotonic()
        vote = await self._store(self._own)
        self.store_seconds.append(time.monotonic() - began)
        if vote is not None:
            self._writer = vote.writer
            self._book.add(vote)
            if is_held:
                self._book.trust(vote)
        return vote is not None

    def is_lost(self, record: CommitRecord) -> bool:
        """Return true if this peer has voted for ``record``, and could get its bytes from no one, itself included.

        That is so where the parts of a round were lost after the vote: by an error, say.
        """
        return any(
            vote.writer == self._writer
            and (vote.record.parent, vote.record.root) == (record.parent, record.root)
            and self._book.doubts(vote) >= DOUBTS
            for vote in self._book.all_votes(record.epoch)
        )


class DHTCommitLog(CommitLog):
    """The votes in the DHT."""

    def __init__(
        self,
        dht: "hivemind.DHT",
        prefix: str,
        signer: PeerIdentity | None = None,
        certificate: OwnCertificate = OPEN_RUN,
        *,
        has_pardoned: Callable[[str, PlaceInRun], bool] | None = None,
        dht_clock: Callable[[], float] = get_dht_time,
    ) -> None:
        """Use the commit records in ``dht`` of the run whose DHT prefix is ``prefix``.

        ``signer`` is this peer's identity, which signs its votes, and they get its ``certificate``; None for a log
        that is only read. ``has_pardoned`` tells whether the organiser has pardoned a user up to a place; None in an
        open run.
        ``dht_clock`` gives the DHT time in seconds.
        """
        super().__init__(dht_clock, book=VoteBook(self._is_pardoned))
        self._has_pardoned = has_pardoned
        self._dht, self._prefix, self._signer, self._certificate = dht, prefix, signer, certificate
        self._reported: dict[bytes, DoubleVote] = {}
        """Double votes that were reported, by their writers."""

    async def read(self, epoch: int) -> Sequence[Vote]:
        """Return the votes of ``epoch`` as `CommitLog.read` does, and report users that are seen to vote twice."""
        votes = await super().read(epoch)
        for writer, proof in self._book.proofs.items():
            found = evidence_of(proof, self._prefix) if self._reported.get(writer) is not proof else None
            if found is not None:
                report(self._dht, found)
        self._reported = dict(self._book.proofs)
        return votes

    def _is_pardoned(self, proof: DoubleVote) -> bool:
        found = evidence_of(proof, self._prefix)
        if found is None or self._has_pardoned is None:
            return False
        return self._has_pardoned(found.user, found.place)

    async def _found(self, epoch: int) -> list[Vote]:
        """Return the votes under the key of ``epoch``; those that their writers have not signed are left out."""
        key = commit_key(self._prefix, epoch)
        found = await self._dht.get(key, latest=True, return_future=True)
        votes = []
        for owner, record in parse_all(CommitRecord, found.value if found else None).items():
            writer = peer_id_of(owner)
            if writer is not None and is_signed(record, self._prefix, owner):
                votes.append(Vote(writer.to_bytes(), record, owner))
            else:
                _log.debug("A commit record of epoch %d is no vote: its signature is wrong.", record.epoch)
        return votes

    async def _store(self, record: CommitRecord) -> Vote | None:
        assert self._signer is not None, "a log that is only read has no votes of its own"
        now = self._dht_clock()
        certified, until = self._certificate.on(record, now=now, until=now + COMMIT_SECONDS)
        signed = sign_vote(certified, self._prefix, self._signer)
        stored = await self._dht.store(
            commit_key(self._prefix, record.epoch),
            subkey=self._signer.owner,
            value=bounded(signed.pack()),
            expiration_time=until,
            return_future=True,
        )
        return Vote(self._signer.peer_id.to_bytes(), signed, self._signer.owner) if stored else None
