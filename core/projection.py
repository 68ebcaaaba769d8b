"""Projections of named tensors by a secret seed, which no tensors could be made to fit before the seed was known.

`core.digest.sketch` has a public seed: a random model was made whose sketch was that of another one. Here a verifier
draws the seed once the tensors are fixed. Each tensor has sums of its own, so that a small one counts as a large one.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

SEED_BYTES = 16
SUMS = 16
"""Sums of each tensor, from which the distance of two is estimated with a relative standard deviation of 18 %."""
_COLUMNS, _ROWS = 4096, 1024
"""Values that are projected as one row, and rows that are multiplied at once: 16 MB of float32."""

TensorSums = npt.NDArray[np.float32]
"""Sums of tensors, of shape (tensors, SUMS)."""


def projected(tensors: Mapping[str, Tensor], seed: bytes) -> TensorSums:
    """Return `SUMS` random projections of each of ``tensors``, in their order.

    A tensor's values are cut into rows. Each sum adds them up with the sign of the row times the sign of the column,
    both drawn by SHAKE-256 from the seed and the tensor's name. The squared difference of two sums is on average the
    squared distance of the tensors (Achlioptas, 2003; for products of signs Indyk and McGregor, 2008). Codes of
    8 bits count as the numbers that they are.

    Args:
        tensors: tensors of any shape and type by their names.
        seed: the seed, `SEED_BYTES` long.

    Returns:
        The sums, of shape (tensors, SUMS).
    """
    sums = [_sums(tensor.detach().reshape(-1), seed + name.encode()) for name, tensor in tensors.items()]
    return np.stack(sums).astype(np.float32) if sums else np.zeros((0, SUMS), dtype=np.float32)


def _sums(flat: Tensor, key: bytes) -> npt.NDArray[np.float64]:
    columns = max(1, min(len(flat), _COLUMNS))
    rows = -(-len(flat) // columns)
    signs = _signs(key, rows + columns)
    added = torch.zeros(SUMS, columns, dtype=torch.float64)
    for start in range(0, rows, _ROWS):
        piece = flat[start * columns : (start + _ROWS) * columns].cpu().float()
        piece = torch.nn.functional.pad(piece, (0, -len(piece) % columns)).view(-1, columns)
        added += signs[:, start : start + len(piece)] @ piece
    found: npt.NDArray[np.float64] = (added * signs[:, rows:]).sum(1).numpy()
    return found


def _signs(key: bytes, count: int) -> Tensor:
    """Return signs for each sum, 1 or -1, as float32 of shape (SUMS, ``count``)."""
    drawn = np.frombuffer(hashlib.shake_256(key).digest(SUMS * -(-count // 8)), dtype=np.uint8)
    bits = np.unpackbits(drawn.reshape(SUMS, -1), axis=1, count=count)
    return torch.from_numpy(bits.astype(np.float32) * 2 - 1)


def distances(sums: TensorSums, reference: TensorSums) -> list[float]:
    """Estimate |x - y| / max(|x|, |y|) of each tensor from its ``sums`` and those of the ``reference``.

    The estimates are infinite where the sums differ in shape, or are not finite.
    """
    if sums.shape != reference.shape:
        return [math.inf] * len(reference)
    return [_distance(one, other) for one, other in zip(sums, reference, strict=True)]


def _distance(sums: Sequence[float], reference: Sequence[float]) -> float:
    apart, norm = math.dist(sums, reference), max(math.hypot(*sums), math.hypot(*reference))
    if apart == 0:
        return 0.0
    return apart / norm if math.isfinite(apart) and math.isfinite(norm) else math.inf
