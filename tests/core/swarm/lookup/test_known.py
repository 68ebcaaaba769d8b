"""What others give is remembered within bounds of time and memory."""

import pytest
from hivemind.dht import DHTID

from core.swarm.lookup.known import KnownRecords
from core.swarm.lookup.news import KeptRecord
from tests.core.swarm.builders import identity
from tests.moved_clock import MovedClock

KEY, OTHER = DHTID.generate(source="a key"), DHTID.generate(source="another key")
NOW = 1e9
GIVER, LIAR = identity(0).peer_id, identity(1).peer_id
YEAR_3000 = 32_503_680_000.0
HOURS = 6 * 3600.0


class RememberingNode:
    """A node's memory, with its clocks."""

    def __init__(self) -> None:
        self.clock, self.dht_clock = MovedClock(0.0), MovedClock(NOW)
        self.known = KnownRecords(self.clock, self.dht_clock)

    def wait(self, seconds: float) -> None:
        self.clock.now += seconds
        self.dht_clock.now += seconds


def test_of_two_records_the_one_that_expires_later_is_known() -> None:
    node = RememberingNode()
    node.known.take(
        KEY, [(b"one", b"new", NOW + 2), (b"one", b"old", NOW + 1), (b"gone", b"", NOW - 1)], GIVER, HOURS
    )
    assert list(node.known.of(KEY)) == [(b"one", b"new", NOW + 2)]
    node.wait(3.0)
    assert list(node.known.of(KEY)) == []


def test_no_record_is_remembered_for_ever() -> None:
    node = RememberingNode()
    node.known.take(KEY, [(b"one", b"value", YEAR_3000)], GIVER, HOURS)
    for _ in range(5 * 3600 // 500):
        node.wait(500.0)
        assert list(node.known.of(KEY)) == [(b"one", b"value", YEAR_3000)]
    node.wait(2 * 3600.0)
    assert list(node.known.of(KEY)) == []


@pytest.mark.parametrize(("count", "size", "expected"), [(10_000, 1, 8192), (10, 1 << 20, 3)])
def test_the_records_of_a_key_are_bounded(count: int, size: int, expected: int) -> None:
    node = RememberingNode()
    for half in (range(count // 2), range(count // 2, count)):
        some: list[KeptRecord] = [(number, bytes(size), NOW + number) for number in half]
        node.known.take(KEY, some, GIVER, HOURS)
    assert len({entry[0] for entry in node.known.of(KEY)}) == expected


# Each size and each time is there, and the longest time with all sizes; the others meet in ``make test-all``.
@pytest.mark.parametrize(
    ("size", "later"),
    [
        (1, YEAR_3000),
        (1000, YEAR_3000),
        (10_000, YEAR_3000),
        (1000, 50.0),
        (10_000, -50.0),
        *(
            pytest.param(size, later, marks=pytest.mark.exhaustive)
            for size, later in ((1, -50.0), (1000, -50.0), (1, 50.0), (10_000, 50.0))
        ),
    ],
)
def test_a_flood_out_of_one_node_displaces_nothing_that_others_give(later: float, size: int) -> None:
    node = RememberingNode()
    for flood in range(3):
        forged: list[KeptRecord] = [
            (b"forged %d" % number, bytes(size), NOW + 100 + later)
            for number in range(20_000_000 // (size + 999))
        ]
        given: list[KeptRecord] = [
            (b"given %d" % number, bytes(1000), NOW + 100 + flood) for number in range(64)
        ]
        for entries, giver in [(forged, LIAR), (given, GIVER), (forged, LIAR)]:
            node.known.take(KEY, entries, giver, HOURS)
        known = {entry[0] for entry in node.known.of(KEY)}
        assert known.issuperset(entry[0] for entry in given)
        assert len(known) > 256, "the rest of the memory is used"


def test_a_flood_through_an_honest_node_leaves_some_of_the_others() -> None:
    node = RememberingNode()
    forged: list[KeptRecord] = [(b"forged %d" % number, bytes(1000), NOW + 150) for number in range(4000)]
    given: list[KeptRecord] = [(b"given %d" % number, bytes(1000), NOW + 120) for number in range(64)]
    node.known.take(KEY, [*forged, *given], GIVER, HOURS)
    left = {entry[0] for entry in node.known.of(KEY)}.intersection(entry[0] for entry in given)
    assert len(left) >= 32


def test_keys_that_are_no_longer_read_are_forgotten() -> None:
    node = RememberingNode()
    node.known.take(KEY, [(b"one", b"value", YEAR_3000)], GIVER, HOURS)
    node.wait(601.0)
    node.known.take(OTHER, [], GIVER, HOURS)
    assert list(node.known.of(KEY)) == []


def test_records_of_a_key_without_rules_are_remembered_for_as_long_as_is_said() -> None:
    node = RememberingNode()
    node.known.take(KEY, [(b"one", b"value", YEAR_3000)], GIVER, 60.0)
    node.wait(59.0)
    assert list(node.known.of(KEY))
    node.wait(2.0)
    assert list(node.known.of(KEY)) == []


def test_the_records_of_all_keys_are_bounded_and_those_that_were_read_last_stay() -> None:
    node = RememberingNode()
    keys = [DHTID.generate(source=f"key {number}") for number in range(6)]
    some: list[KeptRecord] = [(number, bytes(10_000), NOW + 1000) for number in range(400)]
    for key in keys[:4]:
        node.known.take(key, some, GIVER, HOURS)
        node.wait(1.0)
    assert len(list(node.known.of(keys[0]))) == 400, "it is read again"
    node.wait(1.0)
    node.known.take(keys[4], some, GIVER, HOURS)
    assert [len(list(node.known.of(key))) for key in keys] == [400, 0, 400, 400, 400, 0]
