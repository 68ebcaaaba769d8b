"""What a hostile peer of a combination can send is refused, and neither holds up nor ends the others' rounds."""

from typing import Any

import msgpack
import pytest
from hivemind.proto import averaging_pb2, runtime_pb2

from core.swarm.combining.orders import unpack_order, unpack_report
from core.swarm.rounds.combination import ReducedGroup
from core.swarm.rounds.given_part import given_part
from core.swarm.rounds.group_list import (
    Contributor,
    pack_contributors,
    pack_groups,
    unpack_contributors,
    unpack_groups,
)
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.wire.encoding import MalformedPart
from tests.core.swarm.builders import digest_of, peer_bytes

PART = ReducedPart(runtime_pb2.Tensor(), 1.0, frozenset({0}))


def group(number: int, samples: float = 1.0) -> ReducedGroup:
    return ReducedGroup(digest_of(f"group {number}")[:20], samples, 2, (peer_bytes(number),))


def order(fields: dict[str, Any]) -> averaging_pb2.AveragingData:
    tensor = runtime_pb2.Tensor(buffer=msgpack.packb(fields))
    return averaging_pb2.AveragingData(code=averaging_pb2.PART_FOR_AVERAGING, tensor_part=tensor)


@pytest.mark.parametrize("mask", [b"", b"\x08", b"\xff" * 1_000_000], ids=len)
def test_a_note_names_senders_of_the_group_alone(mask: bytes) -> None:
    """A long mask is refused before its bits are looked at, which would take hours."""
    with pytest.raises(MalformedPart):
        given_part(PART, averaging_pb2.AveragingData(peer_id=mask), senders=3)


@pytest.mark.parametrize("delays", [-1.0, 9.0, float("inf"), float("nan")])
def test_a_note_does_not_let_members_wait_for_ever(delays: float) -> None:
    with pytest.raises(MalformedPart):
        given_part(PART, averaging_pb2.AveragingData(peer_id=b"\x01", weight=delays), senders=3)


@pytest.mark.parametrize("samples", [1.7e308, float("inf"), float("nan"), 0.0])
def test_samples_that_have_no_sum_are_refused(samples: float) -> None:
    with pytest.raises(MalformedPart):
        unpack_groups(pack_groups([group(0, samples), group(1, samples)]))
    with pytest.raises(MalformedPart):
        unpack_contributors(pack_contributors([Contributor(peer_bytes(at), samples) for at in range(2)]))


PASSAGE = {"groups": pack_groups([group(0)]), "position": 0, "names": [], "lost": [], "reducers": {}}
HUGE = 1 << 40
"""Number of zeros that `bytes` would make of a number in place of a name."""


@pytest.mark.parametrize(
    "fields",
    [
        {**PASSAGE, "attempt": 1, "lost": [HUGE]},
        {**PASSAGE, "attempt": 1, "lost": [b"short"]},
        {**PASSAGE, "attempt": 1, "lost": {b"x" * 20: 1}},
        {**PASSAGE, "attempt": 1, "names": ["x" * 34], "reducers": {0: [0]}},
        {**PASSAGE, "attempt": 1, "names": [b"x"], "reducers": {0: [0]}},
        {"attempt": 0, "delays": 10**9},
        {"attempt": float("inf"), "delays": 0},
        {**PASSAGE, "attempt": 0},
        {**PASSAGE, "attempt": 256},
        {**PASSAGE, "attempt": float("inf")},
        {**PASSAGE, "attempt": 1, "position": 1},
    ],
    ids=str,
)
def test_an_order_that_cannot_be_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(MalformedPart):
        unpack_order(order(fields), 3)


@pytest.mark.parametrize("lost", [[HUGE], ["x" * 20], "x" * 20, {b"x" * 20: 1}], ids=str)
def test_a_report_names_groups_alone(lost: object) -> None:
    with pytest.raises(MalformedPart):
        unpack_report(order({"attempt": 1, "lost": lost}))


def test_a_list_in_place_of_a_key_is_refused() -> None:
    tensor = runtime_pb2.Tensor(buffer=b"\x81\x90\xc0")
    message = averaging_pb2.AveragingData(code=averaging_pb2.PART_FOR_AVERAGING, tensor_part=tensor)
    for unpack in (lambda: unpack_order(message, 3), lambda: unpack_report(message)):
        with pytest.raises(MalformedPart):
            unpack()
