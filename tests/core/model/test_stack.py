"""The stack of layers: the gradients of autograd, whatever the sublayers keep, and no more kept than that."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from core.model.gradients import Gradients
from core.model.stack import Stack, activations_by_sublayer
from core.model.techniques import Activations

DIM = 6
KEEP, CHECKPOINT, REVERSE = Activations


@dataclass
class Curve:
    """scale * tanh(weight x), the simplest branch with all that a branch has; records the gradients it is given."""

    weight: Tensor
    scale: Tensor
    given: list[Tensor] = field(default_factory=list)

    def value(self, x: Tensor) -> Tensor:
        return self.scale * (x @ self.weight.mT).tanh()

    def add_to(self, stream: Tensor, x: Tensor, keep: bool) -> Tensor | None:
        out = (x @ self.weight.mT).tanh()
        stream += self.scale * out
        return out if keep else None

    def backward(
        self, stream: Tensor, x: Tensor, grad: Tensor, kept: Any, rebuild: bool, gradients: Gradients
    ) -> Tensor:
        self.given.append(grad.clone())
        out = (x @ self.weight.mT).tanh() if kept is None else kept
        if rebuild:
            stream -= self.scale * out
        of_rows = grad * self.scale * (1 - out * out)
        gradients.add(self.scale, (grad * out).sum(dim=(0, 1)))
        gradients.add(self.weight, of_rows.flatten(0, 1).mT @ x.flatten(0, 1))
        return of_rows @ self.weight


def curves(depth: int) -> tuple[list[Curve], list[Tensor]]:
    """Two branches a layer, of which two of three share a weight, and all their parameters."""
    generator = torch.Generator().manual_seed(0)
    shared, own, *scales = (
        nn.Parameter(torch.randn(*shape, dtype=torch.float64, generator=generator))
        for shape in ((DIM, DIM), (DIM, DIM), *[(DIM,)] * (2 * depth))
    )
    branches = [Curve(own if index % 3 == 2 else shared, scale) for index, scale in enumerate(scales)]
    return branches, [*scales, shared, own]


def written_out(x: Tensor, branches: Sequence[Curve], reversible: bool) -> Tensor:
    first = second = x
    for f, g in zip(branches[::2], branches[1::2], strict=True):
        if reversible:
            first = first + f.value(second)
            second = second + g.value(first)
        else:
            first = first + f.value(first)
            first = second = first + g.value(first)
    return (first + second) / 2


def draw(seed: int = 1) -> Tensor:
    return torch.randn(2, 3, DIM, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


@torch.no_grad()
def by_hand(
    branches: Sequence[Curve],
    parameters: Sequence[Tensor],
    modes: Sequence[Activations],
    *,
    reversible: bool,
    grad: Tensor,
    boosts: bool = False,
) -> tuple[Tensor, list[Tensor]]:
    """The stack's result for `draw()`, and the gradients of that and of the parameters."""
    stack, gradients = Stack(branches, modes, reversible=reversible, boosts=boosts), Gradients()
    out, tape = stack.forward(draw(), remember=True)
    of_x = stack.backward(tape, grad, gradients)
    return out.clone(), [of_x, *(gradients.of(parameter) for parameter in parameters)]


# In two layers every mode meets every other, in its own stream and in the one that it reads.
MIXTURES = [
    *((True, modes) for modes in itertools.product(Activations, repeat=4)),
    *((False, modes) for modes in itertools.product((KEEP, CHECKPOINT), repeat=4)),
]


@pytest.mark.parametrize(("reversible", "modes"), MIXTURES)
def test_gradients_by_hand_are_those_of_autograd(reversible: bool, modes: tuple[Activations, ...]) -> None:
    branches, parameters = curves(depth=2)
    x = draw().requires_grad_()
    expected = written_out(x, branches, reversible)
    out, found = by_hand(branches, parameters, modes, reversible=reversible, grad=draw(2))
    torch.testing.assert_close(out, expected, rtol=1e-13, atol=1e-14)
    torch.testing.assert_close(
        found, list(torch.autograd.grad(expected, [x, *parameters], draw(2))), rtol=1e-11, atol=1e-12
    )


