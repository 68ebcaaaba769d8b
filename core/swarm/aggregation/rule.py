"""The rule of a run by which a reducer makes one aggregate of a part's contributions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import torch

from core.run.aggregation import Aggregation, RobustRules
from core.run.rules import SwarmRules
from core.swarm.aggregation.clipping import ClippedMean, clipped_mean, clipped_mean_of_senders
from core.swarm.aggregation.contributions import PartValues, UserContributions, by_user, dense_of
from core.swarm.aggregation.coordinates import trimmed, trimmed_mean
from core.swarm.aggregation.groups import ClippedGroups
from core.swarm.wire.top_k import SparseValues, sparse_mean, sparse_mean_of_senders


class AggregationRule(Protocol):
    """A rule that combines all contributions into one tensor; a `RobustRule` is asked for more than that."""

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


_MEANS: Mapping[Aggregation, AggregationRule] = {
    Aggregation.MEAN: weighted_mean,
    Aggregation.MEAN_OF_SENDERS: mean_of_senders,
}
_SPARSE_MEANS: Mapping[AggregationRule, Callable[[Sequence[SparseValues], Sequence[float]], torch.Tensor]] = {
    weighted_mean: sparse_mean,
    mean_of_senders: sparse_mean_of_senders,
}
"""The means of sparse contributions, which need not be made dense for them."""


@dataclass(frozen=True)
class PartAggregate:
    """The aggregate of a part, and what it has of each contribution."""

    values: torch.Tensor
    """float32 of shape (values,)."""
    shares: tuple[float, ...]
    """Share of each contribution that is in it, from 0 to 1: less than 1 where a rule shortened it."""


@dataclass(frozen=True)
class RobustRule:
    """A rule under which a minority of the users has little influence, whatever it sends."""

    kind: Aggregation
    """The rule's name in the manifest, one that is robust."""
    rules: RobustRules
    """Parameters of the rule."""

    def __call__(self, tensors: Sequence[torch.Tensor], weights: Sequence[float], /) -> torch.Tensor:
        """Return the aggregate of ``tensors``, of shape (values,), each of another user, without a centre."""
        return self.combined(tensors, weights, range(len(tensors)), None).values

    def combined(
        self,
        contributions: Sequence[PartValues],
        weights: Sequence[float],
        users: Sequence[object],
        centre: torch.Tensor | None,
    ) -> PartAggregate:
        """Return the aggregate of ``contributions``, in the members' order.

        A sparse contribution stays sparse. Memory beside the contributions: four bytes a value for the result, as
        much for the ``centre``, one chunk, and the means of users who have several peers here.

        Args:
            contributions: the values that each peer sent, all of one length.
            weights: samples of each peer.
            users: the user of each peer; peers of one count as one contributor.
            centre: the last committed aggregate of the part, of shape (values,); None if it is not at hand.
        """
        found = by_user(contributions, weights, users)
        if not self.kind.clips:
            share = 0.5 if self.kind is Aggregation.MEDIAN else self.rules.trimmed_share
            left_out = trimmed(share, len(found.values))
            return PartAggregate(trimmed_mean(found.values, left_out), (1.0,) * len(contributions))
        mean = self._clipped(found, centre)
        return PartAggregate(mean.values, tuple(mean.shares[place] for place in found.places))

    def _clipped(self, found: UserContributions, centre: torch.Tensor | None) -> ClippedMean:
        sparse = [item for item in found.values if isinstance(item, SparseValues)]
        if self.rules.of_senders and len(sparse) == len(found.values):
            return clipped_mean_of_senders(sparse, found.weights, radius=self.rules.radius)
        centred = self.kind is Aggregation.CENTERED_CLIP
        return clipped_mean(
            found.values,
            found.weights,
            # A contributor keeps nothing where it has just sent values, so sparse drifts are not near the last one.
            centre=centre if centred and not sparse else None,
            radius=self.rules.radius,
            iterations=self.rules.iterations if centred else 1,
        )


def rule_of(rules: SwarmRules) -> AggregationRule:
    """Return the rule that the ``rules`` of a run name."""
    if rules.aggregation.is_robust:
        assert rules.robust is not None, "the manifest's own check"
        return RobustRule(rules.aggregation, rules.robust)
    return _MEANS[rules.aggregation]


def aggregate(
    rule: AggregationRule,
    contributions: Sequence[PartValues],
    weights: Sequence[float],
    *,
    users: Sequence[object] | None = None,
    centre: torch.Tensor | None = None,
) -> PartAggregate:
    """Return what ``rule`` makes of ``contributions``, dense and of shape (values,).

    Sparse contributions are made dense only for a rule that needs them so: dense, each would take a hundred times the
    memory that it took on the wire.

    Args:
        rule: the rule.
        contributions: the values that each peer sent, all of one length, in the members' order.
        weights: samples of each peer.
        users: the user of each peer, for robust rules; None: each peer has its own.
        centre: the last committed aggregate of the part, of shape (values,), for robust rules; None without one.
    """
    if isinstance(rule, RobustRule):
        return rule.combined(
            contributions, weights, range(len(contributions)) if users is None else users, centre
        )
    whole = (1.0,) * len(contributions)
    sparse = [item for item in contributions if isinstance(item, SparseValues)]
    if len(sparse) == len(contributions) and (mean := _SPARSE_MEANS.get(rule)) is not None:
        return PartAggregate(mean(sparse, weights), whole)
    return PartAggregate(rule([dense_of(item) for item in contributions], weights), whole)


def across_groups(rule: AggregationRule) -> AggregationRule:
    """Return the rule by which means of groups combine whose members' values ``rule`` aggregates.

    A robust rule needs single contributions and works inside a group alone; means of groups are clipped then.
    """
    if isinstance(rule, RobustRule):
        return ClippedGroups(rule.rules)
    return rule if rule in _SPARSE_MEANS else weighted_mean
