"""Evidence holds for anyone who has the gate's public key, against one user of one run, and nothing else holds."""

from dataclasses import replace

import msgpack
import pytest

from core.admission.gate_certificate import GateCertificate
from core.swarm.admission.convicted import ConvictedUsers
from core.swarm.evidence.evidence import MOST_EVIDENCE_BYTES, Evidence, PlaceInRun, evidence_of, verified
from core.swarm.evidence.proofs import DoubleVoteProof, Misdeed
from core.swarm.quorum.votes import DoubleVote
from tests.core.swarm.builders import identity
from tests.core.swarm.evidence.double_voter import GATE, PREFIX, double_vote
from tests.gate.run_gate import RUN, RunGate


def holds(evidence: Evidence, gate: RunGate = GATE, run: str = RUN) -> bool:
    return evidence.holds(gate=gate.key.public_key, run=run)


def test_two_votes_are_evidence_against_their_user() -> None:
    found = double_vote("mallory")
    assert holds(found)
    assert (found.user, found.peer) == ("mallory", identity(0).peer_id.to_base58())
    assert (found.misdeed, found.place) == (Misdeed.DOUBLE_VOTE, PlaceInRun(2, 7))
    assert "two votes under one number in epoch 7" in found.proof.in_words()


def test_it_travels_in_little_more_than_a_kilobyte_and_is_the_same_at_the_other_end() -> None:
    found = double_vote("mallory")
    assert len(found.packed) < 1500 < MOST_EVIDENCE_BYTES
    other = verified(found.packed, gate=GATE.key.public_key, run=RUN)
    assert other is not None
    assert other.packed == found.packed
    assert other.number == found.number


def test_it_holds_long_after_the_token_has_expired() -> None:
    assert holds(double_vote("mallory", seconds=1, age=86_000))


def _of_another_run(evidence: Evidence) -> Evidence:
    return replace(evidence, prefix=PREFIX.replace(RUN[:16], "cd" * 8))


def _of_another_generation(evidence: Evidence) -> Evidence:
    return replace(evidence, prefix=PREFIX.replace("-2-", "-3-"))


def _with_another_users_certificate(evidence: Evidence) -> Evidence:
    return replace(evidence, certificate=GateCertificate.of_token(GATE.token(identity(1), "ada")).pack())


def _with_another_gates_certificate(evidence: Evidence) -> Evidence:
    token = RunGate().token(identity(0), "mallory")
    return replace(evidence, certificate=GateCertificate.of_token(token).pack())


def _without_a_certificate(evidence: Evidence) -> Evidence:
    return replace(evidence, certificate=b"")


def _of_one_vote(evidence: Evidence) -> Evidence:
    assert isinstance(evidence.proof, DoubleVoteProof)
    votes = evidence.proof.votes
    return replace(evidence, proof=DoubleVoteProof(DoubleVote(votes.first, votes.first)))


@pytest.mark.parametrize(
    "change",
    [
        _of_another_run,
        _of_another_generation,
        _with_another_users_certificate,
        _with_another_gates_certificate,
        _without_a_certificate,
        _of_one_vote,
    ],
)
def test_nothing_else_holds(change: object) -> None:
    assert callable(change)
    changed = change(double_vote("mallory"))
    assert not holds(changed)
    assert verified(changed.packed, gate=GATE.key.public_key, run=RUN) is None


@pytest.mark.parametrize(
    ("last", "held"), [((2, 7), True), ((3, 7), True), ((2, 6), False), ((1, 7), False), ((3, 6), False)]
)
def test_a_culprit_cannot_make_evidence_of_places_that_the_run_has_not(
    last: tuple[int, int], held: bool
) -> None:
    found = double_vote("mallory")
    gate, place = GATE.key.public_key, PlaceInRun(*last)
    assert (verified(found.packed, gate=gate, run=RUN, last=place) is not None) == held
    assert (ConvictedUsers(gate=gate, run=RUN, last=place).take(found.packed) is not None) == held


def test_another_run_of_the_same_name_takes_none() -> None:
    assert not holds(double_vote("mallory"), run="cd" * 32)


def test_an_open_run_has_no_users_to_hold_it_against() -> None:
    proof = double_vote("mallory").proof
    assert isinstance(proof, DoubleVoteProof)
    bare = [
        replace(vote, record=vote.record.model_copy(update={"certificate": b""}))
        for vote in (proof.votes.first, proof.votes.second)
    ]
    assert evidence_of(DoubleVote(*bare), PREFIX) is None


GOOD = double_vote("mallory")


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"\xc1",
        msgpack.packb(7),
        msgpack.packb(["a", b"", "double_vote"]),
        msgpack.packb([7, b"", "double_vote", GOOD.proof.pack()]),
        msgpack.packb([PREFIX, "", "double_vote", GOOD.proof.pack()]),
        msgpack.packb([PREFIX, GOOD.certificate, "theft", GOOD.proof.pack()]),
        msgpack.packb([PREFIX, GOOD.certificate, ["double_vote"], GOOD.proof.pack()]),
        msgpack.packb([PREFIX, GOOD.certificate, "double_vote", None]),
        msgpack.packb([PREFIX, GOOD.certificate, "double_vote", GOOD.proof.pack()[:5]]),
        msgpack.packb([PREFIX, GOOD.certificate, "double_vote", [7, *GOOD.proof.pack()[1:]]]),
        msgpack.packb([PREFIX, GOOD.certificate, "double_vote", [*GOOD.proof.pack(), []]]),
        GOOD.packed + b"\0",
        GOOD.packed[:-1],
        bytes(MOST_EVIDENCE_BYTES + 1),
    ],
)
def test_strangers_bytes_are_no_evidence(packed: bytes) -> None:
    assert verified(packed, gate=GATE.key.public_key, run=RUN) is None
    with pytest.raises(ValueError, match=r"evidence|votes"):
        Evidence.unpack(packed)
