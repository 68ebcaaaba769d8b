"""The feed-forward sublayer: a GEGLU (Shazeer, 2020) between two linear maps, some rows at a time.

The hidden layer is eight times as wide as the stream: in pieces it stays in a CPU's cache, and little memory
is held at a time.
"""

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.config import ModelConfig
from core.model.ends import Entry, Exit, add_linear_gradients, linear_gradients
from core.model.gradients import Gradients
from core.model.portions import ROWS_ON_CPU, ROWS_ON_GPU


class FeedForward(nn.Module):
    """The weights, which may serve several layers."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        inner = config.feed_forward_factor * config.dim
        self.to_hidden = nn.Linear(config.dim, 2 * inner)
        self.to_out = nn.Linear(inner, config.dim)


class FeedForwardBranch:
    """Adds scale * to_out(geglu(to_hidden(entered x))) to a stream; see `core.model.stack.Branch`."""

    def __init__(self, entry: Entry, weights: FeedForward, scale: Tensor) -> None:
        self.scale = scale
        self._entry, self._to_hidden, self._exit = entry, weights.to_hidden, Exit(weights.to_out, scale)

    def add_to(self, stream: Tensor, x: Tensor, keep: bool) -> list[Tensor] | None:
        rows, out = self._entry.enter(x).values.flatten(0, 1), stream.view(-1, stream.shape[-1])
        kept = []
        for piece in pieces(rows):
            hidden = self._to_hidden(rows[piece])
            self._exit.add_to(out[piece], geglu(hidden))
            if keep:
                kept.append(hidden)
        return kept or None

    def backward(
        self,
        stream: Tensor,
        x: Tensor,
        grad: Tensor,
        kept: list[Tensor] | None,
        rebuild: bool,
        gradients: Gradients,
    ) -> Tensor:
        entered = self._entry.enter(x)
        rows, grads = entered.values.flatten(0, 1), grad.view(-1, grad.shape[-1])
        out, of_rows = stream.view(grads.shape), torch.empty_like(rows)
        weight = self._exit.linear.weight
        product = None if rebuild else torch.zeros_like(weight, dtype=grads.dtype)
        _reserve(grads, weight)
        for index, piece in enumerate(pieces(rows)):
            hidden = kept[index] if kept else self._to_hidden(rows[piece])
            self._backward(out[piece], rows[piece], grads[piece], hidden, product, of_rows[piece], gradients)
            del hidden
        if product is not None:
            self._exit.add_gradients(product, grads, gradients)
        return self._entry.backward(of_rows.view_as(entered.values), x, entered, gradients)

    def _backward(
        self,
        out: Tensor,
        rows: Tensor,
        grad: Tensor,
        hidden: Tensor,
        product: Tensor | None,
        of_rows: Tensor,
        gradients: Gradients,
    ) -> None:
        """Of some rows, whose gradient is written to ``of_rows``; ``hidden`` is used up.

        ``product`` takes up what the exit's gradients are made of; without, they are added, and ``out`` is undone.
        """
        gate = F.gelu(hidden.chunk(2, dim=-1)[1])
        inner = gate * hidden.chunk(2, dim=-1)[0]
        if product is None:
            taken = self._exit.take_off(out, inner, grad)
            of_inner = taken.of_out @ self._exit.linear.weight
        else:
            of_inner = self._exit.rows_gradient(grad)
        of_hidden = geglu_backward_(of_inner, hidden, gate)
        torch.mm(of_hidden, self._to_hidden.weight, out=of_rows)
        of_map = linear_gradients(self._to_hidden, of_hidden, rows, gradients)
        if product is None:
            of_exit = linear_gradients(self._exit.linear, taken.of_out, inner, gradients)
            gradients.add(self.scale, taken.of_scale)
            add_linear_gradients(self._exit.linear, of_exit, gradients)
        else:
            product += self._exit.product(grad, inner)
        add_linear_gradients(self._to_hidden, of_map, gradients)


def geglu(hidden: Tensor) -> Tensor:
    """The first half of the last dimension times the GELU of the second."""
    value, gate = hidden.chunk(2, dim=-1)
    return F.gelu(gate).mul_(value)


def geglu_backward_(grad: Tensor, hidden: Tensor, gate: Tensor) -> Tensor:
    """Write the gradient of ``hidden`` over it, from that of ``geglu(hidden)``, which is used up.

    ``gate`` is the GELU of the second half of ``hidden``.
    """
    value, before = hidden.chunk(2, dim=-1)
    of_value = gate.mul_(grad)
    torch.ops.aten.gelu_backward.grad_input(grad.mul_(value), before, grad_input=before)
    value.copy_(of_value)
    return hidden


def pieces(rows: Tensor) -> Iterator[slice]:
    """How the rows of a batch are taken, some at a time, and about as many each time."""
    most = ROWS_ON_GPU if rows.is_cuda else ROWS_ON_CPU
    step = -(-len(rows) // -(-len(rows) // most))
    for start in range(0, len(rows), step):
        yield slice(start, start + step)


def _reserve(stream: Tensor, weight: Tensor) -> None:
    """Fail here, if at all: what follows the first gradient that is added finds this memory free again."""
    stream.new_empty(3 * stream.numel() + 2 * weight.numel())
