"""A commit needs the votes of more than half of the users, whatever it claims, and whoever else is loud."""

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.swarm.quorum.decision import (
    at_place,
    backing,
    decided,
    is_refused,
    leading,
    may_be_decided,
    outvotes,
)
from core.swarm.quorum.electorate import UNKNOWN, Electorate
from core.swarm.quorum.sortition import COMMITTEE, seed_of, votes_needed
from core.swarm.quorum.votes import Vote, against, without_parts
from tests.core.swarm.builders import FIFTY_EXAMPLES, certificate_of, commit_record, digest_of, peer_bytes

EPOCH, PARENT = 7, digest_of("parent")


def vote(number: int, word: str, user: str = "", **changed: Any) -> Vote:
    """The vote of the peer with that number, of ``user`` or of one that is named after it."""
    certificate = certificate_of(user or f"user{number}")
    return Vote(peer_bytes(number), commit_record(word, certificate=certificate, **changed))


def votes(words: str, **changed: Any) -> list[Vote]:
    """Votes of users 0, 1, ... for the roots with these letters; a dot is a user that is silent."""
    return [vote(number, word, **changed) for number, word in enumerate(words) if word != "."]


def present(users: int) -> Electorate:
    return Electorate(users, frozenset(f"user{number}" for number in range(users)), own="user0")


@pytest.mark.parametrize(
    ("users", "cast", "expected"),
    [
        (1, "a", "a"),
        (1, ".", None),
        (2, "a", None),
        (2, "aa", "a"),
        (2, "ab", None),
        (3, "aa", "a"),
        (3, "abb", "b"),
        (4, "aa", None),
        (4, "aabb", None),
        (4, "aab", None),
        (4, "aaab", "a"),
        (5, "aa..b", None),
        (5, "aaabb", "a"),
        (10, "aaaaa", None),
        (10, "aaaaaa", "a"),
        (10, "aaaaaabbbb", "a"),
        (10, "..aaaaa.bb", None),
    ],
)
def test_more_than_half_of_the_users_decide(users: int, cast: str, expected: str | None) -> None:
    found = decided(votes(cast), EPOCH, PARENT, present(users))
    assert (found.record.root if found else None) == (digest_of(expected) if expected else None)


def test_what_a_record_claims_decides_nothing() -> None:
    """Row 1 of the attacks: one member that commits alone and claims 90 million samples."""
    loud = vote(3, "lone", samples=9e7, members=1)
    found = decided([*votes("aaa"), loud], EPOCH, PARENT, present(4))
    assert found is not None
    assert (found.record.root, int(found.votes), found.seats) == (digest_of("a"), 3, 4)
    assert decided([loud], EPOCH, PARENT, present(4)) is None


def test_any_number_of_roots_of_one_writer_are_one_vote() -> None:
    """Row 2: a record with another random root again and again."""
    noise = [vote(3, f"noise {number}", attempt=number) for number in range(100)]
    found = decided([*noise, *votes("aaa")], EPOCH, PARENT, present(4))
    assert found is not None
    assert found.record.root == digest_of("a")


def test_all_peers_of_a_user_have_one_vote() -> None:
    sybils = [vote(100 + number, "own", user="many") for number in range(32)]
    assert decided([*sybils, *votes("aa")], EPOCH, PARENT, present(3)) is None
    found = decided([*sybils, *votes("aaa")], EPOCH, PARENT, present(3))
    assert found is not None
    assert (found.record.root, found.seats) == (digest_of("a"), 4)


def test_peers_of_a_user_that_disagree_have_parts_of_its_vote() -> None:
    cast = [vote(0, "a", user="two"), vote(1, "b", user="two"), vote(2, "a", user="other")]
    assert set(backing(cast).values()) == {Fraction(3, 2), Fraction(1, 2)}


def test_a_vote_for_nothing_counts_for_presence_alone_whatever_it_says() -> None:
    """A hostile one that is not withdrawn would be a commit of which nobody has the bytes."""
    for withdrawn in (True, False):
        nothing = [
            replace(item, record=against(item.record, None).model_copy(update={"withdrawn": withdrawn}))
            for item in votes("aaa")
        ]
        assert leading(nothing) is None
        assert backing(nothing) == {}
        assert decided(nothing, EPOCH, PARENT, Electorate(3, frozenset())) is None
        assert not may_be_decided(nothing, EPOCH, PARENT, nothing[0].subject, Electorate(3, frozenset()))


def test_a_vote_for_nothing_takes_nothing_from_that_of_another_peer_of_its_user() -> None:
    cast = [vote(0, "a", "ada"), vote(2, "a", "bob")]
    other = vote(1, "a", "ada")
    nothing = replace(other, record=against(other.record, None))
    assert set(backing([*cast, nothing]).values()) == {Fraction(2)}


