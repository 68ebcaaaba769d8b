"""An observer on real nodes sees all records of a small swarm; of a large one the summary, and drawn shards."""

import asyncio
import random
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import hivemind
import pytest

from core.swarm.dht import Network, start_dht
from core.swarm.membership.cohorts import Cohort
from core.swarm.membership.observing import AuditRate, ObservedSwarm, SwarmObserver
from core.swarm.membership.summariser import Summariser
from core.swarm.membership.swarm_view import peers_of
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.summaries import SummaryRecord
from tests.core.swarm.builders import HandClock
from tests.core.swarm.membership.looking_members import (
    LEVEL,
    PREFIX,
    LookingMember,
    learn,
    looking_members,
    summariser_of,
)
from tests.waiting import DEADLINE

ONE_SHARD = AuditRate(shards=1, seconds=30.0)


class LookingObserver:
    """An observer at a node that nobody can connect to, whose clock a test sets."""

    def __init__(self, folder: Path, entrance: LookingMember) -> None:
        known = tuple(map(str, entrance.dht.get_visible_maddrs()))
        identity = PeerIdentity.load_or_create(folder / "observer")
        network = Network(initial_peers=known, client_mode=True, check_identity=False)
        self.dht: hivemind.DHT = start_dht(network, identity, prefix=PREFIX, total_epochs=200)
        self.clock = HandClock()
        self.observer = SwarmObserver(
            self.dht, PREFIX, rate=ONE_SHARD, clock=self.clock, chance=random.Random(5)
        )

    def look(self, later: float = 0.0) -> ObservedSwarm:
        self.clock.now += later
        found: ObservedSwarm = within(self.observer.look())
        return found

    def find_the_level(self) -> None:
        """Look until the level is known, each time with a call for summaries."""

        async def find() -> None:
            async with asyncio.timeout(DEADLINE):
                while not self.observer.level:
                    await self.observer.look()
                    self.clock.now += 61.0

        within(find())


def within(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, DEADLINE))


@pytest.fixture(scope="module")
def members(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[LookingMember]]:
    with looking_members(tmp_path_factory.mktemp("members")) as made:
        yield made


@pytest.fixture(scope="module")
def summariser(members: list[LookingMember]) -> Summariser:
    return summariser_of(members)


@pytest.fixture
def observing(members: list[LookingMember], tmp_path: Path) -> Iterator[LookingObserver]:
    made = LookingObserver(tmp_path, members[0])
    yield made
    made.dht.shutdown()


def ids_of(members: list[LookingMember]) -> set[bytes]:
    return {item.identity.peer_id.to_bytes() for item in members}


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
        shard = [item for item in members if reading.covers(item.identity.peer_id.to_bytes())]
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
