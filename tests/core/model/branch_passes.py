"""Runs a residual branch alone, forward and backward."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from core.model.gradients import Gradients
from core.model.stack import Branch

WAYS = [(False, False), (True, False), (False, True)]
"""The options with which a branch is called: (keep, rebuild)."""


class Passes(NamedTuple):
    """The output that a branch adds to a stream, and its gradients."""

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
