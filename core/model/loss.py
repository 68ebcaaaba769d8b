"""Cross-entropy over one vocabulary, a chunk of positions at a time.

Nothing of size positions x classes outlives its chunk: the gradient is taken while the logits are at hand, as
in Liger Kernel (Hsu et al., 2024).
"""

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd.function import once_differentiable

# Logits held at a time, in elements: 16 MiB of float32.
_CHUNK = 1 << 22


def mean_cross_entropy(
    hidden: Tensor, weight: Tensor, bias: Tensor, labels: Tensor, chunk: int = _CHUNK
) -> Tensor:
    """Mean cross-entropy of the logits ``hidden @ weight.T + bias`` with ``labels``, as a scalar.

    Shapes: ``hidden`` (batch, positions, dim), ``weight`` (classes, dim), ``bias`` (classes), ``labels``
    int64 (batch, positions) in [0, classes). At most ``chunk`` logits, or those of one position, are held.
    """
    loss: Tensor = _MeanCrossEntropy.apply(  # type: ignore[no-untyped-call]
        hidden, weight, bias, labels, chunk, torch.is_grad_enabled()
    )
    return loss


class _MeanCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        hidden: Tensor,
        weight: Tensor,
        bias: Tensor,
        labels: Tensor,
        chunk: int,
        differentiate: bool,
    ) -> Tensor:
        rows, targets = hidden.reshape(-1, hidden.shape[-1]), labels.reshape(-1, 1)
        step = max(1, chunk // len(weight))
        grads = [torch.zeros_like(x) for x in (rows, weight, bias)] if differentiate else []
        total = hidden.new_zeros(())
        for start in range(0, len(rows), step):
            here = slice(start, start + step)
            log_probabilities = F.linear(rows[here], weight, bias).log_softmax(dim=-1)
            total -= log_probabilities.gather(1, targets[here]).sum()
            if differentiate:
                _add_gradients(grads, here, rows[here], weight, log_probabilities, targets[here])
        ctx.save_for_backward(*grads)
        ctx.shape, ctx.count = hidden.shape, len(rows)
        return total / len(rows)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        # Only here are the sums divided: in float16 the gradient of a mean over thousands would underflow.
        rows, weight, bias = (summed * (grad / ctx.count) for summed in ctx.saved_tensors)
        return rows.view(ctx.shape), weight, bias, None, None, None


def _add_gradients(
    grads: list[Tensor], here: slice, rows: Tensor, weight: Tensor, log_probabilities: Tensor, targets: Tensor
) -> None:
    """Add a chunk's share to the gradients of the sum; takes over ``log_probabilities``."""
    of_logits = log_probabilities.exp_()
    of_logits.scatter_add_(1, targets, of_logits.new_full((), -1.0).expand(targets.shape))
    of_rows, of_weight, of_bias = grads
    of_rows[here] = of_logits @ weight
    of_weight += of_logits.mT @ rows
    of_bias += of_logits.sum(dim=0)