def test_a_deep_stack_is_rebuilt_from_its_end() -> None:
    branches, parameters = curves(depth=12)
    x = draw().requires_grad_()
    expected = torch.autograd.grad(written_out(x, branches, True), [x, *parameters], draw(2))
    _, found = by_hand(branches, parameters, [REVERSE] * 24, reversible=True, grad=draw(2))
    torch.testing.assert_close(found, list(expected), rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("reversible", [True, False])
def test_a_pass_that_remembers_nothing_computes_the_same_of_the_same_input(reversible: bool) -> None:
    branches, _ = curves(depth=2)
    x, stack = draw(), Stack(branches, [CHECKPOINT] * 4, reversible=reversible)
    with torch.no_grad():
        out, tape = stack.forward(x, remember=False)
        torch.testing.assert_close(out, stack.forward(x, remember=True)[0], rtol=0, atol=0)
    assert torch.equal(x, draw())
    assert not tape.steps


def tensors_in(item: object) -> Iterable[Tensor]:
    if isinstance(item, Tensor):
        yield item
    elif isinstance(item, tuple | list):
        for part in item:
            yield from tensors_in(part)


@pytest.mark.parametrize("depth", [1, 8])
@pytest.mark.parametrize(
    ("reversible", "modes", "streams"),
    [
        (True, lambda depth: [REVERSE] * 2 * depth, lambda depth: 2),
        (True, lambda depth: [REVERSE, CHECKPOINT] * depth, lambda depth: 2 + depth),
        (True, lambda depth: [CHECKPOINT] * 2 * depth, lambda depth: 2 + 2 * depth),
        (True, lambda depth: [KEEP] * 2 * depth, lambda depth: 2 + 4 * depth),
        (False, lambda depth: [CHECKPOINT] * 2 * depth, lambda depth: 1 + 2 * depth),
        (False, lambda depth: [KEEP] * 2 * depth, lambda depth: 1 + 4 * depth),
    ],
    ids=["reverse", "half", "checkpoint", "keep", "checkpoint-plain", "keep-plain"],
)
def test_what_is_kept_grows_with_depth_only_if_it_is_chosen(
    depth: int, reversible: bool, modes: Callable[[int], list[Activations]], streams: Callable[[int], int]
) -> None:
    branches, _ = curves(depth)
    with torch.no_grad():
        _, tape = Stack(branches, modes(depth), reversible=reversible).forward(draw(), remember=True)
    kept = {
        tensor.untyped_storage().data_ptr(): tensor.untyped_storage().nbytes() for tensor in tensors_in(tape)
    }
    assert sum(kept.values()) == streams(depth) * draw().untyped_storage().nbytes()


@pytest.mark.parametrize("size", [1.0, 1e-3, 3e-20, 1e30])
def test_a_boost_brings_gradients_where_float16_has_numbers_and_changes_none(size: float) -> None:
    branches, parameters = curves(depth=2)
    _, plain = by_hand(branches, parameters, [REVERSE] * 4, reversible=True, grad=size * draw(2))
    assert [len(branch.given) for branch in branches] == [1] * 4
    _, boosted = by_hand(
        branches, parameters, [REVERSE] * 4, reversible=True, grad=size * draw(2), boosts=True
    )
    torch.testing.assert_close(boosted, plain, rtol=1e-13, atol=0)
    for branch in branches:
        before, after = branch.given
        factor = after.abs().amax() / before.abs().amax()
        worst_sum = (after * branch.scale).abs().amax() * (after.numel() // DIM)
        assert 2**11 < worst_sum <= 2**12
        assert factor.log2().frac() == 0
        assert torch.equal(after, before * factor)


def test_a_boosted_gradient_of_zero_is_zero() -> None:
    branches, parameters = curves(depth=1)
    _, found = by_hand(
        branches, parameters, [REVERSE] * 2, reversible=True, grad=torch.zeros_like(draw()), boosts=True
    )
    assert all(not gradient.any() for gradient in found)


@pytest.mark.parametrize(
    ("depth", "base", "checkpointed", "kept", "modes"),
    [
        (2, KEEP, 0, 0, [KEEP] * 4),
        (2, CHECKPOINT, 0, 0, [CHECKPOINT] * 4),
        (2, REVERSE, 0, 0, [REVERSE] * 4),
        (3, REVERSE, 0, 1, [REVERSE] * 4 + [KEEP] * 2),
        (3, CHECKPOINT, 0, 1, [CHECKPOINT] * 4 + [KEEP] * 2),
        (2, REVERSE, 1, 0, [REVERSE, REVERSE, REVERSE, CHECKPOINT]),
        (3, REVERSE, 1, 1, [REVERSE, REVERSE, REVERSE, CHECKPOINT, KEEP, KEEP]),
        (2, REVERSE, 2, 0, [REVERSE, CHECKPOINT] * 2),
        (2, REVERSE, 2, 2, [KEEP] * 4),
        (2, CHECKPOINT, 2, 0, [CHECKPOINT] * 4),
        (2, KEEP, 2, 1, [KEEP] * 4),
        (2, REVERSE, 9, 1, [REVERSE, CHECKPOINT, KEEP, KEEP]),
        (2, REVERSE, 0, 9, [KEEP] * 4),
    ],
)
def test_what_each_sublayer_keeps(
    depth: int, base: Activations, checkpointed: int, kept: int, modes: list[Activations]
) -> None:
    assert activations_by_sublayer(depth, base, checkpointed, kept) == modes
