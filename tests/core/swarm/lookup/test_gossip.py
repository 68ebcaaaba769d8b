"""Nodes pass on the records of entrances and of admitted deputies, and do not all ask an entrance that comes back."""

import random
from collections import Counter
from types import SimpleNamespace
from typing import Any

import msgpack
import pytest
from hivemind.dht.crypto import RSASignatureValidator
from hivemind.dht.validation import DHTRecord
from hivemind.p2p import PeerID

from core.swarm.lookup.gossip import AdmittedDeputies, GossipedRecords, GossipReader, next_turn
from core.swarm.lookup.news import KeptRecord, entries_in
from core.swarm.wire.identity import PeerIdentity
from tests.core.swarm.builders import HandClock, identity, peer_bytes

KEY = "tiny_summaries"
ENTRANCE, DEPUTY, STRANGER = (identity(number) for number in (1, 2, 3))
PULL_SECONDS, PERIOD = 15.0, 60.0


def node_of(own: PeerIdentity, clock: HandClock) -> GossipedRecords:
    rules = RSASignatureValidator(own.private_key)
    held = GossipedRecords(SimpleNamespace(record_validator=rules, authorizer=None), clock)
    held.begin(KEY, [ENTRANCE.peer_id])
    return held


def signed(writer: PeerIdentity, expiration: float) -> KeptRecord:
    made = node_of(writer, HandClock())
    made.sign(writer.owner, {"at": expiration}, expiration)
    (entry,) = made.held
    return entry


def expirations(records: GossipedRecords) -> list[float]:
    return sorted(entry[2] for entry in records.held)


def admitting(*deputies: PeerIdentity) -> AdmittedDeputies:
    return AdmittedDeputies(frozenset(item.peer_id.to_bytes() for item in deputies))


def test_records_of_deputies_are_held_while_they_are_admitted_and_of_strangers_never() -> None:
    node = node_of(identity(4), HandClock())
    entries = [signed(ENTRANCE, 600.0), signed(DEPUTY, 601.0), signed(STRANGER, 602.0)]
    node.take(entries)
    assert expirations(node) == [600.0]
    node.admit(admitting(DEPUTY))
    node.take(entries)
    assert expirations(node) == [600.0, 601.0]
    other = node_of(identity(5), HandClock())
    other.admit(admitting(DEPUTY))
    other.take(list(entries_in(node.answer_to(other.question()))))
    assert expirations(other) == [600.0, 601.0], "they are passed on"
    node.admit(AdmittedDeputies())
    assert expirations(node) == [600.0]


def test_nodes_of_older_programs_are_answered_as_they_expect() -> None:
    node, other = node_of(identity(4), HandClock()), node_of(identity(5), HandClock())
    node.take([signed(ENTRANCE, 600.0)])
    asked = other.question()
    del asked.in_cache[:]
    (result,) = node.answer_to(asked).results
    assert list(msgpack.unpackb(result.value)) == list(node.held[0])


def test_a_deputy_that_signs_too_often_is_passed_on_once_a_minute() -> None:
    node = node_of(identity(4), HandClock())
    node.admit(admitting(DEPUTY))
    for later in (600.0, 601.0, 630.0, 660.0):
        node.take([signed(DEPUTY, later), signed(ENTRANCE, later)])
    assert expirations(node) == [600.0, 660.0]
    node.take([signed(DEPUTY, 661.0)])
    assert expirations(node) == [660.0, 661.0]


def test_news_of_deputies_does_not_count_as_news_of_an_entrance() -> None:
    node = node_of(identity(4), HandClock())
    node.admit(admitting(DEPUTY))
    assert node.take([signed(DEPUTY, 600.0)]) == 0
    assert node.take([signed(ENTRANCE, 600.0)]) == 1


def test_a_forged_record_of_a_deputy_is_refused() -> None:
    node = node_of(identity(4), HandClock())
    node.admit(admitting(DEPUTY))
    subkey, value, expiration = signed(DEPUTY, 600.0)
    node.take([(subkey, value[:-10] + bytes(10), expiration)])
    assert not node.held
    assert not node._protocol.record_validator.validate(
        DHTRecord(b"key", msgpack.packb(subkey), value, expiration)
    )


# --- questions to an entrance ---


@pytest.mark.parametrize("now", [0.0, 7.5, 1e6])
def test_each_node_has_its_turn_once_in_a_period_and_all_share_it_evenly(now: float) -> None:
    turns = [next_turn(now, peer_bytes(number), PERIOD) - now for number in range(1000)]
    assert all(0 < turn <= PERIOD for turn in turns)
    quarters = Counter(int(turn // (PERIOD / 4)) for turn in turns)
    assert all(200 <= quarters[quarter] <= 300 for quarter in range(4))
    assert next_turn(now, peer_bytes(1), PERIOD) == pytest.approx(now + turns[1])
    later = next_turn(now + turns[1], peer_bytes(1), PERIOD)
    assert later == pytest.approx(now + turns[1] + PERIOD)


def reader_of(number: int, held: GossipedRecords, clock: HandClock) -> GossipReader:
    """Return a reader that knows three partners beside the entrance."""
    partners = {peer: PeerID(peer_bytes(peer)) for peer in range(9000, 9003)}
    node: Any = SimpleNamespace(
        peer_id=PeerID(peer_bytes(number)),
        blacklist=set(),
        protocol=SimpleNamespace(gossiped=held, routing_table=SimpleNamespace(uid_to_peer_id=partners)),
    )
    return GossipReader(
        node, [ENTRANCE.peer_id], stale_seconds=120.0, clock=clock, chance=random.Random(number)
    )


def asked_in_each_pull(readers: list[GossipReader], clock: HandClock, pulls: int) -> list[int]:
    """Return how many of the readers ask the entrance in each of so many periods of calls."""
    asked = []
    for _ in range(pulls):
        asked.append(sum(reader._next() == ENTRANCE.peer_id for reader in readers))
        clock.now += PULL_SECONDS
    return asked


def test_an_entrance_that_comes_back_is_not_asked_by_all_at_once() -> None:
    clock = HandClock()
    held = node_of(identity(4), clock)
    held.take([signed(ENTRANCE, clock.now + 600.0)])
    readers = [reader_of(number, held, clock) for number in range(1000)]
    for reader in readers:
        reader._news_at = clock.now
    asked_in_each_pull(readers, clock, 41)
    assert not held.held, "all expire at the same time"
    asked = asked_in_each_pull(readers, clock, 8)
    assert all(150 <= number <= 350 for number in asked), asked


def test_a_newcomer_asks_an_entrance_at_once() -> None:
    clock = HandClock()
    reader = reader_of(1, node_of(identity(4), clock), clock)
    assert reader._next() == ENTRANCE.peer_id
    assert sum(asked_in_each_pull([reader], clock, 9)) in (2, 3)
