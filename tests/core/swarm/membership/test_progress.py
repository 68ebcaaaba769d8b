"""A peer publishes its record and looks at the others', whatever the DHT's process does."""

import time
from concurrent.futures import Future
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from hivemind.utils import get_dht_time

from core.swarm.lookup.reader import KeyLook
from core.swarm.membership.progress import ProgressTracker
from core.swarm.membership.swarm_view import SwarmView
from tests.core.swarm.builders import HandClock, progress
from tests.waiting import wait_until

NOW = 1000.0
OWN = progress(0)


class HurriedAnswer:
    """The answer to a process that was stopped: not to be had by one long wait, but by a second look."""

    looks = 0

    def result(self, timeout: float) -> KeyLook:
        self.looks += 1
        if timeout > 1.0 or self.looks == 1:
            raise TimeoutError
        return KeyLook(None, is_answered=True)

    def done(self) -> bool:
        return False


class ResumedDHT:
    """Stands in for the DHT of a peer that was stopped while it asked."""

    initial_peers = ()

    def run_coroutine(self, work: Any, return_future: bool) -> HurriedAnswer:
        return HurriedAnswer()

    def is_alive(self) -> bool:
        return True


def test_peers_that_are_ignored_for_a_while_stay_in_sight() -> None:
    tracker = ProgressTracker(ResumedDHT(), "tiny", b"owner", 64)
    one, other = progress(1), progress(2)
    tracker.view = SwarmView(NOW, (one, other))
    tracker.set_aside([one.peer_id], 60.0)
    assert tracker.view == SwarmView(NOW, (other,), aside=(one,))
    tracker.set_aside([other.peer_id], 60.0)
    assert tracker.view == SwarmView(NOW, aside=(other, one))


def test_how_long_peers_are_ignored_is_not_a_matter_of_the_computers_clock() -> None:
    clock, one, other = HandClock(), progress(1), progress(2)
    tracker = ProgressTracker(ResumedDHT(), "tiny", b"owner", 64, clock=clock)
    tracker.view = SwarmView(NOW, (one, other))
    tracker.set_aside([one.peer_id], 60.0)
    clock.now += 61.0
    tracker.set_aside([other.peer_id], 60.0)
    assert tracker.view == SwarmView(NOW, (one,), aside=(other,))


def test_a_stop_while_the_dht_is_asked_does_not_count_as_silence() -> None:
    tracker = ProgressTracker(ResumedDHT(), "tiny", b"owner", 64, answer_seconds=20.0)
    tracker.start(lambda: OWN)
    wait_until(lambda: tracker.view is not None, "the answer that is there is not read")
    tracker.stop()


class FailingDHT(ResumedDHT):
    """Stands in for a DHT whose first look ends with an error of a kind that nobody foresaw."""

    def __init__(self, *, alive: bool) -> None:
        self.looks, self.alive = 0, alive

    def run_coroutine(self, work: Any, return_future: bool) -> HurriedAnswer:
        self.looks += 1
        if self.looks == 1:
            raise LookupError("a kind of error that nobody foresaw")
        return HurriedAnswer()

    def is_alive(self) -> bool:
        return self.alive


def test_a_look_that_fails_is_not_the_last_one() -> None:
    tracker = ProgressTracker(FailingDHT(alive=True), "tiny", b"owner", 64)
    tracker.start(lambda: OWN)
    wait_until(lambda: tracker.view is not None, "the peer no longer looks")
    assert not tracker.lost
    tracker.stop()


def test_a_peer_is_lost_once_a_look_fails_as_the_process_is_dead() -> None:
    tracker = ProgressTracker(FailingDHT(alive=False), "tiny", b"owner", 64)
    tracker.start(lambda: OWN)
    wait_until(lambda: tracker.lost, "the end of the process goes unnoticed")


def answered(result: object) -> "Future[Any]":
    future = Future[Any]()
    future.set_result(result)
    return future


class SeveredDHT:
    """Stands in for a DHT that knows a trainer until its line is cut, and nobody then."""

    cut, answers, initial_peers = False, True, ()

    def run_coroutine(self, work: Any, return_future: bool) -> "Future[Any]":
        record = progress(1, time=get_dht_time()).model_dump()
        found = None if self.cut else SimpleNamespace(value={b"other": SimpleNamespace(value=record)})
        return answered(KeyLook(found, is_answered=self.answers))

    def is_alive(self) -> bool:
        return True


