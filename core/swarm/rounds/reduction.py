"""A reducer's work on one part: it waits for the senders, aggregates, and encodes once for all."""

import asyncio
import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import torch
from hivemind.proto import averaging_pb2, runtime_pb2

from core.run.rules import Aggregation
from core.swarm.rounds.combination import ReducedGroup
from core.swarm.rounds.group_list import (
    Contributor,
    pack_contributors,
    pack_groups,
    pack_positions,
    unpack_contributors,
    unpack_groups,
    unpack_positions,
)
from core.swarm.rounds.partition import Part
from core.swarm.wire.encoding import MalformedPart, decode, encode
from core.swarm.wire.top_k import SparseValues, sparse_mean, sparse_mean_of_senders


class AggregationRule(Protocol):
    """A rule that combines all contributions into one tensor; robust rules can be put in its place."""

    def __call__(self, tensors: Sequence[torch.Tensor], weights: Sequence[float], /) -> torch.Tensor:
        """Return the aggregate of flat float32 ``tensors``, all of one shape (values,), in the members' order."""


def weighted_mean(tensors: Sequence[torch.Tensor], weights: Sequence[float]) -> torch.Tensor:
    """Return the mean of ``tensors``, weighted by samples in ``weights`` (Diskin et al., 2021, section 3).

    The tensors and the result have one shape, (values,). They are summed in the members' order, each with its
    share: were the sum divided afterwards, one member's large values would overflow, and cost all the round.
    """
    mean, samples = torch.zeros_like(tensors[0]), sum(weights)
    for tensor, weight in zip(tensors, weights, strict=True):
        mean.add_(tensor, alpha=weight / samples)
    return mean


def mean_of_senders(tensors: Sequence[torch.Tensor], weights: Sequence[float]) -> torch.Tensor:
    """Return the mean of dense ``tensors``, of shape (values,), by ``weights``: each sender sent all values."""
    return weighted_mean(tensors, weights)


PartValues = torch.Tensor | SparseValues
"""A sender's values of a part: float32 of shape (values,), or the same with most of them zero."""

RULES: Mapping[Aggregation, AggregationRule] = {
    Aggregation.MEAN: weighted_mean,
    Aggregation.MEAN_OF_SENDERS: mean_of_senders,
}
"""The rule of each name that a manifest may have."""
_SPARSE_RULES: Mapping[AggregationRule, Callable[[Sequence[SparseValues], Sequence[float]], torch.Tensor]] = {
    weighted_mean: sparse_mean,
    mean_of_senders: sparse_mean_of_senders,
}
"""The rules for sparse contributions, which need not be made dense for them."""

_GROUPS = b"\0groups\0"
"""Beginning of a list of groups where contributors may stand as well: no id of a peer begins so."""


@dataclass(frozen=True)
class ReducedPart:
    """The aggregate of a part as it travels to all members, and its contributors.

    Only the last part of a round, whose weight counts the epoch's samples, names its contributors: 42 bytes
    each, once a round. In every part they would be the same bytes 250 times (0.7 MB to each member, for a
    group of 64 and the paper's model), and tell no more: a sender that is missing in another part is credited
    by its samples.
    """

    message: runtime_pb2.Tensor
    weight: float
    """Number of samples behind the aggregate."""
    included: frozenset[int]
    """Positions of the group's senders that contributed; of the groups, if several have combined."""
    contributors: tuple[Contributor, ...] = ()
    """Names and samples of the included senders, in their order.

    They are empty except for the last part of a round of one group.
    """
    groups: tuple[ReducedGroup, ...] = ()
    """The groups that have combined, in the last part of their round; their lists of contributors are kept apart.

    Each list would travel to the peers of all groups otherwise: 0.4 MB for 10,000 peers.
    """

    @property
    def digest(self) -> bytes:
        """SHA-256 over the encoded bytes, how they are encoded, the weight and the contributors."""
        named = [(item.peer_id.hex(), item.weight.hex()) for item in self.contributors]
        encoded = (self.message.compression, list(self.message.size))
        head: tuple[object, ...] = (*encoded, self.weight.hex(), sorted(self.included), named)
        if self.groups:
            head = (*head, pack_groups(self.groups).hex())
        return hashlib.sha256(repr(head).encode() + self.message.buffer).digest()

    def values(self, part: Part) -> torch.Tensor:
        """Return the decoded aggregate of ``part``, of shape (values,).

        Every member uses just these values, the reducer included.
        """
        return decode(self.message, part.aggregate_encoding, part.values)

    def as_message(self) -> averaging_pb2.AveragingData:
        """Return the part as it is sent to the members of the group and to peers that fetch it later.

        hivemind's message has no fields for contributors; those that its own protocol leaves empty here hold
        them.
        """
        return averaging_pb2.AveragingData(
            code=averaging_pb2.AVERAGED_PART,
            tensor_part=self.message,
            weight=self.weight,
            peer_id=pack_positions(self.included),
            group_id=_GROUPS + pack_groups(self.groups)
            if self.groups
            else pack_contributors(self.contributors),
        )

    @classmethod
    def from_message(cls, message: averaging_pb2.AveragingData, *, senders: int) -> "ReducedPart":
        """Read a ``message`` as ``as_message`` makes it, in a group of that many ``senders``, or of that many groups.

        Raises MalformedPart for contributors that the group does not have, or weights that do not add up.
        """
        if not 0 < message.weight < float("inf"):
            raise MalformedPart("An aggregate came with impossible samples.")
        included = unpack_positions(message.peer_id, senders)
        if message.group_id.startswith(_GROUPS):
            groups = unpack_groups(message.group_id[len(_GROUPS) :])
            whole = math.fsum(item.samples for item in groups) == message.weight
            if included != frozenset(range(len(groups))) or not whole:
                raise MalformedPart("An aggregate named groups that do not make up its samples.")
            return cls(message.tensor_part, message.weight, included, groups=groups)
        named = _named(message.group_id, len(included), message.weight)
        return cls(message.tensor_part, message.weight, included, named)


