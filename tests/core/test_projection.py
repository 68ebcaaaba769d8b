"""A secret seed tells forged tensors from true ones, whatever their public sketch; the last bits do not matter."""

import math

import pytest
import torch
from torch import Tensor

from benchmarks.hostility.attackers.states import with_sketch_of
from core.digest import sketch, sketch_distance
from core.projection import SEED_BYTES, SUMS, distances, projected

SEED = bytes(range(SEED_BYTES))


def some_tensors(seed: int = 0) -> dict[str, Tensor]:
    draws = torch.Generator().manual_seed(seed)
    return {
        "parameters.table": torch.randn(70, 300, generator=draws),
        "parameters.bias": torch.zeros(300),
        "optimizer.table.codes": torch.randint(0, 256, (21_000,), generator=draws, dtype=torch.uint8),
        "optimizer.table.step": torch.tensor(7),
        "optimizer.table.scales": torch.rand(6, generator=draws) * 1e-9,
    }


def test_tensors_with_a_forged_public_sketch_are_far_from_the_true_ones() -> None:
    true, drawn = some_tensors(), some_tensors(1)
    forged = with_sketch_of({"w": true["parameters.table"]}, {"w": drawn["parameters.table"]})
    honest = {"w": true["parameters.table"]}
    assert sketch_distance(sketch(forged), sketch(honest)) < 1e-5, "nothing is forged"
    assert distances(projected(forged, SEED), projected(honest, SEED))[0] > 0.5


@pytest.mark.parametrize("name", list(some_tensors()))
def test_each_tensor_counts_however_small_it_is(name: str) -> None:
    true = some_tensors()
    changed = dict(true)
    changed[name] = (true[name].double() + 3 + true[name].double().abs().mean()).to(true[name].dtype)
    apart = distances(projected(changed, SEED), projected(true, SEED))
    assert {key for key, value in zip(true, apart, strict=True) if value > 0.01} == {name}


def test_the_estimate_is_near_the_distance() -> None:
    draws = torch.Generator().manual_seed(3)
    true = torch.randn(5_000_000, generator=draws)
    other = true + 1e-3 * torch.randn(5_000_000, generator=draws)
    found = [
        distances(
            projected({"w": other}, bytes([number]) * 16), projected({"w": true}, bytes([number]) * 16)
        )[0]
        for number in range(8)
    ]
    assert all(2e-4 < value < 5e-3 for value in found)
    assert math.isclose(sum(found) / len(found), 1e-3, rel_tol=0.4)


def test_sums_follow_from_seed_name_and_values_alone() -> None:
    true = some_tensors()
    sums = projected(true, SEED)
    assert sums.shape == (len(true), SUMS)
    assert (projected({**true, "more": torch.ones(3)}, SEED)[: len(true)] == sums).all()
    assert (projected(true, bytes(16)) != sums).any(axis=1).tolist() == [True, False, True, True, True]


def test_what_is_not_finite_or_of_another_shape_is_infinitely_far() -> None:
    true = some_tensors()
    sums = projected(true, SEED)
    broken = projected({**true, "parameters.table": torch.full((70, 300), math.nan)}, SEED)
    assert distances(broken, sums)[0] == math.inf
    assert distances(sums[:2], sums) == [math.inf] * len(true)
    assert distances(sums, sums) == [0.0] * len(true)
