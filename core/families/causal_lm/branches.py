"""The two branches of a layer of GPT-2: attention to what came before, and a feed-forward with GELU.

Both take all memory of their backward pass before they add a gradient (`core.model.gradients`).
"""

from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.families.causal_lm.attention import attended, attended_backward, heads_apart
from core.model.ends import add_linear_gradients, linear_gradients, normalise
from core.model.gradients import Gradients


class CausalLayer(nn.Module):
    """The weights of a layer."""

    def __init__(self, dim: int, hidden: int) -> None:
        """Make norms and linear maps for ``dim`` channels, and ``hidden`` ones inside the feed-forward."""
        super().__init__()
        self.attention_norm = nn.LayerNorm(dim)
        self.to_qkv = nn.Linear(dim, 3 * dim)
        self.from_heads = nn.Linear(dim, dim)
        self.feed_forward_norm = nn.LayerNorm(dim)
        self.to_hidden = nn.Linear(dim, hidden)
        self.from_hidden = nn.Linear(hidden, dim)


class _Entered(NamedTuple):
    """Rows behind a branch's norm in the type of its weights, (rows, dim), and the norm's statistics."""

    rows: Tensor
    mean: Tensor
    inverse_deviation: Tensor


class _NormedBranch:
    """A residual branch: a norm, a function of its rows, and a linear map to the stream."""

    def __init__(self, norm: nn.LayerNorm, to_inner: nn.Linear, exit_map: nn.Linear, unit: Tensor) -> None:
        """Join the parts; ``unit`` is ones of shape (dim,), as these branches are not scaled."""
        self.scale = unit
        self._norm, self._to_inner, self._exit = norm, to_inner, exit_map

    def add_to(self, stream: Tensor, x: Tensor, keep: bool) -> tuple[Tensor, Tensor] | None:
        """Add the branch's output for ``x`` to ``stream``, both (batch, positions, dim).

        Returns:
            What `backward` can use, if ``keep``.
        """
        made = self._made(self._enter(x).rows, len(x))
        stream.flatten(0, 1).add_(self._exit(made[1]))
        return made if keep else None

    def backward(
        self, stream: Tensor, x: Tensor, grad: Tensor, kept: Any, rebuild: bool, gradients: Gradients
    ) -> Tensor:
        """Compute the gradient of ``x`` as `core.model.stack.Branch.backward` states.

        Args:
            stream: Stream behind the branch, from which its output is taken off again if ``rebuild``.
            x: Input of the branch, (batch, positions, dim).
            grad: Gradient of the branch's output.
            kept: Result of `add_to`, or None to compute it again.
            rebuild: True to turn ``stream`` back into the stream before the branch.
            gradients: Sums that the parameters' gradients are added to.
        """
        entered = self._enter(x)
        inner, out = kept or self._made(entered.rows, len(x))
        if rebuild:
            stream.flatten(0, 1).sub_(self._exit(out))
        of_exit = grad.flatten(0, 1).to(self._exit.weight.dtype)
        of_inner = self._undo(of_exit @ self._exit.weight, inner, len(x))
        exit_part = linear_gradients(self._exit, of_exit, out, gradients)
        inner_part = linear_gradients(self._to_inner, of_inner, entered.rows, gradients)
        of_rows = (of_inner @ self._to_inner.weight).view_as(x).to(x.dtype)
        of_x, *of_norm = self._norm_backward(of_rows, x, entered)
        add_linear_gradients(self._exit, exit_part, gradients)
        add_linear_gradients(self._to_inner, inner_part, gradients)
        for parameter, found in zip((self._norm.weight, self._norm.bias), of_norm, strict=True):
            gradients.add(parameter, found)
        return of_x

    def _enter(self, x: Tensor) -> _Entered:
        normal, mean, inverse = normalise(x, self._norm)
        return _Entered(normal.flatten(0, 1).to(self._to_inner.weight.dtype), mean, inverse)

    def _norm_backward(self, grad: Tensor, x: Tensor, entered: _Entered) -> tuple[Tensor, Tensor, Tensor]:
        norm = self._norm
        found: tuple[Tensor, Tensor, Tensor] = torch.ops.aten.native_layer_norm_backward(
            grad,
            x,
            norm.normalized_shape,
            entered.mean,
            entered.inverse_deviation,
            norm.weight,
            norm.bias,
            [True, True, True],
        )
        return found

    def _made(self, rows: Tensor, batch: int) -> tuple[Tensor, Tensor]:
        """Return what `_undo` needs of the forward pass, and the input of the exit, both of as many rows."""
        raise NotImplementedError

    def _undo(self, grad: Tensor, inner: Tensor, batch: int) -> Tensor:
        """Return the gradient of the inner map's output from ``grad``, that of the exit's input."""
        raise NotImplementedError


class CausalAttention(_NormedBranch):
    """Adds attention of each position to itself and those before it."""

    def __init__(self, layer: CausalLayer, heads: int, unit: Tensor, mask: Tensor) -> None:
        """Join the weights of a ``layer`` for that many ``heads``.

        ``unit`` is ones of shape (dim,); ``mask`` is a `causal_mask`.
        """
        super().__init__(layer.attention_norm, layer.to_qkv, layer.from_heads, unit)
        self._heads, self._mask = heads, mask

    def heads_of(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values of ``x``, (batch, positions, dim): each (batch, heads, positions, d)."""
        return heads_apart(self._to_inner(self._enter(x).rows), len(x), self._heads)

    def leave(self, outputs: Tensor, dtype: torch.dtype) -> Tensor:
        """Return what the heads' ``outputs`` add to the stream, (batch, positions, dim) of type ``dtype``."""
        added: Tensor = self._exit(outputs.transpose(1, 2).flatten(2))
        return added.to(dtype)

    def _made(self, rows: Tensor, batch: int) -> tuple[Tensor, Tensor]:
        qkv = self._to_inner(rows)
        return qkv, attended(qkv, batch, self._heads, self._mask)

    def _undo(self, grad: Tensor, inner: Tensor, batch: int) -> Tensor:
        return attended_backward(grad, inner, batch, self._heads, self._mask)


class CausalFeedForward(_NormedBranch):
    """Adds a linear map of the GELU of a wider one, in the approximation by tanh that GPT-2 has."""

    def __init__(self, layer: CausalLayer, unit: Tensor) -> None:
        """Join the weights of a ``layer``; ``unit`` is ones of shape (dim,)."""
        super().__init__(layer.feed_forward_norm, layer.to_hidden, layer.from_hidden, unit)

    def _made(self, rows: Tensor, batch: int) -> tuple[Tensor, Tensor]:
        hidden = self._to_inner(rows)
        return hidden, F.gelu(hidden, approximate="tanh")

    def _undo(self, grad: Tensor, inner: Tensor, batch: int) -> Tensor:
        found: Tensor = torch.ops.aten.gelu_backward(grad, inner, approximate="tanh")
        return found
