"""Converts colours between sRGB and Oklab, in which equal distances look about equally large.

Source: Björn Ottosson, "A perceptual color space for image processing", 2020.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def to_oklab(srgb: Floats) -> Floats:
    """Return the lightness and the two axes of hue in Oklab of the colours ``srgb``, both (..., 3)."""
    return linear_to_oklab(to_linear(srgb))


def to_linear(srgb: Floats) -> Floats:
    """Return the amounts of light of the colours ``srgb``, both (..., 3); they may be averaged."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def linear_to_oklab(linear: Floats) -> Floats:
    """Return the place in Oklab of ``linear`` amounts of light, both (..., 3)."""
    lab: Floats = np.cbrt(linear @ _TO_CONES.T) @ _TO_LAB.T
    return lab


def to_srgb(oklab: Floats) -> Floats:
    """Return the colours ``oklab`` in sRGB, both (..., 3); what sRGB cannot show is cut off to 0 or 1."""
    cones = (oklab @ np.linalg.inv(_TO_LAB).T) ** 3
    linear = np.clip(cones @ np.linalg.inv(_TO_CONES).T, 0, 1)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
