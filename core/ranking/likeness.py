"""Tells whether two pictures look alike to people, however their pixels differ."""

from typing import TYPE_CHECKING

import numpy as np

from core.oklab import Floats, linear_to_oklab, to_linear

if TYPE_CHECKING:
    from torch import Tensor

CELLS = 16
"""Cells across and down a picture: what is finer is not compared, so that a thing may lie a little elsewhere."""
VISIBLE = 0.06
"""Distance in Oklab from which two cells beside each other look different; 0.02 is just noticeable."""
DIFFERENT = 0.08
"""Share of visibly different cells from which two pictures do."""


def look_alike(one: Floats, other: Floats) -> bool:
    """Return true if the pictures ``one`` and ``other``, as `cells_of` describes them, look alike."""
    distances = np.linalg.norm(one - other, axis=-1)
    return float((distances >= VISIBLE).mean()) < DIFFERENT


def cells_of(pixels: "Tensor") -> Floats:
    """Return the mean colour of each cell of a picture in Oklab, (rows, columns, 3); small pictures have fewer.

    Args:
        pixels: Levels from 0 to 255, (3, height, width).
    """
    light = to_linear(pixels.permute(1, 2, 0).numpy().astype(np.float64) / 255)
    for axis in (0, 1):
        light = np.stack(
            [part.mean(axis=axis) for part in np.array_split(light, _cells(light, axis), axis)], axis
        )
    return linear_to_oklab(light)


def _cells(light: Floats, axis: int) -> int:
    return min(CELLS, int(light.shape[axis]))