@pytest.mark.parametrize(
    ("cast", "refusing", "users", "refused"),
    [
        ("aaa", 7, 10, True),
        ("aaa", 5, 10, True),
        ("aaa", 4, 10, False),
        ("aaa", 3, 6, True),
        ("aaa", 2, 5, False),
        ("aa", 3, 2, True),  # who votes is present, though this peer has not seen it
        ("", 6, 10, True),
        ("", 0, 3, False),
    ],
)
def test_what_half_of_the_users_vote_against_is_refused(
    cast: str, refusing: int, users: int, refused: bool
) -> None:
    noes = [no_to(vote(0, "a"), by=len(cast) + at) for at in range(refusing)]
    found = is_refused([*votes(cast), *noes], EPOCH, PARENT, vote(0, "a").subject, present(users))
    assert found is refused


def no_to(opposed: Vote, by: int, user: str = "") -> Vote:
    """The vote against what was voted for, of the peer with the number ``by``."""
    said = vote(by, "any", user)
    record = against(opposed.record, None)
    return replace(said, record=record.model_copy(update={"certificate": said.record.certificate}))


def test_a_vote_against_a_forged_variant_says_nothing_of_the_groups_true_aggregate() -> None:
    """A reducer that returns another part to some members makes two roots of one group and as many samples."""
    true, forged = vote(0, "true"), vote(1, "forged", group=vote(0, "true").record.group)
    said = [true, forged, *(no_to(forged, by=at) for at in range(2, 6))]
    assert is_refused(said, EPOCH, PARENT, forged.subject, present(6))
    assert not is_refused(said, EPOCH, PARENT, true.subject, present(6))


def test_a_user_of_several_peers_is_against_what_none_of_them_votes_for() -> None:
    subject = vote(0, "a").subject
    both = [no_to(vote(0, "a"), by=1, user="ada"), vote(2, "a", user="ada")]
    twice = [no_to(vote(0, "a"), by=at, user="ada") for at in (1, 2)]
    assert not is_refused([*both, no_to(vote(0, "a"), by=3)], EPOCH, PARENT, subject, present(3))
    assert not is_refused(twice, EPOCH, PARENT, subject, present(3))
    assert is_refused([*twice, no_to(vote(0, "a"), by=3)], EPOCH, PARENT, subject, present(2))


def test_the_committee_of_a_large_swarm_refuses_nothing() -> None:
    """It grows while it comes to no decision, and may be larger than the mean from the start."""
    noes = [no_to(vote(0, "a"), by=at) for at in range(900)]
    assert not is_refused(noes, EPOCH, PARENT, vote(0, "a").subject, present(1000))


def test_a_peer_that_lacks_parts_is_against_what_it_names_alone() -> None:
    lacking = [replace(item, record=without_parts(item.record)) for item in votes("aaaa")]
    assert not is_refused(lacking, EPOCH, PARENT, vote(9, "a").subject, present(4))
    refused = vote(9, "a").record.root
    opposed = [replace(item, record=without_parts(item.record, [refused])) for item in votes("bbbb")]
    assert is_refused(opposed, EPOCH, PARENT, vote(9, "a").subject, present(4))


@pytest.mark.parametrize(
    ("cast", "own", "users", "is_so"),
    [
        ("....aaaa", "abc", 10, True),
        ("....aaaa", "abcd", 10, False),  # as many as they are
        ("....aaa", "ab", 10, False),  # together they are no quorum: other users decide
        ("....aaa", "ab", 9, True),
        ("....aabb", "ab", 4, False),
        ("aaa.aa", "abc", 5, False),  # their own earlier votes do not count
    ],
)
def test_a_group_is_outvoted_by_more_users_than_it_has_who_need_its_votes(
    cast: str, own: str, users: int, is_so: bool
) -> None:
    voices = {f"user{at}" for at in range(len(own))}
    assert outvotes(votes(cast), PARENT, present(users), voices) is is_so


def test_users_that_the_committee_does_not_have_outvote_no_group() -> None:
    names = [f"user{number}" for number in range(1000)]
    crowd = present(1000)
    others = [vote(at, "a") for at, name in enumerate(names) if not crowd.draws(PARENT, name)]
    assert not outvotes(others, PARENT, crowd, {"user0"})


def test_users_that_vote_are_present_though_this_peer_has_not_seen_them() -> None:
    assert decided(votes("ab"), EPOCH, PARENT, present(1)) is None
    assert decided(votes("ab"), EPOCH, PARENT, UNKNOWN) is None
    assert decided(votes("a"), EPOCH, PARENT, UNKNOWN) is not None


def test_votes_of_other_steps_do_not_count() -> None:
    elsewhere = [*votes("aaa", parent=digest_of("elsewhere")), *votes("aaa", epoch=6)]
    assert decided(elsewhere, EPOCH, PARENT, present(3)) is None


