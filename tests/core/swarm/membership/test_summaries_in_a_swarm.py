"""Real nodes on loopback: a summariser reads the shards, and peers know the swarm by what they pass on."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import hivemind
import pytest
from hivemind.utils import get_dht_time

from core.swarm.dht import Network, start_dht
from core.swarm.lookup import gossip
from core.swarm.membership.looks import SwarmLook, SwarmLooks
from core.swarm.membership.shards import ShardReader
from core.swarm.membership.summariser import Summariser
from core.swarm.membership.swarm_view import peers_of
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.summaries import shard_of
from tests.core.swarm.builders import HandClock, progress
from tests.waiting import wait_until

PREFIX = "tiny-0123456789abcdef-0"
LEVEL = 1
ANSWER_SECONDS = 20.0


def identity_in_shard(shard: int, file: Path) -> PeerIdentity:
    """Return a new identity whose record lies in that shard: members share them out evenly."""
    while shard_of((made := PeerIdentity.load_or_create(file)).peer_id.to_bytes(), LEVEL) != shard:
        file.unlink()
    return made


class LookingMember:
    """A peer of which there are a node, its record and its looks."""

    def __init__(
        self, folder: Path, number: int, entrance: "LookingMember | None", *, client_mode: bool = False
    ) -> None:
        known = tuple(map(str, entrance.dht.get_visible_maddrs())) if entrance else ()
        network = Network(initial_peers=known, client_mode=client_mode, check_identity=False)
        self.identity = identity_in_shard(number % (1 << LEVEL), folder / f"identity-{number}")
        self.dht: hivemind.DHT = start_dht(network, self.identity, prefix=PREFIX, total_epochs=200)
        self.clock = HandClock()
        self.looks = SwarmLooks(
            self.dht, PREFIX, self.identity.owner, answer_seconds=ANSWER_SECONDS, clock=self.clock
        )

    def record(self, **changed: object) -> ProgressRecord:
        return progress(
            peer_id=self.identity.peer_id.to_bytes(),
            **{"time": get_dht_time(), "samples": 10, "samples_per_second": 0.0, **changed},
        )

    def look(self, *, publishes: bool = True, **changed: object) -> SwarmLook:
        self.clock.now += 130.0 if publishes else 1.0
        return self.looks.look(self.record(**changed), publishes=publishes)


@pytest.fixture(scope="module")
def members(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[LookingMember]]:
    """An entrance, two peers that others can connect to, and one in a home."""
    folder, made = tmp_path_factory.mktemp("members"), list[LookingMember]()
    try:
        for number in range(4):
            made.append(LookingMember(folder, number, made[0] if made else None, client_mode=number == 3))
        yield made
    finally:
        for member in made:
            member.dht.shutdown()


def always(level: int) -> Callable[[int, int], int]:
    return lambda peers, present: level


@pytest.fixture(scope="module")
def summariser(members: list[LookingMember]) -> Summariser:
    return Summariser(members[0].dht, PREFIX, members[0].identity, level_of=always(LEVEL))


def learn(members: list[LookingMember], summariser: Summariser) -> list[SwarmLook]:
    """Have all publish, a summary made, and all look until they know one that is no older."""
    for member in members:
        member.look()
    made_at = get_dht_time()
    summariser.turn()
    found = list[SwarmLook]()
    for member in members:
        wait_until(partial(_knows_newer, member, made_at), "a summary is not passed on")
        found.append(member.look(publishes=False))
    return found


def _knows_newer(member: LookingMember, time: float) -> bool:
    values, _ = gossip.pull(member.dht).result(timeout=ANSWER_SECONDS)
    return any(value["time"] >= time for value in values)


def test_peers_of_a_large_swarm_know_it_by_its_summary(
    members: list[LookingMember], summariser: Summariser
) -> None:
    learn(members, summariser)  # which says where records are to be stored
    looks = learn(members, summariser)
    for member, look in zip(members, looks, strict=True):
        assert look.is_summary
        assert look.is_answered
        assert member.looks.level == LEVEL
        assert peers_of(look.others) == len(members) - 1
        assert sum(item.samples for item in look.others) == 10 * (len(members) - 1)


def test_one_who_comes_later_finds_the_shards(
    members: list[LookingMember], summariser: Summariser, tmp_path: Path
) -> None:
    learn(members, summariser)
    newcomer = LookingMember(tmp_path, 9, members[0], client_mode=True)
    try:
        wait_until(lambda: newcomer.look().is_summary, "the summary is not found")
        assert newcomer.looks.level == LEVEL
        reader = ShardReader(newcomer.dht, PREFIX, level_of=always(LEVEL))
        expected = {item.identity.peer_id.to_bytes() for item in (*members, newcomer)}
        wait_until(lambda: {item.peer_id for item in reader.read()} == expected, "not all are found")
    finally:
        newcomer.dht.shutdown()


def test_a_reader_that_begins_late_learns_the_level_from_a_summary(
    members: list[LookingMember], summariser: Summariser
) -> None:
    learn(members, summariser)
    reader = ShardReader(members[2].dht, PREFIX, level_of=lambda peers, present: present)
    wait_until(lambda: len(reader.read()) == len(members), "the shards are not found")
    assert reader.levels.present == LEVEL


def test_shards_are_found_when_all_summaries_have_expired(
    members: list[LookingMember], tmp_path: Path
) -> None:
    for member in members:
        member.look()
    newcomer = LookingMember(tmp_path, 8, members[0])
    try:
        reader = ShardReader(newcomer.dht, PREFIX, level_of=lambda peers, present: present)
        reader._asker.answered = list  # type: ignore[method-assign]
        assert len(reader.read()) == len(members)
        assert reader.levels.present == LEVEL
    finally:
        newcomer.dht.shutdown()


def test_a_reading_of_far_fewer_peers_is_not_believed_at_once(members: list[LookingMember]) -> None:
    reader = ShardReader(members[0].dht, PREFIX, level_of=always(LEVEL))
    reader._last = [progress(number, time=get_dht_time()) for number in range(100)]
    assert [len(reader.read()) for _ in range(3)] == [100] * 3
    assert len(reader.read()) == len(members)


def test_only_those_by_whom_one_has_entered_are_believed(
    members: list[LookingMember], summariser: Summariser
) -> None:
    liar = Summariser(members[1].dht, PREFIX, members[1].identity, level_of=always(LEVEL))
    learn(members, summariser)
    liar.turn()
    for _ in range(6):
        gossip.pull(members[2].dht).result(timeout=ANSWER_SECONDS)
    values, _ = gossip.pull(members[2].dht).result(timeout=ANSWER_SECONDS)
    assert [value["peer_id"] for value in values] == [members[0].identity.peer_id.to_bytes()]


def test_without_a_new_summary_a_peer_draws_a_sample_of_its_own(
    members: list[LookingMember], summariser: Summariser, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn(members, summariser)
    monkeypatch.setattr("core.swarm.membership.summary_choice._FRESH_SECONDS", -1.0)
    for member in members:
        member.look()
    for member in members:
        look = member.look()
        assert look.is_summary
        assert all(item.peers == 1 << LEVEL for item in look.others)
