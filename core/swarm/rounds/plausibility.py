"""Holds a round's aggregate against what this peer contributed to that round, before it votes for it.

A rule of aggregation protects a group in which most users are honest. Where groups are small, hostile users may be
most of one, and nothing is cut there. But its aggregate is committed by the votes of more than half of all users, and
each of them has a contribution of its own to the same step, from other samples of the same data.
"""

import math
import statistics
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import torch

from core.swarm.rounds.partition import Part
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.wire.encoding import MalformedPart

OPPOSED_COSINE = 0.1
"""Cosine of the angle from which on an aggregate is opposed to a contribution, below zero.

Honest ones have a positive cosine with it, or nearly none where the noise of samples is large.
"""
_DEVIATIONS = 6.0
"""Standard deviations of the cosine of two unrelated directions, 1 / sqrt(values), that are no opposition."""
MOST_LENGTH = 10.0
"""Length of an aggregate as a multiple of the longest own contribution, up to which it is plausible.

Honest peers make from one to eight or so local steps in a round, as they are slow or fast.
"""
SPREADS = 4.0
"""Standard deviations of the last cosines, below zero, that the noise of samples explains."""
MOST_SPREAD = 0.3
"""Cosine below zero that is opposed however far the last ones spread: accepted aggregates may have widened them."""
LEAST_OWN = 3
"""Own contributions without which lengths are not compared, and cosines tell of no spread."""
_REMEMBERED = 8


class ComparedPart(NamedTuple):
    """The sums behind a comparison of some values with own ones."""

    product: float
    """Sum of the products of both, in the square of their unit."""
    square: float
    """Sum of the squares of the values, in the square of their unit."""
    own_square: float
    """Sum of the squares of the own ones, in the square of their unit."""
    values: int
    """Number of values."""

    @classmethod
    def of(cls, found: torch.Tensor, own: torch.Tensor) -> Self:
        """Compare the values ``found`` with ``own`` ones, both float32 of shape (values,)."""
        values, contributed = found.double(), own.double()
        product, square = float(values @ contributed), float(values.square().sum())
        return cls(product, square, float(contributed.square().sum()), values.numel())


@dataclass(frozen=True)
class ComparedAggregate:
    """The direction and the length of an aggregate, or of what others sent, beside those of a contribution."""

    cosine: float
    """Number from -1 to 1, the cosine of the angle between both; 0 where one of them is zero."""
    length: float
    """Length of the aggregate: the root of the sum of its squares, in the unit of its values."""
    own_length: float
    """Length of the contribution, in the unit of its values."""
    values: int
    """Number of values that were compared."""
    parts: tuple[ComparedPart, ...] = ()
    """The parts that were compared, in order."""

    @classmethod
    def of(cls, parts: Iterable[ComparedPart]) -> Self:
        """Return the comparison of all ``parts`` together."""
        found = tuple(parts)
        length = math.sqrt(sum(part.square for part in found))
        own_length = math.sqrt(sum(part.own_square for part in found))
        product = sum(part.product for part in found)
        cosine = product / (length * own_length) if length and own_length else 0.0
        return cls(cosine, length, own_length, sum(part.values for part in found), found)

    @property
    def is_opposed(self) -> bool:
        """True if the aggregate leads where the contribution came from, more than chance explains."""
        return self.cosine < -max(OPPOSED_COSINE, _DEVIATIONS / math.sqrt(max(1, self.values)))

    @property
    def is_strange(self) -> bool:
        """True if some of an aggregate is worth a look at how it came about: it is opposed, or far longer.

        Of few parts that proves nothing. A contribution may hold little of them, such as few rows of an embedding.
        """
        return self.is_opposed or self.length > MOST_LENGTH * self.own_length > 0


def agreement_of(
    parts: Sequence[Part], reduced: Sequence[ReducedPart], own: Sequence[torch.Tensor]
) -> ComparedAggregate:
    """Return the agreement of the ``reduced`` ``parts`` with a peer's ``own`` tensors, in their order and shapes."""
    return ComparedAggregate.of(
        ComparedPart.of(found.values(part), part.gather(own))
        for part, found in zip(parts, reduced, strict=True)
    )


def strange_parts(found: ComparedAggregate, owners: Sequence[int], me: int) -> list[int]:
    """Return a part of each reducer whose parts of an aggregate are strange together: the one that is most so.

    The worst reducer comes first. All parts together may be plausible, where a few reducers turn theirs alone.

    Args:
        found: the aggregate as it was compared, part by part.
        owners: indices of the reducers of these parts.
        me: index of this member, which knows what it has reduced itself.
    """
    by_owner: dict[int, list[int]] = {}
    for index in range(len(found.parts)):
        by_owner.setdefault(owners[index], []).append(index)
    together = {
        owner: ComparedAggregate.of(found.parts[index] for index in indices)
        for owner, indices in by_owner.items()
        if owner != me
    }
    strange = sorted((item.cosine, owner) for owner, item in together.items() if item.is_strange)
    return [min(by_owner[owner], key=lambda at: found.parts[at].product) for _, owner in strange]


class OwnReference:
    """This peer's own contributions, as a reference for the aggregates that it is to vote for."""

    def __init__(self, parts: Sequence[Part], inputs: Sequence[torch.Tensor]) -> None:
        """Compare all ``parts`` but the last, which holds the loss, with own contributions.

        ``inputs`` are the tensors of the round in their own shapes, filled before each one.
        """
        self.parts, self.inputs = parts[:-1], inputs
        self._lengths: deque[float] = deque(maxlen=_REMEMBERED)
        self._cosines: deque[float] = deque(maxlen=_REMEMBERED)

    def compared_with(self, reduced: Sequence[ReducedPart]) -> ComparedAggregate | None:
        """Return the ``reduced`` parts of a round beside the contribution to it; None if they cannot be decoded.

        It may take seconds for a large model, and may run in another thread as long as the round lasts.
        """
        try:
            return agreement_of(self.parts, reduced[: len(self.parts)], self.inputs)
        except MalformedPart:
            return None

    def objection_to(self, found: ComparedAggregate | None) -> str:
        """Return what speaks against an aggregate, in words after "it"; "" for nothing.

        ``found`` is the aggregate as it was compared, None if it could not be. A peer without a contribution to the
        round objects to no direction.
        """
        if found is None:
            return "has parts that cannot be decoded"
        is_new = found.own_length > 0 and (not self._lengths or self._lengths[-1] != found.own_length)
        if is_new:
            self._lengths.append(found.own_length)
        if self.is_opposed(found):
            return f"is opposed to what this peer contributed (cosine {found.cosine:.2f})"
        if self.is_too_long(found):
            times = found.length / max(self._lengths)
            return f"is {times:.3g} times as long as any of this peer's last contributions"
        if is_new:
            self._cosines.append(found.cosine)
        return ""

    def is_opposed(self, found: ComparedAggregate) -> bool:
        """Return true if what was ``found`` is opposed by more than samples explain, as far as the last ones spread.

        Gradients of few samples are mostly noise, in few directions: the cosines of honest ones spread so far late in
        the training that some are below the common bound.
        """
        spread = statistics.pstdev(self._cosines) if len(self._cosines) >= LEAST_OWN else 0.0
        return found.is_opposed and found.cosine < -min(SPREADS * spread, MOST_SPREAD)

    def is_too_long(self, found: ComparedAggregate) -> bool:
        """Return true if what was ``found`` is longer than any of this peer's last contributions can explain."""
        if len(self._lengths) < LEAST_OWN:
            return False
        return found.length > MOST_LENGTH * max(self._lengths)
