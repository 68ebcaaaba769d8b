"""A summary leads to the same decisions as the records that it was made of, and one that lies is found out."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.messages.reach import Reach
from core.swarm.membership.agreement import Course, assess
from core.swarm.membership.checking import contradiction
from core.swarm.membership.cohorts import cohorts_in, moved_on, others_in, scaled
from core.swarm.membership.majority import believed_epoch, leading_place
from core.swarm.membership.summarising import summarise
from core.swarm.membership.swarm_view import SwarmView, peers_of
from core.swarm.wire.device_class import DeviceClass
from core.swarm.wire.records import MAX_RECORD_BYTES, ProgressRecord, bounded
from core.swarm.wire.summaries import SummaryRecord, packed_rows, shard_of
from core.swarm.wire.voices import VOICE, users_among
from tests.core.swarm.builders import FIFTY_EXAMPLES, certificate_of, digest_of, peer_bytes, progress

NOW = 1010.0
OWN = progress(0, time=NOW)
TARGET = 10_000


def summary_of(records: list[ProgressRecord], level: int = 2, seed: int = 1) -> SummaryRecord:
    return summarise(records, peer_id=peer_bytes(999), level=level, now=NOW, chance=random.Random(seed))


def swarm(size: int = 300, seed: int = 1) -> list[ProgressRecord]:
    """Trainers of which most are at epoch 7, some at the next one, and some further behind; a fifth is paused."""
    chance = random.Random(seed)
    records = []
    for number in range(1, size + 1):
        epoch = chance.choices((7, 8, 6, 3), (12, 3, 2, 1))[0]
        reach = chance.choice(list(Reach))
        fields = {
            "epoch": epoch,
            "head": digest_of(f"head {epoch}" if epoch != 7 else "head"),
            "samples": chance.randrange(50),
            "samples_per_second": chance.uniform(0.1, 5.0),
            "epoch_seconds": chance.uniform(0.0, 100.0),
            "time": NOW - chance.uniform(0.0, 40.0),
            "paused": chance.random() < 0.2,
            "reducing": reach.accepts_connections,
            "device": chance.choice(list(DeviceClass)),
            "reach": reach,
            "state": digest_of(f"state {epoch}"),
        }
        records.append(progress(number, **fields))
    return records


@FIFTY_EXAMPLES
@given(st.integers(65, 400), st.integers(0, 10**6))
def test_a_summary_leads_to_the_decisions_of_the_records(size: int, seed: int) -> None:
    records = swarm(size, seed)
    cohorts = cohorts_in(summary_of(records, seed=seed))
    for own in (
        OWN,
        progress(0, epoch=8, head=digest_of("head 8")),
        progress(0, epoch=7, head=digest_of("another branch")),
        progress(0, epoch=2, synchronised=False),
    ):
        by_records = assess(own, records, sketch_tolerance=0.01)
        by_summary = assess(own, cohorts, sketch_tolerance=0.01)
        assert (by_summary.course, by_summary.reason) == (by_records.course, by_records.reason)
        if by_records.donors:
            assert set(by_summary.donors) <= {item.peer_id for item in records if item.can_be_asked}
            assert by_summary.donors
        if by_records.vouched:
            assert by_summary.vouched[0].root == by_records.vouched[0].root
    assert leading_place(cohorts) == leading_place(records)
    assert believed_epoch(cohorts) == believed_epoch(records)


@FIFTY_EXAMPLES
@given(st.integers(65, 400), st.integers(0, 10**6))
def test_a_summary_counts_what_the_records_do(size: int, seed: int) -> None:
    records = swarm(size, seed)
    exact, view = (
        SwarmView(NOW, tuple(found)) for found in (records, cohorts_in(summary_of(records, seed=seed)))
    )
    assert peers_of(view.others) == size
    assert view.near(OWN) == exact.near(OWN)
    assert view.trainers_near(OWN) == exact.trainers_near(OWN)
    assert view.trainers() == exact.trainers()
    assert view.has_reducer == exact.has_reducer
    assert set(view.reducers(7, OWN.head)) == set(exact.reducers(7, OWN.head))
    assert set(view.donors(7, OWN.head)) == set(exact.donors(7, OWN.head))
    assert view.samples_per_second(OWN) == pytest.approx(exact.samples_per_second(OWN))
    grown = sum(item.samples + item.samples_per_second * (NOW - item.time) for item in exact.at(OWN))
    assert sum(
        item.samples + item.samples_per_second * (NOW - item.time) for item in view.at(OWN)
    ) == pytest.approx(grown, rel=1e-4)


def test_the_epoch_is_as_old_as_half_of_the_peers_say() -> None:
    records = [progress(number, epoch_seconds=float(number), time=NOW) for number in range(1, 100)]
    view = SwarmView(NOW, cohorts_in(summary_of(records)))
    assert view.epoch_seconds(progress(0, epoch_seconds=0.0), NOW) == pytest.approx(50.0)


def test_ten_thousand_peers_of_all_kinds_fit_into_a_record() -> None:
    records = [
        item.model_copy(update={"epoch": item.epoch + number % 9, "head": digest_of(f"{number % 90}")})
        for number, item in enumerate(swarm(10_000))
    ]
    summary = summary_of(records, level=9)
    assert bounded(summary.pack())
    assert len(summary.rows) < MAX_RECORD_BYTES
    assert summary.peers == len(records)


def test_peers_at_rare_places_are_counted_and_have_no_vote() -> None:
    rare = [
        progress(number, epoch=20 + number, head=digest_of(f"rare {number}")) for number in range(100, 110)
    ]
    cohorts = cohorts_in(summary_of([*(progress(number) for number in range(1, 61)), *rare]))
    assert peers_of(cohorts) == 70
    assert leading_place(cohorts) == (7, OWN.head)
    assert SwarmView(NOW, cohorts).near(progress(0, epoch=8)) == 60
    assert peers_of(item for item in cohorts if item.synchronised) < 70


def test_the_peers_that_are_named_change_from_summary_to_summary() -> None:
    records = [progress(number) for number in range(1, 400)]
    named = Counter(item.peer_id for seed in range(20) for item in cohorts_in(summary_of(records, seed=seed)))
    assert len(named) > 300
    assert max(named.values()) < 10


def users_of(records: list[ProgressRecord], seed: int = 1) -> list[ProgressRecord]:
    """Return ``records`` as those of users of whom a tenth has many peers."""
    chance = random.Random(seed)
    names = [f"user-{number}" for number in range(len(records) // 3)]
    weights = [20 if number % 10 == 0 else 1 for number in range(len(names))]
    return [
        record.model_copy(update={"certificate": certificate_of(chance.choices(names, weights)[0])})
        for record in records
    ]


@FIFTY_EXAMPLES
@given(st.integers(65, 400), st.integers(0, 10**6))
def test_a_summary_leads_to_the_decisions_of_users(size: int, seed: int) -> None:
    records = users_of(swarm(size, seed), seed)
    summary = summary_of(records, seed=seed)
    cohorts = cohorts_in(SummaryRecord.model_validate(summary.pack()))
    assert leading_place(cohorts) == leading_place(records)
    assert believed_epoch(cohorts) == believed_epoch(records)
    standing = [record for record in records if record.synchronised and not record.paused]
    assert sum(
        item.voices for item in cohorts if item.synchronised and not item.paused
    ) == VOICE * users_among(standing)
    for own in (
        OWN,
        progress(0, epoch=8, head=digest_of("head 8")),
        progress(0, epoch=2, synchronised=False),
    ):
        by_records = assess(own, records, sketch_tolerance=0.01)
        by_summary = assess(own, cohorts, sketch_tolerance=0.01)
        assert (by_summary.course, by_summary.reason) == (by_records.course, by_records.reason)


def test_the_peers_of_a_few_users_lead_no_summary_astray() -> None:
    honest = [progress(number, certificate=certificate_of(f"user-{number}")) for number in range(1, 71)]
    hostile = [
        progress(
            1000 + number, epoch=9, head=digest_of("theirs"), certificate=certificate_of(f"eve-{number % 30}")
        )
        for number in range(30 * 32)
    ]
    summary = summary_of([*honest, *hostile], level=5)
    cohorts = others_in(cohorts_in(summary), OWN.peer_id, None)
    assert leading_place(cohorts) == (7, OWN.head)
    assert believed_epoch(cohorts) == 7
    assert assess(OWN, cohorts, sketch_tolerance=0.01).course is Course.FOLLOW
    assert bounded(summary.pack())


def test_of_a_user_with_many_peers_one_is_named_before_a_second_of_it() -> None:
    records = [progress(number, certificate=certificate_of("eve")) for number in range(100, 300)]
    records += [progress(number, certificate=certificate_of(f"user-{number}")) for number in range(1, 20)]
    for seed in range(5):
        named = {item.peer_id for item in cohorts_in(summary_of(records, seed=seed))}
        assert named >= {peer_bytes(number) for number in range(1, 20)}


def test_a_peer_of_a_user_that_is_left_out_takes_its_share_of_a_voice() -> None:
    records = [progress(number, certificate=certificate_of(f"user-{number // 4}")) for number in range(100)]
    cohorts = others_in(cohorts_in(summary_of(records)), records[0].peer_id, records[0])
    assert sum(item.voices for item in cohorts) == 25 * VOICE - VOICE // 4


def test_a_peer_does_not_ask_itself() -> None:
    records = [OWN, *(progress(number, reducing=False) for number in range(1, 80))]
    own = cohorts_in(summary_of([OWN], level=0))
    assert own[0].can_be_asked
    cohorts = others_in(cohorts_in(summary_of(records)), OWN.peer_id, OWN)
    assert not any(item.can_be_asked for item in cohorts)
    assert peers_of(cohorts) == len(records) - 1


def test_a_peer_that_is_counted_is_left_out_of_what_it_sees_of_the_others() -> None:
    records = [progress(number, samples=10, samples_per_second=2.0, time=NOW) for number in range(100)]
    view = SwarmView(NOW, others_in(cohorts_in(summary_of(records)), records[0].peer_id, records[0]))
    exact = SwarmView(NOW, tuple(records[1:]))
    assert view.near(OWN) == exact.near(OWN) == 99
    assert view.samples_per_second(OWN) == pytest.approx(exact.samples_per_second(OWN))
    assert view.samples(OWN, TARGET, NOW) == exact.samples(OWN, TARGET, NOW)
    uncounted = others_in(cohorts_in(summary_of(records)), records[0].peer_id, None)
    assert SwarmView(NOW, uncounted).near(OWN) == 100


def test_a_strong_peer_is_left_out_of_all_cohorts_that_are_like_it() -> None:
    own = progress(0, samples=3000, samples_per_second=50.0, time=NOW)
    others = [progress(number, samples=10, samples_per_second=1.0, time=NOW) for number in range(1, 121)]
    view = SwarmView(NOW, others_in(cohorts_in(summary_of([own, *others])), own.peer_id, own))
    assert view.near(own) == len(others)
    assert view.samples_per_second(own) - 50.0 == pytest.approx(120.0, rel=0.01)
    assert view.samples(own, TARGET, NOW) - 3000 == pytest.approx(1200, abs=30)


def test_the_samples_of_many_are_extrapolated_until_the_next_summary_has_come() -> None:
    records = [progress(number, samples=0, samples_per_second=1.0, time=NOW) for number in range(1, 122)]
    view = SwarmView(NOW, cohorts_in(summary_of(records)))
    own = progress(0, samples=0, samples_per_second=1.0)
    assert view.samples(own, TARGET, NOW + 100.0) == pytest.approx(12_100, rel=0.01)


ABSURD: list[dict[str, Any]] = [
    {"samples": 99_999_999},
    {"samples_per_second": 9e11},
    {"epoch_seconds": 9e11},
    {"looks_every": 9e11},
    {"time": 0.0},
]


@pytest.mark.parametrize("claim", ABSURD, ids=str)
def test_absurd_claims_stop_neither_a_summariser_nor_those_who_read_its_summary(
    claim: dict[str, Any],
) -> None:
    hostile = [progress(number, **claim) for number in range(200, 300)]
    records = [*(progress(number, time=NOW) for number in range(1, 100)), *hostile]
    summary = summary_of([item for item in records if item.time > 0])
    cohorts = others_in(cohorts_in(SummaryRecord.model_validate(summary.pack())), OWN.peer_id, None)
    view = SwarmView(NOW, cohorts)
    assert leading_place(view.others) == (7, OWN.head)
    assert view.samples(OWN, TARGET, NOW) >= 0
    assert scaled(records, 16)


def test_more_kinds_than_rows_leave_out_those_of_the_fewest_peers() -> None:
    flags = ("auxiliary", "donates", "synchronised", "paused")
    odd = [
        progress(
            1000 + number,
            epoch=number % 6,
            **{name: bool(number >> bit & 1) for bit, name in enumerate(flags)},
        )
        for number in range(16 * 6)
    ]
    records = [*(progress(number) for number in range(1, 100)), *odd]
    assert leading_place(cohorts_in(summary_of(records))) == (7, OWN.head)


def test_a_sample_stands_for_the_swarm() -> None:
    records = swarm(2000)
    sample = [item for item in records if shard_of(item.peer_id, 4) == 5]
    view, exact = SwarmView(NOW, scaled(sample, 16)), SwarmView(NOW, tuple(records))
    assert leading_place(view.others) == leading_place(exact.others)
    assert view.samples_per_second(OWN) == pytest.approx(exact.samples_per_second(OWN), rel=0.3)
    assert peers_of(view.others) == 16 * len(sample)


def test_a_summary_from_before_a_commit_is_read_as_if_its_peers_had_followed_it() -> None:
    records = [progress(number, samples=100, samples_per_second=2.0) for number in range(1, 101)]
    cohorts = cohorts_in(summary_of(records))
    after = progress(0, epoch=8, head=digest_of("next"), time=NOW, epoch_seconds=0.0)
    view = SwarmView(NOW, moved_on(cohorts, (7, OWN.head), after))
    assert view.near(after) == 100
    assert view.samples(after, TARGET, NOW) == after.samples
    assert view.samples(after, TARGET, NOW + 5.0) == pytest.approx(after.samples + 1000.0, rel=0.01)
    assert moved_on(cohorts, (6, OWN.head), after) == cohorts


@pytest.mark.parametrize("size", [100, 1000])
def test_an_honest_summary_is_contradicted_by_no_draw(size: int) -> None:
    records, level = swarm(size), 3 if size == 100 else 5
    summary = summary_of(records, level=level)
    for first in range(1 << level):
        shards = [(first + more) % (1 << level) for more in range(3)]
        drawn = [item for item in records if shard_of(item.peer_id, level) in shards]
        assert contradiction(summary, drawn, 3) is None


def test_a_few_seconds_between_an_epoch_and_its_summary_are_no_lie() -> None:
    summary = summary_of([progress(number, time=NOW) for number in range(1, 200)], level=3)
    later = [
        progress(number, epoch=8, head=digest_of("next"), samples=0, time=NOW + 30) for number in range(1, 80)
    ]
    assert contradiction(summary, later, 3) is None


LIES: dict[str, dict[str, Any]] = {
    "another epoch": {"epoch": 30},
    "another head": {"head": digest_of("a branch of its own")},
    "no trainers": {"auxiliary": True},
}


@pytest.mark.parametrize("lie", LIES)
def test_a_summary_that_lies_is_contradicted(lie: str) -> None:
    records = [progress(number, time=NOW, samples_per_second=10.0) for number in range(1, 321)]
    told = [item.model_copy(update=LIES[lie]) for item in records]
    drawn = [item for item in records if shard_of(item.peer_id, 4) in (1, 2, 3)]
    assert contradiction(summary_of(records, level=4), drawn, 3) is None
    assert contradiction(summary_of(told, level=4), drawn, 3)


def test_a_summary_that_invents_peers_is_contradicted() -> None:
    records = [progress(number, time=NOW) for number in range(1, 321)]
    invented = [progress(number, time=NOW) for number in range(1, 2000)]
    drawn = [item for item in records if shard_of(item.peer_id, 4) in (1, 2, 3)]
    assert "a shard has" in str(contradiction(summary_of(invented, level=4), drawn, 3))


def test_one_fast_machine_contradicts_nobody() -> None:
    records = [progress(number, time=NOW, samples_per_second=1.0) for number in range(1, 400)]
    records.append(progress(400, time=NOW, samples_per_second=1e11))
    summary = summary_of(records, level=4)
    for shard in range(16):
        drawn = [item for item in records if shard_of(item.peer_id, 4) == shard]
        assert contradiction(summary, drawn, 1) is None


def test_a_level_of_too_many_shards_is_refused_or_contradicted() -> None:
    records = [progress(number, epoch=99, time=NOW) for number in range(1, 121)]
    with pytest.raises(ValidationError):
        summary_of(records, level=10)
    invented = summary_of([progress(number, epoch=99, time=NOW) for number in range(2100)], level=10)
    drawn = [progress(number, time=NOW) for number in range(1, 2)]
    assert "a shard has" in str(contradiction(invented, drawn, 8))


def _all_at(epoch: int, users: int, peers: int) -> list[ProgressRecord]:
    """Return the records of so many ``users`` with a number of ``peers`` each, from that epoch's tens on."""
    return [
        progress(
            1000 * epoch + number,
            epoch=epoch,
            head=digest_of(f"head {epoch}"),
            time=NOW,
            certificate=certificate_of(f"user-{epoch}-{number % users}"),
        )
        for number in range(users * peers)
    ]


