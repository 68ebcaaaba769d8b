"""A trainer reports how it is reached, and ends once it has to start again for that."""

from concurrent.futures import Future

from core.messages.events import Event
from core.messages.reach import Reach, ReachChanged, ReachFound
from core.swarm.reach.meeting import MeetingState
from core.trainer.reach import NetworkWatch, ReachReports
from tests.core.swarm.reach.watch_scene import ABROAD, AT_HOME, PORT, WatchScene


def at_once(state: MeetingState) -> "Future[MeetingState]":
    looked: Future[MeetingState] = Future()
    looked.set_result(state)
    return looked


def test_it_reports_the_start_and_each_change_and_then_wants_to_start_again() -> None:
    scene, events, published = WatchScene(is_open=True), list[Event](), list[Reach]()
    watch = NetworkWatch(scene.watch, lambda: at_once(MeetingState()), scene.clock)
    reports = ReachReports(watch, events.append, published.append)
    assert events == [ReachFound(reach=Reach.DIRECT, port=PORT, address=AT_HOME)]
    assert not reports.must_restart()
    scene.observed, scene.is_open = ABROAD, False
    while not reports.must_restart():
        scene.clock.now += 1.0
        assert scene.clock.now < 600, "it never notices"
    assert events[1:] == [
        ReachFound(reach=Reach.OUTGOING, port=PORT, address=ABROAD),
        ReachChanged(reach=Reach.OUTGOING),
    ]
    assert published == [Reach.DIRECT, Reach.OUTGOING]


def test_one_that_has_moved_is_reached_by_nobody_until_an_entrance_has_told_where_it_is() -> None:
    """Its old address and its places at relays are still there, but lead nowhere."""
    scene = WatchScene(is_open=True)
    watch = NetworkWatch(scene.watch, lambda: at_once(MeetingState(relays=2)), scene.clock)
    found = []
    for observed in (None, ABROAD):
        scene.own, scene.observed = "192.168.7.2", observed
        for _ in range(30):
            watch.turn()
            scene.clock.now += 1.0
        found.append(watch.reach)
    assert found == [Reach.OUTGOING, Reach.DIRECT]


def test_it_reports_that_a_relay_passes_connections_to_it_and_that_it_is_gone() -> None:
    scene, events, published = WatchScene(is_open=False), list[Event](), list[Reach]()
    states = [MeetingState(), MeetingState(relays=1), MeetingState(relays=1), MeetingState()]
    watch = NetworkWatch(scene.watch, lambda: at_once(states.pop(0)), scene.clock)
    reports = ReachReports(watch, events.append, published.append)
    while states:
        assert not reports.must_restart()
        scene.clock.now += 1.0
    reports.must_restart()
    assert published == [Reach.OUTGOING, Reach.RELAYED, Reach.OUTGOING]
    assert [event.reach for event in events if isinstance(event, ReachFound)] == published


def test_one_that_was_not_to_find_out_reports_nothing() -> None:
    events = list[Event]()
    assert not ReachReports(None, events.append, lambda reach: None).must_restart()
    assert events == []