def test_the_newest_vote_of_a_writer_counts() -> None:
    cast = [vote(0, "a", attempt=5), vote(0, "b", attempt=9), vote(0, "c", attempt=7)]
    assert [item.record.root for item in at_place(cast, EPOCH, PARENT)] == [digest_of("b")]


@pytest.mark.parametrize("fields", [{"group": b"g" * 20}, {"samples": 1e8}], ids=["group", "samples"])
def test_a_record_that_copies_a_root_beside_another_claim_is_another_subject(fields: dict[str, Any]) -> None:
    liar = vote(2, "a", **fields)
    assert decided([*votes("aa"), liar], EPOCH, PARENT, present(4)) is None
    assert decided([*votes("aaa"), liar], EPOCH, PARENT, present(3)) is not None
    assert leading([liar, *votes("aa")]) == votes("a")[0].subject


def test_halves_agree_on_which_one_gives_way() -> None:
    cast = votes("aabb")
    expected = min(digest_of("a"), digest_of("b"))
    for _ in range(10):
        random.Random(0).shuffle(cast)
        found = leading(cast)
        assert found is not None
        assert found.root == expected
    more = leading(votes("aabbb"))
    assert more is not None
    assert more.root == digest_of("b")
    assert leading([]) is None


@FIFTY_EXAMPLES
@given(st.text("abc.", min_size=1, max_size=40))
def test_no_two_aggregates_have_the_quorum_of_the_same_users(cast: str) -> None:
    """Whatever part of the votes each of two peers sees, they do not believe different ones."""
    everything, users = votes(cast), present(len(cast))
    found = {
        decision.record.root
        for seed in range(8)
        if (decision := decided(_some(everything, seed), EPOCH, PARENT, users)) is not None
    }
    assert len(found) <= 1


def _some(cast: Sequence[Vote], seed: int) -> list[Vote]:
    drawn = random.Random(seed)
    return [item for item in cast if drawn.random() < 0.8]


# --- a large swarm ----------------------------------------------------------------------------------------------


def drawn_of(users: int, growth: int = 0) -> list[int]:
    counted = Electorate(users)
    return [number for number in range(users) if counted.draws(PARENT, f"user{number}", growth)]


@pytest.mark.parametrize("users", [200, 1_000, 10_000])
def test_a_committee_is_drawn_from_a_large_swarm(users: int) -> None:
    drawn = drawn_of(users)
    assert abs(len(drawn) - COMMITTEE) < 4 * COMMITTEE**0.5
    assert set(drawn) < set(drawn_of(users, growth=1))
    other = [number for number in range(users) if Electorate(users).draws(digest_of("next"), f"user{number}")]
    assert len(set(drawn) & set(other)) < len(drawn) * 0.6


def test_only_the_votes_of_the_committee_count_in_a_large_swarm() -> None:
    users, drawn, needed = Electorate(1_000), drawn_of(1_000), votes_needed(1_000)
    outside = [vote(number, "b") for number in range(1_000) if number not in drawn]
    few = [vote(number, "a") for number in drawn[: needed - 1]]
    assert decided([*outside, *few], EPOCH, PARENT, users, growth=0) is None
    found = decided([*outside, *few, vote(drawn[needed - 1], "a")], EPOCH, PARENT, users, growth=0)
    assert found is not None
    assert found.record.root == digest_of("a")


def test_what_a_committee_decided_stands_when_it_has_grown() -> None:
    """A latecomer cannot know how far it had: those that were drawn later need not have voted."""
    users = Electorate(2_000)
    for growth in range(2):
        cast = [vote(number, "a") for number in drawn_of(2_000, growth)]
        for later in (growth, growth + 1, growth + 2, None):
            assert decided(cast, EPOCH, PARENT, users, later) is not None


def test_votes_after_any_number_of_parents_draw_no_committee() -> None:
    """A draw is slow on purpose: a few users that vote after many made-up roots must not keep a peer busy."""
    few = [vote(number, "a", parent=digest_of("made up")) for number in range(votes_needed(1_000) - 1)]
    before = seed_of.cache_info().misses
    assert decided(few, EPOCH, digest_of("made up"), Electorate(1_000)) is None
    assert seed_of.cache_info().misses == before


def test_a_committee_that_does_not_come_to_a_decision_grows() -> None:
    """Of the drawn ones too many may be silent: with more of them, their share comes close to that of all."""
    silent = {number for number in range(2_000) if number % 10 < 3}
    for growth in range(6):
        cast = [vote(number, "a") for number in drawn_of(2_000, growth) if number not in silent]
        if decided(cast, EPOCH, PARENT, Electorate(2_000), growth) is not None:
            break
    else:
        pytest.fail("no committee decided")
    assert growth <= 2
