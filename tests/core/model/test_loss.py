"""Chunked cross-entropy against torch's own."""

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from core.model.loss import mean_cross_entropy

CLASSES = 11


def draw() -> tuple[Tensor, Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(0)
    shapes = ((3, 5, 4), (CLASSES, 4), (CLASSES,))
    hidden, weight, bias = (
        torch.randn(shape, dtype=torch.float64, generator=generator).requires_grad_() for shape in shapes
    )
    return hidden, weight, bias, torch.randint(CLASSES, (3, 5), generator=generator)


@pytest.mark.parametrize("chunk", [1, 4 * CLASSES, 15 * CLASSES, 1 << 20])
def test_loss_and_gradients_are_those_of_torch(chunk: int) -> None:
    hidden, weight, bias, labels = draw()
    expected = F.cross_entropy(F.linear(hidden, weight, bias).mT, labels)
    loss = mean_cross_entropy(hidden, weight, bias, labels, chunk)
    torch.testing.assert_close(loss, expected, rtol=1e-13, atol=0)
    inputs = (hidden, weight, bias)
    torch.testing.assert_close(
        torch.autograd.grad(3 * loss, inputs),
        torch.autograd.grad(3 * expected, inputs),
        rtol=1e-12,
        atol=1e-14,
    )


def test_evaluation_needs_no_gradients() -> None:
    with torch.no_grad():
        loss = mean_cross_entropy(*draw())
    assert not loss.requires_grad
    torch.testing.assert_close(loss, mean_cross_entropy(*draw()).detach(), rtol=0, atol=0)


def test_a_hopeless_prediction_has_a_finite_gradient() -> None:
    hidden, labels = torch.full((1, 1, 1), 1e4, requires_grad=True), torch.tensor([[1]])
    loss = mean_cross_entropy(hidden, torch.tensor([[1.0], [-1.0]]), torch.zeros(2), labels)
    assert loss.item() == pytest.approx(2e4)
    (gradient,) = torch.autograd.grad(loss, hidden)
    assert gradient.item() == pytest.approx(2)
