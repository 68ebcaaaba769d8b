"""The seam at which parts that travel are stated by their senders, and kept by their reducers."""

from typing import Protocol

from hivemind.proto import averaging_pb2, runtime_pb2

from core.swarm.rounds.group import Group


class PartWitness(Protocol):
    """Statements of a member about the parts that it sends in one round, and its memory of those that it reduces.

    Its methods are called on threads.
    """

    def state(self, part: int, tensor: runtime_pb2.Tensor, weight: float, *, first: bool) -> bytes:
        """Return the bytes that go with encoded values, in a message's field for the peer.

        Args:
            part: index of the part in the round.
            tensor: the encoded values, of shape (values,).
            weight: number of samples behind them.
            first: true for the first part that a reducer gets.
        """

    def take(self, part: int, sender: int, message: averaging_pb2.AveragingData) -> None:
        """Check and keep the ``message`` with the values of ``part`` of the sender at that position.

        Raises MalformedPart if its sender does not state just these values.
        """


class NoWitness:
    """States and keeps nothing."""

    def state(self, part: int, tensor: runtime_pb2.Tensor, weight: float, *, first: bool) -> bytes:
        """Return nothing for a ``part``.

        Neither ``tensor``, of shape (values,), nor its ``weight``, nor whether it is the ``first`` is used.
        """
        return b""

    def take(self, part: int, sender: int, message: averaging_pb2.AveragingData) -> None:
        """Take any ``message`` of any ``sender`` for any ``part``."""


def stated_contribution(
    group: Group,
    index: int,
    tensor: runtime_pb2.Tensor,
    weight: float,
    witness: PartWitness,
    *,
    first: bool,
) -> averaging_pb2.AveragingData:
    """Return the message by which a member contributes to a part, with what it states of it.

    Args:
        group: the group of the round.
        index: index of the part.
        tensor: the member's encoded values, of shape (values,).
        weight: number of samples behind them.
        witness: makes the statement.
        first: true for the first part that a reducer gets.
    """
    return averaging_pb2.AveragingData(
        code=averaging_pb2.PART_FOR_AVERAGING,
        group_id=group.id,
        peer_id=witness.state(index, tensor, weight, first=first),
        tensor_part=tensor,
        weight=weight,
    )
