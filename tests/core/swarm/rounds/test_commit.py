"""One group commits an epoch: whoever looks in time believes the same record, however two groups interleave."""

import random
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
import torch
from hivemind.p2p import PeerID
from hypothesis import given
from hypothesis import strategies as st

from core.run.encodings import Encoding
from core.swarm.rounds.commit import commit, record_of, root_digest, winner
from core.swarm.rounds.group import Group
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.wire.encoding import encode
from core.swarm.wire.records import CommitRecord
from tests.core.swarm.builders import FIFTY_EXAMPLES, commit_record, digest_of, peer_bytes
from tests.core.swarm.virtual_time import VirtualTime

EPOCH, PARENT = 7, digest_of("parent")
SETTLE = 1.0


class SimulatedLog:
    """A log whose writes are seen, and whose reads answer, after a while."""

    def __init__(self, time: VirtualTime, *, write_seconds: float = 0.5, read_seconds: float = 0.1) -> None:
        self._time, self._write, self._read = time, write_seconds, read_seconds
        self.records: list[CommitRecord] = []
        self.writers: dict[bytes, list[PeerID]] = {}

    def seen_by(self, *, write_seconds: float) -> "SimulatedLog":
        """The same log from where writing takes another time."""
        other = SimulatedLog(self._time, write_seconds=write_seconds, read_seconds=self._read)
        other.records = self.records
        return other

    async def read(self) -> Sequence[CommitRecord]:
        found = list(self.records)  # as of when it was asked: what comes on the way is not in the answer
        await self._time.sleep(self._read)
        return found

    async def write(self, record: CommitRecord) -> bool:
        await self._time.sleep(self._write)
        self.records.append(record)
        return True


async def commit_after(
    delay: float, record: CommitRecord, log: SimulatedLog, time: VirtualTime, rank: int = 0
) -> CommitRecord | None:
    await time.sleep(delay)
    return await commit(record, log, rank=rank, settle_seconds=SETTLE, sleep=time.sleep, clock=time.clock)


# --- which record counts --------------------------------------------------------------------------------------

rivals = st.lists(
    st.builds(
        lambda word, samples, epoch: commit_record(word, samples=samples, epoch=epoch),
        st.sampled_from("abcdefgh"),
        st.sampled_from([1.0, 64.0, 65.0]),
        st.sampled_from([6, 7, 8]),
    ),
    max_size=8,
)


@FIFTY_EXAMPLES
@given(rivals, st.randoms())
def test_the_winner_does_not_depend_on_the_order(
    records: list[CommitRecord], shuffler: random.Random
) -> None:
    expected = winner(records, EPOCH, PARENT)
    shuffler.shuffle(records)
    assert winner(records, EPOCH, PARENT) == expected


@FIFTY_EXAMPLES
@given(rivals)
def test_the_winner_has_the_most_samples_of_its_own_step(records: list[CommitRecord]) -> None:
    found = winner(records, EPOCH, PARENT)
    mine = [record for record in records if record.epoch == EPOCH]
    if found is None:
        assert not mine
    else:
        assert found in mine
        assert all((-found.samples, found.root) <= (-record.samples, record.root) for record in mine)


def test_a_record_of_another_branch_does_not_count() -> None:
    assert winner([commit_record(parent=digest_of("elsewhere"))], EPOCH, PARENT) is None


# --- what a record says ---------------------------------------------------------------------------------------


def parts_of(word: str) -> list[ReducedPart]:
    values = torch.arange(10.0) + len(word)
    return [ReducedPart(encode(values, Encoding.FLOAT32), 64.0, frozenset({0, 1})) for _ in range(3)]


def group_of_two(word: str = "group") -> Group:
    members = (PeerID(peer_bytes(0)), PeerID(peer_bytes(1)))
    return Group(digest_of(word)[:20], members, (0, 1), (0, 0, 1))


