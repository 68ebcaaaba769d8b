"""The feed-forward sublayer: a GEGLU (Shazeer, 2020) between two linear maps, some rows at a time.

The hidden layer is eight times as wide as the stream: in pieces it stays in a CPU's cache, and little memory
is held at a time.
"""

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.config import ModelConfig
from core.model.ends import BranchEntry, Exit, add_linear_gradients, linear_gradients
from core.model.gradients import Gradients
from core.model.kernels import Kernels, kernels_for
from core.model.techniques import ROWS_ON_CPU, ROWS_ON_GPU


class FeedForward(nn.Module):
    """The weights, which may serve several layers."""

    def __init__(self, config: ModelConfig) -> None:
        """Make the linear maps to the hidden layer, and back to the stream, in the sizes of ``config``."""
        super().__init__()
        inner = config.feed_forward_factor * config.dim
        self.to_hidden = nn.Linear(config.dim, 2 * inner)
        self.to_out = nn.Linear(inner, config.dim)


class FeedForwardBranch:
    """Adds scale * to_out(geglu(to_hidden(entered x))) to a stream; see `core.model.stack.Branch`."""

    def __init__(self, entry: BranchEntry, weights: FeedForward, scale: Tensor) -> None:
        """Join the parts of a feed-forward branch.

        Args:
            entry: Norm and token shift before the feed-forward.
            weights: Linear maps, which may serve several layers.
            scale: LayerScale, of shape (dim,).
        """
        self.scale = scale
        self._entry, self._to_hidden, self._exit = entry, weights.to_hidden, Exit(weights.to_out, scale)

    def add_to(self, stream: Tensor, x: Tensor, keep: bool) -> list[Tensor] | None:
        """Add the sublayer's output for ``x`` to ``stream``, both (batch, positions, dim).

        Returns:
            The parts that `backward` can use, if ``keep``.
        """
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
        """Compute the gradient of ``x`` as `core.model.stack.Branch.backward` states.

        Args:
            stream: Stream behind the sublayer, from which its output is taken off again if ``rebuild``.
            x: Input of the sublayer, (batch, positions, dim).
            grad: Gradient of the sublayer's output.
            kept: Parts of the forward pass, or None to compute them again.
            rebuild: True to turn ``stream`` back into the stream before the sublayer.
            gradients: Sums that the parameters' gradients are added to.
        """
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
        """Compute the gradient of some rows into ``of_rows``; ``hidden`` is used up.

        ``product`` sums up the matrix that the exit's gradients follow from. If it is None, they are added
        here, and ``out`` is undone.
        """
        inner, gate = geglu_and_gate(hidden)
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
    """Multiply the first half of the channels of ``hidden`` by the GELU of the second half.

    ``hidden`` is of shape (rows, 2 * inner), the result (rows, inner).
    """
    if kernels := _kernels(hidden):
        return kernels.geglu(hidden)
    value, gate = hidden.chunk(2, dim=-1)
    return F.gelu(gate).mul_(value)


def geglu_and_gate(hidden: Tensor) -> tuple[Tensor, Tensor | None]:
    """Compute ``geglu(hidden)``, and the GELU of the second half, both (rows, inner).

    The latter is None where a kernel computes it again sooner than it could be loaded.
    """
    if kernels := _kernels(hidden):
        return kernels.geglu(hidden), None
    value, before = hidden.chunk(2, dim=-1)
    gate = F.gelu(before)
    return gate * value, gate


def geglu_backward_(grad: Tensor, hidden: Tensor, gate: Tensor | None) -> Tensor:
    """Compute the gradient of ``hidden``, (rows, 2 * inner), in its memory, and return it.

    Args:
        grad: Gradient of ``geglu(hidden)``, (rows, inner); it is used up.
        hidden: Input of `geglu`.
        gate: Second result of `geglu_and_gate`; it is used up.
    """
    value, before = hidden.chunk(2, dim=-1)
    if gate is None:
        if kernels := _kernels(grad, hidden):
            return kernels.geglu_backward_(grad, hidden)
        gate = F.gelu(before)
    of_value = gate.mul_(grad)
    torch.ops.aten.gelu_backward.grad_input(grad.mul_(value), before, grad_input=before)
    value.copy_(of_value)
    return hidden


def _kernels(*tensors: Tensor) -> Kernels | None:
    """Return the kernels for a ``hidden`` of shape (rows, 2 * inner), which comes last, and others."""
    hidden = tensors[-1]
    return kernels_for(*tensors, dtype=hidden.dtype, channels=hidden.shape[-1] // 2)


def pieces(rows: Tensor) -> Iterator[slice]:
    """Yield slices that cut ``rows``, of shape (rows, dim), into pieces of about the same size."""
    most = ROWS_ON_CPU if rows.device.type == "cpu" else ROWS_ON_GPU
    step = -(-len(rows) // -(-len(rows) // most))
    for start in range(0, len(rows), step):
        yield slice(start, start + step)


def _reserve(stream: Tensor, weight: Tensor) -> None:
    """Fail here, if at all: what follows the first gradient that is added finds this memory free again."""
    stream.new_empty(3 * stream.numel() + 2 * weight.numel())
