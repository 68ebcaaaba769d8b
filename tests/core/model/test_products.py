"""Faster products: as exact as others, and only where they are asked for."""

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor

from core.model.products import fast_products

CPU = torch.device("cpu")
MATMUL: Any = torch.backends.mkldnn.matmul  # type: ignore[attr-defined]


def setting() -> str:
    return str(MATMUL.fp32_precision)


@pytest.fixture(autouse=True, params=["none", "ieee"])
def before(request: pytest.FixtureRequest) -> Iterator[str]:
    """The precision set outside, regardless of the changes that other tests have made."""
    found, MATMUL.fp32_precision = MATMUL.fp32_precision, request.param
    yield request.param
    MATMUL.fp32_precision = found


def draw(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("shape", [(1, 64, 1), (7, 300, 33), (512, 256, 512), (64, 2048, 64)])
def test_products_round_as_float32_does(shape: tuple[int, int, int]) -> None:
    rows, terms, columns = shape
    a, b = draw(rows, terms), draw(terms, columns, seed=1)
    exact, size = a.double() @ b.double(), (a.abs() @ b.abs()).norm()
    with fast_products(CPU):
        products = a @ b, torch.bmm(a[None], b[None])[0], torch.zeros(rows, columns).addmm_(a, b)
    for product in products:
        assert (product - exact).norm() < 1e-6 * size


def test_outside_nothing_changes(before: str) -> None:
    a, b = draw(200, 300), draw(300, 200, seed=1)
    product = a @ b
    with fast_products(CPU):
        pass
    assert setting() == before
    assert torch.equal(a @ b, product)


def test_what_fails_inside_leaves_the_setting_as_it_was(before: str) -> None:
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"), fast_products(CPU):
        draw(2, 3) @ draw(2, 3)
    assert setting() == before


def test_an_inner_use_does_not_end_the_outer_one(before: str) -> None:
    with fast_products(CPU):
        outer = setting()
        with fast_products(CPU):
            assert setting() == outer
        assert setting() == outer
    assert setting() == before


def test_a_gpu_is_left_alone(before: str) -> None:
    with fast_products(torch.device("cuda")):
        assert setting() == before
