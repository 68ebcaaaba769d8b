"""Compares one picture with many by the mean colours of their cells, in Oklab."""

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from core.ranking.likeness import VISIBLE, cells_of

Cells = NDArray[np.float32]


def cells_of_all(images: Tensor) -> Cells:
    """Return the mean colours of the cells of each image, (n, cells, 3) in Oklab.

    Args:
        images: Images, floats (n, 3, height, width) in [0, 1].
    """
    levels = (images * 255).round().byte().cpu()
    return np.stack([cells_of(image).reshape(-1, 3) for image in levels]).astype(np.float32)


def changed_shares(one: Cells, others: Cells) -> NDArray[np.float32]:
    """Return the share of the cells of ``one`` that visibly differ from those of each other picture, (n,).

    Args:
        one: Cells of a picture, (cells, 3).
        others: Cells of other pictures, (n, cells, 3).
    """
    squares = np.square(others - one).sum(axis=-1)
    shares: NDArray[np.float32] = (squares >= VISIBLE**2).mean(axis=-1, dtype=np.float32)
    return shares


def colour_likenesses(one: Cells, others: Cells) -> NDArray[np.float32]:
    """Return how alike the colours of ``one`` and of each other picture are, wherever they lie: (n,), 1 at most.

    It is 1 minus the distance between the distributions of lightness and of both hues (Wasserstein's, summed over
    the three axes).

    Args:
        one: Cells of a picture, (cells, 3).
        others: Cells of other pictures, (n, cells, 3).
    """
    distances = np.abs(np.sort(others, axis=1) - np.sort(one, axis=0)).mean(axis=1).sum(axis=-1)
    likenesses: NDArray[np.float32] = (1 - distances).astype(np.float32)
    return likenesses