def test_members_with_the_same_parts_write_the_same_record() -> None:
    record = record_of(EPOCH, PARENT, group_of_two(), parts_of("a"))
    assert record == record_of(EPOCH, PARENT, group_of_two(), parts_of("a"))
    assert (record.members, record.samples) == (2, 64.0)


def test_the_root_names_everything_about_an_epoch() -> None:
    parts = parts_of("a")
    group = group_of_two().id
    roots = {
        root_digest(EPOCH, PARENT, group, parts),
        root_digest(EPOCH + 1, PARENT, group, parts),
        root_digest(EPOCH, digest_of("other parent"), group, parts),
        root_digest(EPOCH, PARENT, group_of_two("other").id, parts),
        root_digest(EPOCH, PARENT, group, parts[:-1]),
        root_digest(EPOCH, PARENT, group, [*parts[:-1], *parts_of("aa")[:1]]),
    }
    assert len(roots) == 6


# --- two groups in one epoch ----------------------------------------------------------------------------------


@pytest.mark.parametrize("samples", [(64.0, 64.0), (64.0, 70.0), (70.0, 64.0)])
@pytest.mark.parametrize("write_seconds", [(0.0, 0.0), (0.1, 0.85), (0.85, 0.1), (0.85, 0.85)])
def test_two_writers_agree_whatever_their_offset(
    samples: tuple[float, float], write_seconds: tuple[float, float]
) -> None:
    """Reads and writes together take less than the settling time, which is all that is assumed."""
    for tenths in range(-30, 31):
        time = VirtualTime()
        log = SimulatedLog(time)
        records = [commit_record(word, samples=of) for word, of in zip("ab", samples, strict=True)]
        delays = (max(tenths, 0) / 10, max(-tenths, 0) / 10)
        found = time.run(
            *(
                commit_after(delay, record, log.seen_by(write_seconds=seconds), time)
                for delay, record, seconds in zip(delays, records, write_seconds, strict=True)
            )
        )
        assert found[0] == found[1] == winner(log.records, EPOCH, PARENT), f"{tenths / 10} s apart"


@FIFTY_EXAMPLES
@given(
    st.lists(
        st.tuples(st.floats(0, 4), st.floats(0, 0.8), st.integers(0, 6), st.sampled_from([1.0, 2.0])),
        min_size=2,
        max_size=6,
    )
)
def test_any_number_of_writers_agree(writers: list[tuple[float, float, int, float]]) -> None:
    time = VirtualTime()
    log = SimulatedLog(time)
    found = time.run(
        *(
            commit_after(
                delay,
                commit_record(f"group {index}", samples=samples),
                log.seen_by(write_seconds=write_seconds),
                time,
                rank,
            )
            for index, (delay, write_seconds, rank, samples) in enumerate(writers)
        )
    )
    assert len({record.root for record in found if record}) == 1
    assert all(found)


def test_a_group_that_comes_late_takes_what_stands_and_writes_nothing() -> None:
    time = VirtualTime()
    log = SimulatedLog(time)
    early, late = commit_record("early", samples=1.0), commit_record("late", samples=1000.0)
    found = time.run(commit_after(0, early, log, time), commit_after(0.7, late, log, time))
    assert found == [early, early]
    assert log.records == [early]


@pytest.mark.parametrize("fields", [{"group": b"g" * 20}, {"samples": 1e8}], ids=["group", "samples"])
def test_a_record_that_copies_the_root_beside_another_claim_takes_nobody_in(fields: dict[str, Any]) -> None:
    """It would count for its samples, and nobody could give the bytes of that group."""
    time = VirtualTime()
    log, own = SimulatedLog(time), commit_record("own", samples=10.0)
    copy = own.model_copy(update={"samples": 20.0, **fields})
    log.records.append(copy)
    found = time.run(*(commit_after(0.1 * rank, own, log, time, rank) for rank in range(4)))
    assert found == [own] * 4
    assert own in log.records


