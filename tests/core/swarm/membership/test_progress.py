"""A peer publishes its record and looks at the others', whatever the DHT's process does."""

from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

from hivemind.utils import get_dht_time

from core.swarm.lookup.reader import Look
from core.swarm.membership.progress import ProgressTracker
from core.swarm.membership.swarm_view import SwarmView
from tests.core.swarm.builders import HandClock, progress
from tests.waiting import wait_until

NOW = 1000.0
OWN = progress(0)


class HurriedAnswer:
    """The answer to a process that was stopped: not to be had by one long wait, but by a second look."""

    looks = 0

    def result(self, timeout: float) -> Look:
        self.looks += 1
        if timeout > 1.0 or self.looks == 1:
            raise TimeoutError
        return Look(None, is_answered=True)

    def done(self) -> bool:
        return False


class ResumedDHT:
    """Stands in for the DHT of a peer that was stopped while it asked."""

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

    cut, answers = False, True

    def run_coroutine(self, work: Any, return_future: bool) -> "Future[Any]":
        record = progress(1, time=get_dht_time()).model_dump()
        found = None if self.cut else SimpleNamespace(value={b"other": SimpleNamespace(value=record)})
        return answered(Look(found, is_answered=self.answers))

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
