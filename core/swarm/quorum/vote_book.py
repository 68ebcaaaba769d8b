"""The votes that a peer has seen, by epoch and bounded: newest of each writer, doubts, silent users, double votes."""

import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence

from hivemind.p2p import PeerID

from core.swarm.quorum.decision import at_place
from core.swarm.quorum.electorate import RECENT, Electorate
from core.swarm.quorum.votes import DoubleVote, Vote, contradict, names_nothing
from core.swarm.wire.records import CommitRecord

_log = logging.getLogger(__name__)

DOUBTS = 3
"""Failed attempts to get what a writer voted for, after which its vote at that place does not count any more."""
_EPOCHS = 24
_VOTES_OF_EPOCH = 4096
_VOTES_OF_WRITER = 4
"""Newest votes of a writer in an epoch that are kept: a hostile one may write any number."""
_DOUBTED, _VOICES, _PROOFS = 1024, 16_384, 64

PlaceOfWriter = tuple[bytes, int, bytes]
"""A writer's id, and the epoch and parent of the place at which it voted."""


class VoteBook:
    """The votes of the last epochs, and what follows from them for later ones."""

    def __init__(self, is_pardoned: Callable[[DoubleVote], bool] = lambda proof: False) -> None:
        """Begin without a vote; ``is_pardoned`` tells if the organiser has lifted what a double vote leads to."""
        self._is_pardoned = is_pardoned
        self._votes: dict[int, dict[bytes, deque[Vote]]] = {}
        self._doubts, self._slow = Counter[PlaceOfWriter](), Counter[PlaceOfWriter]()
        self._last_votes: dict[str, int] = {}
        self._decided: deque[int] = deque(maxlen=RECENT)
        self._missed: dict[str, int] = {}
        """Ballots without a quorum in which a voice was missing, since its last vote."""
        self._rejected: dict[bytes, None] = {}
        """Roots of aggregates for which this peer does not vote."""
        self.proofs: dict[bytes, DoubleVote] = {}
        """Proofs of double votes, that of the latest epoch of each writer (its id)."""

    def add(self, vote: Vote) -> None:
        """Keep ``vote``, whose signature has been checked; the oldest votes beyond the bounds are dropped."""
        epoch = vote.record.epoch
        writers = self._votes.setdefault(epoch, {})
        if vote.writer not in writers and len(writers) >= _VOTES_OF_EPOCH:
            return
        known = writers.setdefault(vote.writer, deque(maxlen=_VOTES_OF_WRITER))
        if vote in known:
            return
        self._note_double(vote, known)
        known.append(vote)
        self._missed.pop(vote.voice, None)
        self._last_votes[vote.voice] = max(epoch, self._last_votes.pop(vote.voice, 0))
        _bound(self._last_votes, _VOICES)
        while len(self._votes) > _EPOCHS:
            del self._votes[min(self._votes)]

    def all_votes(self, epoch: int) -> list[Vote]:
        """Return the votes of ``epoch``, those of each writer in the order in which they were seen."""
        return [vote for known in self._votes.get(epoch, {}).values() for vote in known]

    def votes(self, epoch: int) -> list[Vote]:
        """Return the votes of ``epoch``, without those of writers in doubt and of users that voted twice."""
        return self.credible(self.all_votes(epoch))

    def credible(self, votes: Iterable[Vote]) -> list[Vote]:
        """Return those of ``votes`` that are of no writer in doubt, and of no user that voted twice."""
        proven = self.proven
        return [vote for vote in votes if self.doubts(vote) < DOUBTS and vote.voice not in proven]

    def standing(self, epoch: int, parent: bytes) -> list[Vote]:
        """Return each writer's newest vote for the step from ``epoch`` after ``parent``, but none for nothing."""
        newest = at_place(self.votes(epoch), epoch, parent)
        return [vote for vote in newest if not names_nothing(vote.record)]

    def eligible(self, epoch: int, parent: bytes) -> list[Vote]:
        """Return the votes for the step from ``epoch`` after ``parent`` that stand for what this peer may vote for.

        It votes for nothing that it doubts or rejects.
        """
        return [
            vote
            for vote in self.standing(epoch, parent)
            if not (self.doubts(vote) or self.rejects(vote.record))
        ]

    def writers(self, record: CommitRecord) -> list[PeerID]:
        """Return the peers that voted for the root of ``record``, which are asked for its bytes.

        One of each user comes before the others: a user with many peers would keep who asks busy else.
        """
        voting = (vote for vote in self.all_votes(record.epoch) if vote.record.root == record.root)
        voices = {vote.writer: vote.voice for vote in voting}
        peers = Counter[str]()
        ranks = {}
        for writer, voice in voices.items():
            ranks[writer] = peers[voice]
            peers[voice] += 1
        return [PeerID(writer) for writer in sorted(voices, key=ranks.__getitem__)]

    def writers_by_root(self) -> dict[bytes, list[PeerID]]:
        """Return the peers that voted for each root of the epochs that are kept."""
        found: dict[bytes, dict[PeerID, None]] = {}
        for epoch in self._votes:
            for vote in self.all_votes(epoch):
                found.setdefault(vote.record.root, {})[PeerID(vote.writer)] = None
        return {root: list(peers) for root, peers in found.items()}

    # --- writers that give nothing ------------------------------------------------------------------------------

    def doubt(self, record: CommitRecord) -> None:
        """Note that no peer gave the bytes that ``record`` names: its writers are doubted at this place.

        Peers that commit an epoch and then all vanish take its bytes with them. The others must not wait for ever:
        they average that epoch again, and a peer that returns finds itself on the branch that fewer peers hold. The
        root itself is not doubted: a hostile peer could write any number of them.
        """
        for vote in self.standing(record.epoch, record.parent):
            if vote.record.root == record.root:
                self._doubts[_place(vote)] += 1
        _bound(self._doubts, _DOUBTED)

    def doubt_slow(self, record: CommitRecord) -> None:
        """Note that a ballot ended while the bytes that ``record`` names were still fetched.

        This peer tries others' votes first at that place (`tried_first`). They go on counting: its own line may be
        the slow one.
        """
        for vote in self.standing(record.epoch, record.parent):
            if vote.record.root == record.root:
                self._slow[_place(vote)] += 1
        _bound(self._slow, _DOUBTED)

    def tried_first(self, votes: Sequence[Vote]) -> Sequence[Vote]:
        """Return those of ``votes`` whose bytes did not come too slowly before; all if there are no others."""
        return [vote for vote in votes if not self._slow[_place(vote)]] or votes

    def trust(self, vote: Vote) -> None:
        """Forget the doubts of the writer of ``vote``, which is this peer and holds what it names, at its place."""
        self._doubts.pop(_place(vote), None)

    def doubts(self, vote: Vote) -> int:
        """Return the number of failed attempts to get what the writer of ``vote`` voted for at its place."""
        return self._doubts.get(_place(vote), 0)

    def reject(self, record: CommitRecord) -> None:
        """Note that this peer does not vote for the root of ``record``, although its bytes are there.

        Others' votes for it count as before: once it has a quorum, it is committed all the same.
        """
        self._rejected[record.root] = None
        _bound(self._rejected, _DOUBTED)

    def rejects(self, record: CommitRecord) -> bool:
        """Return true if this peer does not vote for the root of ``record``."""
        return record.root in self._rejected

    # --- users that are silent ----------------------------------------------------------------------------------

    def note_decided(self, epoch: int) -> None:
        """Note that this peer has seen a quorum at ``epoch``."""
        if epoch not in self._decided:
            self._decided.append(epoch)

    def note_missed(self, electorate: Electorate, epoch: int, parent: bytes) -> None:
        """Note that a ballot of this peer ended without a quorum, although it had voted itself.

        Users of ``electorate`` that have not voted for the step from ``epoch`` after ``parent`` were silent in it.
        """
        voted = {vote.voice for vote in at_place(self.all_votes(epoch), epoch, parent)}
        for voice in electorate.names - voted:
            self._missed[voice] = self._missed.pop(voice, 0) + 1
        _bound(self._missed, _VOICES)

    def counted(self, electorate: Electorate, epoch: int) -> Electorate:
        """Return ``electorate`` without the users that were silent before ``epoch``, or in ballots that failed.

        A peer that has not seen the quorums of the epochs before itself does not know who was silent in them. Where
        the silent are half of the users there is no quorum to see, so failed ballots of this peer count as epochs.
        Users that were seen to vote twice count as if they were not there.
        """
        electorate = electorate.excluding(self.proven)
        silent = frozenset(voice for voice, missed in self._missed.items() if missed >= RECENT)
        if all(before in self._decided for before in range(epoch - RECENT, epoch)):
            silent |= electorate.silent(self._last_votes, epoch)
        return electorate.without(silent)

    # --- evidence -----------------------------------------------------------------------------------------------

    @property
    def proven(self) -> frozenset[str]:
        """Voices of the users of which a peer was seen to vote twice: none of their votes counts until a pardon."""
        return frozenset(proof.voice for proof in self.proofs.values() if not self._is_pardoned(proof))

    def _note_double(self, vote: Vote, known: Iterable[Vote]) -> None:
        for before in known:
            proof = self.proofs.get(vote.writer)
            is_later = proof is None or proof.first.record.epoch < vote.record.epoch
            if is_later and contradict(before, vote):
                self.proofs[vote.writer] = DoubleVote(before, vote)
                _bound(self.proofs, _PROOFS)
                _log.warning(
                    "Epoch %d: peer %s (%s) voted for %s and for %s in one attempt.",
                    vote.record.epoch,
                    PeerID(vote.writer),
                    vote.voice,
                    before.record.root.hex()[:8],
                    vote.record.root.hex()[:8],
                )


def _place(vote: Vote) -> PlaceOfWriter:
    return vote.writer, vote.record.epoch, vote.record.parent


def _bound(
    kept: "dict[bytes, DoubleVote] | dict[bytes, None] | dict[str, int] | Counter[PlaceOfWriter]", most: int
) -> None:
    for oldest in list(kept)[: max(0, len(kept) - most)]:
        del kept[oldest]  # type: ignore[arg-type]
