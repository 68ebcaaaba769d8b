"""Fingerprints: the digest sees every bit and nothing else, the sketch measures distances."""

import math
import statistics
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from core.digest import digest, sketch, sketch_distance


def tensors() -> dict[str, Tensor]:
    generator = torch.Generator().manual_seed(0)
    return {
        "weight": torch.randn(40, 30, generator=generator),
        "half": torch.randn(10, generator=generator).bfloat16(),
        "codes": torch.arange(9, dtype=torch.uint8),
        "step": torch.tensor(7),
        "empty": torch.zeros(0, 3),
    }


def test_digest_is_fixed_for_ever() -> None:
    """Peers of different versions compare digests: this one may not change."""
    given = {"b": torch.tensor([1, 2], dtype=torch.int32), "a": torch.tensor([[0.5]])}
    assert digest(given) == "e78d9d2c922c0a74e79102093d8a15793a8c26be6e15eac6773bf33a28db7fa6"


def test_digest_ignores_order_strides_and_gradients() -> None:
    plain = tensors()
    other = dict(reversed(plain.items()))
    other["weight"] = plain["weight"].t().contiguous().t().requires_grad_()
    assert not other["weight"].is_contiguous()
    assert digest(other) == digest(plain)


def flip_one_bit(given: dict[str, Tensor]) -> None:
    given["weight"].view(torch.int32)[39, 29] ^= 1


def rename(given: dict[str, Tensor]) -> None:
    given["weighs"] = given.pop("weight")


def reshape(given: dict[str, Tensor]) -> None:
    given["weight"] = given["weight"].view(30, 40)


def retype(given: dict[str, Tensor]) -> None:
    given["codes"] = given["codes"].view(torch.int8)


def drop_an_empty_one(given: dict[str, Tensor]) -> None:
    del given["empty"]


def negate_a_zero(given: dict[str, Tensor]) -> None:
    given["weight"][0, 0] = -0.0


@pytest.mark.parametrize("change", [flip_one_bit, rename, reshape, retype, drop_an_empty_one, negate_a_zero])
def test_digest_sees_every_change(change: Callable[[dict[str, Tensor]], None]) -> None:
    given = tensors()
    given["weight"][0, 0] = 0.0
    before = digest(given)
    change(given)
    assert digest(given) != before


def perturbed(given: dict[str, Tensor], relative: float, seed: int) -> dict[str, Tensor]:
    """The float tensors moved by noise of exactly that relative L2 norm, all together."""
    generator = torch.Generator().manual_seed(seed)
    noise = {name: torch.randn(tensor.shape, generator=generator).double() for name, tensor in given.items()}
    scale = relative * norm(given) / norm(noise)
    return {name: tensor.double() + scale * noise[name] for name, tensor in given.items()}


def norm(given: dict[str, Tensor]) -> float:
    return math.sqrt(sum(tensor.double().square().sum().item() for tensor in given.values()))


def parameters() -> dict[str, Tensor]:
    generator = torch.Generator().manual_seed(1)
    return {
        "embedding": torch.randn(500, 64, generator=generator),
        "scale": torch.full((64,), 0.1),
        "output": torch.randn(64, 500, generator=generator) * torch.logspace(-3, 0, 500),
    }


@pytest.mark.parametrize("relative", [1e-7, 1e-3, 0.1])
def test_sketches_estimate_the_distance(relative: float) -> None:
    own = parameters()
    estimates = []
    for seed in range(100):
        moved = perturbed(own, relative, seed)
        estimates.append(sketch_distance(sketch(moved, seed=seed), sketch(own, seed=seed)) / relative)
    assert statistics.fmean(estimates) == pytest.approx(1.0, abs=0.08)
    assert min(estimates) > 0.5
    assert max(estimates) < 1.6


def test_estimate_of_the_squared_norm_is_unbiased() -> None:
    """The values are all alike, so that a projection without random signs would overestimate the norm."""
    given = {"ones": torch.ones(1000)}
    squares = [math.hypot(*sketch(given, seed=seed)) ** 2 for seed in range(400)]
    assert statistics.fmean(squares) == pytest.approx(1000, rel=0.05)


def test_larger_sketches_estimate_better() -> None:
    own = parameters()
    spreads = []
    for size in (8, 128):
        pairs = [
            (sketch(perturbed(own, 0.01, s), size=size, seed=s), sketch(own, size=size, seed=s))
            for s in range(40)
        ]
        spreads.append(statistics.stdev(sketch_distance(*pair) / 0.01 for pair in pairs))
    assert spreads[1] < 0.5 * spreads[0]


def test_sketch_is_fixed_for_ever() -> None:
    """Peers of different versions and machines compare sketches: this one may not change."""
    assert sketch({"x": torch.arange(10.0)}, size=4, seed=3) == [-11.0, 5.0, 7.0, 18.0]


def test_sketch_ignores_order_and_strides() -> None:
    own = parameters()
    other = {name: own[name].t().contiguous().t() for name in reversed(own)}
    assert sketch(other) == sketch(own)


def test_pieces_of_large_tensors_are_all_counted() -> None:
    large = torch.zeros((1 << 20) + 5)
    large[-1] = 3.0
    assert math.hypot(*sketch({"large": large})) == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("sketched", "reference", "expected"),
    [
        ([1.0, 2.0], [1.0, 2.0], 0.0),
        ([0.0, 0.0], [0.0, 0.0], 0.0),
        ([3.0, 4.0], [0.0, 2.0], math.hypot(3, 2) / 2),
        ([1.0, 0.0], [0.0, 0.0], math.inf),
        ([math.nan, 0.0], [1.0, 0.0], math.inf),
        ([1.0, 0.0], [math.inf, 0.0], math.inf),
        ([math.inf, 0.0], [math.inf, 0.0], math.inf),
    ],
)
def test_sketch_distance(sketched: list[float], reference: list[float], expected: float) -> None:
    assert sketch_distance(sketched, reference) == pytest.approx(expected)


def test_sketches_of_unlike_size_are_not_compared() -> None:
    with pytest.raises(ValueError, match="cannot be compared"):
        sketch_distance([1.0], [1.0, 2.0])
