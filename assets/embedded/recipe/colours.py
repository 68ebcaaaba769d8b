"""Gives a picture another colour as the eye sees it: light and dark stay, and all hues become one.

The space is Oklab (`core.oklab`). All colours share the lights and darks of a picture, so that codes of a patch in
one colour have counterparts in all others: that is what a model can combine.
"""

from dataclasses import dataclass

import numpy as np

from core.oklab import Floats, to_oklab, to_srgb

_SPREAD = 0.16
"""Standard deviation of the lightness of a recoloured picture."""
_LEAST_SPREAD = 0.06
"""Standard deviation below which a picture counts as even, so that its noise is not enlarged."""
_LIGHTNESS = (0.15, 0.97)
"""Darkest and lightest pixels of a recoloured picture."""
_TINT = 0.25
"""Share of the chroma that the lightest pixels keep: white becomes a tint, and tells the colour as well."""


@dataclass(frozen=True)
class Colour:
    """A colour by its name and its place in Oklab."""

    name: str
    hue: float
    """Angle in the plane of hues, in degrees."""
    chroma: float
    """Distance from grey."""
    lightness: float
    """Lightness at which the colour is at its purest, from 0 to 1."""

    @property
    def rgb(self) -> tuple[int, int, int]:
        """The colour itself in sRGB, each from 0 to 255."""
        red, green, blue = np.round(to_srgb(self.shades(np.array(self.lightness))) * 255).astype(int)
        return int(red), int(green), int(blue)

    def shades(self, lightness: Floats) -> Floats:
        """Return the colour's shades of some lightness in Oklab: shape (..., 3) for lightness (...)."""
        darker = np.clip(lightness / self.lightness, 0, 1)
        lighter = np.clip((1 - lightness) / (1 - self.lightness), 0, 1)
        chroma = self.chroma * np.minimum(darker, _TINT + (1 - _TINT) * lighter)
        angle = np.deg2rad(self.hue)
        return np.stack([lightness, chroma * np.cos(angle), chroma * np.sin(angle)], axis=-1)


def recoloured(picture: Floats, colour: Colour) -> Floats:
    """Return a picture in shades of one colour, with the same opacity.

    Args:
        picture: Red, green, blue and opacity from 0 to 1, (height, width, 4).
        colour: Colour that it is to have.
    """
    opacity = picture[..., 3]
    lightness = to_oklab(picture[..., :3])[..., 0]
    mean = np.average(lightness, weights=opacity)
    spread = np.sqrt(np.average((lightness - mean) ** 2, weights=opacity))
    contrast = (lightness - mean) / max(spread, _LEAST_SPREAD)
    shades = colour.shades(np.clip(colour.lightness + _SPREAD * contrast, *_LIGHTNESS))
    return np.concatenate([to_srgb(shades), opacity[..., None]], axis=-1)
