"""The users that are counted on for a commit: those at the place, one voice each, and not those that are silent."""

from typing import Any

import pytest

from core.swarm.membership.cohorts import scaled
from core.swarm.quorum.electorate import RECENT, Electorate, electorate_of, is_place_of_most
from core.swarm.wire.records import ProgressRecord
from tests.core.swarm.builders import certificate_of, digest_of, peer_bytes, progress

OWN = progress(0, certificate=certificate_of("own"))


@pytest.mark.parametrize(
    ("changed", "counts"),
    [
        ({}, True),
        ({"epoch": 6, "head": digest_of("before")}, True),
        ({"epoch": 8, "head": digest_of("after")}, True),
        ({"epoch": 5}, False),
        ({"head": digest_of("another branch")}, False),
        ({"synchronised": False}, False),
        ({"paused": True}, False),
        ({"auxiliary": True}, False),
        ({"leaving": True}, False),
    ],
    ids=["there", "arrives", "ahead", "far behind", "other branch", "joins", "paused", "helps", "leaves"],
)
def test_who_is_present(changed: dict[str, Any], counts: bool) -> None:
    other = progress(1, certificate=certificate_of("other"), **changed)
    assert electorate_of([other], OWN).size == 1 + counts


def test_peers_of_one_user_are_one_and_the_own_user_is_among_them() -> None:
    others = [progress(number, certificate=certificate_of("many")) for number in range(1, 30)]
    others.append(progress(30, certificate=certificate_of("own")))
    found = electorate_of(others, OWN)
    assert (found.size, sorted(found.names), found.own) == (2, ["many", "own"], "own")
    assert (found.others.size, sorted(found.others.names)) == (1, ["many"])


def test_in_an_open_run_every_peer_is_one() -> None:
    found = electorate_of([progress(number) for number in range(1, 5)], progress(0))
    assert (found.size, len(found.names)) == (5, 5)


def test_of_a_summary_the_peers_are_counted() -> None:
    found = electorate_of(scaled([progress(1), progress(2, paused=True)], 100), progress(0))
    assert (found.size, found.names) == (101, frozenset())


def test_users_that_were_silent_for_some_epochs_are_not_counted_on() -> None:
    names = frozenset(f"user{number}" for number in range(6))
    last = {"user0": 9, "user1": 10 - RECENT, "user2": 10 - RECENT - 1, "user3": 9}
    found = Electorate(6, names).active(last, 10)
    assert found.names == {"user0", "user1", "user3"}
    assert found.seats([]) == 3
    assert found.seats(["user4", "user5"]) == 5


def test_the_silent_are_at_most_half() -> None:
    """Who sees few of the votes must not take its own for all of them."""
    names = frozenset(f"user{number}" for number in range(9))
    assert Electorate(9, names).active({"user0": 9}, 10).seats(["user0"]) == 5


def test_a_peer_alone_has_one_seat() -> None:
    assert electorate_of([], OWN).seats(["own"]) == 1
    assert Electorate().seats([]) == 0


def test_unknown_peer_ids_have_a_voice_that_no_user_can_have() -> None:
    found = electorate_of([progress(1)], OWN)
    assert {"own"} < found.names
    assert all(name.startswith("/") for name in found.names - {"own"})
    assert peer_bytes(1) != peer_bytes(2)


def moved(number: int, epoch: int, word: str, **changed: Any) -> ProgressRecord:
    certificate = certificate_of(f"user{number}")
    return progress(number, epoch=epoch, head=digest_of(word), certificate=certificate, **changed)


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ([(8, "a"), (8, "a"), (8, "b")], (8, "a")),
        ([(10, "c"), (10, "c"), (8, "a")], (10, "c")),
        ([(8, "a"), (8, "b")], None),
        ([(8, "a"), (8, "b"), (9, "c")], None),
        ([], None),
    ],
    ids=["the next", "a later one", "half", "all apart", "alone"],
)
def test_where_more_than_half_of_the_other_users_have_gone(
    others: list[tuple[int, str]], expected: tuple[int, str] | None
) -> None:
    records = [moved(number, *place) for number, place in enumerate(others, 1)]
    found = electorate_of(records, OWN).gone_to
    assert found == (expected and (expected[0], digest_of(expected[1])))


def test_many_peers_of_one_user_do_not_make_a_place_that_of_most() -> None:
    many = [
        progress(number, epoch=8, head=digest_of("own"), certificate=certificate_of("many"))
        for number in range(10, 20)
    ]
    records = [*many, moved(1, 8, "a"), moved(2, 8, "a"), moved(3, 8, "a", synchronised=False)]
    assert electorate_of(records, OWN).gone_to == (8, digest_of("a"))
    assert is_place_of_most(records, 8, digest_of("a"))
    assert not is_place_of_most(records, 8, digest_of("own"))