def test_a_slow_writer_gives_others_the_time_to_be_seen() -> None:
    """Its own write took longer than the settling time, so others may have begun to write just before it ended."""
    time = VirtualTime()
    log = SimulatedLog(time)
    slow, other = commit_record("slow", samples=1.0), commit_record("other", samples=2.0)
    found = time.run(
        commit_after(0, slow, log.seen_by(write_seconds=3.0), time),
        commit_after(2.9, other, log.seen_by(write_seconds=1.5), time),
    )
    assert found == [other, other]


def test_the_log_tells_the_store_the_writers_and_the_rival(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    time = VirtualTime()
    log = SimulatedLog(time)
    small, large = commit_record("small", samples=1.0), commit_record("large", samples=2.0)
    writer = PeerID(peer_bytes(0))
    log.writers[large.root] = [writer]
    time.run(
        commit_after(0, small, log.seen_by(write_seconds=0.75), time), commit_after(0.2, large, log, time)
    )
    first, second = (record.root.hex()[:8] for record in (small, large))
    assert f"Epoch 7: the commit record {first} is being written." in caplog.text
    assert f"Epoch 7: the commit record {first} was stored in 0.75 s." in caplog.text
    assert (
        f"Epoch 7: commit record {second} (2 samples of 2 members, written by {writer}) counts; "
        f"it won over {first} (1 samples of 2 members, written by no peer that is known)." in caplog.text
    )


# --- one group ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alive", [range(6), range(2, 6), range(3, 6), range(5, 6)])
def test_later_ranks_write_only_if_nobody_did(alive: range) -> None:
    time = VirtualTime()
    log = SimulatedLog(time)
    record = commit_record()
    found = time.run(*(commit_after(0, record, log, time, rank) for rank in alive))
    assert set(found) == {record}
    eager = [rank for rank in alive if rank < 3]
    assert len(log.records) == (len(eager) or len(alive))


def test_members_of_other_groups_take_the_record_as_soon_as_it_stands() -> None:
    time = VirtualTime()
    log = SimulatedLog(time)
    record = commit_record()

    async def waiting() -> float:
        await commit(record, log, rank=5, settle_seconds=SETTLE, delays=4, sleep=time.sleep, clock=time.clock)
        return time.clock()

    ended: list[Any] = time.run(commit_after(0, record, log, time), waiting())
    assert ended[1] < 4 * SETTLE
    assert log.records == [record]


def test_the_writers_record_stands_although_nobody_answers_the_last_look() -> None:
    class Forgetful(SimulatedLog):
        async def read(self) -> Sequence[CommitRecord]:
            await super().read()
            return []

    time = VirtualTime()
    record = commit_record()
    assert time.run(commit_after(0, record, Forgetful(time), time)) == [record]


def test_a_record_that_nobody_stored_commits_nothing(caplog: pytest.LogCaptureFixture) -> None:
    class Refusing(SimulatedLog):
        async def write(self, record: CommitRecord) -> bool:
            return False

    time = VirtualTime()
    assert time.run(commit_after(0, commit_record(), Refusing(time), time)) == [None]
    assert "Epoch 7: no peer stored the commit record " in caplog.text


def test_interleavings_are_really_interleaved() -> None:
    """The simulation can make the protocol fail: without the settling time two writers disagree."""
    disagreements = 0
    for tenths, write_seconds in product(range(0, 10), (0.3, 0.5)):
        time = VirtualTime()
        log = SimulatedLog(time, write_seconds=write_seconds, read_seconds=0.0)
        first, second = commit_record("a", samples=1.0), commit_record("b", samples=2.0)

        async def hasty(
            delay: float, record: CommitRecord, time: VirtualTime = time, log: SimulatedLog = log
        ) -> CommitRecord | None:
            await time.sleep(delay)
            return await commit(record, log, rank=0, settle_seconds=0.0, sleep=time.sleep, clock=time.clock)

        found = time.run(hasty(0, first), hasty(tenths / 10, second))
        disagreements += found[0] != found[1]
    assert disagreements > 0
