"""Causal attention, forward and backward, some heads at a time: the scores are never held as a whole.

torch's fused kernel takes a processor five times as long as plain products whose scores stay in its cache.
"""

from collections.abc import Iterator

import torch
from torch import Tensor

from core.model.techniques import SCORES_ON_CPU, SCORES_ON_GPU


def attended(qkv: Tensor, batch: int, heads: int, mask: Tensor) -> Tensor:
    """Return the outputs of causal attention, (rows, dim).

    Args:
        qkv: Queries, keys and values, (rows, 3 * dim), of ``batch`` samples one after the other.
        batch: Number of samples.
        heads: Number of heads.
        mask: Result of `causal_mask`.
    """
    query, key, value = heads_apart(qkv, batch, heads)
    queries, keys, values = (_flat(item) for item in (query, key, value))
    out = torch.empty_like(values)
    for some in _pieces(queries):
        torch.bmm(_probabilities(queries[some], keys[some], mask), values[some], out=out[some])
    return out.view(query.shape).transpose(1, 2).reshape(len(qkv), -1)


def attended_backward(grad: Tensor, qkv: Tensor, batch: int, heads: int, mask: Tensor) -> Tensor:
    """Return the gradient of ``qkv``, (rows, 3 * dim).

    Args:
        grad: Gradient of the result of `attended`, (rows, dim).
        qkv: Queries, keys and values of the forward pass, (rows, 3 * dim).
        batch: Number of samples.
        heads: Number of heads.
        mask: Result of `causal_mask`.
    """
    query, key, value = (_flat(item) for item in heads_apart(qkv, batch, heads))
    of_out = _flat(grad.view(batch, -1, heads, grad.shape[1] // heads).transpose(1, 2))
    of_qkv = qkv.new_empty(3, *query.shape)
    scale = query.shape[2] ** -0.5
    for some in _pieces(query):
        probabilities = _probabilities(query[some], key[some], mask)
        torch.bmm(probabilities.mT, of_out[some], out=of_qkv[2, some])
        of_scores = torch.ops.aten._softmax_backward_data(
            torch.bmm(of_out[some], value[some].mT), probabilities, -1, probabilities.dtype
        ).mul_(scale)
        torch.bmm(of_scores, key[some], out=of_qkv[0, some])
        torch.bmm(of_scores.mT, query[some], out=of_qkv[1, some])
    apart: Tensor = of_qkv.unflatten(1, (batch, heads))
    return apart.permute(1, 3, 0, 2, 4).reshape(qkv.shape)


def causal_mask(positions: int) -> Tensor:
    """Return what is added to scores, (positions, positions): 0 where one sees another, else minus infinity."""
    return torch.full((positions, positions), float("-inf")).triu_(1)


def heads_apart(qkv: Tensor, batch: int, heads: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return queries, keys and values apart, each (batch, heads, positions, d), as views of ``qkv``.

    ``qkv``, ``batch`` and ``heads`` are those of `attended`.
    """
    apart = qkv.view(batch, -1, 3, heads, qkv.shape[1] // 3 // heads)
    query, key, value = (item.transpose(1, 2) for item in apart.unbind(2))
    return query, key, value


def _flat(x: Tensor) -> Tensor:
    """Return ``x``, (batch, heads, positions, d), as (n, positions, d)."""
    return x.reshape(-1, *x.shape[2:])


def _pieces(query: Tensor) -> Iterator[slice]:
    many, length, _ = query.shape
    scores = SCORES_ON_CPU if query.device.type == "cpu" else SCORES_ON_GPU
    step = max(1, scores // length**2)
    for start in range(0, many, step):
        yield slice(start, start + step)


def _probabilities(query: Tensor, key: Tensor, mask: Tensor) -> Tensor:
    length = query.shape[1]
    seen = mask[:length, :length].to(query.dtype)
    scores = torch.baddbmm(seen, query, key.mT, alpha=query.shape[2] ** -0.5)
    return torch.softmax(scores, dim=-1, out=scores)
