"""An observer on real nodes sees all records of a small swarm; of a large one the summary, and drawn shards."""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.swarm.membership.cohorts import Cohort
from core.swarm.membership.deputies import DEPUTY_RULES
from core.swarm.membership.observing import AuditRate, ObservedSwarm, SwarmObserver
from core.swarm.membership.summariser import Summariser
from core.swarm.membership.swarm_view import peers_of
from core.swarm.wire.summaries import SummaryRecord
from tests.core.swarm.builders import HandClock
from tests.core.swarm.membership.listed_dht import PREFIX as LISTED
from tests.core.swarm.membership.listed_dht import ListedDHT
from tests.core.swarm.membership.looking_members import (
    LEVEL,
    ONE_SHARD,
    LookingMember,
    LookingObserver,
    learn,
    within,
)
from tests.waiting import DEADLINE


@pytest.fixture
def observing(members: list[LookingMember], tmp_path: Path) -> Iterator[LookingObserver]:
    made = LookingObserver(tmp_path, members[0])
    yield made
    made.dht.shutdown()


def ids_of(members: list[LookingMember]) -> set[bytes]:
    return {item.peer_id for item in members}


def test_all_records_of_a_small_swarm_are_read_at_each_look(
    members: list[LookingMember], observing: LookingObserver
) -> None:
    """This is the first test: the swarm of the module is small until a summary is made."""
    for member in members:
        member.look()
    found = observing.look()
    assert {item.peer_id for item in found.peers} == ids_of(members)
    (reading,) = found.readings
    assert (reading.level, reading.records) == (0, tuple(found.peers))
    assert all(map(reading.covers, ids_of(members)))
    members[1].looks.leave(members[1].record(leaving=True), DEADLINE)
    assert {item.peer_id for item in observing.look().peers} == ids_of(members) - ids_of(members[1:2])


def test_a_large_swarm_is_known_by_its_summary_and_shards_are_drawn_now_and_then(
    members: list[LookingMember], summariser: Summariser, observing: LookingObserver
) -> None:
    learn(members, summariser)
    learn(members, summariser)
    observing.find_the_level()
    found = observing.look(later=30.0)
    assert all(isinstance(item, Cohort) for item in found.peers)
    assert peers_of(found.peers) == len(members)
    assert not found.readings, "peers learn of the level one after another"
    for member in members:
        member.look()
    seen = set()
    (reading,) = observing.look(later=121.0).readings
    for _ in range(20):
        shard = [item for item in members if reading.covers(item.peer_id)]
        assert reading.level == LEVEL
        assert {item.peer_id for item in reading.records} == ids_of(shard), "its records, and no others"
        seen.add(reading.shard)
        assert not observing.look(later=ONE_SHARD.seconds - 1.0).readings, "it is not due"
        (reading,) = observing.look(later=1.0).readings
    assert seen == {0, 1}, "each comes at some time"


def test_a_shard_that_is_wanted_is_read_beside_the_one_that_is_drawn(
    members: list[LookingMember], summariser: Summariser, observing: LookingObserver
) -> None:
    learn(members, summariser)
    observing.find_the_level()
    for member in members:
        member.look()
    observing.look(later=121.0)
    for _ in range(5):
        observing.observer.want(ids_of(members))
        read = [reading.shard for reading in observing.look(later=ONE_SHARD.seconds).readings]
        assert sorted(read) == [0, 1]
        assert len(observing.look(later=ONE_SHARD.seconds).readings) == 1, "it is wanted once"


def test_a_summary_that_drawn_shards_contradict_is_not_believed(
    members: list[LookingMember],
    summariser: Summariser,
    observing: LookingObserver,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learn(members, summariser)
    observing.find_the_level()
    checked = list[int]()

    def contradicts(summary: SummaryRecord, drawn: list[Any], shards: int) -> str:
        checked.append(len(drawn))
        return f"{shards} shard says so"

    monkeypatch.setattr("core.swarm.membership.summary_choice.contradiction", contradicts)
    found = observing.look(later=121.0)
    assert checked == [len(found.readings[0].records)]
    assert {item.peers for item in found.peers} == {1 << LEVEL}, "the shard stands for all"
    assert {item.peer_id for item in found.peers} == {item.peer_id for item in found.readings[0].records}


def test_an_unanswered_look_can_be_broken_off(observing: LookingObserver) -> None:
    """As the recorder ends in the middle of a look."""

    async def scenario() -> None:
        look = asyncio.create_task(observing.observer.look())
        await asyncio.sleep(0)
        look.cancel()
        with pytest.raises(asyncio.CancelledError):
            await look

    within(scenario())
    assert observing.look().peers is not None


class UnsummarisedScene:
    """An observer of a swarm of so many peers that no entrance summarises truly, by the clock of its DHT."""

    def __init__(self, peers: int, level: int = 0) -> None:
        self.clock = HandClock()
        self.dht = ListedDHT(self.clock, peers, level)
        self.observer = SwarmObserver(
            self.dht, LISTED, clock=self.clock, dht_clock=self.clock, chance=random.Random(1)
        )

    def look(self, *, told: int | None = None) -> ObservedSwarm:
        """Look ten seconds later, while an entrance tells of so many peers at level 0."""
        self.clock.now += 10.0
        if told is not None:
            self.dht.summaries = [self.dht.summary(told, 0)]
        found: ObservedSwarm = within(self.observer.look())
        return found

    def follows_after(self, seconds: float, *, told: int | None = None) -> float | None:
        """Return the seconds after which it has left level 0."""
        began = self.clock.now
        while self.clock.now < began + seconds:
            self.look(told=told)
            if self.observer.level:
                return self.clock.now - began
        return None


def test_an_observer_that_hears_nothing_finds_the_peers_and_audits_once_that_is_settled() -> None:
    scene = UnsummarisedScene(300, level=4)
    assert scene.follows_after(240.0) is not None
    assert scene.observer.level == 4
    looks = [scene.look() for _ in range(20)]
    assert all(150 <= peers_of(look.peers) <= 600 for look in looks), "drawn shards stand for all"
    settled = int(AuditRate().settled_seconds / 10.0)
    assert not any(look.readings for look in looks[: settled - 1])
    assert any(look.readings for look in looks[settled:])


def test_an_observer_does_not_believe_that_a_swarm_in_shards_is_small() -> None:
    after = UnsummarisedScene(300, level=4).follows_after(3600.0, told=40)
    assert after is not None
    assert after >= 180.0


def test_an_observer_of_a_swarm_without_any_summary_admits_deputies_as_its_peers_do() -> None:
    scene = UnsummarisedScene(100)
    assert scene.follows_after(DEPUTY_RULES.present_seconds) is None
    assert not scene.dht.admitted
    assert scene.follows_after(200.0) is None
    assert len(scene.dht.admitted) >= DEPUTY_RULES.deputies
