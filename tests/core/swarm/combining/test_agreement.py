"""A head's part in the agreement of an epoch: its record gets to the others, and it waits for their commit."""

import asyncio
from collections.abc import Sequence

import pytest

from core.swarm.combining.agreement import GroupAgreement, LateHeads, groups_in
from core.swarm.rounds.combination import CombinationLimits
from core.swarm.wire.group_records import GroupRecord, GroupStage
from tests.core.swarm.builders import certificate_of, digest_of, peer_bytes
from tests.core.swarm.virtual_time import VirtualTime

OWN = GroupRecord(
    peer_id=peer_bytes(0),
    epoch=0,
    parent=digest_of("head"),
    group=digest_of("group")[:20],
    members=2,
    peers=2,
    stage=GroupStage.FORMED,
)


class FailingLog:
    """A log whose first stores fail."""

    def __init__(self, failures: int) -> None:
        self.failures, self.records = failures, list[GroupRecord]()

    async def read(self) -> Sequence[GroupRecord]:
        return self.records

    async def write(self, record: GroupRecord) -> bool:
        self.failures -= 1
        if self.failures < 0:
            self.records = [record]
        return self.failures < 0


def agreement(
    log: FailingLog, time: VirtualTime, committed_at: float = 1e9, outvoted_at: float = 1e9
) -> GroupAgreement:
    async def is_committed() -> bool:
        return time.now >= committed_at

    def is_outvoted() -> bool:
        return time.now >= outvoted_at

    return GroupAgreement(
        OWN,
        log,
        expected_peers=4,
        most_groups=4,
        limits=CombinationLimits(3.0, 5.0, 2.0, 6.0),
        settle_seconds=0.1,
        is_committed=is_committed,
        is_outvoted=is_outvoted,
        clock=time.clock,
        sleep=time.sleep,
    )


def test_a_record_that_nobody_stored_is_written_again() -> None:
    time, log = VirtualTime(), FailingLog(failures=1)
    time.run(agreement(log, time).announce(GroupStage.REDUCED, 5.0))
    assert [record.samples for record in log.records] == [5.0]


def test_a_record_that_nobody_stores_holds_the_head_up_for_a_moment_only() -> None:
    time, log = VirtualTime(), FailingLog(failures=1000)
    time.run(agreement(log, time).announce(GroupStage.REDUCED, 5.0))
    assert time.now <= 1.0


@pytest.mark.parametrize("seen", ["committed_at", "outvoted_at"])
def test_a_late_group_waits_for_the_commit_of_the_others_but_not_for_ever(seen: str) -> None:
    time = VirtualTime()
    late = agreement(FailingLog(0), time, **{seen: 4.0})
    assert time.run(late.others_commit(20.0)) == [True]
    assert time.now < 5.0
    time = VirtualTime()
    assert time.run(agreement(FailingLog(0), time).others_commit(20.0)) == [False]
    assert 20.0 <= time.now < 21.0


def test_the_announcement_of_a_failure_holds_no_round_up() -> None:
    class Stuck(FailingLog):
        async def write(self, record: GroupRecord) -> bool:
            await asyncio.Event().wait()
            return True

    asyncio.run(asyncio.wait_for(agreement(Stuck(0), VirtualTime()).announce_failure(), 30.0))


@pytest.mark.parametrize(("samples", "counts"), [(200.0, True), (200.5, False), (1e11, False)])
def test_a_group_whose_head_claims_more_than_its_members_can_have_has_not_reduced(
    samples: float, counts: bool
) -> None:
    claims = OWN.model_copy(update={"stage": GroupStage.REDUCED, "samples": samples})
    found = groups_in([claims], most_samples=100.0)
    assert [group.id for group in found.reduced] == ([OWN.group] if counts else [])


def reduced(number: int, samples: float = 50.0, user: str = "") -> GroupRecord:
    """Return the record of a group that has reduced, headed by the peer with that number."""
    return OWN.model_copy(
        update={
            "peer_id": peer_bytes(number),
            "group": digest_of(f"group {number}")[:20],
            "stage": GroupStage.REDUCED,
            "samples": samples,
            "certificate": certificate_of(user) if user else b"",
        }
    )


def test_one_user_heads_two_groups_at_most_and_none_is_larger_than_the_run_allows() -> None:
    many = [reduced(number, user="ada") for number in range(5)]
    assert len(groups_in([*many, reduced(7, user="ben")]).reduced) == 3
    assert len(groups_in([reduced(number) for number in range(5)]).reduced) == 5, (
        "in an open run each is its own"
    )
    large = reduced(1).model_copy(update={"peers": 9, "members": 9})
    assert groups_in([large], most_peers=8).reduced == ()


def test_groups_that_form_and_never_reduce_are_waited_for_once() -> None:
    ghost = reduced(1, user="ada").model_copy(update={"stage": GroupStage.FORMED, "samples": 0.0})
    other = ghost.model_copy(update={"peer_id": peer_bytes(2)})
    late = LateHeads()
    assert groups_in([ghost], late=late).are_reducing
    late.note([ghost, reduced(3)])
    assert not groups_in([ghost, other], late=late).are_reducing, "whichever peer of the user heads it"
    late.note([reduced(1, user="ada")])
    assert groups_in([ghost], late=late).are_reducing
    late.note([ghost])
    for _ in range(7):
        late.note([reduced(3)])
        assert not groups_in([ghost], late=late).are_reducing
    late.note([reduced(3)])
    assert groups_in([ghost], late=late).are_reducing, "in the end it has another chance"
