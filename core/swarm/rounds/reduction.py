"""A reducer's work on one part: it waits for the senders, aggregates, and encodes once for all."""

import asyncio
import hashlib
import logging
import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial

import torch
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2, runtime_pb2

from core.swarm.aggregation.contributions import PartValues
from core.swarm.aggregation.most_users import has_most_users
from core.swarm.aggregation.rule import AggregationRule, aggregate
from core.swarm.aggregation.weight_caps import capped_weights
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

_log = logging.getLogger(__name__)


_GROUPS = b"\0groups\0"
"""Beginning of a list of groups where contributors may stand as well: no id of a peer begins so."""
_SHARES = b"\0shares\0"
"""Beginning of the shares of contributions, one byte each; what else may stand there follows them."""
_WHOLE = 255
"""The byte of a contribution that is whole in its aggregate."""


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
    shares: bytes = b""
    """Share of each included contribution that a robust rule has left in the aggregate, in 255ths; empty if all.

    A contributor keeps the rest of a drift (`core.swarm.state.local_training`).
    """

    @property
    def digest(self) -> bytes:
        """SHA-256 over the encoded bytes, how they are encoded, the weight and the contributors."""
        named = [(item.peer_id.hex(), item.weight.hex()) for item in self.contributors]
        encoded = (self.message.compression, list(self.message.size))
        head: tuple[object, ...] = (*encoded, self.weight.hex(), sorted(self.included), named)
        if self.groups:
            head = (*head, pack_groups(self.groups).hex())
        if self.shares:
            head = (*head, "shares", self.shares.hex())
        return hashlib.sha256(repr(head).encode() + self.message.buffer).digest()

    def values(self, part: Part) -> torch.Tensor:
        """Return the decoded aggregate of ``part``, of shape (values,).

        Every member uses just these values, the reducer included.
        """
        return decode(self.message, part.aggregate_encoding, part.values)

    @property
    def whole_shares(self) -> bytes:
        """The shares with a byte for each included contribution, also where all of them are whole."""
        return self.shares or bytes([_WHOLE]) * len(self.included)

    def share_of(self, position: int) -> float:
        """Return the share, from 0 to 1, of the contribution at a ``position`` in ``included`` that is in it."""
        return share_at(position, self.included, self.shares)

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
            group_id=self._packed_names(),
        )

    def _packed_names(self) -> bytes:
        if self.groups:
            return with_shares(self.shares, _GROUPS + pack_groups(self.groups))
        return with_shares(self.shares, pack_contributors(self.contributors))

    @classmethod
    def from_message(cls, message: averaging_pb2.AveragingData, *, senders: int) -> "ReducedPart":
        """Read a ``message`` as ``as_message`` makes it, in a group of that many ``senders``, or of that many groups.

        Raises MalformedPart for contributors that the group does not have, or weights that do not add up.
        """
        if not 0 < message.weight < float("inf"):
            raise MalformedPart("An aggregate came with impossible samples.")
        included = unpack_positions(message.peer_id, senders)
        shares, names = cut_shares(message.group_id, len(included))
        if names.startswith(_GROUPS):
            groups = unpack_groups(names[len(_GROUPS) :])
            whole = math.fsum(item.samples for item in groups) == message.weight
            if included != frozenset(range(len(groups))) or not whole:
                raise MalformedPart("An aggregate named groups that do not make up its samples.")
            return cls(message.tensor_part, message.weight, included, groups=groups, shares=shares)
        named = _named(names, len(included), message.weight)
        return cls(message.tensor_part, message.weight, included, named, shares=shares)


def share_at(position: int, included: Collection[int], shares: bytes) -> float:
    """Return the share at a ``position`` among those ``included``, of ``shares`` as `pack_shares` packs them."""
    return shares[sorted(included).index(position)] / _WHOLE if shares else 1.0


def pack_shares(shares: Sequence[float]) -> bytes:
    """Return ``shares``, each from 0 to 1, in a byte each; nothing if all are whole."""
    packed = bytes(round(_WHOLE * share) for share in shares)
    return packed if any(item < _WHOLE for item in packed) else b""


def with_shares(shares: bytes, packed: bytes) -> bytes:
    """Return ``packed`` with ``shares``, as `pack_shares` packs them, before it."""
    return (_SHARES + shares if shares else b"") + packed


def cut_shares(packed: bytes, contributions: int) -> tuple[bytes, bytes]:
    """Return the shares of a number of ``contributions`` that ``packed`` begins with, none for all, and the rest.

    Raises MalformedPart if ``packed`` ends within the shares.
    """
    if not packed.startswith(_SHARES):
        return b"", packed
    start, stop = len(_SHARES), len(_SHARES) + contributions
    if len(packed) < stop:
        raise MalformedPart("The shares of the contributions to an aggregate were cut off.")
    return packed[start:stop], packed[stop:]


