"""The recorder of a large swarm goes by summaries, and credits from commits and from the records that it has read."""

import pytest

from coordinator.database.connect import Database
from coordinator.database.tables import Doubt, KnownPeer
from coordinator.ledger.credit import CreditReason
from coordinator.recorder.recorder import Recorder
from core.swarm.wire.device_class import DeviceClass
from core.swarm.wire.summaries import shard_of
from tests.coordinator.ledger_rows import credits_of, now_of, rows
from tests.coordinator.recorder.stand_in_swarm import START, RecorderClock, StandInSwarm, name_of, turn
from tests.core.swarm.builders import peer_bytes

LEVEL, SIZE = 2, 100
IN_FIRST = [number for number in range(SIZE) if shard_of(peer_bytes(number), LEVEL) == 0]
"""Peers whose records lie in the first of four shards."""


@pytest.fixture
def large(swarm: StandInSwarm) -> StandInSwarm:
    """The swarm of 100 peers, of whose shards the recorder draws none so far."""
    swarm.level = LEVEL
    return swarm


def heard(swarm: StandInSwarm, number: int, **changed: object) -> None:
    """Change the record of one peer; None for no record."""
    swarm.peers = tuple(
        item.model_copy(update=changed) if item.peer_id == peer_bytes(number) else item
        for item in swarm.peers
        if changed or item.peer_id != peer_bytes(number)
    )


def gather_all(swarm: StandInSwarm, samples: int = 40) -> None:
    swarm.gather(dict.fromkeys(range(SIZE), samples), rate=2.0)
    swarm.peers = tuple(
        item.model_copy(update={"time": START.timestamp(), "looks_every": 40.0}) for item in swarm.peers
    )


def test_a_large_swarm_is_recorded_and_reported_by_summaries_alone(
    large: StandInSwarm, recorder: Recorder, database: Database, clock: RecorderClock
) -> None:
    gather_all(large)
    turn(recorder)
    now = now_of(database)
    assert (now.present, now.training, now.in_step, now.gathered) == (SIZE, SIZE, SIZE, 40 * SIZE)
    assert now.peers["cpu"].training == SIZE
    clock.pass_(60)
    large.commit(dict.fromkeys(range(SIZE), 40.0))
    turn(recorder)
    assert credits_of(database) == {(1, name_of(number)): 40 for number in range(SIZE)}
    assert not rows(database, Doubt), "who was not audited is in no doubt"
    assert {peer.device for peer in rows(database, KnownPeer)} == {"unknown"}


def test_rounds_that_never_succeed_are_warned_of_in_a_large_swarm_too(
    large: StandInSwarm, recorder: Recorder, database: Database, clock: RecorderClock
) -> None:
    gather_all(large, 64)
    for _ in range(4):
        turn(recorder)
        clock.pass_(50)
    assert (now_of(database).warning or "").startswith("100 computers have the samples of the next epoch")


@pytest.mark.parametrize(
    ("drawn", "said", "credited", "why"),
    [
        (set(), {}, None, None),
        ({0}, {}, None, CreditReason.ABOVE_CLAIM),
        ({0}, {"samples": 5_000}, 5_000, None),
        ({0}, {"epoch": 9, "samples": 40}, None, None),  # it says nothing of this epoch
        ({1, 2, 3}, {}, None, None),
        ({0, 1, 2, 3}, {}, None, CreditReason.ABOVE_CLAIM),
    ],
)
def test_a_weight_too_large_is_found_if_the_shard_of_its_claimant_was_drawn(
    large: StandInSwarm,
    recorder: Recorder,
    database: Database,
    clock: RecorderClock,
    drawn: set[int],
    said: dict[str, object],
    credited: int | None,
    why: CreditReason | None,
) -> None:
    """All state 40 samples at two a second a minute before the commit, which gives one of them 5,000."""
    liar = IN_FIRST[0]
    gather_all(large)
    if said:
        heard(large, liar, **said)
    large.drawn = drawn
    turn(recorder)
    large.drawn = set()
    clock.pass_(60)
    large.commit({**dict.fromkeys(range(SIZE), 160.0), liar: 5_000.0})
    turn(recorder)
    found = credits_of(database)
    others = {found[1, name_of(number)] for number in range(SIZE) if number != liar}
    assert others == {160}, "they have gone on for the minute"
    if credited is not None or why is None:
        assert found[1, name_of(liar)] == 5_000
    assert [row.why for row in rows(database, Doubt)] == ([why] if why else [])
    if why is not None:
        assert 160 <= found[1, name_of(liar)] <= 40 + 2 * 70


def test_who_has_no_record_in_a_drawn_shard_is_doubted_beyond_the_slowest_class(
    large: StandInSwarm, database: Database, clock: RecorderClock
) -> None:
    liar = IN_FIRST[0]
    gather_all(large)
    heard(large, liar)
    large.drawn, recorder = {0}, large.recorder(database, clock)
    turn(recorder)
    clock.pass_(1)
    weight = 5e8  # beyond what a processor does in two seconds and the ten of a record
    large.commit({**dict.fromkeys(range(SIZE), 40.0), liar: weight})
    turn(recorder)
    assert credits_of(database)[1, name_of(liar)] < weight
    assert [(row.claimed, row.why) for row in rows(database, Doubt)] == [(weight, CreditReason.UNCLAIMED)]


def test_the_class_of_a_machine_is_that_of_its_last_record_in_any_epoch(
    large: StandInSwarm, recorder: Recorder, database: Database, clock: RecorderClock
) -> None:
    """A weight that a GPU can do, in an epoch in which nobody's records are read."""
    known, unknown = IN_FIRST[:2]
    gather_all(large)
    for number in (known, unknown):
        heard(large, number, device=DeviceClass.GPU_24)
    large.drawn = {0}
    heard(large, unknown, epoch=0, auxiliary=True)  # what helps tells of no machine that trains
    turn(recorder)
    large.drawn = set()
    clock.pass_(1)
    large.commit(dict.fromkeys(range(SIZE), 40.0))
    turn(recorder)
    clock.pass_(1)
    weight = 4e8
    large.commit({**dict.fromkeys(range(SIZE), 40.0), known: weight, unknown: weight})
    turn(recorder)
    found = credits_of(database)
    assert found[2, name_of(known)] == weight
    assert found[2, name_of(unknown)] < weight
    assert [row.why for row in rows(database, Doubt)] == [CreditReason.ABOVE_DEVICE]
    assert large.wanted == [peer_bytes(unknown)], "its class is looked for, since that matters"
