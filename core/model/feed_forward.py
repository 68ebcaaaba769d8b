"""The feed-forward sublayer: a GEGLU (Shazeer, 2020) between two linear maps, some rows at a time.

The hidden layer is eight times as wide as the stream: in pieces it stays in a CPU's cache, and little memory
is held at a time.
"""

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.config import ModelConfig
from core.model.ends import Entry, Exit, add_linear_gradients
from core.model.gradients import Gradients

# Rows of a piece: more where weights are large, as each piece goes over the gradient of all of them.
_FEWEST_ROWS = 512
_ROWS_BY_DIM = 2
_ROWS_ON_GPU = 1 << 14


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
        product = None if rebuild else torch.zeros_like(weight)
        for index, piece in enumerate(pieces(rows)):
            hidden = kept[index] if kept else self._to_hidden(rows[piece])
            gate = F.gelu(hidden.chunk(2, dim=-1)[1])
            inner = gate * hidden.chunk(2, dim=-1)[0]
            if product is None:
                of_inner = self._exit.take_off(out[piece], inner, grads[piece], gradients)
            else:
                of_inner = self._exit.rows_gradient(grads[piece])
                product.addmm_(grads[piece].to(inner.dtype).mT, inner)
            of_hidden = geglu_backward(of_inner, hidden, gate)
            torch.mm(of_hidden, self._to_hidden.weight, out=of_rows[piece])
            add_linear_gradients(self._to_hidden, of_hidden, rows[piece], gradients)
        if product is not None:
            self._exit.add_gradients(product, grads, gradients)
        return self._entry.backward(of_rows.view_as(entered.values), x, entered, gradients)


def geglu(hidden: Tensor) -> Tensor:
    """The first half of the last dimension times the GELU of the second."""
    value, gate = hidden.chunk(2, dim=-1)
    return F.gelu(gate).mul_(value)


def geglu_backward(grad: Tensor, hidden: Tensor, gate: Tensor) -> Tensor:
    """The gradient of ``hidden``, from that of ``geglu(hidden)``; ``gate`` is the GELU of its second half."""
    out = torch.empty_like(hidden)
    of_value, of_gate = out.chunk(2, dim=-1)
    torch.mul(grad, gate, out=of_value)
    value, before = hidden.chunk(2, dim=-1)
    torch.ops.aten.gelu_backward.grad_input(grad.mul_(value), before, grad_input=of_gate)
    return out


def pieces(rows: Tensor) -> Iterator[slice]:
    """How the rows of a batch are taken, some at a time."""
    step = _ROWS_ON_GPU if rows.is_cuda else max(_FEWEST_ROWS, _ROWS_BY_DIM * rows.shape[1])
    for start in range(0, len(rows), step):
        yield slice(start, start + step)
