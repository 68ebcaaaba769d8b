"""A member votes for no round that leaves out most of its own group's users, whoever else has voted for it."""

import asyncio
import math
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
import torch
from hivemind.p2p import PeerID

from core.run.encodings import Encoding
from core.run.rules import SwarmRules
from core.swarm.aggregation.rule import weighted_mean
from core.swarm.quorum.electorate import Electorate
from core.swarm.quorum.votes import Vote, voice_of
from core.swarm.rounds.commit import record_of
from core.swarm.rounds.commit_log import CommitLog
from core.swarm.rounds.committed import CommittedRound, CommittedRounds
from core.swarm.rounds.group import Group
from core.swarm.rounds.group_list import Contributor
from core.swarm.rounds.partition import cut
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.rounds.round import QuorumMissed, RoundRequest
from core.swarm.rounds.round_runner import RoundRunner, has_users_of
from core.swarm.wire.encoding import encode
from core.swarm.wire.limits import TimeLimits
from core.swarm.wire.records import CommitRecord
from tests.core.swarm.builders import digest_of, peer_bytes

PARTS = cut([(40, Encoding.FLOAT32), (1, Encoding.FLOAT32)], part_bytes=160)
MEMBERS = tuple(PeerID(peer_bytes(number)) for number in range(4))
GROUP = Group(digest_of("group")[:20], MEMBERS, (0, 1, 2, 3), (2, 2))
PARENT = digest_of("parent")
LIMITS = TimeLimits(
    matchmaking_seconds=1.0,
    sender_seconds=0.2,
    reducer_seconds=0.3,
    allreduce_seconds=1.0,
    settle_seconds=0.02,
)
VOICES = frozenset(voice_of("", peer.to_bytes()) for peer in MEMBERS)


def round_of(*included: set[int], group: Group = GROUP) -> CommittedRound:
    """The round that a ``group`` has committed, with the positions of those ``included`` in each part."""
    values = [torch.arange(40.0), torch.tensor([3.0])]
    parts: list[ReducedPart] = []
    for part, positions in zip(PARTS, included, strict=True):
        message = encode(part.gather(values), part.encoding)
        parts.append(ReducedPart(message, float(len(positions)), frozenset(positions)))
    named = tuple(Contributor(peer_bytes(number), 1.0) for number in sorted(included[-1]))
    parts[-1] = replace(parts[-1], contributors=named)
    return CommittedRound(record_of(7, PARENT, group, parts), tuple(parts))


class LogOfTwo(CommitLog):
    """A log in which two members of the group have voted for the same record."""

    def __init__(self, record: CommitRecord) -> None:
        super().__init__()
        self._votes = [Vote(MEMBERS[number].to_bytes(), record) for number in (2, 3)]
        self.written: list[bytes] = []

    async def _found(self, epoch: int) -> list[Vote]:
        return list(self._votes)

    async def _store(self, record: CommitRecord) -> Vote | None:
        self.written.append(record.root)
        self._votes.append(Vote(MEMBERS[0].to_bytes(), record))
        return self._votes[-1]


class AbsentReducer:
    """A member that reduces nothing for this one, and gives the committed round to all who ask."""

    def __init__(self, committed: CommittedRound) -> None:
        self._kept = CommittedRounds()
        self._kept.keep(committed)

    async def rpc_aggregate_part(self, stream: object) -> Any:
        raise ConnectionRefusedError("nobody is there")

    async def rpc_fetch_summary(self, request: Any) -> AsyncIterator[Any]:
        return _stream(list(self._kept.summarise(request.group_id)))

    async def rpc_fetch_committed(self, request: Any) -> AsyncIterator[Any]:
        return _stream(list(self._kept.serve(request)))


async def _stream(messages: Sequence[Any]) -> AsyncIterator[Any]:
    for message in messages:
        yield message


def votes_of_a_member(committed: CommittedRound, *, seconds: float, own: float = 1.0) -> list[bytes]:
    """What member 0 votes for in a round of which it got nothing, beside two of four that voted for ``committed``.

    Its ``own`` contribution has that multiple of the committed values.
    """
    log, donor = LogOfTwo(committed.record), AbsentReducer(committed)
    request = RoundRequest(
        epoch=7,
        head=PARENT,
        expected_peers=4,
        limits=replace(LIMITS, allreduce_seconds=seconds),
        timeout_seconds=5.0,
        started_at=0.0,
        electorate=Electorate(4, VOICES, own=voice_of("", MEMBERS[0].to_bytes())),
    )

    async def work() -> None:
        runner = RoundRunner(
            MEMBERS[0],
            PARTS,
            inputs=[own * torch.arange(40.0), torch.ones(1)],
            outputs=[torch.zeros(40), torch.zeros(1)],
            rules=SwarmRules(),
            rule=weighted_mean,
            observe=lambda event, count: None,
            log=log,
            kept=CommittedRounds(),
            stub_of=lambda peer: donor,
            rate=lambda: math.inf,
        )
        await runner.run(request, runner.all_reduce(GROUP, request, 1.0))

    with suppress(QuorumMissed):
        asyncio.run(work())
    return log.written


AGAINST = bytes(32)
"""Root in the vote of a member against what others vote for."""


def test_a_member_votes_for_a_round_that_it_fetched_if_most_users_are_in_it() -> None:
    found = round_of({0, 1, 2}, {1, 2, 3})
    assert votes_of_a_member(found, seconds=60.0) == [found.record.root]


def test_a_member_votes_for_no_round_without_most_users(caplog: pytest.LogCaptureFixture) -> None:
    """Otherwise a reducer and one more would lead the others, to whom it gave nothing, wherever they like."""
    assert votes_of_a_member(round_of({0, 1, 2}, {2, 3}), seconds=0.5) == [AGAINST]
    assert caplog.text.count("leaves out most of the group's users") == 1


@pytest.mark.parametrize(
    ("committed", "expected"),
    [
        (round_of({0, 1, 2, 3}, {0, 1, 2}), True),
        (round_of({0}, {0, 1, 2}), False),
        (round_of({0, 1, 2}, {0, 1, 9}), False),
        (round_of({0}, {0}, group=replace(GROUP, id=digest_of("another")[:20])), True),
    ],
    ids=["most", "one in a part", "a position that the group does not have", "another group"],
)
def test_users_are_counted_where_the_group_is_known(committed: CommittedRound, expected: bool) -> None:
    assert has_users_of(GROUP, committed) is expected


def test_a_member_votes_for_no_round_that_is_opposed_to_its_own_work(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Otherwise hostile users that are most of a small group would lead all others wherever they like."""
    assert votes_of_a_member(round_of({0, 1, 2}, {1, 2, 3}), seconds=0.5, own=-2.0) == [AGAINST]
    assert caplog.text.count("is opposed to what this peer contributed (cosine -1.00)") == 1
