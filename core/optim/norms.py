"""Sums that come out the same to the last bit however many threads torch may use."""

import math

import torch
from torch import Tensor

_PIECE = 28_672  # below 32,768 elements torch does not split a sum among threads


def square_sum(tensor: Tensor) -> float:
    """Sum of squares in float64, over pieces of a fixed size in a fixed order."""
    flat = tensor.detach().reshape(-1)
    norms = (
        float(torch.linalg.vector_norm(piece, dtype=torch.float64)) for piece in torch.split(flat, _PIECE)
    )
    return sum(norm * norm for norm in norms)


def norm(tensors: list[Tensor]) -> float:
    """The L2 norm of all elements of the tensors; not finite as soon as one of them is not."""
    return math.sqrt(sum(square_sum(tensor) for tensor in tensors))
