"""Cross-entropy over one vocabulary, a chunk of positions at a time.

Nothing of size positions x classes outlives its chunk: the gradient is taken while the logits are at hand, as
in Liger Kernel (Hsu et al., 2024).
"""

from typing import NamedTuple, Self

import torch
import torch.nn.functional as F
from torch import Tensor


class Head(NamedTuple):
    """What predicts one vocabulary, and what it should predict; tensors without autograd."""

    rows: Tensor
    """(rows, dim)"""
    weight: Tensor
    """(classes, dim)"""
    bias: Tensor
    """(classes)"""
    labels: Tensor
    """int64 (rows) in [0, classes)"""
    chunk: int | None
    """At most so many logits, or those of one row, are held at a time; None: those of all rows."""


class Sums(NamedTuple):
    """Where gradients go: those of the rows are written, the others added if they have a place."""

    of_rows: Tensor
    of_vocabulary: tuple[Tensor, Tensor] | None
    """Of weight and bias."""

    @classmethod
    def of(cls, head: Head) -> Self:
        """New ones, at zero, and in float32 at least."""
        rows, weight, bias = (torch.zeros_like(x, dtype=at_least_float32(x)) for x in head[:3])
        return cls(rows, (weight, bias))


def cross_entropy(head: Head, sums: Sums | None = None, factor: Tensor | None = None) -> Tensor:
    """The sum over rows of the cross-entropy of the logits ``rows @ weight.T + bias`` with the labels, a scalar.

    With ``sums``, its gradient times ``factor``, a scalar, goes there.
    """
    total = head.rows.new_zeros((), dtype=at_least_float32(head.rows))
    step = len(head.rows) if head.chunk is None else max(1, head.chunk // len(head.weight))
    for start in range(0, len(head.rows), step):
        here = slice(start, start + step)
        targets = head.labels[here, None]
        logits = F.linear(head.rows[here], head.weight, head.bias).to(total.dtype)
        total += _to_probabilities(logits, targets)
        if sums is not None:
            logits.scatter_add_(1, targets, logits.new_full((), -1.0).expand(targets.shape))
            _add_gradients(head, here, logits, sums, factor)
        del logits  # before those of the next chunk are made
    return total


def at_least_float32(x: Tensor) -> torch.dtype:
    """The type that sums of such values are kept in."""
    return torch.promote_types(x.dtype, torch.float32)


def _to_probabilities(logits: Tensor, targets: Tensor) -> Tensor:
    """Turn logits into probabilities, and return their summed cross-entropy.

    The largest logit less the log of its probability is the log of the sum of exponentials: unlike the log of
    the target's own probability it is finite however unlikely the target, and unlike torch's log-softmax it takes
    one exponential a logit.
    """
    of_target, highest = logits.gather(1, targets), logits.amax(dim=1, keepdim=True)
    torch.softmax(logits, dim=1, out=logits)
    return (highest - logits.amax(dim=1, keepdim=True).log() - of_target).sum()


def _add_gradients(head: Head, here: slice, of_logits: Tensor, sums: Sums, factor: Tensor | None) -> None:
    rounded = of_logits.to(head.weight.dtype)
    # The factor, one over the number of positions, is too small for float16.
    of_rows = (rounded @ head.weight).to(sums.of_rows.dtype)
    sums.of_rows[here] = of_rows if factor is None else of_rows.mul_(factor)
    if sums.of_vocabulary is None:
        return
    of_weight, of_bias = sums.of_vocabulary
    of_classes, rows = of_logits.sum(dim=0), head.rows[here]
    if rounded.dtype == of_weight.dtype:
        of_weight.addmm_(rounded.mT, rows if factor is None else rows * factor)
    else:
        product = (rounded.mT @ rows).to(of_weight.dtype)
        of_weight.add_(product if factor is None else product.mul_(factor))
    of_bias.add_(of_classes if factor is None else of_classes.mul_(factor))
