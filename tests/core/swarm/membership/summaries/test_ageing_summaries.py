"""The tracker's view while a summary is fresh, is replaced, becomes stale and is gone, by clocks that a test sets."""

import random
from collections.abc import Iterator
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest

from core.swarm.lookup.reader import KeyLook
from core.swarm.membership.deputies import DEPUTY_RULES, drawn, roster_of
from core.swarm.membership.majority import leading_place
from core.swarm.membership.progress import ProgressTracker
from core.swarm.membership.summarising import summarise
from core.swarm.membership.swarm_view import SwarmView, peers_of
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.summaries import SummaryRecord, shard_of
from tests.core.swarm.builders import HandClock, digest_of, identity, peer_bytes, progress
from tests.waiting import wait_until

PREFIX, LEVEL, BEGAN = "tiny", 2, 5000.0
ENTRANCE, OWN = identity(1), identity(2)
OWN_ID = OWN.peer_id.to_bytes()
NUMBERS = range(1, 101)


def address_of(peer: Any) -> str:
    return f"/ip4/127.0.0.1/tcp/1/p2p/{peer.peer_id.to_base58()}"


class LargeSwarmDHT:
    """Stands in for the DHT of a swarm of 101, whose summaries and records a test sets."""

    initial_peers = (address_of(ENTRANCE),)

    def __init__(self, clock: HandClock) -> None:
        self.clock, self.epoch = clock, 7
        self.summaries = list[dict[str, Any]]()
        self.own: dict[str, Any] = {}
        self.admitted = frozenset[bytes]()

    def records(self) -> list[ProgressRecord]:
        head = digest_of("head") if self.epoch == 7 else digest_of(f"head {self.epoch}")
        return [progress(number, epoch=self.epoch, head=head, time=self.clock.now) for number in NUMBERS]

    def summary(self, level: int = LEVEL, writer: bytes = ENTRANCE.peer_id.to_bytes()) -> dict[str, Any]:
        records = [*self.records(), ProgressRecord.model_validate(self.own)] if self.own else self.records()
        made = summarise(records, peer_id=writer, level=level, now=self.clock.now, chance=random.Random(1))
        return made.pack()

    def run_coroutine(self, work: Any, return_future: bool) -> "Future[Any]":
        if "deputies" in work.keywords:
            self.admitted = work.keywords["deputies"].peers
            return answered((self.summaries, True))
        self.own = work.keywords["value"]
        shard = shard_of(OWN_ID, LEVEL)
        return answered(
            KeyLook(found([r for r in self.records() if shard_of(r.peer_id, LEVEL) == shard]), True)
        )

    def get(self, key: str, latest: bool, return_future: bool) -> "Future[Any]":
        shard = int(key.rpartition("_")[2])
        return answered(found([r for r in self.records() if shard_of(r.peer_id, LEVEL) == shard]))

    def is_alive(self) -> bool:
        return True


def answered(result: object) -> "Future[Any]":
    future = Future[Any]()
    future.set_result(result)
    return future


def found(records: list[ProgressRecord]) -> Any:
    return SimpleNamespace(
        value={record.peer_id: SimpleNamespace(value=record.model_dump()) for record in records}
    )


class AgeingScene:
    """A tracker, its DHT and the one clock of both, which stands between two turns."""

    def __init__(self) -> None:
        self.clock = HandClock()
        self.clock.now = BEGAN
        self.dht = LargeSwarmDHT(self.clock)
        self.tracker = ProgressTracker(
            self.dht, PREFIX, OWN.owner, 10_000, clock=self.clock, dht_clock=self.clock
        )
        self.dht.summaries = [self.dht.summary()]
        self.tracker.start(
            lambda: progress(peer_id=OWN_ID, epoch=self.dht.epoch, time=self.clock.now, head=self.head)
        )
        wait_until(lambda: self.tracker.view is not None, "it never looks")
        self.dht.summaries = [self.dht.summary()]  # which counts this peer as well
        self.look()

    @property
    def head(self) -> bytes:
        return self.dht.records()[0].head

    def look(self, seconds: float = 0.0) -> SwarmView:
        """Return the view of a look that begins so many seconds later."""
        self.clock.now += seconds
        before = self.tracker.view
        self.tracker.publish()
        wait_until(lambda: self.tracker.view is not before, "it does not look again")
        view = self.tracker.view
        assert view is not None
        return view


@pytest.fixture
def scene() -> Iterator[AgeingScene]:
    made = AgeingScene()
    yield made
    made.tracker.stop()


