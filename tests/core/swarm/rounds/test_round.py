"""A round leads from an exchange to a committed epoch, whose record one member writes, or fails."""

import asyncio
import pickle
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch
from hivemind.p2p import PeerID

from core.run.encodings import Encoding
from core.run.rules import SwarmRules
from core.swarm.aggregation.rule import weighted_mean
from core.swarm.quorum.electorate import Electorate
from core.swarm.quorum.votes import Vote, names_nothing
from core.swarm.rounds.allreduce import AllReduce
from core.swarm.rounds.commit import record_of
from core.swarm.rounds.commit_log import CommitLog
from core.swarm.rounds.committed import CommittedRound, CommittedRounds
from core.swarm.rounds.events import RoundEvent
from core.swarm.rounds.group import Group
from core.swarm.rounds.partition import cut
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.rounds.round import (
    QuorumMissed,
    RoundFailed,
    RoundRequest,
    RoundStatus,
    exchange,
    outcome_of,
    settle,
    write_outputs,
)
from core.swarm.wire.encoding import encode
from core.swarm.wire.limits import TimeLimits
from core.swarm.wire.records import CommitRecord
from tests.core.swarm.builders import commit_record, digest_of, peer_bytes

PARTS = cut([(40, Encoding.FLOAT32)], part_bytes=80)
MEMBERS = tuple(PeerID(peer_bytes(number)) for number in range(3))
GROUP = Group(digest_of("group")[:20], MEMBERS, (0, 1), (0, 1))
PARENT = digest_of("parent")
LIMITS = TimeLimits(
    matchmaking_seconds=1.0,
    sender_seconds=0.1,
    reducer_seconds=0.2,
    allreduce_seconds=0.3,
    settle_seconds=0.05,
)
REQUEST = RoundRequest(
    epoch=7, head=PARENT, expected_peers=2, limits=LIMITS, timeout_seconds=5.0, started_at=0.0
)
RULES = SwarmRules()
COMBINING = SwarmRules(
    matchmaking_seconds=0.1, allreduce_seconds=0.3, averaging_seconds=4.0, group_size=3, most_groups=4
)
VALUES = [torch.arange(40.0)]


def parts(*, included: frozenset[int] = frozenset({0, 1})) -> list[ReducedPart]:
    return [ReducedPart(encode(part.gather(VALUES), part.encoding), 64.0, included) for part in PARTS]


class StandInLog(CommitLog):
    """A log that others write to while a peer reads it: ``coming`` appears at the third look."""

    def __init__(self, *standing: CommitRecord, coming: Sequence[CommitRecord] = ()) -> None:
        super().__init__()
        self.votes = [Vote(peer_bytes(50 + number), record) for number, record in enumerate(standing)]
        self._coming, self._reads = coming, 0
        self.written: list[CommitRecord] = []

    async def _found(self, epoch: int) -> list[Vote]:
        self._reads += 1
        if self._reads == 3:
            self.votes += [
                Vote(peer_bytes(60 + number), record) for number, record in enumerate(self._coming)
            ]
        return list(self.votes)

    async def _store(self, record: CommitRecord) -> Vote | None:
        self.written.append(record.model_copy(update={"attempt": 0}))
        self.votes.append(Vote(MEMBERS[0].to_bytes(), record))
        return self.votes[-1]


class ObservedMember:
    """The member whose round it is, and what was observed of it."""

    def __init__(
        self, results: Sequence[ReducedPart | None], *, member: int = 0, request: RoundRequest = REQUEST
    ) -> None:
        self.events: list[RoundEvent] = []
        self._request = request
        self.kept = CommittedRounds()
        self._results, self._member = results, member
        self.reduction: AllReduce | None = None

    def settle(
        self, log: StandInLog, *, rules: SwarmRules = RULES, exchanged: float = 0.0, plausible: bool = True
    ) -> tuple[CommitRecord, Sequence[ReducedPart | None]]:
        return asyncio.run(self._settle(log, rules, exchanged, plausible))

    async def _settle(
        self, log: StandInLog, rules: SwarmRules, exchanged: float, plausible: bool
    ) -> tuple[CommitRecord, Sequence[ReducedPart | None]]:
        self.reduction = all_reduce(self._member, self.events, rules=rules)
        self.reduction.results = list(self._results)

        async def accepts(found: CommittedRound) -> bool:
            return plausible

        decision, held = await settle(
            self._request, self.reduction, log, self.kept, rules, gives_nothing, accepts, exchanged
        )
        return decision.record.model_copy(update={"attempt": 0}), held


async def accepts_all(found: CommittedRound) -> bool:
    return True


