"""Norms with a fixed order of sums."""

import math

import pytest
import torch

from core.optim.update import norm, square_sum


@pytest.mark.parametrize("shape", [(0,), (), (5,), (28_672,), (28_673,), (300, 700)])
def test_square_sum_is_exact_in_float64(shape: tuple[int, ...]) -> None:
    tensor = torch.randn(shape, generator=torch.Generator().manual_seed(1))
    expected = math.fsum(value * value for value in tensor.double().flatten().tolist())
    assert square_sum(tensor) == pytest.approx(expected, rel=1e-13)


def test_large_values_do_not_overflow() -> None:
    assert norm([torch.full((4,), 1e38), torch.zeros(3)]) == pytest.approx(2e38, rel=1e-6)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_what_is_not_finite_shows(value: float) -> None:
    assert not math.isfinite(norm([torch.ones(3), torch.tensor([1.0, value])]))


def test_strides_do_not_matter() -> None:
    tensor = torch.randn(300, 200, generator=torch.Generator().manual_seed(2))
    assert square_sum(tensor.t().contiguous().t()) == square_sum(tensor)