def test_a_trainer_that_was_there_is_missed_once_the_swarm_is_out_of_reach() -> None:
    dht = SeveredDHT()
    tracker = ProgressTracker(dht, "tiny", b"owner", 64, ask_in_reach=lambda: answered(not dht.cut))
    tracker.start(lambda: OWN)
    wait_until(lambda: tracker.view is not None and len(tracker.view.others) == 1, "it sees no trainer")
    assert tracker.view is not None
    assert tracker.view.missed == 0
    dht.cut = True
    tracker.publish()
    wait_until(lambda: tracker.view is not None and tracker.view.missed == 1, "it misses nobody")
    tracker.set_aside([], 60.0)
    assert (tracker.view.others, tracker.view.missed) == ((), 1)
    tracker.stop()


def test_a_trainer_is_missed_while_no_node_answers_though_some_are_known() -> None:
    dht = SeveredDHT()
    tracker = ProgressTracker(dht, "tiny", b"owner", 64, ask_in_reach=lambda: answered(True))
    tracker.start(lambda: OWN)
    wait_until(lambda: tracker.view is not None and len(tracker.view.others) == 1, "it sees no trainer")
    dht.cut, dht.answers = True, False
    tracker.publish()
    wait_until(lambda: tracker.view is not None and tracker.view.missed == 1, "it misses nobody")
    tracker.stop()


class RenewingDHT:
    """Stands in for a DHT with three trainers that renew their records, by clocks that differ from this one."""

    ahead, initial_peers = 0.0, ()

    def run_coroutine(self, work: Any, return_future: bool) -> "Future[Any]":
        records = [progress(number, time=get_dht_time() + self.ahead) for number in (1, 2, 3)]
        value = {record.peer_id: SimpleNamespace(value=record.model_dump()) for record in records}
        return answered(KeyLook(SimpleNamespace(value=value), is_answered=True))

    def is_alive(self) -> bool:
        return True


@pytest.mark.parametrize(("ahead", "words"), [(20.0, "behind"), (-20.0, "ahead of")])
def test_a_peer_whose_clock_was_set_misses_the_others_and_says_why(
    ahead: float, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    dht = RenewingDHT()
    tracker = ProgressTracker(dht, "tiny", b"owner", 64, ask_in_reach=lambda: answered(True))
    tracker.start(lambda: OWN)
    wait_until(lambda: tracker.view is not None and len(tracker.view.others) == 3, "it sees no trainer")
    dht.ahead = ahead
    tracker.publish()
    wait_until(lambda: tracker.view is not None and not tracker.view.others, "their times are right")
    assert tracker.view is not None
    assert tracker.view.missed == 3
    assert f"seconds {words} that of the swarm" in caplog.text
    dht.ahead = 0.0
    tracker.publish()
    wait_until(lambda: tracker.view is not None and len(tracker.view.others) == 3, "it sees no trainer again")
    assert tracker.view.missed == 0
    tracker.stop()


def test_peers_that_are_set_aside_during_a_look_are_ignored_by_its_view() -> None:
    one = progress(1).peer_id
    trackers = list[ProgressTracker]()

    def set_aside_and_answer() -> "Future[Any]":
        trackers[0].set_aside([one], 60.0)
        return answered(True)

    trackers.append(ProgressTracker(RenewingDHT(), "tiny", b"owner", 64, ask_in_reach=set_aside_and_answer))
    trackers[0].start(lambda: OWN)
    wait_until(lambda: trackers[0].view is not None, "it never looks")
    view = trackers[0].view
    assert view is not None
    assert [record.peer_id for record in view.aside] == [one]
    trackers[0].stop()


class GrowingDHT(RenewingDHT):
    """Stands in for a DHT in which at first nobody is, and then a swarm; it takes note of when what was promised."""

    def __init__(self) -> None:
        self.looks = list[tuple[float, float]]()

    def run_coroutine(self, work: Any, return_future: bool) -> "Future[Any]":
        if "value" not in work.keywords:
            return answered(([], True))  # there is no summary
        promised = work.keywords["value"]["looks_every"]
        self.looks.append((time.monotonic(), promised))
        number = 0 if len(self.looks) == 1 else 60
        records = [progress(item, time=get_dht_time()) for item in range(1, 1 + number)]
        value = {record.peer_id: SimpleNamespace(value=record.model_dump()) for record in records}
        return answered(KeyLook(SimpleNamespace(value=value), is_answered=True))


def test_a_peer_renews_its_record_as_soon_as_it_said_though_the_swarm_has_grown() -> None:
    dht = GrowingDHT()
    tracker = ProgressTracker(dht, "tiny", b"owner", 64)
    tracker.start(lambda: OWN)
    wait_until(lambda: len(dht.looks) >= 3, "it looks too seldom")
    tracker.stop()
    for (earlier, promised), (later, _) in pairwise(dht.looks[:3]):
        assert later - earlier < promised + 1.0