async def gives_nothing(record: CommitRecord) -> bool:
    return False


class Hanging:
    """A peer that never answers."""

    async def rpc_aggregate_part(self, stream: object) -> Any:
        await asyncio.Event().wait()


def all_reduce(
    member: int, events: list[RoundEvent], limits: TimeLimits = LIMITS, *, rules: SwarmRules = RULES
) -> AllReduce:
    return AllReduce(
        GROUP,
        MEMBERS[member],
        PARTS,
        inputs=VALUES,
        outputs=[torch.zeros(40)],
        weight=32.0,
        max_weight=100.0,
        rule=weighted_mean,
        stub_of=lambda peer: Hanging(),
        limits=limits,
        observe=lambda event, count: events.append(event),
        combining_seconds=rules.combining_seconds if rules.most_groups > 1 else 0.0,
    )


OURS = record_of(7, PARENT, GROUP, parts())
RIVAL = commit_record("rival", parent=PARENT, samples=100.0)


def test_a_member_with_all_parts_commits() -> None:
    log, seen = StandInLog(), ObservedMember(parts())
    record, held = seen.settle(log)
    assert log.written == [record] == [OURS]
    assert list(held) == parts()
    written = [RoundEvent.WRITING, RoundEvent.WRITTEN]
    assert seen.events == [RoundEvent.REDUCED_ALL, *written, RoundEvent.COMMITTED]


def test_what_is_committed_can_be_had_before_the_record_is_out() -> None:
    class Asking(StandInLog):
        async def _store(self, record: CommitRecord) -> Vote | None:
            request = type(parts()[0].as_message())(group_id=record.group)
            self.served = list(seen.kept.serve(request))
            return await super()._store(record)

    seen, log = ObservedMember(parts()), Asking()
    seen.settle(log)
    assert log.served[1:] == [part.as_message() for part in parts()]


def test_a_member_does_not_vote_for_its_own_groups_aggregate_if_that_is_not_plausible() -> None:
    log = StandInLog()
    with pytest.raises(RoundFailed, match="aggregate is not plausible"):
        ObservedMember(parts()).settle(log, plausible=False)
    (said,) = log.written
    assert names_nothing(said)
    assert said.refused == [OURS.root], "the others learn that it is against it"
    record, _ = ObservedMember(parts()).settle(StandInLog(RIVAL), plausible=False)
    assert record == RIVAL, "others have committed"


def test_what_a_peer_objected_to_is_not_taken_for_another_aggregate_of_its_group() -> None:
    """Its reducer gave the others something else: the outputs hold what was given to this peer alone."""
    other = OURS.model_copy(update={"root": digest_of("other")})
    record, held = ObservedMember(parts()).settle(StandInLog(other, other), plausible=False)
    assert record == other
    assert list(held) == [None, None]


def test_a_member_that_lacks_a_part_waits_for_the_others_and_writes_nothing() -> None:
    log, seen = StandInLog(coming=[OURS]), ObservedMember([parts()[0], None], member=1)
    record, held = seen.settle(log)
    assert (record, log.written) == (OURS, [])
    assert list(held) == [parts()[0], None]


def test_of_another_groups_epoch_nothing_is_held() -> None:
    record, held = ObservedMember(parts()).settle(StandInLog(RIVAL, RIVAL))
    assert record == RIVAL
    assert list(held) == [None, None]
    record, held = ObservedMember([parts()[0], None]).settle(StandInLog(RIVAL))
    assert record == RIVAL
    assert list(held) == [None, None]


def test_of_other_aggregates_under_the_own_groups_name_nothing_is_held() -> None:
    """The outputs hold what was received, and would be applied in place of what was committed."""
    other = OURS.model_copy(update={"root": digest_of("other"), "samples": 100.0})
    record, held = ObservedMember(parts()).settle(StandInLog(other, other))
    assert record == other
    assert list(held) == [None, None]


def test_where_groups_combine_one_that_failed_early_leaves_time_for_another() -> None:
    lacking, log = [None, None], StandInLog(coming=[OURS])
    with pytest.raises(RoundFailed, match="time for another group"):
        ObservedMember(lacking).settle(log, rules=COMBINING, exchanged=LIMITS.sender_seconds)
    given = ObservedMember([parts()[0], None])
    record, _ = given.settle(StandInLog(coming=[OURS]), rules=COMBINING, exchanged=0.0)
    assert record == OURS, "it was given a part of what several groups commit"
    record, _ = ObservedMember(lacking).settle(StandInLog(OURS), rules=COMBINING, exchanged=0.0)
    assert record == OURS, "others have committed"
    late = 2 * LIMITS.sender_seconds
    record, _ = ObservedMember(lacking).settle(StandInLog(coming=[OURS]), rules=COMBINING, exchanged=late)
    assert record == OURS, "it waits for the others"


