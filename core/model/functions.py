"""The two steps of the model as autograd knows them: tokens to hidden states, and hidden states to losses.

Both add the gradients of parameters in place where there are some already (`core.model.gradients`), so a backward
pass can be made once.
"""

from typing import Any, Protocol

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from core.model.gradients import Gradients
from core.model.loss import Head, Sums, at_least_float32, cross_entropy
from core.model.portions import LARGEST_SUMS
from core.model.products import fast_products


class Encoder(Protocol):
    """What makes hidden states of tokens, and can go the way back."""

    def encode(self, ids: Tensor, remember: bool) -> tuple[Tensor, Any]:
        """Hidden states (batch, positions, dim), and what `encode_backward` needs if it is to ``remember``."""

    def encode_backward(self, ids: Tensor, tape: Any, grad: Tensor, gradients: Gradients) -> None:
        """Add the gradients of all parameters, from that of the hidden states."""


def hidden_states(encoder: Encoder, ids: Tensor, parameters: list[Tensor], gradients: Gradients) -> Tensor:
    """``encoder.encode(ids)``, differentiable by the parameters."""
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
    hidden: tuple[Tensor, Tensor],
    labels: tuple[Tensor, Tensor],
    vocabulary: tuple[Tensor, Tensor],
    sizes: list[int],
    chunk: int | None,
    gradients: Gradients,
) -> tuple[Tensor, Tensor]:
    """Mean cross-entropies of two parts, each over its own part of a vocabulary of weight and bias.

    Shapes: ``hidden`` (batch, positions, dim), ``labels`` int64 (batch, positions), both once for each part;
    weight (classes, dim), bias (classes), taken apart by ``sizes``; ``chunk`` is that of a `Head`.
    """
    weights, biases = (whole.detach().split(sizes) for whole in vocabulary)
    heads = [
        Head(rows.detach().flatten(0, 1).to(weight.dtype), weight, bias, part.flatten(), chunk)
        for rows, weight, bias, part in zip(hidden, weights, biases, labels, strict=True)
    ]
    out: tuple[Tensor, Tensor] = _Losses.apply(  # type: ignore[no-untyped-call]
        *hidden, *vocabulary, heads, gradients, torch.is_grad_enabled()
    )
    return out


class _Losses(torch.autograd.Function):
    """Gradients are computed with the losses if there is room for them until their factor is known, else later."""

    @staticmethod
    def forward(
        ctx: Any,
        first: Tensor,
        second: Tensor,
        weight: Tensor,
        bias: Tensor,
        heads: list[Head],
        gradients: Gradients,
        differentiate: bool,
    ) -> tuple[Tensor, ...]:
        ctx.save_for_backward(first, second, weight, bias)
        ctx.heads, ctx.gradients, ctx.used = heads, gradients, False
        at_once = differentiate and weight.numel() <= LARGEST_SUMS
        with fast_products(weight.device):
            ctx.sums = [Sums.of(head) for head in heads] if at_once else None
            totals = [cross_entropy(*pair) for pair in zip(heads, ctx.sums or (None, None), strict=True)]
        return tuple(total / len(head.labels) for total, head in zip(totals, heads, strict=True))

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        first, second, weight, bias = ctx.saved_tensors
        if ctx.used:
            raise RuntimeError("This loss was differentiated already: compute it anew, without retain_graph.")
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
        of_first, of_second = of_hidden
        return of_first.view(first.shape), of_second.view(second.shape), None, None, None, None, None


def _place(heads: list[Head], index: int, weight: Tensor, bias: Tensor, gradients: Gradients) -> Sums:
    """Where a head's gradients belong; those of the vocabulary nowhere if they are not wanted."""
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
