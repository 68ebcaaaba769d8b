"""The two steps of the model as autograd knows them: tokens to hidden states, and hidden states to losses.

Both add the gradients of parameters in place where there are some already (`core.model.gradients`), so a backward
pass can be made once. The cross-entropy goes over one vocabulary, a chunk of positions at a time: no tensor of
positions x classes outlives its chunk, because the gradient is taken while the logits are at hand, as in Liger
Kernel (Hsu et al., 2024).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, Self

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd.function import once_differentiable

from core.model.gradients import Gradients
from core.model.products import fast_products, wide_product
from core.model.techniques import LARGEST_SUMS


class Head(NamedTuple):
    """Input and labels of the predictions of one vocabulary; tensors without autograd."""

    rows: Tensor
    """Hidden states, (rows, dim)."""
    weight: Tensor
    """Weight of the vocabulary, (classes, dim)."""
    bias: Tensor
    """Bias of the vocabulary, of shape (classes,)."""
    labels: Tensor
    """Labels, int64 of shape (rows,), in [0, classes)."""
    chunk: int | None
    """Logits held at a time, at most, or those of one row; None: those of all rows."""


class Sums(NamedTuple):
    """Places of gradients: those of the rows are overwritten, the others added to if they have a place."""

    of_rows: Tensor
    of_vocabulary: tuple[Tensor, Tensor] | None
    """Gradients of weight and bias."""

    @classmethod
    def of(cls, head: Head) -> Self:
        """Make new sums for a ``head``, at zero, and in float32 at least."""
        rows, weight, bias = (torch.zeros_like(x, dtype=at_least_float32(x)) for x in head[:3])
        return cls(rows, (weight, bias))


def cross_entropy(head: Head, sums: Sums | None = None, factor: Tensor | None = None) -> Tensor:
    """Compute the sum over rows of the cross-entropy of the logits ``rows @ weight.T + bias``, a scalar.

    Args:
        head: Rows, weight, bias and labels.
        sums: Places of the gradients; None: no gradients are computed.
        factor: Scalar that the gradients are multiplied by; None: 1.
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
    """Return the type in which sums of values like ``x``, of any shape, are kept."""
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
        product = wide_product(rounded.mT, rows, of_weight.dtype)
        of_weight.add_(product if factor is None else product.mul_(factor))
    of_bias.add_(of_classes if factor is None else of_classes.mul_(factor))


class Encoder(Protocol):
    """A model that maps tokens to hidden states, and computes the gradients on the way back."""

    def encode(self, ids: Tensor, remember: bool) -> tuple[Tensor, Any]:
        """Compute hidden states (batch, positions, dim) of tokens ``ids``.

        Args:
            ids: Tokens, int64 (batch, positions).
            remember: True to return what `encode_backward` needs, too.
        """

    def encode_backward(self, ids: Tensor, tape: Any, grad: Tensor, gradients: Gradients) -> None:
        """Add the gradients of all parameters to ``gradients``.

        Args:
            ids: Tokens of the forward pass, int64 (batch, positions).
            tape: Second result of `encode`.
            grad: Gradient of the hidden states, (batch, positions, dim).
            gradients: Sums that the gradients are added to.
        """


def hidden_states(encoder: Encoder, ids: Tensor, parameters: list[Tensor], gradients: Gradients) -> Tensor:
    """Compute the hidden states of tokens, (batch, positions, dim), differentiable by autograd.

    Args:
        encoder: Model that computes them and their gradients.
        ids: Tokens, int64 (batch, positions).
        parameters: Parameters of the model, each once.
        gradients: Sums of gradients; those that have a place there are added to it, and not returned to
            autograd.
    """
    remember = torch.is_grad_enabled() and any(item.requires_grad for item in parameters)
    out: Tensor = _Encode.apply(encoder, ids, gradients, remember, *parameters)  # type: ignore[no-untyped-call]
    return out


class _Encode(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, encoder: Encoder, ids: Tensor, gradients: Gradients, remember: bool, *parameters: Tensor
    ) -> Tensor:
        ctx.encoder, ctx.ids, ctx.gradients = encoder, ids, gradients
        ctx.save_for_backward(*parameters)
        with fast_products(ids.device):
            hidden, ctx.tape = encoder.encode(ids, remember)
        return hidden

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        parameters = ctx.saved_tensors
        tape, ctx.tape = ctx.tape, None
        assert tape is not None
        with fast_products(grad.device):
            ctx.encoder.encode_backward(ctx.ids, tape, grad, ctx.gradients)
        return None, None, None, None, *ctx.gradients.new(parameters)


