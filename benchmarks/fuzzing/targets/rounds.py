"""Parsers of what members of a round send: encoded parts, lists of groups, orders, findings, summaries."""

from collections.abc import Callable

import torch
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2, runtime_pb2

from benchmarks.fuzzing.scene import PEER, READER, WRITER, digest_of
from benchmarks.fuzzing.target import FuzzTarget
from core.admission.peer_key import PeerKey
from core.run.encodings import Encoding, TopK, WireFormat
from core.swarm.auditing.account import asked_part, question
from core.swarm.auditing.draw import CommittedPlace, draw_of
from core.swarm.auditing.finding import AuditFinding
from core.swarm.auditing.verdict import AuditVerdict
from core.swarm.combining.orders import (
    GiveParts,
    ReducerReport,
    pack_order,
    pack_report,
    unpack_order,
    unpack_report,
)
from core.swarm.combining.plan import PassagePlan, pack_reducers, unpack_reducers
from core.swarm.rounds.combination import ReducedGroup
from core.swarm.rounds.commit import root_of
from core.swarm.rounds.given_part import GivenPart, given_part
from core.swarm.rounds.group import Group
from core.swarm.rounds.group_list import (
    Contributor,
    pack_contributors,
    pack_groups,
    pack_positions,
    unpack_contributors,
    unpack_groups,
    unpack_positions,
)
from core.swarm.rounds.losses import pack_culprits, unpack_culprits
from core.swarm.rounds.reduction import ReducedPart, pack_shares
from core.swarm.rounds.summary import RoundSummary
from core.swarm.wire.bits import pack_indices, unpack_indices
from core.swarm.wire.encoding import MalformedPart, decode_received, encode
from core.swarm.wire.records import CommitRecord

_VALUES, _PARTS, _SENDERS = 5000, 3, 4
_FORMS: dict[str, WireFormat] = {
    **{f"part_{form.value}": form for form in Encoding},
    "part_top_k": TopK(chunk=256, kept=8, bits=2),
}
_REFUSALS = (MalformedPart, DecodeError)
_GROUP = Group(digest_of("group")[:20], (WRITER.peer_id, READER.peer_id), (0, 1), (0, 1, 0))
_GROUPS = tuple(
    ReducedGroup(digest_of(f"group {number}")[:20], 64.0, 2, (PEER,), digest_of("c")) for number in range(2)
)
_CONTRIBUTORS = (Contributor(PEER, 40.0), Contributor(READER.peer_id.to_bytes(), 24.0))
_PLAN = PassagePlan(1, _GROUPS, 0, {1: (PEER,) * _PARTS}, frozenset({_GROUPS[1].id}))
_PLACE = CommittedPlace("fuzzed", 7, _GROUP.id, digest_of("root"))
_OWN = PeerKey(WRITER.private_key._private_key)
_FINDING = AuditFinding(
    7,
    _GROUP.id,
    _PLACE.root,
    1,
    AuditVerdict.FALSE_AGGREGATE,
    draw_of(_OWN, _PLACE),
    _OWN.public_key,
)


def _values(length: int = _VALUES) -> torch.Tensor:
    return torch.randn(length, generator=torch.Generator().manual_seed(0))


def _of_form(name: str, form: WireFormat) -> FuzzTarget:
    def decode(packed: bytes) -> object:
        return decode_received(runtime_pb2.Tensor.FromString(packed), form, _VALUES)

    seeds = {encode(values, form).SerializeToString() for values in (_values(), torch.zeros(_VALUES))}
    return FuzzTarget(name, tuple(sorted(seeds)), decode, _REFUSALS)


def _carried(
    name: str,
    parse: Callable[[averaging_pb2.AveragingData], object],
    *seeds: averaging_pb2.AveragingData,
) -> FuzzTarget:
    """Return the target of what a message of a round carries."""

    def read(packed: bytes) -> object:
        return parse(averaging_pb2.AveragingData.FromString(packed))

    return FuzzTarget(name, tuple(item.SerializeToString() for item in seeds), read, _REFUSALS)


