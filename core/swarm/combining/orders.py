"""Reports of a group's reducers to their head, the orders of the head to them, and the messages that carry both."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgpack
from hivemind.proto import averaging_pb2, runtime_pb2

from core.swarm.combining.plan import PEER_BYTES, PassagePlan
from core.swarm.rounds.combination import ATTEMPTS
from core.swarm.rounds.given_part import MOST_DELAYS
from core.swarm.rounds.group_list import pack_groups, unpack_groups
from core.swarm.wire.encoding import MalformedPart
from core.swarm.wire.group_records import GROUP_ID_BYTES


@dataclass(frozen=True)
class ReducerReport:
    """The report of a reducer to its head after each step."""

    attempt: int
    """Number of the passage that has ended; 0: the reducer has reduced all of its parts."""
    lost: frozenset[bytes] | None = None
    """Ids of the groups with which the passage broke, or an empty set for a part that could not be reduced.

    None if all is well.
    """


@dataclass(frozen=True)
class GiveParts:
    """The head's order to give the members their parts."""

    attempt: int
    """Number of the passage whose aggregates are given; 0 for the group's own."""
    delays: int
    """Times to settle for which members wait before they write a commit: those of the first group write first."""


HeadOrder = PassagePlan | GiveParts
"""An order of a head to the reducers of its group: to pass means through the trees, or to give parts."""


def pack_report(report: ReducerReport) -> averaging_pb2.AveragingData:
    """Return the message that carries ``report``."""
    return _message({"attempt": report.attempt, "lost": None if report.lost is None else sorted(report.lost)})


def unpack_report(message: averaging_pb2.AveragingData) -> ReducerReport:
    """Read a report; raises MalformedPart if ``message`` carries none."""
    fields = _fields(message)
    try:
        attempt, lost = fields["attempt"], fields["lost"]
        if not isinstance(attempt, int):
            raise ValueError(attempt)
        return ReducerReport(attempt, None if lost is None else _names(lost, GROUP_ID_BYTES))
    except (KeyError, TypeError, ValueError) as error:
        raise MalformedPart("A reducer reported something that makes no sense.") from error


def pack_order(order: HeadOrder) -> averaging_pb2.AveragingData:
    """Return the message that carries ``order``."""
    if isinstance(order, GiveParts):
        return _message({"attempt": order.attempt, "delays": order.delays})
    names = sorted({name for reducers in order.reducers.values() for name in reducers})
    places = {name: place for place, name in enumerate(names)}
    return _message(
        {
            "attempt": order.attempt,
            "groups": pack_groups(order.groups),
            "position": order.position,
            "names": names,
            "lost": sorted(order.lost),
            "reducers": {at: [places[name] for name in found] for at, found in order.reducers.items()},
        }
    )


def unpack_order(message: averaging_pb2.AveragingData, parts: int) -> HeadOrder:
    """Read an order for a round with a number of ``parts``; raises MalformedPart if ``message`` carries none."""
    fields = _fields(message)
    try:
        if "delays" in fields:
            attempt, delays = int(fields["attempt"]), int(fields["delays"])
            if not 0 <= delays <= MOST_DELAYS:
                raise ValueError("members would wait for ever")
            return GiveParts(attempt, delays)
        names, groups = fields["names"], unpack_groups(fields["groups"])
        _names(names, PEER_BYTES)
        reducers = {
            int(at): tuple(names[place] for place in found) for at, found in fields["reducers"].items()
        }
        if any(len(found) != parts for found in reducers.values()):
            raise ValueError("the reducers of another number of parts")
        if not 0 <= fields["position"] < len(groups):
            raise ValueError("no such group")
        lost = _names(fields["lost"], GROUP_ID_BYTES)
        attempt = int(fields["attempt"])
        if not 0 < attempt <= ATTEMPTS:
            raise ValueError("no such passage")
        return PassagePlan(attempt, groups, int(fields["position"]), reducers, lost)
    except (ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise MalformedPart("The head of the group ordered something that makes no sense.") from error


def _names(found: list[object], length: int) -> frozenset[bytes]:
    """Return the names in a list; raise ValueError unless each is as many bytes: `bytes(2**32)` makes 4 GiB."""
    if not isinstance(found, list):
        raise ValueError("it is no list of names")
    if not all(isinstance(name, bytes) and len(name) == length for name in found):
        raise ValueError("a name is other than bytes of its length")
    return frozenset(name for name in found if isinstance(name, bytes))


def _message(fields: Mapping[str, object]) -> averaging_pb2.AveragingData:
    tensor = runtime_pb2.Tensor(buffer=msgpack.packb(fields))
    return averaging_pb2.AveragingData(code=averaging_pb2.PART_FOR_AVERAGING, tensor_part=tensor)


def _fields(message: averaging_pb2.AveragingData) -> dict[str, Any]:
    if message.code != averaging_pb2.PART_FOR_AVERAGING:
        raise MalformedPart("A peer of the group ended its part in the combination.")
    try:
        fields = msgpack.unpackb(message.tensor_part.buffer, strict_map_key=False)
    except (TypeError, ValueError, msgpack.UnpackException) as error:  # TypeError: a list as a key
        raise MalformedPart("A peer of the group sent something that cannot be read.") from error
    if not isinstance(fields, dict):
        raise MalformedPart("A peer of the group sent something that makes no sense.")
    return fields
