"""Records that were read yield each peer's highest claims, who was audited, and the machines of peers."""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from coordinator.ledger.credit import (
    EVERY_PEER,
    MAX_CONTRIBUTORS,
    NO_PEER,
    UNSEEN_SECONDS,
    Audit,
    Claim,
    KnownMachine,
)
from coordinator.recorder.claims import Claims, KnownMachines
from core.swarm.membership.majority import leading_place
from core.swarm.membership.observing import ShardReading
from core.swarm.wire.device_class import DeviceClass
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.summaries import shard_of
from tests.coordinator.recorder.stand_in_swarm import name_of
from tests.core.swarm.builders import digest_of, peer_bytes, progress

HEAD, OTHER = digest_of("head"), digest_of("other")
PLACE = (7, HEAD)
NOW = 1000.0
"""DHT time of all records and readings here."""
LEVEL = 2


def record_of(number: int, samples: int, rate: float = 2.0, **changed: Any) -> ProgressRecord:
    return progress(number, samples=samples, samples_per_second=rate, device=DeviceClass.GPU_8, **changed)


def whole(records: Iterable[ProgressRecord]) -> list[ShardReading]:
    """A look at a small swarm, of which all records are read."""
    return [ShardReading(0, 0, NOW, tuple(records))]


def claims_of(*looks: list[ProgressRecord]) -> Claims:
    claims = Claims()
    for records in looks:
        claims.note(whole(records), leading_place(records))
    return claims


def stated(
    claims: Claims, epoch: int, head: bytes, peers: Iterable[int] = range(4), now: float = NOW
) -> dict[str, Claim]:
    return dict(claims.of(epoch, head, map(peer_bytes, peers), now)[0])


def test_the_highest_count_and_the_highest_rate_stay() -> None:
    claims = claims_of([record_of(0, 10, 3.0)], [record_of(0, 30, 1.0)], [record_of(0, 20, 2.0)])
    assert stated(claims, 7, HEAD) == {name_of(0): Claim(30, 3.0, DeviceClass.GPU_8)}


def test_epochs_and_branches_are_kept_apart() -> None:
    claims = claims_of([record_of(0, 10)], [record_of(0, 5, epoch=8, head=OTHER)])
    assert stated(claims, 7, HEAD)[name_of(0)].samples == 10
    assert stated(claims, 8, OTHER)[name_of(0)].samples == 5
    assert not stated(claims, 8, HEAD)


def test_who_is_the_first_at_the_next_epoch_is_heard() -> None:
    peers = [record_of(0, 10), record_of(1, 20), record_of(2, 4, epoch=8, head=OTHER)]
    assert stated(claims_of(peers), 8, OTHER)[name_of(2)].samples == 4


def test_peers_that_only_help_claim_nothing() -> None:
    assert set(stated(claims_of([record_of(0, 10), record_of(1, 99, auxiliary=True)]), 7, HEAD)) == {
        name_of(0)
    }


def test_places_that_somebody_makes_up_push_out_no_true_one() -> None:
    true = [record_of(0, 10), record_of(1, 10)]
    false = [record_of(2, 1, epoch=50 + n, head=digest_of(f"{n}")) for n in range(40)]
    stray = [record_of(3, 1, head=digest_of(f"{n}")) for n in range(40)]
    ahead = [record_of(3, 1, epoch=8, head=digest_of(f"{n}")) for n in range(40)]
    looks = ([*true, *others] for others in zip(false, stray, ahead, strict=True))
    claims = claims_of(true, *looks)
    assert set(stated(claims, 7, HEAD)) == {name_of(0), name_of(1)}
    assert not any(stated(claims, item.epoch, item.head) for item in (*false, *stray))


def test_the_memory_is_bounded() -> None:
    claims = claims_of(*([record_of(0, 10, epoch=epoch)] for epoch in range(40)))
    assert [epoch for epoch in range(40) if stated(claims, epoch, HEAD)] == list(range(24, 40))
    peers = range(MAX_CONTRIBUTORS + 9)
    crowd = [progress(0).model_copy(update={"peer_id": peer_bytes(number)}) for number in peers]
    assert len(stated(claims_of(crowd), 7, HEAD, peers)) == MAX_CONTRIBUTORS


# --- who was audited --------------------------------------------------------------------------------------------


def drawn(
    records: Sequence[ProgressRecord], *peers: int, shards: Iterable[int] = (), level: int = LEVEL
) -> list[ShardReading]:
    """The readings of the shards of ``peers``, and of further ``shards``."""
    wanted = {*shards, *(shard_of(peer_bytes(peer), level) for peer in peers)}
    return [
        ShardReading(
            level, shard, NOW, tuple(item for item in records if shard_of(item.peer_id, level) == shard)
        )
        for shard in sorted(wanted)
    ]


