"""A vote is signed by its writer for one run and one place, and two in one attempt are a proof for anybody."""

from dataclasses import replace

import msgpack
import pytest

from core.swarm.quorum.decision import decided
from core.swarm.quorum.electorate import Electorate
from core.swarm.quorum.vote_book import VoteBook
from core.swarm.quorum.votes import DoubleVote, Vote, is_signed, sign_vote
from core.swarm.wire.records import CommitRecord
from tests.core.swarm.builders import certificate_of, commit_record, digest_of, identity

PREFIX = "run"


def signed(word: str = "a", number: int = 0, **changed: object) -> Vote:
    record = sign_vote(commit_record(word, **changed), PREFIX, identity(number))
    return Vote(identity(number).peer_id.to_bytes(), record, identity(number).owner)


@pytest.mark.parametrize(
    "changed",
    [
        {"root": digest_of("b")},
        {"epoch": 8},
        {"parent": digest_of("b")},
        {"attempt": 2},
        {"signature": b""},
        {"signature": bytes(256)},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_a_signature_is_for_one_ballot(changed: dict[str, object]) -> None:
    vote = signed(attempt=1)
    assert is_signed(vote.record, PREFIX, vote.owner)
    assert not is_signed(vote.record.model_copy(update=changed), PREFIX, vote.owner)


def test_a_signature_is_of_one_writer_and_for_one_run() -> None:
    vote = signed()
    assert not is_signed(vote.record, "another run", vote.owner)
    assert not is_signed(vote.record, PREFIX, identity(1).owner)
    assert not is_signed(vote.record, PREFIX, b"no owner key")
    assert not is_signed(vote.record, PREFIX, b"[owner:ssh-rsa no key]")


def test_a_vote_is_small() -> None:
    """With its key and the signature of the DHT, 0.8 kB more, it takes 1.5 kB on the wire."""
    vote = signed(certificate=certificate_of("a-user-of-a-long-name"), state=digest_of("state"))
    assert len(msgpack.packb(vote.record.pack())) < 750


def test_two_votes_in_one_attempt_are_a_proof() -> None:
    proof = DoubleVote(signed("a"), signed("b"))
    assert proof.holds(PREFIX)
    assert not proof.holds("another run")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (signed("a"), signed("a")),
        (signed("a"), signed("b", attempt=1)),
        (signed("a"), signed("b", epoch=8)),
        (signed("a"), signed("b", parent=digest_of("b"))),
        (signed("a"), signed("b", number=1)),
        (signed("a"), replace(signed("b", number=1), writer=signed("a").writer)),
        (signed("a"), replace(signed("b"), record=commit_record("b"))),
        (replace(signed("a"), writer=b"x"), replace(signed("b"), writer=b"x")),
    ],
    ids=["same", "attempt", "epoch", "parent", "writer", "forged writer", "unsigned", "no peer"],
)
def test_nothing_else_is_a_proof(first: Vote, second: Vote) -> None:
    assert not DoubleVote(first, second).holds(PREFIX)


def test_a_proof_is_kept_and_logged_once_for_each_writer(caplog: pytest.LogCaptureFixture) -> None:
    book = VoteBook()
    for word in "abca":
        book.add(signed(word))
    book.add(signed("d", attempt=1))
    (proof,) = book.proofs.values()
    assert proof.holds(PREFIX)
    assert caplog.text.count("in one attempt") == 1
    assert f"peer {identity(0).peer_id} " in caplog.text
    book.add(signed("a", 1))
    assert [vote.writer for vote in book.votes(7)] == [identity(1).peer_id.to_bytes()], (
        "its votes count no more"
    )


def test_a_user_that_voted_twice_counts_no_more_with_any_of_its_peers() -> None:
    """It would have halved the swarm with another peer, or halted it by its silence."""
    honest = [signed("a", number, certificate=certificate_of(f"user{number}")) for number in range(2)]
    both = [signed(word, 2, certificate=certificate_of("liar")) for word in "bc"]
    second = signed("b", 3, certificate=certificate_of("liar"))
    names = frozenset({"user0", "user1", "liar", "other"})
    present, book = Electorate(4, names, own="user0"), VoteBook()
    for vote in (*honest, second, both[0]):
        book.add(vote)
    assert decided(book.votes(7), 7, digest_of("parent"), book.counted(present, 7)) is None
    book.add(both[1])
    assert {vote.voice for vote in book.votes(7)} == {"user0", "user1"}
    counted = book.counted(present, 7)
    assert (counted.size, counted.names) == (3, names - {"liar"})
    found = decided(book.votes(7), 7, digest_of("parent"), counted)
    assert found is not None
    assert [float(found.votes), found.seats] == [2.0, 3.0]


def test_a_pardoned_user_counts_again_until_it_votes_twice_once_more() -> None:
    pardoned_until = [-1]
    book = VoteBook(lambda proof: proof.first.record.epoch <= pardoned_until[0])

    def votes(epoch: int, *words: str) -> list[str]:
        for word in words:
            book.add(signed(word, epoch=epoch, certificate=certificate_of("ada")))
        return [vote.voice for vote in book.votes(epoch)]

    assert votes(7, "a", "b") == []
    pardoned_until[0] = 7
    assert votes(8, "a") == ["ada"]
    assert votes(9, "a", "b") == []
    assert [proof.first.record.epoch for proof in book.proofs.values()] == [9]


def test_writers_that_keep_the_rules_are_not_accused() -> None:
    book = VoteBook()
    for attempt, word in enumerate("abab"):
        for number in range(3):
            book.add(signed(word, number, attempt=attempt))
            book.add(signed(word, number, epoch=8, attempt=attempt))
    assert not book.proofs


def test_an_old_record_without_a_signature_is_read_as_unsigned() -> None:
    packed = {key: value for key, value in commit_record().pack().items() if key != "signature"}
    assert not is_signed(CommitRecord.model_validate(packed), PREFIX, identity(0).owner)