def is_summary(view: SwarmView) -> bool:
    """Return true if the view counts the peers of a summary, and not those of a shard times the shards."""
    shards = {shard_of(item.peer_id, LEVEL) for item in view.others}
    return peers_of(view.others) == len(NUMBERS) and len(shards) > 1


def sampled(view: SwarmView) -> int:
    """Return the number of records of the sample that the view is made of."""
    shard = shard_of(OWN_ID, LEVEL)
    drawn_ = [number for number in NUMBERS if shard_of(peer_bytes(number), LEVEL) == shard]
    assert {item.peer_id for item in view.others} <= {peer_bytes(number) for number in drawn_}
    assert peers_of(view.others) == len(view.others) << LEVEL
    return len(view.others)


def test_a_summary_counts_while_it_is_fresh_and_then_a_sample_does(scene: AgeingScene) -> None:
    first = scene.look(15.0)
    assert is_summary(first)
    assert first.trainers() == len(NUMBERS) + 1
    assert is_summary(scene.look(DEPUTY_RULES.fresh_seconds - 15.0)), "to the last second"
    later = scene.look(1.0)
    assert not is_summary(later)
    assert sampled(later) > 10


def test_a_summary_that_replaces_another_moves_the_view_on(scene: AgeingScene) -> None:
    assert leading_place(scene.look(60.0).others) == (7, digest_of("head"))
    scene.dht.epoch = 9
    scene.dht.summaries = [scene.dht.summary()]
    view = scene.look(15.0)
    assert is_summary(view)
    assert leading_place(view.others) == (9, digest_of("head 9"))


def test_an_older_summary_beside_a_newer_one_changes_nothing(scene: AgeingScene) -> None:
    older = scene.dht.summary()
    scene.clock.now += 30.0
    scene.dht.epoch = 8
    scene.dht.summaries = [scene.dht.summary(), older]
    assert leading_place(scene.look(1.0).others) == (8, digest_of("head 8"))


def test_a_summary_that_is_gone_is_known_until_it_is_stale_and_its_level_for_good(
    scene: AgeingScene,
) -> None:
    scene.dht.summaries = []
    assert is_summary(scene.look(60.0))
    for _ in range(3):
        assert sampled(scene.look(600.0)) > 10
    assert scene.tracker._swarm.level == LEVEL


def test_a_summary_that_comes_again_ends_the_sample(scene: AgeingScene) -> None:
    assert sampled(scene.look(700.0)) > 10
    scene.dht.summaries = [scene.dht.summary()]
    assert is_summary(scene.look(15.0))


def test_a_sample_is_as_old_as_two_minutes_at_most(scene: AgeingScene) -> None:
    scene.look(200.0)
    scene.dht.epoch = 8
    assert leading_place(scene.look(60.0).others) == (7, digest_of("head"))
    assert leading_place(scene.look(61.0).others) == (8, digest_of("head 8"))


def test_deputies_replace_a_stale_summary_and_make_room_for_a_fresh_one(scene: AgeingScene) -> None:
    roster = roster_of(SummaryRecord.model_validate(scene.dht.summaries[0]))
    scene.look(DEPUTY_RULES.fresh_seconds + 15.0)
    order = drawn(roster, PREFIX, scene.clock.now, DEPUTY_RULES)
    assert scene.dht.admitted == set(order)
    scene.dht.epoch = 8
    scene.dht.summaries = [scene.dht.summary(writer=peer) for peer in order[:2]]
    view = scene.look(15.0)
    assert is_summary(view)
    assert leading_place(view.others) == (8, digest_of("head 8"))
    scene.dht.epoch = 9
    scene.dht.summaries.append(scene.dht.summary())
    assert leading_place(scene.look(1.0).others) == (9, digest_of("head 9"))
    scene.look(1.0)
    assert scene.dht.admitted == frozenset()


def test_two_deputies_that_agree_on_a_place_where_nobody_is_are_found_out_at_once(scene: AgeingScene) -> None:
    roster = roster_of(SummaryRecord.model_validate(scene.dht.summaries[0]))
    scene.look(DEPUTY_RULES.fresh_seconds + 15.0)
    order = [peer for peer in drawn(roster, PREFIX, scene.clock.now, DEPUTY_RULES) if peer != OWN_ID]
    scene.dht.epoch = 9
    lies = [scene.dht.summary(writer=peer) for peer in order[:2]]
    scene.dht.epoch = 7
    scene.dht.summaries = [*lies, scene.dht.summary(writer=order[2])]
    view = scene.look(1.0)
    assert leading_place(view.others) == (7, digest_of("head"))
    assert is_summary(view), "the records that were drawn confirm the honest one"
    scene.look(1.0)
    assert not scene.dht.admitted & set(order[:2]), "they are passed on no more"
