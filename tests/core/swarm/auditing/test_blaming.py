"""The peers that a member blames for a round are those that alone can have failed it."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
import torch
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2

from core.admission.peer_key import PeerKey
from core.run.encodings import Encoding
from core.swarm.auditing.backoff import PeerFault
from core.swarm.auditing.blaming import RoundLosses, equivocating, faults_of, opposing
from core.swarm.auditing.round_witness import RoundWitness
from core.swarm.auditing.statement import IntroducedKeys, StatementKey
from core.swarm.rounds.group import Group
from core.swarm.rounds.partition import assign, cut
from core.swarm.rounds.plausibility import ComparedAggregate, OwnReference
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.wire.encoding import encode
from tests.core.swarm.builders import digest_of, identity, peer_bytes

A, B, C, D = (PeerID(peer_bytes(number)) for number in range(4))
ALL, NONE = frozenset({A, B, C}), frozenset[PeerID]()
FINE = RoundLosses(ALL, ALL, NONE, NONE, NONE, leader=A)

CASES: dict[str, tuple[RoundLosses, Mapping[PeerID, PeerFault]]] = {
    "nothing was lost": (FINE, {}),
    "one reducer": (replace(FINE, lost=frozenset({B})), {B: PeerFault.LOST_PARTS}),
    "two of three": (
        replace(FINE, lost=frozenset({B, C})),
        {B: PeerFault.LOST_PARTS, C: PeerFault.LOST_PARTS},
    ),
    "all: the own line": (replace(FINE, lost=ALL), {}),
    "the only one": (
        replace(FINE, reducers=frozenset({B}), lost=frozenset({B})),
        {B: PeerFault.LOST_PARTS},
    ),
    "one of two peers": (
        replace(FINE, reducers=frozenset({B}), senders=frozenset({B}), lost=frozenset({B})),
        {},
    ),
    "one of two peers is silent": (
        RoundLosses(frozenset({B}), frozenset({B}), NONE, NONE, silent=frozenset({B}), leader=B),
        {},
    ),
    "one of two peers, and reduces alone": (
        replace(FINE, reducers=frozenset({B}), senders=NONE, lost=frozenset({B})),
        {},
    ),
    "a sender": (replace(FINE, silent=frozenset({C})), {C: PeerFault.SILENT_SENDER}),
    "all senders: the own line": (replace(FINE, silent=ALL), {}),
    "neither sends nor reduces": (
        replace(FINE, lost=frozenset({C}), silent=frozenset({C})),
        {C: PeerFault.LOST_PARTS},
    ),
    "one left the group": (
        replace(FINE, lost=frozenset({B}), refusing=frozenset({B})),
        {B: PeerFault.LOST_PARTS},
    ),
    "most know of no group: they or the leader lie": (
        replace(FINE, lost=frozenset({B, C}), refusing=frozenset({B, C}), most_refuse=True),
        {A: PeerFault.UNKNOWN_GROUP, B: PeerFault.LOST_PARTS, C: PeerFault.LOST_PARTS},
    ),
    "most know of no group, and the leader is lost": (
        replace(FINE, reducers=ALL | {D}, lost=ALL, refusing=frozenset({B, C}), most_refuse=True),
        {A: PeerFault.UNKNOWN_GROUP, B: PeerFault.LOST_PARTS, C: PeerFault.LOST_PARTS},
    ),
    "two of many know of no group, and frame no leader": (
        replace(FINE, lost=frozenset({B, C}), refusing=frozenset({B, C})),
        {B: PeerFault.LOST_PARTS, C: PeerFault.LOST_PARTS},
    ),
    "all had ended the exchange of a group that was committed": (
        replace(FINE, lost=ALL, refusing=ALL, is_committed=True),
        {},
    ),
    "one refuses a member in a group that was committed": (
        replace(FINE, lost=frozenset({B}), refusing=frozenset({B}), is_committed=True),
        {B: PeerFault.LOST_PARTS},
    ),
    "several refuse it, and one served it": (
        replace(FINE, lost=frozenset({B, C}), refusing=frozenset({B, C}), is_committed=True),
        {B: PeerFault.LOST_PARTS, C: PeerFault.LOST_PARTS},
    ),
    "all refuse a member that came too late": (
        replace(FINE, lost=ALL, refusing=ALL, silent=ALL, is_late=True),
        {},
    ),
    "most had given up one that came too late, and one served it": (
        replace(
            FINE,
            lost=frozenset({B, C}),
            refusing=frozenset({B, C}),
            silent=frozenset({B, C}),
            is_late=True,
        ),
        {},
    ),
    "one that answers a late member takes its time": (
        replace(FINE, lost=frozenset({B}), is_late=True),
        {B: PeerFault.LOST_PARTS},
    ),
    "several left a group of the member's own": (
        replace(FINE, lost=frozenset({B, C}), refusing=frozenset({B, C}), leader=None),
        {B: PeerFault.LOST_PARTS, C: PeerFault.LOST_PARTS},
    ),
}


@pytest.mark.parametrize(("losses", "faults"), CASES.values(), ids=list(CASES))
def test_blame(losses: RoundLosses, faults: Mapping[PeerID, PeerFault]) -> None:
    assert faults_of(losses) == faults


def reduced(value: float, weight: float = 4.0) -> ReducedPart:
    return ReducedPart(encode(torch.full((3,), value), Encoding.FLOAT32), weight, frozenset({0, 1}))


ONE, TWO = reduced(1.0), reduced(2.0)


@pytest.mark.parametrize(
    ("returned", "committed", "found"),
    [
        ([ONE, TWO], {0: ONE, 1: TWO}, set()),
        ([reduced(1.0), TWO], {0: ONE, 1: TWO}, set()),  # equal bytes, fetched
        ([TWO, TWO], {0: ONE, 1: TWO}, {A}),
        ([reduced(1.0, weight=5.0), TWO], {0: ONE, 1: TWO}, {A}),
        ([TWO, ONE], {0: ONE, 1: TWO}, {A, B}),
        ([None, TWO], {0: ONE, 1: TWO}, set()),  # that is a lost part
        ([TWO, TWO], {1: TWO}, set()),
        ([TWO, ONE], {}, set()),  # another group's were committed
    ],
)
def test_a_reducer_that_gave_other_bytes_than_were_committed(
    returned: list[ReducedPart | None], committed: dict[int, ReducedPart], found: set[PeerID]
) -> None:
    assert equivocating([A, B], returned, committed) == found


PARTS = cut([(4000, Encoding.UNIFORM8), (1, Encoding.FLOAT32)], part_bytes=1000)
COMMON = torch.randn(4000, generator=torch.Generator().manual_seed(0))


def sent_by(factors: Mapping[int, float]) -> RoundWitness:
    """What the first of four members received: the gradients of all in common, times a factor of each."""
    members = tuple(identity(number).peer_id for number in range(4))
    group = Group(digest_of("group")[:20], members, (0, 1, 2, 3), assign(PARTS, [0.25] * 4))
    key = StatementKey(PeerKey(identity(0).private_key._private_key), "run")
    witness = RoundWitness("run", 7, digest_of("head"), group, key=key, keys=IntroducedKeys("run"))
    for index in group.parts_of(0):
        for sender, factor in factors.items():
            values = PARTS[index].gather([factor * COMMON, torch.ones(1)])
            message = averaging_pb2.AveragingData(tensor_part=encode(values, PARTS[index].encoding))
            witness.received.keep(index, sender, message)
    return witness


def reference_to(values: torch.Tensor) -> OwnReference:
    """The contributions of a member that has made three as long as ``values``, and these last."""
    reference = OwnReference(PARTS, [values.clone(), torch.ones(1)])
    for length in (0.9, 1.1, 1.0):
        reference.objection_to(ComparedAggregate(1.0, 1.0, length * float(values.norm()), 4000))
    return reference


@pytest.mark.parametrize(
    ("factors", "blamed"),
    [
        ({0: 1.0, 1: 0.5, 2: 2.0, 3: 1.0}, set()),
        ({0: 1.0, 1: 1.0, 2: -1.0, 3: 1.0}, {2}),
        ({0: 1.0, 1: 1.0, 2: -10.0, 3: -0.3}, {2, 3}),
        ({0: 1.0, 1: 80.0, 2: 8.0, 3: 1.0}, {1}),
        ({0: 1.0, 1: -1.0, 2: -1.0, 3: -1.0}, set()),
        ({0: 1.0, 3: -1.0}, {3}),
        ({}, set()),
    ],
    ids=[
        "alike",
        "one opposite",
        "two",
        "one far longer",
        "all: the member is the odd one",
        "few came",
        "nothing",
    ],
)
def test_senders_that_turned_an_aggregate_are_to_blame(
    factors: Mapping[int, float], blamed: set[int]
) -> None:
    witness = sent_by(factors)
    found = opposing(witness, reference_to(COMMON), witness.group.members[0])
    assert found == {witness.group.members[at] for at in blamed}


def test_a_member_that_contributed_little_to_its_parts_blames_nobody_for_length() -> None:
    """Others make eight times as many steps, and its captions touch few rows of the embedding that it reduces."""
    witness, reference = sent_by({0: 1.0, 1: 8.0, 2: 8.0, 3: 1.0}), reference_to(COMMON)
    reference.inputs[0].mul_(0.01)
    assert opposing(witness, reference, witness.group.members[0]) == frozenset()


def test_a_member_without_a_contribution_blames_nobody() -> None:
    witness = sent_by({1: 1.0, 2: -1.0, 3: 50.0})
    reference = OwnReference(PARTS, [torch.zeros(4000), torch.ones(1)])
    assert opposing(witness, reference, witness.group.members[0]) == frozenset()
