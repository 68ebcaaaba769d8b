"""The account that a reducer gives of one part: the contributions that it took, as their senders signed them."""

import asyncio
import struct
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2, runtime_pb2

from core.swarm.aggregation.contributions import PartValues
from core.swarm.auditing.round_witness import RoundWitness
from core.swarm.rounds.partition import Part
from core.swarm.wire.encoding import MalformedPart, decode_received
from core.swarm.wire.streams import messages

_PART = struct.Struct("<I")


class ContributionWithheld(Exception):
    """A reducer shows nothing of what a sender sent it, or something that its aggregate is not of."""


class ShownContribution(NamedTuple):
    """Contribution of a sender to a part, as its reducer shows it."""

    values: PartValues
    message: averaging_pb2.AveragingData
    """The message with the statement of its sender."""


def question(group: bytes, part: int) -> averaging_pb2.AveragingData:
    """Return the request for the account of a ``part`` by its index, in a ``group`` by its id."""
    return averaging_pb2.AveragingData(
        code=averaging_pb2.PART_FOR_AVERAGING,
        group_id=group,
        tensor_part=runtime_pb2.Tensor(buffer=_PART.pack(part)),
    )


def asked_part(request: averaging_pb2.AveragingData) -> int | None:
    """Return the index of the part that a `question` names; None if ``request`` is none."""
    packed = request.tensor_part.buffer
    return _PART.unpack(packed)[0] if len(packed) == _PART.size else None


def answers(witness: RoundWitness, part: int) -> Iterator[averaging_pb2.AveragingData]:
    """Yield what the ``witness`` received of the ``part`` with that index, in the order of its senders.

    The field for the group of each message names the sender.
    """
    for sender in witness.received.senders(part):
        message = witness.received.message(part, sender)
        if message is not None:
            message.group_id = witness.group.sender(sender).to_bytes()
            yield message


async def fetch_account(
    witness: RoundWitness,
    index: int,
    part: Part,
    included: frozenset[int],
    *,
    stub_of: Callable[[PeerID], Any],
    silence_seconds: float,
    max_weight: float,
) -> dict[int, ShownContribution]:
    """Return the contributions to a part as they were signed, by the positions of their senders.

    Args:
        witness: knows the round, and verifies statements.
        index: index of the part.
        part: the part itself.
        included: positions of the senders that the committed aggregate has.
        stub_of: gives the RPC stub of a peer.
        silence_seconds: seconds of silence after which the reducer counts as lost.
        max_weight: most samples that a sender may claim.

    Raises:
        PeerLost: the reducer cannot be reached, or fell silent.
        MalformedPart: its account lacks a contribution, or holds one that its sender did not sign.
    """
    found: dict[int, ShownContribution] = {}
    due = sorted(included)
    reducer = witness.group.members[witness.group.owners[index]]
    call = stub_of(reducer).rpc_fetch_account(question(witness.group.id, index))
    async for message in messages(call, silence_seconds=silence_seconds):
        if message.code != averaging_pb2.PART_FOR_AVERAGING:
            raise MalformedPart("The reducer has no account of the part.")
        # those that came too late for the aggregate are in the account as well
        position = witness.group.position_of(PeerID(message.group_id))
        if position is None or position in found or not 0 < message.weight <= max_weight:
            raise MalformedPart("The account of a part holds a contribution twice, or an impossible one.")
        values = await asyncio.to_thread(_stated_values, witness, index, position, part, message)
        found[position] = ShownContribution(values, message)
    if missing := [position for position in due if position not in found]:
        raise MalformedPart(f"The account of a part lacks {len(missing)} of {len(due)} contributions.")
    return {position: found[position] for position in due}


def _stated_values(
    witness: RoundWitness, index: int, position: int, part: Part, message: averaging_pb2.AveragingData
) -> PartValues:
    """Return the values in ``message``; raises MalformedPart unless the sender at that position signed them."""
    values = decode_received(message.tensor_part, part.encoding, part.values)
    witness.require_stated(index, position, message)
    return values