@pytest.mark.parametrize(
    ("told", "word"),
    [
        (lambda row: row, None),
        (lambda row: row._replace(voices=row.voices // 100), "voices at epoch 7"),
        (lambda row: row._replace(voices=row.peers * VOICE), "voices, by the records"),
    ],
    ids=["the truth", "users are few", "each peer has a voice"],
)
def test_a_summary_that_gives_voices_otherwise_is_contradicted(told: Any, word: str | None) -> None:
    records = _all_at(7, users=64, peers=10)
    summary = summary_of(records, level=4)
    rows = packed_rows([told(row) for row in summary.cohorts()])
    drawn = [item for item in records if shard_of(item.peer_id, 4) in (1, 2, 3)]
    found = contradiction(summary.model_copy(update={"rows": rows}), drawn, 3)
    assert found is None if word is None else word in str(found)


def test_peers_that_are_drawn_again_and_again_are_no_peers_of_fewer_users() -> None:
    """Honest summaries of open runs were dropped, as a peer that was drawn three times counted as three of a user."""
    records = swarm(300)
    summary = summary_of(records, level=4)
    drawn = [item for item in records if shard_of(item.peer_id, 4) in (1, 2, 3)]
    again = [item.model_copy(update={"time": item.time - age}) for item in drawn for age in (0.0, 2.0, 4.0)]
    assert contradiction(summary, again, 3) is None


@pytest.mark.parametrize(("hostile", "peers"), [(30, 32), (3, 32), (50, 2)])
def test_users_with_many_peers_cannot_have_an_honest_summary_contradicted(hostile: int, peers: int) -> None:
    records = [*_all_at(7, users=70, peers=1), *_all_at(9, users=hostile, peers=peers)]
    summary = summary_of(records, level=3)
    for first in range(8):
        shards = [(first + more) % 8 for more in range(4)]
        drawn = [item for item in records if shard_of(item.peer_id, 3) in shards]
        assert contradiction(summary, drawn, 4) is None


def test_a_few_records_decide_nothing() -> None:
    lying = summary_of([progress(number, epoch=30, time=NOW) for number in range(1, 321)], level=4)
    assert contradiction(lying, [progress(number, time=NOW) for number in range(1, 9)], 1) is None
