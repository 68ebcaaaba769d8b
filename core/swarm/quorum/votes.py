"""Votes for the aggregate of an epoch: how a peer signs one, how others check it, and the proof of two at once."""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from cryptography.exceptions import UnsupportedAlgorithm
from hivemind.dht.crypto import RSASignatureValidator
from hivemind.p2p import PeerID
from hivemind.utils.crypto import RSAPublicKey

from core.swarm.wire.identity import PeerIdentity, peer_id_of
from core.swarm.wire.records import CommitRecord

_NOTHING = bytes(32)
"""Root in a vote for nothing. No aggregate has it."""


class Subject(NamedTuple):
    """The aggregate for which a vote stands, with what its root covers."""

    root: bytes
    group: bytes
    samples: float


@dataclass(frozen=True)
class Vote:
    """A commit record with its writer."""

    writer: bytes
    """Id of the peer that signed it."""
    record: CommitRecord
    owner: bytes = b""
    """Owner key under which it was stored; it holds the key that proves the signature. Empty in a simulation."""

    @property
    def voice(self) -> str:
        """Name under which the vote is counted."""
        return voice_of(self.record.user, self.writer)

    @property
    def subject(self) -> Subject:
        """The aggregate that the vote is for; a record that copies the root beside other samples is for another."""
        return subject_of(self.record)


def subject_of(record: CommitRecord) -> Subject:
    """Return the aggregate that ``record`` names."""
    return Subject(record.root, record.group, record.samples)


def against(record: CommitRecord, state: bytes | None, refused: Sequence[bytes] = ()) -> CommitRecord:
    """Return a vote against ``record``, or all ``refused`` roots, of a peer whose round led from that ``state``.

    It names no other aggregate, and nothing stands in the way of a later vote for one. It shows that its writer is
    present and has looked: who is silent is not counted on after some time.
    """
    changed = {
        "root": _NOTHING,
        "refused": list(refused or [record.root]),
        "withdrawn": True,
        "state": state,
        "certificate": b"",
        "signature": b"",
    }
    return record.model_copy(update=changed)


def without_parts(record: CommitRecord, refused: Sequence[bytes] = ()) -> CommitRecord:
    """Return a vote that says that its writer lacks parts of the round of the group in ``record``, and names no root.

    Once all members that live say so, none of them waits any longer for a vote of another one. The writer also votes
    against the ``refused`` roots.
    """
    return record.model_copy(update={"root": _NOTHING, "withdrawn": True, "refused": list(refused)})


def names_nothing(record: CommitRecord) -> bool:
    """Return true if ``record`` names no aggregate, as `against` and `without_parts` make one."""
    return record.root == _NOTHING


def voice_of(user: str, peer_id: bytes) -> str:
    """Return the name under which votes of a peer are counted: all peers of one user together have one voice.

    In an open run there are no users, and every peer has a voice. It can't be known there how many peers one person
    starts.

    Args:
        user: name of the peer's user; empty in an open run.
        peer_id: id of the peer.
    """
    return user or f"/{PeerID(peer_id)}"  # no user's name has a slash


def sign_vote(record: CommitRecord, prefix: str, identity: PeerIdentity) -> CommitRecord:
    """Return ``record`` with the signature of ``identity``, for the run whose DHT prefix is ``prefix``."""
    signature = base64.b64decode(identity.private_key.sign(_statement(record, prefix)))
    return record.model_copy(update={"signature": signature})


def is_signed(record: CommitRecord, prefix: str, owner: bytes) -> bool:
    """Return true if the holder of the ``owner`` key has signed ``record`` for the run with the DHT ``prefix``."""
    return _is_signed(_statement(record, prefix), record.signature, owner)


@lru_cache(maxsize=4096)
def _is_signed(statement: bytes, signature: bytes, owner: bytes) -> bool:
    found = RSASignatureValidator._PUBLIC_KEY_RE.fullmatch(owner)
    if found is None:
        return False
    try:
        key = RSAPublicKey.from_bytes(found.group(1))
    except (ValueError, UnsupportedAlgorithm):
        return False
    return bool(key.verify(statement, base64.b64encode(signature)))


def _statement(record: CommitRecord, prefix: str) -> bytes:
    named = (
        "vote",
        prefix,
        record.epoch,
        record.parent.hex(),
        record.attempt,
        record.root.hex(),
        record.withdrawn,
    )
    return hashlib.sha256(repr(named).encode()).digest()


@dataclass(frozen=True)
class DoubleVote:
    """The proof that a peer voted for two aggregates in one attempt, which none does that keeps the rules."""

    first: Vote
    second: Vote

    @property
    def voice(self) -> str:
        """Name of the user, or of the peer in an open run, that voted twice."""
        return self.first.voice

    def holds(self, prefix: str) -> bool:
        """Return true if the proof is one in the run with the DHT ``prefix``; anyone can verify it, at any time."""
        one, other = self.first, self.second
        writer = peer_id_of(one.owner)
        return (
            contradict(one, other)
            and writer is not None
            and writer.to_bytes() == one.writer
            and one.owner == other.owner
            and all(is_signed(vote.record, prefix, vote.owner) for vote in (one, other))
        )


def contradict(one: Vote, other: Vote) -> bool:
    """Return true if ``one`` and ``other`` are votes of a writer for two roots in one attempt at one place."""
    ballots = [
        (item.writer, item.record.epoch, item.record.parent, item.record.attempt) for item in (one, other)
    ]
    return ballots[0] == ballots[1] and one.record.root != other.record.root
