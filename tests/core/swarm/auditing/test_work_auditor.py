"""An accusation has others audited more often, for a while: each user may make one in many rounds."""

import asyncio
import math
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

import pytest
import torch
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2

from core.admission.peer_key import PeerKey
from core.run.encodings import Encoding
from core.swarm.auditing.account import ContributionWithheld
from core.swarm.auditing.conduct import MOST_PEERS, PeerConducts
from core.swarm.auditing.round_witness import RoundWitness
from core.swarm.auditing.row_spans import RowClaim, RowSpan, WindowPlace
from core.swarm.auditing.statement import IntroducedKeys, StatementKey
from core.swarm.auditing.trust import WorkVerdict
from core.swarm.auditing.work_auditor import UNNAMED_ROUNDS, WorkAuditor
from core.swarm.auditing.work_draw import WorkDraw
from core.swarm.rounds.group import Group
from core.swarm.rounds.witness import stated_contribution
from core.swarm.wire.encoding import encode
from tests.core.swarm.builders import digest_of, identity, peer_bytes

ROUNDS = 32
"""Rounds for which an accusation counts."""
ME, CULPRIT, ADA, EVE, EVE_TOO = (PeerID(peer_bytes(number)) for number in range(5))
STRANGER = PeerID(peer_bytes(9))


@cache
def witness() -> RoundWitness:
    members, users = (ME, CULPRIT, ADA, EVE, EVE_TOO), ("", "", "", "eve", "eve")
    group = Group(digest_of("group")[:20], members, (0, 1, 2, 3, 4), (0,), users=users)
    key = StatementKey(PeerKey(identity(0).private_key._private_key), "run")
    return RoundWitness("run", 7, digest_of("head"), group, key=key, keys=IntroducedKeys("run"))


class ToldPeer:
    """The stub of a peer that notes of whom it is told."""

    def __init__(self) -> None:
        self.accused: list[bytes] = []
        self.about: list[averaging_pb2.AveragingData] = []

    async def rpc_suspect_work(self, message: averaging_pb2.AveragingData) -> AsyncIterator[Any]:
        self.accused.append(message.peer_id)
        self.about.append(message)
        return aiter_of_nothing()


async def aiter_of_nothing() -> AsyncIterator[Any]:
    for nothing in list[Any]():
        yield nothing


class ListeningAuditor:
    """An auditor after a round, what it tells the trainer of accusations, and what it tells the others."""

    def __init__(self) -> None:
        self.is_raised = False
        self.told = {member: ToldPeer() for member in witness().group.members}
        self.conducts = PeerConducts()
        self.auditor = WorkAuditor(ME, self.conducts, self.told.__getitem__, None, self._raise)
        self.auditor.note(witness())

    def _raise(self, accused: bool) -> None:
        self.is_raised = accused

    def accuse(self, caller: PeerID, accused: PeerID = CULPRIT) -> bool:
        return self.auditor.suspect(averaging_pb2.AveragingData(peer_id=accused.to_bytes()), caller)

    def pass_rounds(self, count: int) -> None:
        for _ in range(count):
            self.auditor.note(witness())

    def judge(self, peer: PeerID, verdict: WorkVerdict) -> None:
        asyncio.run(self.auditor.judge(peer, verdict))


def test_a_user_accuses_once_in_many_rounds() -> None:
    auditor = ListeningAuditor()
    assert [auditor.accuse(caller) for caller in (EVE, EVE, EVE_TOO, ADA)] == [True, False, False, True]
    auditor.pass_rounds(ROUNDS - 1)
    assert not auditor.accuse(EVE_TOO)
    auditor.pass_rounds(1)
    assert auditor.accuse(EVE_TOO)


def test_who_told_of_a_useless_drift_may_tell_of_false_work_as_well() -> None:
    finder, hearer = ListeningAuditor(), ListeningAuditor()
    for verdict in (WorkVerdict.USELESS, WorkVerdict.USELESS, WorkVerdict.FALSE, WorkVerdict.FALSE):
        finder.judge(CULPRIT, verdict)
    taken = [hearer.auditor.suspect(message, EVE) for message in finder.told[ADA].about]
    assert taken == [True, False, True, False]