def in_shard(shard: int) -> list[int]:
    """Numbers of peers whose records lie in that shard."""
    return [number for number in range(100) if shard_of(peer_bytes(number), LEVEL) == shard]


@pytest.mark.parametrize(
    ("looks", "covered"),
    [
        ([], {}),  # the epoch was over before anybody looked
        ([("whole", PLACE)], "all"),
        ([("none", PLACE)], {}),
        ([("first", PLACE)], {"worker", "absent"}),
        ([("first", (8, OTHER))], {}),  # it was read in another epoch
        ([("first", PLACE), ("whole", PLACE)], "all"),
        ([("whole", PLACE), ("none", PLACE)], {"worker"}),  # the swarm has grown meanwhile
        ([("second", PLACE), ("none", PLACE)], {"elsewhere"}),
        ([("first", PLACE), ("second", PLACE)], {"worker", "absent", "elsewhere"}),
    ],
)
def test_those_are_audited_whose_shard_was_read_during_the_epoch(
    looks: list[tuple[str, tuple[int, bytes]]], covered: set[str] | str
) -> None:
    """Of four peers one works, one has no record, one's shows another epoch, one's lies in another shard."""
    worker, absent, late = in_shard(0)[:3]
    elsewhere = in_shard(1)[0]
    names = {"worker": worker, "absent": absent, "late": late, "elsewhere": elsewhere}
    records = [record_of(worker, 10), record_of(late, 5, epoch=6)]
    readings = {
        "whole": whole(records),
        "none": [],
        "first": drawn(records, shards=[0]),
        "second": drawn(records, shards=[1]),
    }
    claims = Claims()
    for what, leading in looks:
        claims.note(readings[what], leading)
    _, audit = claims.of(*PLACE, map(peer_bytes, names.values()), NOW)
    if covered == "all":
        assert audit == EVERY_PEER
    else:
        assert audit == Audit(frozenset(name_of(names[name]) for name in covered))
    assert covered or audit == NO_PEER


def test_a_record_between_two_epochs_is_no_silence() -> None:
    """It is renewed every 40 s, and may be from before the peer's first sample."""
    idle, begun = in_shard(0)[:2]
    records = [record_of(idle, 0, 0.0), record_of(begun, 0, 3.0)]
    claims = Claims()
    claims.note(drawn(records, shards=[0]), PLACE)
    found, audit = claims.of(*PLACE, map(peer_bytes, (idle, begun)), NOW + 60.0)
    assert found == {name_of(begun): Claim(0, 3.0, DeviceClass.GPU_8, 60.0)}
    assert audit == Audit(frozenset({name_of(begun)}))


@pytest.mark.parametrize(
    ("level", "later", "seconds"),
    [(0, 90.0, UNSEEN_SECONDS), (LEVEL, 90.0, 90.0), (LEVEL, 3.0, UNSEEN_SECONDS)],
)
def test_a_peer_of_a_large_swarm_works_on_for_long_after_it_was_read(
    level: int, later: float, seconds: float
) -> None:
    claims = Claims()
    claims.note(drawn([record_of(1, 10)], 1, level=level), PLACE)
    assert stated(claims, *PLACE, now=NOW + later)[name_of(1)].unseen_seconds == seconds


def test_a_claim_to_a_swarm_that_has_grown_since_is_as_old_as_it_is() -> None:
    claims = claims_of([record_of(0, 10)])
    claims.note([], PLACE)
    assert stated(claims, *PLACE, now=NOW + 90.0)[name_of(0)].unseen_seconds == 90.0


# --- machines ---------------------------------------------------------------------------------------------------


def test_the_last_record_of_a_peer_tells_its_machine() -> None:
    machines = KnownMachines()
    machines.note(whole([record_of(0, 10, 3.0), record_of(1, 10, 2.0), record_of(2, 0, auxiliary=True)]))
    machines.note(drawn([progress(0, device=DeviceClass.CPU, samples_per_second=0.0)], 0))
    assert machines.of(map(peer_bytes, range(4))) == {
        name_of(0): KnownMachine(DeviceClass.CPU, 3.0),  # it rests, and its speed is that of before
        name_of(1): KnownMachine(DeviceClass.GPU_8, 2.0),
    }


def test_the_machines_that_were_read_last_are_remembered() -> None:
    machines = KnownMachines(most=3)
    machines.note(whole(record_of(number, 1) for number in range(3)))
    machines.note(whole([record_of(0, 1), record_of(3, 1)]))
    assert set(machines.of(map(peer_bytes, range(4)))) == {name_of(0), name_of(2), name_of(3)}
