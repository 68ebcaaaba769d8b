"""A deputy reads the swarm in its turn, and asks for nothing more once its process is about to be stopped."""

import random
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest
from hivemind.utils import get_dht_time

from core.swarm.lookup.reader import KeyLook
from core.swarm.membership.deputies import DEPUTY_RULES
from core.swarm.membership.progress import ProgressTracker
from core.swarm.membership.summariser import DeputyTerm, Summariser
from core.swarm.membership.summarising import summarise
from tests.core.swarm.builders import HandClock, identity, progress
from tests.waiting import wait_until

PREFIX, LEVEL = "tiny", 5
ENTRANCE, OWN = identity(1), identity(2)
OWN_ID = OWN.peer_id.to_bytes()
AT_ONCE = 8


class SlowDHT:
    """Stands in for a DHT that answers a summariser's questions when a test wants it, and all others at once."""

    initial_peers = (f"/ip4/127.0.0.1/tcp/1/p2p/{ENTRANCE.peer_id.to_base58()}",)

    def __init__(self) -> None:
        self.open, self.asked = list["Future[Any]"](), 0
        self.summaries = list[dict[str, Any]]()

    def get(self, key: str, latest: bool, return_future: bool) -> "Future[Any]":
        future = Future[Any]()
        if threading.current_thread().name != "summariser":
            future.set_result(SimpleNamespace(value={}))
            return future
        self.asked += 1
        self.open.append(future)
        return future

    def answer_all(self) -> None:
        while self.open:
            self.open.pop().set_result(SimpleNamespace(value={}))

    def run_coroutine(self, work: Any, return_future: bool) -> "Future[Any]":
        future = Future[Any]()
        is_pull = "deputies" in work.keywords
        future.set_result((self.summaries, True) if is_pull else KeyLook(None, is_answered=True))
        return future

    def is_alive(self) -> bool:
        return True


class DeputyTurn:
    """The turn of a deputy, which a test begins and ends."""

    is_due = True


@pytest.fixture
def scene() -> Iterator[tuple[SlowDHT, DeputyTurn, Summariser]]:
    dht, turn = SlowDHT(), DeputyTurn()
    term = DeputyTerm(lambda: turn.is_due, lambda: LEVEL)
    summariser = Summariser(dht, PREFIX, OWN, seconds=0.01, term=term)
    yield dht, turn, summariser
    summariser.stop()


def test_a_deputy_reads_nothing_until_it_has_its_turn(scene: tuple[SlowDHT, DeputyTurn, Summariser]) -> None:
    dht, turn, summariser = scene
    turn.is_due = False
    summariser.start()
    summariser.start()
    turn.is_due = True
    wait_until(lambda: dht.asked > 0, "it does not begin")


def test_a_deputy_that_rests_waits_for_what_it_has_asked_for_and_asks_for_no_more(
    scene: tuple[SlowDHT, DeputyTurn, Summariser],
) -> None:
    dht, _, summariser = scene
    assert not summariser.is_quiet
    summariser.start()
    wait_until(lambda: dht.asked == AT_ONCE, "it does not read")
    summariser.rest()
    assert not summariser.is_quiet
    dht.answer_all()
    wait_until(lambda: summariser.is_quiet, "it does not end its reading")
    assert dht.asked == AT_ONCE
    summariser.resume()
    wait_until(lambda: dht.asked > AT_ONCE, "it does not read again")


def test_a_tracker_is_quiet_once_the_peers_work_as_a_deputy_is() -> None:
    clock, dht = HandClock(), SlowDHT()
    others = [progress(number, time=clock.now, reducing=False) for number in range(1, 100)]
    own = progress(peer_id=OWN_ID, time=clock.now)
    writer = ENTRANCE.peer_id.to_bytes()
    summary = summarise([own, *others], peer_id=writer, level=LEVEL, now=clock.now, chance=random.Random(1))
    dht.summaries = [summary.pack()]
    tracker = ProgressTracker(dht, PREFIX, OWN.owner, 64, deputy=OWN, clock=clock, dht_clock=clock)
    try:
        tracker.start(lambda: own.model_copy(update={"time": clock.now}))
        wait_until(lambda: tracker.view is not None and bool(tracker.view.others), "it knows no summary")
        assert dht.asked == 0
        clock.now += DEPUTY_RULES.fresh_seconds + 1.0
        tracker.publish()
        wait_until(lambda: dht.asked == AT_ONCE, "it does not read the swarm")
        tracker.rest()
        wait_until(lambda: tracker._rests_begun == tracker._rests_asked, "its looks do not rest")
        assert not tracker.is_quiet
        dht.answer_all()
        wait_until(lambda: tracker.is_quiet, "it does not rest")
    finally:
        dht.answer_all()
        tracker.stop()


def test_entrances_take_turns_so_that_all_together_sign_as_often_as_one() -> None:
    others = [progress(number, time=get_dht_time()) for number in range(1, 100)]
    dht, writers = SlowDHT(), [identity(number).peer_id.to_bytes() for number in (1, 2)]
    summariser = Summariser(dht, PREFIX, OWN, level_of=lambda peers, present: LEVEL)
    assert summariser._sharing == 1
    dht.summaries = [
        summarise(others, peer_id=peer, level=LEVEL, now=get_dht_time(), chance=random.Random(1)).pack()
        for peer in writers
    ]
    summariser._reader.levels.change(LEVEL, 0.0)
    summariser._reader._follow_summaries(0.0)
    assert summariser._sharing == 2, "this peer, and the other by which one enters"