def _named(packed: bytes, expected: int, weight: float) -> tuple[Contributor, ...]:
    """Return the contributors that a message names, none or all of them; their weights must make up the whole."""
    found = unpack_contributors(packed, expected=expected) if packed else ()
    if found and math.fsum(item.weight for item in found) != weight:
        raise MalformedPart("An aggregate named contributors that do not make up its samples.")
    return found


class NothingToReduce(Exception):
    """No sender delivered the part."""


class TooFewUsers(ValueError):
    """Most of the group's users did not deliver the part."""


class PartReducer:
    """Collects one part from all senders of a group.

    A sender that fails drops out of this part alone, unless it had delivered it. The reducer alone decides
    that, and since it encodes the aggregate once, the decision is the same for all. A part without most of the
    group's users is not reduced.
    """

    def __init__(
        self,
        part: Part,
        senders: int,
        rule: AggregationRule,
        *,
        names: Sequence[bytes] = (),
        combines: bool = False,
        users: Sequence[object] | None = None,
        weight_cap: float | None = None,
        centre: Callable[[], torch.Tensor | None] = lambda: None,
    ) -> None:
        """Wait for the contributions to a part, in a running event loop.

        Args:
            part: the part.
            senders: number of contributions to wait for.
            rule: makes the aggregate of them.
            names: the senders' peer ids, given only if the part is to name its contributors.
            combines: true to keep the mean for other groups as well.
            users: the user of each sender; None: each has its own.
            weight_cap: most samples of a user that count, as a multiple of the lower median over those whose
                contributions are in the part; None without a cap.
            centre: gives the last committed aggregate of the part, of shape (values,), on a thread; None if it is not
                at hand.
        """
        self._part, self._senders, self._rule, self._names = part, senders, rule, tuple(names)
        self._users = tuple(range(senders)) if users is None else tuple(users)
        self._weight_cap, self._centre = weight_cap, centre
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
        weights = self._counted(included)
        self._received.clear()
        if not included:
            self._settle(NothingToReduce("no sender delivered this part"))
            return
        if not has_most_users([self._users[sender] for sender in included], self._users):
            self._settle(TooFewUsers("most of the group's users did not deliver it"))
            return
        # a task of its own: the sender that completed the part may be gone before it is aggregated
        self._work = asyncio.create_task(self._reduce(tensors, weights, included))
        await asyncio.shield(self._work)

    def _counted(self, included: Sequence[int]) -> Sequence[float]:
        """Return the samples of the ``included`` senders that count."""
        weights = [self._received[sender][1] for sender in included]
        if self._weight_cap is None:
            return weights
        users = [self._users[sender] for sender in included]
        counted = capped_weights(weights, users, self._weight_cap)
        for sender, before, after in zip(included, weights, counted, strict=True):
            if after < before and self._names:
                _log.info(
                    "Of the %g samples of peer %s, %g count: %g times the lower median of the group's users.",
                    before,
                    PeerID(self._names[sender]),
                    after,
                    self._weight_cap,
                )
        return counted

    async def _reduce(
        self, contributions: Sequence[PartValues], weights: Sequence[float], included: Sequence[int]
    ) -> None:
        work = partial(self._encoded, contributions, weights, [self._users[sender] for sender in included])
        try:
            message, self.partial, shares = await asyncio.get_running_loop().run_in_executor(None, work)
        except (RuntimeError, ValueError) as error:
            self._settle(error)
        else:
            named = (
                zip((self._names[sender] for sender in included), weights, strict=True) if self._names else ()
            )
            contributors = tuple(Contributor(peer, weight) for peer, weight in named)
            weight = math.fsum(weights)
            self._settle(ReducedPart(message, weight, frozenset(included), contributors, shares=shares))

    def _encoded(
        self, contributions: Sequence[PartValues], weights: Sequence[float], users: Sequence[object]
    ) -> tuple[runtime_pb2.Tensor, runtime_pb2.Tensor | None, bytes]:
        """Return the aggregate for the group's members, the mean for other groups, and the contributions' shares.

        The mean is None if it goes to no other group.
        """
        part = self._part
        found = aggregate(self._rule, contributions, weights, users=users, centre=self._centre())
        coarse, fine = part.aggregate_encoding, part.partial_encoding
        message, shares = encode(found.values, coarse), pack_shares(found.shares)
        if not self._combines:
            return message, None, shares
        return message, message if fine == coarse else encode(found.values, fine), shares

    def _settle(self, outcome: ReducedPart | Exception) -> None:
        if self.reduced.done():
            return
        if isinstance(outcome, ReducedPart):
            self.reduced.set_result(outcome)
        else:
            self.reduced.set_exception(outcome)
            self.reduced.exception()  # marks it as seen: the senders that would look may be gone