def test_only_members_accuse_members() -> None:
    auditor = ListeningAuditor()
    assert not auditor.accuse(STRANGER)
    assert not auditor.accuse(ADA, STRANGER)
    assert not auditor.is_raised


def test_an_accusation_ends_also_if_nothing_can_be_recomputed() -> None:
    auditor = ListeningAuditor()
    assert auditor.accuse(EVE)
    assert auditor.auditor.trust_in(witness().group, 1).need > 1
    for _ in range(ROUNDS - 1):
        auditor.pass_rounds(1)
        auditor.judge(CULPRIT, WorkVerdict.UNVERIFIABLE)
        assert auditor.is_raised
    auditor.pass_rounds(1)
    assert not auditor.is_raised
    assert auditor.auditor.trust_in(witness().group, 1).need == 1


def test_sound_work_ends_an_accusation_and_doubtful_work_raises_no_share() -> None:
    auditor, raised = ListeningAuditor(), []
    auditor.judge(ADA, WorkVerdict.DOUBTFUL)
    raised.append(auditor.is_raised)
    auditor.accuse(EVE, ADA)
    for verdict in (WorkVerdict.DOUBTFUL, WorkVerdict.SOUND):
        auditor.judge(ADA, verdict)
        raised.append(auditor.is_raised)
    assert raised == [False, True, False]


def test_others_are_told_of_useless_drifts_and_nobody_is_left_out_for_one() -> None:
    auditor = ListeningAuditor()
    auditor.judge(ADA, WorkVerdict.DOUBTFUL)
    assert not any(peer.accused for peer in auditor.told.values())
    auditor.judge(CULPRIT, WorkVerdict.USELESS)
    told = {member for member, peer in auditor.told.items() if peer.accused == [CULPRIT.to_bytes()]}
    assert told == {ADA, EVE, EVE_TOO}
    assert auditor.is_raised  # this peer looks again as well
    assert not auditor.conducts.refused
    auditor.judge(CULPRIT, WorkVerdict.FALSE)
    assert auditor.conducts.refused == (CULPRIT,)


def test_an_accusation_ends_with_the_memory_of_its_user() -> None:
    auditor = ListeningAuditor()
    auditor.accuse(EVE)
    for number in range(MOST_PEERS):
        assert auditor.is_raised
        auditor.judge(PeerID(peer_bytes(100 + number)), WorkVerdict.SOUND)
    assert not auditor.is_raised


MEMBERS = tuple(identity(number).peer_id for number in range(3))
HEAD = digest_of("head")
GROUP = Group(digest_of("group")[:20], MEMBERS, (0, 1, 2), (0, 2, 2), users=("me", "culprit", "friend"))
"""This peer reduces the first part, the culprit's friend the others."""


def claim_of(rows: int, first: int = 0) -> RowClaim:
    return RowClaim((RowSpan(7, HEAD, WindowPlace(0, (0, 0, 0, 0), bytes(8)), first, rows),) if rows else ())


@cache
def key_of(number: int) -> PeerKey:
    return PeerKey(identity(number).private_key._private_key)


def witness_of(number: int, rows: RowClaim) -> RoundWitness:
    key = StatementKey(key_of(number), "run")
    return RoundWitness("run", 7, HEAD, GROUP, key=key, keys=IntroducedKeys("run"), rows=rows)


def sent(number: int, part: int, rows: RowClaim, weight: float) -> averaging_pb2.AveragingData:
    tensor = encode(torch.ones(4), Encoding.FLOAT32)
    return stated_contribution(GROUP, part, tensor, weight, witness_of(number, rows), first=True)


def received(*claims: RowClaim) -> RoundWitness:
    """Return what this peer has of a round in which the two others named those rows."""
    found = witness_of(0, claim_of(8))
    for sender, rows in enumerate(claims, start=1):
        found.take(0, sender, sent(sender, 0, rows, 8.0))
    return found