def test_a_group_that_failed_early_votes_for_what_it_could_not_outvote() -> None:
    """Three of six need the votes of the other groups, which must not be looking for partners then."""
    crowd = replace(REQUEST, electorate=Electorate(size=6, least=6))
    with pytest.raises(QuorumMissed):
        ObservedMember([None, None], request=crowd).settle(StandInLog(*[OURS] * 3), rules=COMBINING)
    with pytest.raises(RoundFailed, match="time for another group"):
        ObservedMember([None, None], request=crowd).settle(StandInLog(*[OURS] * 2), rules=COMBINING)


def test_without_a_commit_a_round_without_a_reducer_has_failed() -> None:
    log = StandInLog(commit_record("another step", epoch=6))
    with pytest.raises(RoundFailed, match="A reducer was lost"):
        ObservedMember([parts()[0], None]).settle(log)
    assert [names_nothing(record) for record in log.written] == [True], (
        "the others are told that parts are missing"
    )


def test_an_exchange_that_hangs_ends_with_what_it_has() -> None:
    patient = replace(LIMITS, sender_seconds=60.0, reducer_seconds=60.0)

    async def work() -> None:
        reduction = all_reduce(0, [], patient)
        assert LIMITS.allreduce_seconds <= await exchange(reduction, patient) < 10
        assert reduction.results == [None, None]

    asyncio.run(work())


@pytest.mark.parametrize(
    ("record", "member", "held", "contributors", "standing", "included"),
    [
        (OURS, 0, parts(), {0, 1}, RoundStatus.AVERAGED, True),
        (OURS, 1, [parts()[0], None], {0, 1}, RoundStatus.COMPLETED, True),
        (OURS, 1, [parts()[0], None], {0}, RoundStatus.COMPLETED, False),
        (OURS, 2, parts(), {0, 1}, RoundStatus.AVERAGED, False),
        (RIVAL, 0, [None, None], {0, 1}, RoundStatus.SUPERSEDED, False),
        (RIVAL, None, [None, None], {0, 1}, RoundStatus.CAUGHT_UP, False),
    ],
    ids=["averaged", "completed", "completed without us", "auxiliary", "superseded", "caught up"],
)
def test_how_a_peer_stands_to_an_epoch(
    record: CommitRecord,
    member: int | None,
    held: list[ReducedPart | None],
    contributors: set[int],
    standing: RoundStatus,
    included: bool,
) -> None:
    async def work() -> None:
        reduction = None if member is None else all_reduce(member, [])
        committed = CommittedRound(record, tuple(parts(included=frozenset(contributors))))
        outcome = outcome_of(reduction, committed, held)
        assert (outcome.standing, outcome.included) == (standing, included)
        assert (outcome.epoch, outcome.head, outcome.samples) == (7, record.root, record.samples)

    asyncio.run(work())


@pytest.mark.parametrize(("late", "counted"), [(0, True), (1, False)])
def test_the_samples_of_a_member_count_if_the_last_part_has_its_values(late: int, counted: bool) -> None:
    async def work() -> None:
        found = parts()
        found[late] = replace(found[late], included=frozenset({1}))
        record = record_of(7, PARENT, GROUP, found)
        outcome = outcome_of(all_reduce(0, []), CommittedRound(record, tuple(found)), found)
        assert (outcome.included_parts, outcome.counted) == (frozenset({1 - late}), counted)

    asyncio.run(work())


def test_the_aggregate_is_what_all_parts_decode_to() -> None:
    outputs = [torch.zeros(40)]
    write_outputs(CommittedRound(OURS, tuple(parts())), PARTS, outputs)
    assert outputs[0].equal(VALUES[0])


def test_the_failure_crosses_processes_with_its_words() -> None:
    error = RoundFailed("No group formed in time.")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301 - our own bytes


def test_a_round_without_the_votes_of_most_users_is_told_from_one_that_lost_a_reducer() -> None:
    request = replace(REQUEST, electorate=Electorate(5, frozenset("abcde"), own="a"))

    async def work() -> None:
        reduction = all_reduce(0, [])
        reduction.results = list(parts())
        await settle(
            request, reduction, StandInLog(OURS), CommittedRounds(), RULES, gives_nothing, accepts_all, 1.0
        )

    with pytest.raises(QuorumMissed, match="not more than half"):
        asyncio.run(work())
