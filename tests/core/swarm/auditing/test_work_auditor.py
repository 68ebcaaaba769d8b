"""An accusation has others audited more often, for a while: each user may make one in many rounds."""

import asyncio
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2

from core.admission.peer_key import PeerKey
from core.swarm.auditing.conduct import MOST_PEERS, PeerConducts
from core.swarm.auditing.round_witness import RoundWitness
from core.swarm.auditing.statement import IntroducedKeys, StatementKey
from core.swarm.auditing.trust import WorkVerdict
from core.swarm.auditing.work_auditor import WorkAuditor
from core.swarm.rounds.group import Group
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
