"""A running peer finds out again how it is reached: by the clock, and when it has moved."""

import pytest

from core.messages.reach import Reach
from core.swarm.reach.reachability import Reachability, ReachByIp6
from tests.core.swarm.reach.watch_scene import ABROAD, AT_HOME, PORT, WatchScene


def test_all_is_checked_every_half_hour_and_the_address_alone_every_five_minutes() -> None:
    scene = WatchScene()
    scene.go_on(3700)
    assert scene.checks() == [1800.0, 3600.0]
    assert [when for when, _ in scene.looks[:5]] == [300.0, 600.0, 900.0, 1200.0, 1500.0]
    assert not scene.news
    assert not scene.watch.needs_restart


def test_a_laptop_that_moves_is_checked_at_once_and_twice_before_it_starts_again() -> None:
    scene = WatchScene(is_open=True)
    scene.go_on(100)
    scene.own, scene.observed, scene.is_open = "192.168.7.2", ABROAD, False
    scene.go_on(100)
    first, second = scene.checks()
    assert first <= 110.0
    assert second - first >= 60.0
    assert [reach for _, reach in scene.news] == [Reach.OUTGOING]
    assert scene.watch.needs_restart


def test_an_address_that_the_provider_changes_is_noticed_within_minutes() -> None:
    scene = WatchScene(is_open=True)
    scene.observed = ABROAD
    scene.go_on(310)
    assert [reach for _, reach in scene.news] == [Reach.DIRECT]
    assert scene.watch.found.observed == ABROAD
    assert scene.watch.needs_restart, "it announces an address that is another's now"


def test_a_check_that_fails_by_chance_changes_nothing() -> None:
    scene = WatchScene(is_open=True)
    scene.go_on(1790)
    scene.is_open = False
    scene.go_on(20)
    scene.is_open = True
    scene.go_on(3600)
    assert not scene.news
    assert scene.checks()[:2] == [1800.0, 1860.5]


def test_a_port_that_was_forwarded_meanwhile_counts_after_an_hour() -> None:
    scene = WatchScene()
    scene.is_open = True
    scene.go_on(3590)
    assert [reach for _, reach in scene.news] == [Reach.DIRECT]
    assert not scene.watch.needs_restart
    scene.go_on(20)
    assert scene.watch.needs_restart


@pytest.mark.parametrize(
    ("own6", "by_ip6"),
    [
        ("2a00::8", ReachByIp6("2a00::8", False, ("2a00::8", PORT))),
        ("2a01::7", None),
    ],
    ids=["in the same network", "in another one"],
)
def test_another_address_of_ip6_is_told_after_an_hour(own6: str, by_ip6: ReachByIp6 | None) -> None:
    scene = WatchScene(own6="2a00::7")
    scene.go_on(100)
    scene.own6 = own6
    scene.go_on(100)
    assert scene.watch.found.by_ip6 == by_ip6
    assert not scene.watch.needs_restart
    scene.go_on(3600)
    assert scene.watch.needs_restart


def test_a_laptop_that_moves_is_told_where_it_is_once_its_entrances_answer() -> None:
    scene = WatchScene()
    scene.go_on(100)
    scene.own, scene.observed = "192.168.7.2", None
    adrift = []
    for observed, seconds in ((None, 2), (None, 60), (ABROAD, 20)):
        scene.observed = observed
        scene.go_on(seconds)
        adrift.append(scene.watch.is_adrift)
    assert adrift == [True, True, False], "nobody reaches it at the old place"
    assert len(scene.checks()) >= 4
    assert scene.watch.found.observed == ABROAD
    asked = len(scene.looks)
    scene.go_on(200)
    assert len(scene.looks) == asked


def test_a_move_that_no_entrance_can_tell_of_counts_for_some_minutes_alone() -> None:
    scene = WatchScene(is_open=True)
    scene.go_on(100)
    scene.own, scene.observed = "192.168.7.2", None
    scene.go_on(500)
    assert scene.watch.is_adrift
    scene.go_on(110)
    assert not scene.watch.is_adrift, "the entrances may be gone for good"


def test_a_peer_that_no_entrance_ever_told_of_is_not_adrift() -> None:
    scene = WatchScene(observed=None)
    scene.go_on(100)
    scene.own = "192.168.7.2"
    scene.go_on(100)
    assert not scene.watch.is_adrift


def test_answers_by_ip6_say_nothing_of_ip4_before_a_move() -> None:
    scene = WatchScene(is_open=True)
    scene.observed, scene.is_open = "2a00::7", False
    scene.go_on(4000)
    assert not scene.news
    scene.own = "192.168.7.2"
    scene.go_on(100)
    assert [reach for _, reach in scene.news] == [Reach.OUTGOING]
    assert scene.watch.needs_restart


def test_entrances_that_are_gone_change_nothing() -> None:
    scene = WatchScene(is_open=True)
    scene.observed = None
    scene.go_on(8000)
    assert not scene.news
    assert not scene.watch.needs_restart


def test_a_peer_that_could_not_be_checked_is_checked_sooner() -> None:
    scene = WatchScene(is_open=True, observed=None)
    assert scene.watch.found == Reachability(Reach.UNCHECKED, port=PORT)
    scene.observed = AT_HOME
    scene.go_on(400)
    assert scene.watch.needs_restart
