"""Reversible stacks: the gradients of autograd, from the last activations alone."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from core.model.reversible import Branch, Layers, residual_stack, reversible_stack

DIM = 6


def stack(depth: int) -> tuple[Layers, list[Tensor]]:
    """Layers of which two of three share a weight, and all their parameters."""
    torch.manual_seed(0)
    shared, own = nn.Linear(DIM, DIM).double(), nn.Linear(DIM, DIM).double()
    scales = [nn.Parameter(torch.randn(DIM, dtype=torch.float64)) for _ in range(2 * depth)]

    def branch(linear: nn.Linear, scale: Tensor) -> Branch:
        return Branch(lambda x: linear(x).tanh(), scale, tuple(linear.parameters()))

    linears = [own if index % 3 == 2 else shared for index in range(2 * depth)]
    branches = [branch(linear, scale) for linear, scale in zip(linears, scales, strict=True)]
    layers = list(zip(branches[::2], branches[1::2], strict=True))
    return layers, [*scales, *shared.parameters(), *own.parameters()]


def test_recomputed_gradients_are_those_of_autograd() -> None:
    layers, parameters = stack(depth=4)
    x = torch.randn(2, 3, DIM, dtype=torch.float64, requires_grad=True)
    weights = torch.randn(2, 3, DIM, dtype=torch.float64)
    kept, recomputed = (reversible_stack(x, layers, recompute) for recompute in (False, True))
    torch.testing.assert_close(recomputed, kept, rtol=0, atol=0)
    torch.testing.assert_close(
        torch.autograd.grad((recomputed * weights).sum(), [x, *parameters]),
        torch.autograd.grad((kept * weights).sum(), [x, *parameters]),
        rtol=1e-11,
        atol=1e-12,
    )


def test_the_two_streams_are_written_out() -> None:
    ((f, g),), _ = stack(depth=1)
    x = torch.randn(1, 2, DIM, dtype=torch.float64)
    first = x + f.scale * f.compute(x)
    second = x + g.scale * g.compute(first)
    torch.testing.assert_close(reversible_stack(x, [(f, g)]), (first + second) / 2)
    torch.testing.assert_close(residual_stack(x, [(f, g)]), first + g.scale * g.compute(first))


def kept_by(run: Callable[[Tensor], Tensor]) -> int:
    """Elements of activations that autograd holds for the backward pass."""
    x = torch.randn(5, 7, DIM, dtype=torch.float64, requires_grad=True)
    kept: dict[int, int] = {}

    def pack(saved: Tensor) -> Tensor:
        if saved.shape[:-1] == x.shape[:-1]:
            kept[saved.data_ptr()] = saved.numel()
        return saved

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda saved: saved):
        out = run(x)
    assert out.requires_grad
    return sum(kept.values())


@pytest.mark.parametrize("depth", [1, 8])
def test_what_is_kept_does_not_grow_with_depth(depth: int) -> None:
    layers, _ = stack(depth)
    activation = 5 * 7 * DIM
    assert kept_by(lambda x: reversible_stack(x, layers)) <= 3 * activation
    assert kept_by(lambda x: reversible_stack(x, layers, recompute=False)) >= 2 * depth * activation


def test_several_backward_passes_agree() -> None:
    layers, parameters = stack(depth=2)
    x = torch.randn(1, 2, DIM, dtype=torch.float64, requires_grad=True)
    out = reversible_stack(x, layers).sum()
    first = torch.autograd.grad(out, [x, *parameters], retain_graph=True)
    second = torch.autograd.grad(out, [x, *parameters])
    torch.testing.assert_close(second, first, rtol=0, atol=0)


def test_a_weight_changed_before_the_backward_pass_is_noticed() -> None:
    layers, parameters = stack(depth=1)
    out = reversible_stack(torch.randn(1, 2, DIM, dtype=torch.float64), layers).sum()
    with torch.no_grad():
        parameters[0].add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        out.backward()
