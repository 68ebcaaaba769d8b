"""Chunked cross-entropy against torch's own, alone and as autograd knows it."""

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from core.model.functions import Head, Sums, cross_entropy, vocabulary_losses
from core.model.gradients import Gradients
from core.model.techniques import LARGEST_SUMS

CLASSES = 11
CHUNKS = [1, CLASSES, 4 * CLASSES, 15 * CLASSES, 1 << 20, None]


def draw(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def labels(*shape: int, classes: int = CLASSES) -> Tensor:
    return torch.randint(classes, shape, generator=torch.Generator().manual_seed(1))


def head(chunk: int | None = None, dtype: torch.dtype = torch.float64) -> Head:
    rows, weight, bias = (
        draw(*shape, seed=seed).to(dtype) for seed, shape in enumerate([(15, 4), (11, 4), (11,)])
    )
    return Head(rows, weight, bias, labels(15), chunk)


def expected(head: Head, factor: float = 1.0) -> tuple[Tensor, tuple[Tensor, ...]]:
    """The summed loss by torch in float64, and the gradients of rows, weight and bias, times a factor."""
    rows, weight, bias = (item.double().requires_grad_() for item in head[:3])
    total = F.cross_entropy(F.linear(rows, weight, bias), head.labels, reduction="sum")
    return total, torch.autograd.grad(factor * total, (rows, weight, bias))


@pytest.mark.parametrize("chunk", CHUNKS)
@pytest.mark.parametrize("factor", [None, 3.0])
def test_loss_and_gradients_are_those_of_torch(chunk: int | None, factor: float | None) -> None:
    given = head(chunk)
    total, (of_rows, of_weight, of_bias) = expected(given, factor or 1.0)
    assert cross_entropy(given).item() == pytest.approx(total.item(), rel=1e-13)

    sums = Sums(draw(15, 4, seed=5), (draw(11, 4, seed=6), draw(11, seed=7)))
    loss = cross_entropy(given, sums, None if factor is None else torch.tensor(factor))
    torch.testing.assert_close(loss, total.detach(), rtol=1e-13, atol=0)
    # Those of the rows are written, those of the vocabulary added to what is there.
    torch.testing.assert_close(sums.of_rows, of_rows, rtol=1e-12, atol=1e-14)
    torch.testing.assert_close(
        sums.of_vocabulary,
        (of_weight + draw(11, 4, seed=6), of_bias + draw(11, seed=7)),
        rtol=1e-12,
        atol=1e-14,
    )


@pytest.mark.parametrize("factor", [None, 3.0])
def test_gradients_of_the_rows_can_be_had_alone(factor: float | None) -> None:
    given, sums = head(chunk=2 * CLASSES), Sums(torch.empty(15, 4, dtype=torch.float64), None)
    cross_entropy(given, sums, None if factor is None else torch.tensor(factor))
    torch.testing.assert_close(sums.of_rows, expected(given, factor or 1.0)[1][0], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("chunk", [2 * CLASSES, None])
def test_what_is_given_stays_as_it_is(chunk: int | None) -> None:
    given, before = head(chunk), head(chunk)
    cross_entropy(given, Sums.of(given), torch.tensor(2.0))
    assert all(map(torch.equal, given[:4], before[:4]))


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.bfloat16, 0.02), (torch.float16, 0.002)])
@pytest.mark.parametrize("chunk", [3 * CLASSES, None])
def test_sixteen_bits_are_added_up_in_float32(
    dtype: torch.dtype, tolerance: float, chunk: int | None
) -> None:
    given = head(chunk, dtype)
    sums, (total, gradients) = Sums.of(given), expected(given)
    loss = cross_entropy(given, sums)
    assert sums.of_vocabulary is not None
    assert loss.dtype == torch.float32
    assert loss.item() == pytest.approx(total.item(), rel=tolerance)
    for found, gradient in zip((sums.of_rows, *sums.of_vocabulary), gradients, strict=True):
        assert found.dtype == torch.float32
        assert (found - gradient).norm() < tolerance * gradient.norm()


