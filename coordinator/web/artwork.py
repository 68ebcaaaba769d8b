"""Draws the picture of the first page: a landscape in brush strokes that emerges from noise."""

import math
from random import Random

from markupsafe import Markup

_COLUMNS, _ROWS = 24, 18
_CELL = 20
_STEPS = 12
"""Moments at which strokes appear."""

_Colour = tuple[float, float, float]

_SKY_HIGH, _SKY_LOW = (38, 52, 150), (247, 178, 122)
_SUN, _GLOW = (255, 226, 150), (252, 146, 96)
_SEA, _SHORE, _HILL = (36, 92, 128), (24, 60, 78), (44, 38, 92)


def mosaic(rows: range = range(_ROWS)) -> Markup:
    """Return an SVG of coloured cells, or of some of its rows; it is the same each time."""
    draws = Random(20)
    strokes = "".join(_stroke(column, row, draws) for row in rows for column in range(_COLUMNS))
    view = f"0 {rows.start * _CELL} {_COLUMNS * _CELL} {len(rows) * _CELL}"
    opening = f'<svg class="mosaic" viewBox="{view}" role="img" aria-label="{_ALT}">'
    return Markup(f"{opening}{strokes}</svg>")


def horizon() -> Markup:
    """Return the part of the picture with the sun, as a band."""
    return mosaic(range(6, 12))


_ALT = "A sunset over the sea, painted in small strokes that come out of noise"


def _stroke(column: int, row: int, draws: Random) -> str:
    clarity = _clarity(column, draws)
    noise = _hsl(draws.random(), 0.12 + 0.2 * draws.random(), 0.45 + 0.35 * draws.random())
    red, green, blue = (round(value) for value in _mix(noise, _landscape(column, row, draws), clarity))
    side = _CELL * (0.34 + 0.58 * clarity) * (0.9 + 0.18 * draws.random())
    shift = (1 - clarity) * 7
    x = (column + 0.5) * _CELL - side / 2 + draws.uniform(-shift, shift)
    y = (row + 0.5) * _CELL - side / 2 + draws.uniform(-shift, shift)
    turn = draws.gauss(0, 4 + 22 * (1 - clarity))
    middle = f"{x + side / 2:.0f} {y + side / 2:.0f}"
    step = min(_STEPS - 1, int(column / _COLUMNS * _STEPS + draws.random() * 2))
    return (
        f'<rect class="s{step}" x="{x:.1f}" y="{y:.1f}" width="{side:.1f}" height="{side * 0.92:.1f}" '
        f'rx="{side / 5:.1f}" fill="#{red:02x}{green:02x}{blue:02x}" transform="rotate({turn:.0f} {middle})"/>'
    )


def _clarity(column: int, draws: Random) -> float:
    """Return the clarity of a column from 0 (noise) to 1 (picture), with a soft edge."""
    along = (column + draws.uniform(-1.8, 1.8)) / _COLUMNS
    return 1 / (1 + math.exp(-11 * (along - 0.36)))


def _landscape(column: int, row: int, draws: Random) -> _Colour:
    x, y = (column + 0.5) / _COLUMNS, (row + 0.5) / _ROWS
    horizon, sun = 0.62, (0.68, 0.5)
    far = math.dist((x * _COLUMNS / _ROWS, y), (sun[0] * _COLUMNS / _ROWS, sun[1]))
    hill = 0.60 - 0.13 * math.exp(-(((x - 0.94) / 0.13) ** 2)) - 0.08 * math.exp(-(((x - 0.34) / 0.16) ** 2))
    if y < horizon:
        if far < 0.135:
            return _varied(_SUN, 6, draws)
        if y > hill:
            return _varied(_HILL, 9, draws)
        sky = _mix(_SKY_HIGH, _SKY_LOW, (y / horizon) ** 1.35)
        return _varied(_mix(sky, _GLOW, 0.75 * math.exp(-far * 4.2)), 9, draws)
    if y > 0.9 + 0.05 * math.sin(7 * x):
        return _varied(_SHORE, 8, draws)
    glint = math.exp(-(((x - sun[0]) / (0.05 + 0.22 * (y - horizon))) ** 2)) * (0.5 + 0.5 * draws.random())
    return _varied(_mix(_mix(_SEA, _SKY_LOW, 0.35 * (0.9 - y)), _SUN, glint), 10, draws)


def _mix(one: _Colour, other: _Colour, share: float) -> _Colour:
    red, green, blue = (a + (b - a) * share for a, b in zip(one, other, strict=True))
    return red, green, blue


def _varied(colour: _Colour, by: float, draws: Random) -> _Colour:
    shift = draws.gauss(0, by)
    red, green, blue = (min(255.0, max(0.0, value + shift)) for value in colour)
    return red, green, blue


def _hsl(hue: float, saturation: float, lightness: float) -> _Colour:
    def channel(offset: float) -> float:
        turned = (offset + hue * 12) % 12
        return 255 * (
            lightness - saturation * min(lightness, 1 - lightness) * max(-1, min(turned - 3, 9 - turned, 1))
        )

    return channel(0), channel(8), channel(4)
