"""Fingerprints of named tensors: a digest tells whether they are equal, a sketch how far apart they are."""

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

_PIECE = 1 << 20  # elements that are on the CPU at once; which signs a sketch draws depends on it


def digest(tensors: Mapping[str, Tensor]) -> str:
    """Return the SHA-256, as 64 hex digits, of names, types, shapes and values.

    ``tensors`` maps names to tensors of any shape, which are taken in the order of their names. Neither the
    order of the mapping nor devices, strides or storage matter; one bit of one value does.
    """
    hasher = hashlib.sha256(b"idlebrush tensors 1\n")
    for name in sorted(tensors):
        tensor = tensors[name]
        hasher.update(f"{len(name.encode())} {name} {tensor.dtype} {list(tensor.shape)}\n".encode())
        for piece in _pieces(tensor):
            hasher.update(piece.contiguous().view(torch.uint8).numpy().data)
    return hasher.hexdigest()


def sketch(tensors: Mapping[str, Tensor], *, size: int = 32, seed: int = 0) -> list[float]:
    """Project all values randomly onto a few numbers, to compare peers on unlike hardware.

    A count-sketch (Charikar et al., 2002): every value is added, with a random sign, to one of ``size`` sums,
    in float64 and in the order of the names. The same seed draws the same signs on any machine. The squared
    distance of two sketches is an unbiased estimate of the squared distance of the values, with a relative
    standard deviation of about sqrt(2 / size).

    Args:
        tensors: Tensors of any shape by their names.
        size: Number of sums.
        seed: Seed of the random signs.

    Returns:
        The sums.
    """
    sums = np.zeros(size)
    draws = np.random.Philox(key=seed)
    for name in sorted(tensors):
        for piece in _pieces(tensors[name]):
            values = piece.double().numpy()
            bits = draws.random_raw(-(-values.size // 4)).astype("<u8").view("<u2")[: values.size]
            signed = np.where(bits & 1, values, -values)
            sums += np.bincount((bits >> 1) % size, weights=signed, minlength=size)
    return [float(value) for value in sums]


def sketch_distance(sketched: Sequence[float], reference: Sequence[float]) -> float:
    """Estimate |x - y| / |y| from the sketches of x (``sketched``) and of y (``reference``).

    The estimate is good to a relative 1 / sqrt(2 size). It is infinite if y alone is zero, or if the distance
    is not finite. Raises ValueError if the sketches differ in length.
    """
    if len(sketched) != len(reference):
        raise ValueError(f"sketches of {len(sketched)} and {len(reference)} numbers cannot be compared")
    distance = math.dist(sketched, reference)
    if distance == 0:
        return 0.0
    norm = math.hypot(*reference)
    return distance / norm if norm and math.isfinite(distance) and math.isfinite(norm) else math.inf


def _pieces(tensor: Tensor) -> Iterator[Tensor]:
    """Yield the flat values of a tensor on the CPU, a piece at a time."""
    for piece in torch.split(tensor.detach().reshape(-1), _PIECE):
        yield piece.cpu()
