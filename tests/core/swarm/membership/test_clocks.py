"""A wrong clock is told from peers that are gone, by how the others' records change."""

from collections.abc import Iterable

import pytest

from core.swarm.membership.clocks import ClockDifference, OthersClocks
from core.swarm.wire.records import ProgressRecord
from tests.core.swarm.builders import progress

PERIOD = 3.0


class ComparingPeer:
    """A peer that looks at others every few seconds, and whose computer's clock can be set."""

    def __init__(self) -> None:
        self.clocks, self.monotonic, self.ahead = OthersClocks(), 50.0, 0.0
        self.true_time = 1e9

    def wait(self, seconds: float) -> None:
        self.monotonic += seconds
        self.true_time += seconds

    def look(self, records: Iterable[ProgressRecord]) -> ClockDifference | None:
        began = self.monotonic
        self.wait(0.1)
        return self.clocks.difference(
            list(records), began=began, now=self.monotonic, dht_now=self.true_time + self.ahead
        )

    def fresh(self, *numbers: int, age: float = 1.0, **changed: bool) -> list[ProgressRecord]:
        return [progress(number, time=self.true_time - age, **changed) for number in numbers]


def looking(*numbers: int, looks: int = 3) -> ComparingPeer:
    peer = ComparingPeer()
    for _ in range(looks):
        assert peer.look(peer.fresh(*numbers)) is None
        peer.wait(PERIOD)
    return peer


@pytest.mark.parametrize("looks", [1, 3])
@pytest.mark.parametrize("ahead", [14.0, 20.0, 100.0, -14.0, -20.0, -100.0])
def test_a_clock_that_is_set_wrong_is_found_at_the_next_look_until_it_is_right(
    ahead: float, looks: int
) -> None:
    peer = looking(1, 2, 3, looks=looks)
    peer.ahead = ahead
    for _ in range(50):
        found = peer.look(peer.fresh(1, 2, 3))
        assert found is not None
        assert found.trainers == 3
        assert found.seconds == pytest.approx(ahead, abs=PERIOD + 4)
        peer.wait(PERIOD)
    peer.ahead = 0.0
    assert peer.look(peer.fresh(1, 2, 3)) is None


@pytest.mark.parametrize("ahead", [3.0, 0.0, -3.0])
@pytest.mark.parametrize("late", [0.0, 1.0, 2.9])
def test_peers_that_fall_silent_say_nothing_of_the_clock(late: float, ahead: float) -> None:
    peer = ComparingPeer()
    peer.ahead = ahead
    for _ in range(5):
        last = peer.fresh(1, 2, age=late)
        assert peer.look(last) is None
        peer.wait(PERIOD)
    for _ in range(500):
        assert peer.look(last) is None
        peer.wait(0.3)


def test_a_record_that_is_left_of_a_peer_says_nothing_of_the_clock() -> None:
    peer = ComparingPeer()
    left = peer.fresh(1, age=20.0)
    for _ in range(30):
        assert peer.look(left) is None
        peer.wait(PERIOD)


@pytest.mark.parametrize("seconds", [20.0, 90.0])
def test_a_peer_that_was_stopped_blames_no_clock_for_what_it_missed(seconds: float) -> None:
    peer = looking(1)
    peer.wait(seconds)
    last = peer.fresh(1, age=seconds - 2)
    for _ in range(20):
        assert peer.look(last) is None
        peer.wait(PERIOD)


def test_one_peer_whose_clock_is_wrong_is_left_out_alone() -> None:
    peer = looking(1, 2)
    for _ in range(10):
        assert peer.look([*peer.fresh(1), *peer.fresh(2, age=60.0)]) is None
        peer.wait(PERIOD)


def test_only_trainers_are_counted() -> None:
    peer = looking(1, 2)
    peer.ahead = 20.0
    found = peer.look([*peer.fresh(1), *peer.fresh(2, auxiliary=True)])
    assert found is not None
    assert found.trainers == 1