def test_a_mean_over_many_rows_keeps_its_gradient_in_float16() -> None:
    given, factor = head(dtype=torch.float16), 2.0**-20
    sums, (_, gradients) = Sums.of(given), expected(given, factor)
    cross_entropy(given, sums, torch.tensor(factor))
    assert sums.of_vocabulary is not None
    for found, gradient in zip((sums.of_rows, *sums.of_vocabulary), gradients, strict=True):
        assert (found - gradient).norm() < 0.005 * gradient.norm()


@pytest.mark.parametrize("size", [1e4, 1e30])
def test_a_hopeless_prediction_has_a_finite_gradient(size: float) -> None:
    weight, bias = torch.tensor([[1.0], [-1.0]]), torch.zeros(2)
    given = Head(torch.tensor([[size]]), weight, bias, torch.tensor([1]), None)
    sums = Sums.of(given)
    assert cross_entropy(given, sums).item() == pytest.approx(2 * size)
    assert sums.of_vocabulary is not None
    assert sums.of_rows.item() == pytest.approx(2)
    assert sums.of_vocabulary[1].tolist() == pytest.approx([1, -1])


# The gradients of the larger vocabulary are not held, but computed when the loss is differentiated.
DIM, OF_TEXT = 2048, 3
VOCABULARIES = {"small": (4, CLASSES), "large": (DIM, LARGEST_SUMS // DIM + 1)}


@pytest.mark.parametrize("size", VOCABULARIES)
@pytest.mark.parametrize("start", [None, 1.0])
def test_two_vocabularies_in_one_weight(size: str, start: float | None) -> None:
    dim, classes = VOCABULARIES[size]
    assert (dim * classes > LARGEST_SUMS) == (size == "large")
    sizes, gradients = [OF_TEXT, classes - OF_TEXT], Gradients()
    hidden = draw(2, 3, dim).requires_grad_(), draw(2, 2, dim, seed=1).requires_grad_()
    targets = labels(2, 3, classes=OF_TEXT), labels(2, 2, classes=classes - OF_TEXT)
    weight, bias = (
        (draw(classes, dim, seed=2) / dim**0.5).requires_grad_(),
        draw(classes, seed=3).requires_grad_(),
    )
    apart = zip(hidden, weight.split(sizes), bias.split(sizes), targets, strict=True)
    of_text, of_image = (F.cross_entropy(F.linear(rows, w, b).mT, label) for rows, w, b, label in apart)
    expected = torch.autograd.grad(5 * of_text + of_image, [*hidden, weight, bias])
    if start is not None:
        weight.grad, bias.grad = torch.full_like(weight, start), torch.full_like(bias, start)

    losses = vocabulary_losses(hidden, targets, (weight, bias), sizes, 2 * classes, gradients)
    torch.testing.assert_close(losses, (of_text, of_image), rtol=1e-12, atol=0)
    of_hidden = torch.autograd.grad(5 * losses[0] + losses[1], hidden)
    of_vocabulary = [gradients.of(item) - (start or 0) for item in (weight, bias)]
    torch.testing.assert_close([*of_hidden, *of_vocabulary], list(expected), rtol=1e-10, atol=1e-13)
    assert [item is None for item in gradients.new([weight, bias])] == [start is not None] * 2


def test_evaluation_needs_no_gradients() -> None:
    hidden, targets = (
        (draw(1, 3, 4).requires_grad_(), draw(1, 2, 4)),
        (labels(1, 3, classes=5), labels(1, 2, classes=6)),
    )
    vocabulary = draw(11, 4).requires_grad_(), draw(11).requires_grad_()
    with torch.no_grad():
        losses = vocabulary_losses(hidden, targets, vocabulary, [5, 6], None, Gradients())
    assert not any(loss.requires_grad for loss in losses)
    again = vocabulary_losses(hidden, targets, vocabulary, [5, 6], None, Gradients())
    torch.testing.assert_close(losses, tuple(loss.detach() for loss in again), rtol=0, atol=0)
