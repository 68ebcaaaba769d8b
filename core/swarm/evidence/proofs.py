"""The kinds of proofs, as plain values that travel: read from strangers' bytes, whatever these hold."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, Self

from core.swarm.quorum.votes import DoubleVote, Vote
from core.swarm.wire.identity import peer_id_of
from core.swarm.wire.records import CommitRecord


class Misdeed(StrEnum):
    """Ways of breaking the rules that can be proven, by their names in records and in the coordinator's database."""

    DOUBLE_VOTE = "double_vote"


_WORDS = {Misdeed.DOUBLE_VOTE: "signed two votes under one number in epoch {epoch}"}


def what_was_done(misdeed: Misdeed, epoch: int) -> str:
    """Return a ``misdeed`` at an ``epoch``, in words after "this computer"."""
    return _WORDS[misdeed].format(epoch=epoch)


class Proof(Protocol):
    """The part of evidence that shows one kind of misdeed by itself."""

    @property
    def misdeed(self) -> Misdeed:
        """The kind."""

    @property
    def epoch(self) -> int:
        """Epoch at which it was done."""

    @property
    def peer_id(self) -> bytes:
        """Id of the peer that did it."""

    def holds(self, prefix: str) -> bool:
        """Return true if it is a proof in the run with the DHT ``prefix``."""

    def pack(self) -> Any:
        """Return the proof as a plain value, which `read_proof` reads."""

    def in_words(self) -> str:
        """Return what was done, in words after "this computer"."""


@dataclass(frozen=True)
class DoubleVoteProof:
    """The proof that a peer voted for two aggregates in one attempt."""

    votes: DoubleVote

    @property
    def misdeed(self) -> Misdeed:
        """The kind."""
        return Misdeed.DOUBLE_VOTE

    @property
    def epoch(self) -> int:
        """Epoch that both aggregates lead from."""
        return self.votes.first.record.epoch

    @property
    def peer_id(self) -> bytes:
        """Id of the peer that voted."""
        return self.votes.first.writer

    def holds(self, prefix: str) -> bool:
        """Return true if both votes are signed by the same peer of the run with the DHT ``prefix``."""
        return self.votes.holds(prefix)

    def pack(self) -> Any:
        """Return the owner key, the ballot and both votes; nothing travels that their writer has not signed."""
        one, other = self.votes.first, self.votes.second
        ballot = [one.owner, one.record.epoch, one.record.parent, one.record.attempt]
        signed = [
            [vote.record.root, vote.record.withdrawn, vote.record.signature]
            for vote in sorted((one, other), key=lambda vote: vote.record.root)
        ]
        return [*ballot, *signed]

    @classmethod
    def read(cls, value: Any) -> Self:
        """Read a proof that `pack` made; raises ValueError if ``value`` is none."""
        try:
            owner, epoch, parent, attempt, *signed = value
            first, second = (_vote(owner, epoch, parent, attempt, *each) for each in signed)
        except (TypeError, ValueError) as error:  # a ValidationError is a ValueError
            raise ValueError("it is no pair of votes") from error
        return cls(DoubleVote(first, second))

    def in_words(self) -> str:
        """Return what was done, with the beginnings of both roots."""
        one, other = sorted(vote.record.root.hex()[:8] for vote in (self.votes.first, self.votes.second))
        return f"{what_was_done(self.misdeed, self.epoch)}, for the results {one} and {other}"


_READERS: dict[str, Callable[[Any], Proof]] = {Misdeed.DOUBLE_VOTE.value: DoubleVoteProof.read}


def read_proof(misdeed: Any, value: Any) -> Proof:
    """Read the proof of a ``misdeed`` (its name); raises ValueError if ``value`` is none, or the kind is unknown."""
    reader = _READERS.get(misdeed) if isinstance(misdeed, str) else None
    if reader is None:
        raise ValueError("the evidence is of an unknown kind")
    return reader(value)


def _vote(
    owner: Any, epoch: Any, parent: Any, attempt: Any, root: Any, withdrawn: Any, signature: Any
) -> Vote:
    """Return the vote with what is signed of it; what the signature does not cover has values without a meaning."""
    writer = peer_id_of(owner) if isinstance(owner, bytes) else None
    if writer is None:
        raise ValueError("the votes have no writer")
    fields = {"epoch": epoch, "parent": parent, "attempt": attempt, "root": root, "withdrawn": withdrawn}
    unsigned = {"group": bytes(20), "members": 1, "samples": 1.0}
    record = CommitRecord.model_validate({**fields, **unsigned, "signature": signature})
    return Vote(writer.to_bytes(), record, owner)
