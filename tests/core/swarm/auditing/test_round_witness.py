"""What senders introduce is kept once they have signed it, as an audit reads it when nobody can be asked again."""

from dataclasses import replace

import pytest
import torch
from hivemind.proto import averaging_pb2

from core.admission.peer_key import PeerKey
from core.run.encodings import Encoding
from core.swarm.auditing.round_witness import RoundWitness
from core.swarm.auditing.row_spans import RowClaim, RowSpan, WindowPlace
from core.swarm.auditing.statement import IntroducedKeys, StatementKey
from core.swarm.rounds.group import Group
from core.swarm.wire.encoding import MalformedPart, encode
from tests.core.swarm.builders import digest_of, identity

MEMBERS = tuple(identity(number).peer_id for number in range(2))
GROUP = Group(digest_of("group")[:20], MEMBERS, (0, 1), (2, 0))
HEAD = digest_of("head")
CLAIM = RowClaim((RowSpan(7, HEAD, WindowPlace(0, (0, 0, 0, 0), bytes(8)), 0, 16),))


def witness(number: int) -> RoundWitness:
    key = StatementKey(PeerKey(identity(number).private_key._private_key), "run")
    return RoundWitness("run", 7, HEAD, GROUP, key=key, keys=IntroducedKeys("run"), rows=CLAIM)


def message(sender: RoundWitness, part: int, *, first: bool) -> averaging_pb2.AveragingData:
    tensor = encode(torch.arange(8.0) + part, Encoding.FLOAT32)
    made = averaging_pb2.AveragingData(tensor_part=tensor, weight=16.0)
    made.peer_id = sender.state(part, tensor, 16.0, first=first)
    return made


def test_rows_are_those_of_the_first_message_that_was_signed() -> None:
    sender, reducer = witness(1), witness(0)
    reducer.take(0, 1, message(sender, 0, first=True))
    reducer.take(1, 1, message(sender, 1, first=False))
    assert reducer.claim_of(1) == CLAIM


@pytest.mark.parametrize(
    "introduced", [b"\x05\x00false", b"\xff\xff", CLAIM.pack()], ids=["rows", "length", "key"]
)
def test_what_is_introduced_without_a_signature_leaves_nothing(introduced: bytes) -> None:
    """Otherwise whoever audits it later, the organiser's bootstrap peer among them, would end by an error."""
    sender, reducer = witness(1), witness(0)
    reducer.take(0, 1, message(sender, 0, first=True))
    false = message(sender, 1, first=False)
    false.peer_id += introduced
    with pytest.raises(MalformedPart):
        reducer.take(1, 1, false)
    assert reducer.claim_of(1) == CLAIM
    reducer.take(1, 1, message(sender, 1, first=False))


def test_a_first_message_that_is_not_signed_names_no_rows() -> None:
    sender, reducer = witness(1), witness(0)
    false = message(sender, 0, first=True)
    false.weight = 32.0
    with pytest.raises(MalformedPart):
        reducer.take(0, 1, false)
    assert reducer.claim_of(1) == replace(CLAIM, spans=())
