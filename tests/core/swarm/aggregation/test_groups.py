"""A group of colluders weighs and moves no more than the others around it allow."""

import pytest
import torch

from core.run.aggregation import Aggregation, RobustRules
from core.run.encodings import TopK
from core.swarm.aggregation.groups import ClippedGroups, capped_groups
from core.swarm.aggregation.rule import RobustRule, across_groups, mean_of_senders, weighted_mean
from core.swarm.wire.encoding import decode_received, encode

CLIPPED = ClippedGroups(RobustRules())
ONE = torch.tensor([3.0, 4.0])
CASES = {
    "three, of whom one is long": ([ONE, ONE, -10 * ONE], 0, [1 / 3, 1 / 3, -1 / 3]),
    "the own one is long": ([10 * ONE, ONE, ONE], 0, [1 / 3, 1 / 3, 1 / 3]),
    "two: the other one is long": ([ONE, -10 * ONE], 0, [0.5, -0.5]),
    "two: the own one comes second": ([-10 * ONE, ONE], 1, [-0.5, 0.5]),
    "two: the other one is short": ([ONE, -0.1 * ONE], 0, [0.5, -0.05]),
    "alone": ([ONE], 0, [1.0]),
    "one is beyond float32": ([ONE, ONE, torch.tensor([3e38, 3e38])], 0, [1 / 3, 1 / 3, 0.0]),
}


@pytest.mark.parametrize(("means", "own", "shares"), CASES.values(), ids=list(CASES))
def test_means_are_no_longer_than_the_others(
    means: list[torch.Tensor], own: int, shares: list[float]
) -> None:
    found = CLIPPED.combined(means, [1.0] * len(means), own=own)
    expected = sum(shares) * ONE
    if float(means[-1].abs().max()) > 1e30:
        assert bool(found.isfinite().all())
        assert float(found.norm()) <= float(ONE.norm()) * 1.001
    else:
        torch.testing.assert_close(found, expected)


def test_sparse_means_are_clipped_as_dense_ones() -> None:
    form, generator = TopK(kept=512), torch.Generator().manual_seed(3)
    dense = [scale * torch.randn(9000, generator=generator) for scale in (1.0, 1.1, 20.0)]
    sparse = [decode_received(encode(item, form), form, 9000) for item in dense]
    whole = [item if isinstance(item, torch.Tensor) else item.dense() for item in sparse]
    torch.testing.assert_close(
        CLIPPED.combined(sparse, [1.0, 2.0, 1.0], own=1), CLIPPED.combined(whole, [1.0, 2.0, 1.0], own=1)
    )


@pytest.mark.parametrize(
    ("samples", "members", "expected"),
    [
        ((64.0, 64.0, 9e7), (8, 8, 3), (64.0, 64.0, 48.0)),
        ((64.0, 30.0, 24.0), (8, 3, 3), (64.0, 30.0, 24.0)),
        ((64.0, 9e7), (8, 3), (64.0, 9e7)),
    ],
    ids=["one forges", "honest", "two have no majority"],
)
def test_samples_of_groups_are_capped_by_their_members(
    samples: tuple[float, ...], members: tuple[int, ...], expected: tuple[float, ...]
) -> None:
    assert capped_groups(samples, members, 2.0) == expected


def test_robust_rules_clip_across_groups_and_means_stay_means() -> None:
    robust = RobustRule(Aggregation.MEDIAN, RobustRules(radius=1.5))
    assert across_groups(robust) == ClippedGroups(RobustRules(radius=1.5))
    assert across_groups(weighted_mean) is weighted_mean
    assert across_groups(mean_of_senders) is mean_of_senders