def _aggregate(message: averaging_pb2.AveragingData) -> object:
    return ReducedPart.from_message(message, senders=_SENDERS).digest


def _reduced(weight: float = 64.0, **named: object) -> ReducedPart:
    tensor = encode(_values(1), Encoding.FLOAT32)
    fields: dict[str, object] = {"contributors": _CONTRIBUTORS, **named}
    return ReducedPart(tensor, weight, frozenset({0, 1}), **fields)  # type: ignore[arg-type]


def _plan_of(message: averaging_pb2.AveragingData) -> object:
    """Read an order, and what a reducer does with it at once."""
    order = unpack_order(message, _PARTS)
    if isinstance(order, PassagePlan):
        own = range(_PARTS)
        for link in (*order.links_up(own), *order.links_down(own)):
            PeerID(link.reducer).to_base58()
    return order


def _finding(packed: bytes) -> object:
    return AuditFinding.unpack(packed).is_by(PEER, "fuzzed")


_DIGESTS = tuple(digest_of(f"part {number}") for number in range(_PARTS - 1))


def _summary() -> RoundSummary:
    last = _reduced()
    digests = (*_DIGESTS, last.digest)
    record = CommitRecord(
        epoch=7,
        parent=digest_of("parent"),
        root=root_of(7, digest_of("parent"), _GROUP.id, digests),
        group=_GROUP.id,
        members=2,
        samples=64.0,
    )
    return RoundSummary(record, digests, last)


_SUMMARY = _summary()
_RECORD, _LAST = _SUMMARY.as_messages()


def _summary_with_record(message: averaging_pb2.AveragingData) -> object:
    return RoundSummary.from_messages(_SUMMARY.record.root, message, _LAST, _PARTS)


def _summary_with_part(message: averaging_pb2.AveragingData) -> object:
    return RoundSummary.from_messages(_SUMMARY.record.root, _RECORD, message, _PARTS)


TARGETS = (
    *(_of_form(name, form) for name, form in _FORMS.items()),
    FuzzTarget("indices", (pack_indices([0, 7, 2**31]),), unpack_indices),
    FuzzTarget("culprits", (pack_culprits([bytes(34), bytes([1]) * 34]),), unpack_culprits),
    FuzzTarget("group_list", (pack_groups(_GROUPS),), unpack_groups, (MalformedPart,)),
    FuzzTarget("contributors", (pack_contributors(_CONTRIBUTORS),), unpack_contributors, (MalformedPart,)),
    FuzzTarget(
        "positions",
        (pack_positions([0, 3]),),
        lambda packed: unpack_positions(packed, _SENDERS),
        (MalformedPart,),
    ),
    FuzzTarget(
        "reducers",
        (pack_reducers(_GROUP),),
        lambda packed: unpack_reducers(packed, _PARTS),
        (MalformedPart,),
    ),
    _carried("passage_order", _plan_of, pack_order(_PLAN), pack_order(GiveParts(1, 2))),
    _carried(
        "reducer_report",
        unpack_report,
        pack_report(ReducerReport(0)),
        pack_report(ReducerReport(2, frozenset({_GROUP.id}))),
    ),
    _carried(
        "aggregate",
        _aggregate,
        _reduced().as_message(),
        _reduced(shares=pack_shares([0.5, 1.0])).as_message(),
        _reduced(128.0, groups=_GROUPS, contributors=()).as_message(),
    ),
    _carried(
        "given_part",
        lambda note: given_part(_SUMMARY.last, note, senders=_SENDERS),
        GivenPart.of_group(_reduced(), delays=2).note(),
    ),
    _carried("account_question", asked_part, question(_GROUP.id, 1)),
    FuzzTarget("audit_finding", (_FINDING.pack(),), _finding, (MalformedPart,)),
    _carried("summary_record_of_round", _summary_with_record, _RECORD),
    _carried("summary_part_of_round", _summary_with_part, _LAST),
)
