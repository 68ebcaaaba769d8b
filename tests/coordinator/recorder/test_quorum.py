"""The recorder takes a commit for which more than half of the users have voted, as far as votes are there to see."""

from dataclasses import replace

import pytest

from coordinator.recorder.reader import Look
from core.swarm.quorum.votes import Vote
from tests.core.swarm.builders import certificate_of, commit_record, digest_of, peer_bytes, progress

ROOT = digest_of("a")


def vote(number: int, word: str) -> Vote:
    return Vote(peer_bytes(number), commit_record(word, certificate=certificate_of(f"user{number}")))


def look(words: str, users: int = 4) -> Look:
    peers = tuple(
        progress(
            number,
            epoch=8,
            head=digest_of("b") if words[number:].startswith("b") else ROOT,
            certificate=certificate_of(f"user{number}"),
        )
        for number in range(users)
    )
    votes = tuple(vote(number, word) for number, word in enumerate(words) if word != ".")
    return Look(peers, {}, votes=votes)


@pytest.mark.parametrize(
    ("words", "expected"),
    [("aaa.", True), ("aaab", True), ("aabb", False), ("bbb.", False), ("", True)],
)
def test_a_commit_needs_the_votes_that_can_be_seen(words: str, expected: bool) -> None:
    assert look(words).has_quorum(8, ROOT) == expected


def test_votes_for_another_epoch_prove_nothing() -> None:
    assert not look("aaaa").has_quorum(9, ROOT)


@pytest.mark.parametrize(("there", "expected"), [(4, True), (3, True), (2, False)])
def test_where_half_of_the_users_are_silent_more_than_half_must_have_applied_the_commit(
    there: int, expected: bool
) -> None:
    """The recorder has not seen the quorums that show who is silent, and would stop recording."""
    found = look("aa..")
    peers = [
        peer if number < there else peer.model_copy(update={"epoch": 7, "head": digest_of("before")})
        for number, peer in enumerate(found.peers)
    ]
    assert replace(found, peers=tuple(peers)).has_quorum(8, ROOT) == expected
