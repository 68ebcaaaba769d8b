"""Runs a residual branch alone, both ways, and shows it to autograd as one differentiable function."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from core.model.gradients import Gradients
from core.model.stack import Branch

WAYS = [(False, False), (True, False), (False, True)]
"""What a branch can be asked for: (keep, rebuild)."""


class Passes(NamedTuple):
    """What a branch adds to a stream, and its gradients."""

    out: Tensor
    of_x: Tensor
    of_parameters: list[Tensor]


@torch.no_grad()
def run(
    branch: Branch, parameters: Sequence[Tensor], x: Tensor, grad: Tensor, *, keep: bool, rebuild: bool
) -> Passes:
    """Forward and backward, on a stream that is none of zeros; with ``rebuild`` it must be restored."""
    before = torch.linspace(-1, 1, x.numel(), dtype=x.dtype).view(x.shape)
    stream, gradients = before.clone(), Gradients()
    kept = branch.add_to(stream, x, keep)
    assert (kept is not None) == keep
    out = stream - before
    of_x = branch.backward(stream, x, grad.contiguous(), kept, rebuild, gradients)
    torch.testing.assert_close(stream, before if rebuild else before + out)
    return Passes(out, of_x, [gradients.of(parameter) for parameter in parameters])


def gradcheck(branch: Branch, parameters: Sequence[Tensor], x: Tensor, *, keep: bool, rebuild: bool) -> bool:
    """Whether the branch's gradients are those of finite differences; all in float64."""

    def apply(x: Tensor, *parameters: Tensor) -> Any:
        return _Applied.apply(branch, keep, rebuild, x, *parameters)  # type: ignore[no-untyped-call]

    return torch.autograd.gradcheck(apply, (x.requires_grad_(), *parameters))


class _Applied(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, branch: Branch, keep: bool, rebuild: bool, x: Tensor, *parameters: Tensor
    ) -> Tensor:
        ctx.branch, ctx.keep, ctx.rebuild = branch, keep, rebuild
        ctx.save_for_backward(x, *parameters)
        return run(branch, parameters, x, torch.zeros_like(x), keep=keep, rebuild=rebuild).out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, *parameters = ctx.saved_tensors
        found = run(ctx.branch, parameters, x, grad, keep=ctx.keep, rebuild=ctx.rebuild)
        return None, None, None, found.of_x, *found.of_parameters


def assert_samples_are_apart(
    branch: Branch, parameters: Sequence[Tensor], x: Tensor, *, keep: bool, rebuild: bool
) -> None:
    """A batch, which is taken in pieces where it is large, gives what its samples give one by one."""
    grad = x.flip(1)
    whole = run(branch, parameters, x, grad, keep=keep, rebuild=rebuild)
    parts = [
        run(branch, parameters, *pair, keep=keep, rebuild=rebuild)
        for pair in zip(x.split(1), grad.split(1), strict=True)
    ]
    torch.testing.assert_close(whole.out, torch.cat([part.out for part in parts]))
    torch.testing.assert_close(whole.of_x, torch.cat([part.of_x for part in parts]))
    for total, *apart in zip(whole.of_parameters, *(part.of_parameters for part in parts), strict=True):
        torch.testing.assert_close(total, torch.stack(apart).sum(dim=0))
