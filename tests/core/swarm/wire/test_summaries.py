"""A summary of a swarm fits into one record, and each peer has one shard."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.messages.reach import Reach
from core.messages.waiting import SwarmWait
from core.swarm.wire.device_class import DeviceClass
from core.swarm.wire.records import MAX_RECORD_BYTES, bounded
from core.swarm.wire.summaries import (
    HIGHEST_LEVEL,
    LARGEST_UNSHARDED,
    MOST_COHORTS,
    MOST_IN_SHARD,
    MOST_PLACES,
    CohortKind,
    CohortRow,
    SummaryRecord,
    SwarmPlace,
    level_for,
    packed_rows,
    shard_keys,
    shard_of,
)
from core.swarm.wire.voices import VOICE
from tests.core.swarm.builders import FIFTY_EXAMPLES, digest_of, peer_bytes

KIND = CohortKind(False, False, True, False, True, False, DeviceClass.GPU_24, Reach.MAPPED, None)
ROW = CohortRow(peer_bytes(1), 0, KIND, True, 400, 390 * VOICE, 25_000, 812.5, 12.0, 90.0, 40.0)


def place(epoch: int = 7) -> SwarmPlace:
    return SwarmPlace(
        epoch=epoch,
        head=digest_of(f"head {epoch}"),
        parameters=digest_of("parameters"),
        sketch=[0.5] * 64,
        state=digest_of("state"),
    )


def summary(rows: list[CohortRow], places: int = 1) -> SummaryRecord:
    return SummaryRecord(
        peer_id=peer_bytes(0),
        time=1000.0,
        level=3,
        places=[place(7 + number) for number in range(places)],
        rows=packed_rows(rows),
    )


@FIFTY_EXAMPLES
@given(
    st.builds(
        CohortKind,
        *[st.booleans()] * 6,
        st.sampled_from(DeviceClass),
        st.sampled_from(Reach),
        st.none() | st.sampled_from(SwarmWait),
    ),
    st.booleans(),
    st.integers(1, 100_000),
    st.integers(0, 2**32 - 1),
)
def test_a_row_is_read_as_it_was_written(
    kind: CohortKind, names_state: bool, peers: int, samples: int
) -> None:
    row = ROW._replace(kind=kind, names_state=names_state, peers=peers, samples=samples)
    assert CohortRow.unpack(row.pack()) == row


def test_the_largest_summary_is_well_within_the_bound_of_a_record_with_its_key_and_signature() -> None:
    largest = summary([ROW] * MOST_COHORTS, places=MOST_PLACES)
    assert len(largest.rows) < MOST_COHORTS * 68
    assert len(repr(bounded(largest.pack()))) > 0
    assert len(largest.rows) + MOST_PLACES * 700 + 800 < MAX_RECORD_BYTES


def test_a_summary_whose_rows_are_none_is_refused() -> None:
    good = summary([ROW])
    for rows in (
        good.rows[:-1],
        packed_rows([ROW._replace(place=1)]),
        packed_rows([ROW._replace(peers=0)]),
        packed_rows([ROW._replace(peers=3, voices=3 * VOICE + 1)]),
        packed_rows([ROW._replace(samples_per_second=float("nan"))]),
        packed_rows([ROW._replace(age=-1.0)]),
        good.rows[:36] + b"\xff" + good.rows[37:],
    ):
        with pytest.raises(ValidationError):
            SummaryRecord.model_validate(good.pack() | {"rows": rows})


def test_a_packed_summary_is_read_again() -> None:
    written = summary([ROW, ROW._replace(peer_id=peer_bytes(2), place=1)], places=2)
    assert SummaryRecord.model_validate(written.pack()) == written
    assert written.peers == 800


def test_the_shards_of_a_level_share_the_peers_evenly_and_divide_at_the_next_one() -> None:
    peers = [peer_bytes(number) for number in range(4096)]
    level = level_for(len(peers), 0)
    counts = Counter(shard_of(peer, level) for peer in peers)
    assert len(counts) == len(shard_keys("tiny", level)) == 1 << level
    assert max(counts.values()) < 2 * MOST_IN_SHARD
    assert all(shard_of(peer, level + 1) // 2 == shard_of(peer, level) for peer in peers)
    assert {shard_of(peer, 0) for peer in peers} == {0}


def test_the_level_follows_the_number_of_peers_and_not_each_change_of_it() -> None:
    assert level_for(LARGEST_UNSHARDED, 0) == 0
    first = level_for(LARGEST_UNSHARDED + 1, 0)
    assert first > 0
    assert (LARGEST_UNSHARDED + 1) / (1 << first) <= MOST_IN_SHARD
    assert level_for(LARGEST_UNSHARDED - 1, first) == first, "a few peers that leave change nothing"
    assert level_for(LARGEST_UNSHARDED // 2, first) == 0
    assert level_for(10**9, 0) == HIGHEST_LEVEL
    for peers in (65, 100, 1000, 10_000):
        level = level_for(peers, 0)
        assert peers <= MOST_IN_SHARD << level
        assert level_for(peers, level) == level