def auditor_of(told: averaging_pb2.AveragingData | None = None, *, withholds: bool = False) -> WorkAuditor:
    """Return an auditor to which another reducer shows what it was ``told``."""

    async def contribution_of(group: bytes, sender: int, index: int) -> averaging_pb2.AveragingData | None:
        assert (group, sender) == (GROUP.id, 1)
        assert index == 1, "the last part has no values"
        if withholds:
            raise ContributionWithheld
        return told

    return WorkAuditor(
        MEMBERS[0],
        PeerConducts(),
        {member: ToldPeer() for member in MEMBERS}.__getitem__,
        None,
        contribution_of=contribution_of,
    )


@pytest.mark.parametrize(
    ("rows", "weight", "contradicts"), [(8, 8.0, False), (8, 4.0, True), (4, 8.0, True), (0, 8.0, True)]
)
def test_a_sample_has_what_another_reducer_was_sent_and_told(
    rows: int, weight: float, contradicts: bool
) -> None:
    """Signed, so that nobody can say that the culprit did so."""
    told = sent(1, 1, claim_of(rows), weight)
    auditor = auditor_of(told)
    auditor.note(received(claim_of(8)))
    draw = WorkDraw.of(key_of(0), "run", 7, HEAD)
    sample = asyncio.run(auditor.sample(draw, 7, HEAD, math.inf))
    assert sample is not None
    assert sample.foreign == {1: told.tensor_part.SerializeToString()}
    assert bool(sample.contradiction) is contradicts


@pytest.mark.parametrize("withholds", [True, False])
def test_without_what_another_reducer_was_sent_the_own_parts_are_audited(withholds: bool) -> None:
    """A friend that withholds it makes nothing sound."""
    auditor = auditor_of(None, withholds=withholds)
    auditor.note(received(claim_of(8)))
    sample = asyncio.run(auditor.sample(WorkDraw.of(key_of(0), "run", 7, HEAD), 7, HEAD, math.inf))
    assert sample is not None
    assert (list(sample.parts), sample.foreign, sample.contradiction) == ([0], {}, "")
    assert sample.is_withheld is withholds


def test_parts_that_the_audited_user_reduced_itself_prove_nothing() -> None:
    group = Group(GROUP.id, MEMBERS, (0, 1, 2), (0, 1, 2, 2, 2), users=("me", "culprit", "culprit"))
    auditor = auditor_of()
    assert auditor._foreign(group, 1) == []
    other = Group(GROUP.id, MEMBERS, (0, 1, 2), (0, 1, 2, 2, 2), users=("me", "culprit", "friend"))
    assert auditor._foreign(other, 1)[0] in (2, 3)


def test_work_that_cannot_be_audited_is_drawn_only_where_there_is_no_other() -> None:
    """Three users with huge claims took seven of eight of a coordinator's audits, each in vain."""
    auditor = auditor_of()
    auditor.note(received(claim_of(64), claim_of(8)))
    draws = [WorkDraw(bytes([number])) for number in range(40)]

    def drawn(most_rows: float) -> set[bytes]:
        samples = [auditor._choose(draw, 7, HEAD, math.inf, most_rows) for draw in draws]
        return {sample.peer for sample in samples if sample is not None}

    huge, usual = (member.to_bytes() for member in MEMBERS[1:])
    assert drawn(math.inf) == {huge, usual}
    assert drawn(64.0) == {usual}
    assert drawn(8.0) == {huge, usual}


def test_who_names_no_rows_round_after_round_is_to_blame(caplog: pytest.LogCaptureFixture) -> None:
    """Nobody could audit what it sends. One that was started again names none once."""
    conducts = PeerConducts()
    auditor = WorkAuditor(MEMBERS[0], conducts, lambda peer: ToldPeer(), None)
    conducts.begin_round()
    for number in range(2 * UNNAMED_ROUNDS - 1):
        auditor.note(received(claim_of(0), claim_of(0 if number != UNNAMED_ROUNDS - 1 else 8)))
    conducts.begin_round()
    assert conducts.refused == (MEMBERS[1],)
    assert not conducts.avoided(3)
    auditor.note(received(claim_of(0), claim_of(8)))
    assert conducts.avoided(3) == {MEMBERS[1]}
    assert "named no rows of its work, round after round" in caplog.text