def vocabulary_losses(
    hidden: Sequence[Tensor],
    labels: Sequence[Tensor],
    vocabulary: tuple[Tensor, Tensor],
    sizes: list[int],
    chunk: int | None,
    gradients: Gradients,
) -> tuple[Tensor, ...]:
    """Compute the mean cross-entropies of parts, each over its own part of a vocabulary: a scalar for each.

    Args:
        hidden: Hidden states of each part, (batch, positions, dim).
        labels: Labels of each part within its own classes, int64 (batch, positions).
        vocabulary: Weight, (classes, dim), and bias, of shape (classes,), of all parts together.
        sizes: Number of classes of each part.
        chunk: Logits held at a time, as in `Head`.
        gradients: Sums that the vocabulary's gradients are added to.
    """
    weights, biases = (whole.detach().split(sizes) for whole in vocabulary)
    heads = [
        Head(rows.detach().flatten(0, 1).to(weight.dtype), weight, bias, part.flatten(), chunk)
        for rows, weight, bias, part in zip(hidden, weights, biases, labels, strict=True)
    ]
    out: tuple[Tensor, ...] = _Losses.apply(  # type: ignore[no-untyped-call]
        *vocabulary, heads, gradients, torch.is_grad_enabled(), *hidden
    )
    return out


class _Losses(torch.autograd.Function):
    """Gradients are computed with the losses if there is room for them until their factor is known, else later."""

    @staticmethod
    def forward(
        ctx: Any,
        weight: Tensor,
        bias: Tensor,
        heads: list[Head],
        gradients: Gradients,
        differentiate: bool,
        *hidden: Tensor,
    ) -> tuple[Tensor, ...]:
        ctx.save_for_backward(weight, bias, *hidden)
        ctx.heads, ctx.gradients, ctx.used = heads, gradients, False
        at_once = differentiate and weight.numel() <= LARGEST_SUMS
        with fast_products(weight.device):
            ctx.sums = [Sums.of(head) for head in heads] if at_once else None
            sums = ctx.sums or [None] * len(heads)
            totals = [cross_entropy(*pair) for pair in zip(heads, sums, strict=True)]
        return tuple(total / len(head.labels) for total, head in zip(totals, heads, strict=True))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        weight, bias, *hidden = ctx.saved_tensors
        if ctx.used:
            raise RuntimeError(
                "This loss was differentiated already: compute it again, without retain_graph."
            )
        sums, ctx.sums, ctx.used = ctx.sums, None, True
        # Only here are the sums divided: in float16 the gradient of a mean over thousands would underflow.
        factors = [grad / len(head.labels) for grad, head in zip(grads, ctx.heads, strict=True)]
        of_hidden = []
        with fast_products(weight.device):
            for index, (head, factor) in enumerate(zip(ctx.heads, factors, strict=True)):
                found = sums.pop(0) if sums is not None else None
                with ctx.gradients.stage():
                    place = _place(ctx.heads, index, weight, bias, ctx.gradients)
                    if found is None:
                        cross_entropy(head, place, factor)
                    else:
                        _add_scaled(found, place, factor)
                of_hidden.append(place.of_rows)
        whole = (found.view(given.shape) for found, given in zip(of_hidden, hidden, strict=True))
        return None, None, None, None, None, *whole


def _place(heads: list[Head], index: int, weight: Tensor, bias: Tensor, gradients: Gradients) -> Sums:
    """Return the places of a head's gradients; those of the vocabulary have none if they are not wanted."""
    rows = torch.empty_like(heads[index].rows, dtype=at_least_float32(weight))
    if not gradients.wanted:
        return Sums(rows, None)
    sizes = [len(head.weight) for head in heads]
    of_weight, of_bias = (gradients.of(item).split(sizes)[index] for item in (weight, bias))
    return Sums(rows, (of_weight, of_bias))


def _add_scaled(found: Sums, place: Sums, factor: Tensor) -> None:
    torch.mul(found.of_rows, factor, out=place.of_rows)
    if place.of_vocabulary is not None:
        assert found.of_vocabulary is not None
        for total, gradient in zip(place.of_vocabulary, found.of_vocabulary, strict=True):
            total.addcmul_(gradient, factor)