def _named(packed: bytes, expected: int, weight: float) -> tuple[Contributor, ...]:
    """Return the contributors that a message names, none or all of them; their weights must make up the whole."""
    found = unpack_contributors(packed, expected=expected) if packed else ()
    if found and math.fsum(item.weight for item in found) != weight:
        raise MalformedPart("An aggregate named contributors that do not make up its samples.")
    return found


class NothingToReduce(Exception):
    """No sender delivered the part."""


class PartReducer:
    """Collects one part from all senders of a group.

    A sender that fails drops out of this part alone, unless it had delivered it. The reducer alone decides
    that, and since it encodes the aggregate once, the decision is the same for all.
    """

    def __init__(
        self,
        part: Part,
        senders: int,
        rule: AggregationRule,
        *,
        names: Sequence[bytes] = (),
        combines: bool = False,
    ) -> None:
        """Wait for ``senders`` contributions to ``part``, to be aggregated by ``rule``.

        ``names`` are the senders' peer ids, given only if the part is to name its contributors. If it ``combines``,
        the mean is kept for other groups as well.
        """
        self._part, self._senders, self._rule, self._names = part, senders, rule, tuple(names)
        self._combines = combines
        self.partial: runtime_pb2.Tensor | None = None
        """The mean in the form in which it goes to other groups, once the part is reduced; None if it does not."""
        self._received: dict[int, tuple[PartValues, float]] = {}
        self._failed: set[int] = set()
        self._closed = False
        self._work: asyncio.Task[None] | None = None
        self.reduced: asyncio.Future[ReducedPart] = asyncio.get_running_loop().create_future()

    async def contribute(self, sender: int, values: PartValues, weight: float) -> None:
        """Take the ``values`` of a ``sender`` (its index among the senders), with their ``weight`` in samples.

        The values have the shape (values,) of the part. A second delivery, or one after the part was closed,
        is ignored.
        """
        if sender in self._failed or sender in self._received or self._closed:
            return
        self._received[sender] = (values, weight)
        await self._reduce_if_complete()

    async def fail(self, sender: int) -> None:
        """Continue without ``sender`` (its index among the senders), unless it has delivered this part."""
        if sender not in self._received:
            self._failed.add(sender)
            await self._reduce_if_complete()

    def abandon(self) -> None:
        """Take no further contribution; the part stays unreduced unless it is complete."""
        if not self._closed:
            self._closed = True
            self._received.clear()
            self._settle(NothingToReduce("the round was abandoned"))

    async def _reduce_if_complete(self) -> None:
        if self._closed or len(self._received) + len(self._failed) < self._senders:
            return
        self._closed = True
        included = sorted(self._received)
        tensors = [self._received[sender][0] for sender in included]
        weights = [self._received[sender][1] for sender in included]
        self._received.clear()
        if not included:
            self._settle(NothingToReduce("no sender delivered this part"))
            return
        # a task of its own: the sender that completed the part may be gone before it is aggregated
        self._work = asyncio.create_task(self._reduce(tensors, weights, included))
        await asyncio.shield(self._work)

    async def _reduce(
        self, contributions: Sequence[PartValues], weights: Sequence[float], included: Sequence[int]
    ) -> None:
        work = partial(self._encoded, contributions, weights)
        try:
            message, self.partial = await asyncio.get_running_loop().run_in_executor(None, work)
        except (RuntimeError, ValueError) as error:
            self._settle(error)
        else:
            named = (
                zip((self._names[sender] for sender in included), weights, strict=True) if self._names else ()
            )
            contributors = tuple(Contributor(peer, weight) for peer, weight in named)
            self._settle(ReducedPart(message, math.fsum(weights), frozenset(included), contributors))

    def _encoded(
        self, contributions: Sequence[PartValues], weights: Sequence[float]
    ) -> tuple[runtime_pb2.Tensor, runtime_pb2.Tensor | None]:
        """Return the aggregate for the group's members, and the mean for other groups, or None if it goes to none."""
        part, mean = self._part, aggregate(self._rule, contributions, weights)
        coarse, fine = part.aggregate_encoding, part.partial_encoding
        message = encode(mean, coarse)
        if not self._combines:
            return message, None
        return message, message if fine == coarse else encode(mean, fine)

    def _settle(self, outcome: ReducedPart | Exception) -> None:
        if self.reduced.done():
            return
        if isinstance(outcome, ReducedPart):
            self.reduced.set_result(outcome)
        else:
            self.reduced.set_exception(outcome)
            self.reduced.exception()  # marks it as seen: the senders that would look may be gone


def aggregate(
    rule: AggregationRule, contributions: Sequence[PartValues], weights: Sequence[float]
) -> torch.Tensor:
    """Return what ``rule`` makes of ``contributions`` with ``weights`` in samples, dense and of shape (values,).

    Sparse contributions are made dense only for a rule that needs them so: dense, each would take a hundred times the
    memory that it took on the wire.
    """
    sparse = [item for item in contributions if isinstance(item, SparseValues)]
    if len(sparse) == len(contributions) and (mean := _SPARSE_RULES.get(rule)) is not None:
        return mean(sparse, weights)
    return rule([item.dense() if isinstance(item, SparseValues) else item for item in contributions], weights)


def across_groups(rule: AggregationRule) -> AggregationRule:
    """Return the rule by which means of groups combine whose members' values ``rule`` aggregates.

    A robust rule needs single contributions: it works inside a group alone, and groups combine by their samples.
    """
    return rule if rule in _SPARSE_RULES else weighted_mean
