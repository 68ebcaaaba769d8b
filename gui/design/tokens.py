"""The design tokens: colours as on the website, distances, and sizes of text, in logical pixels."""

from dataclasses import dataclass, replace
from enum import IntEnum


@dataclass(frozen=True)
class Palette:
    """Colours as ``#rrggbb``; a test measures the contrast of every pair in use."""

    paper: str
    """Colour of a window's background."""
    raised: str
    """Background of cards, fields and menus."""
    sunken: str
    """Background of tracks and wells, and of items under the pointer."""
    ink: str
    soft: str
    """Colour of secondary text."""
    faint: str
    """Captions, axes and placeholders."""
    line: str
    line_strong: str
    accent: str
    """Ultramarine, the colour of everything interactive."""
    on_accent: str
    vermilion: str
    """Errors, and the brush stroke of the logo."""
    viridian: str
    """Colour of success."""
    ochre: str
    """Colour of warnings and badges."""
    violet: str
    tint: str
    """Background of chosen items: paper with a little accent."""
    selection: str
    """Background of selected text."""
    control: str
    """Edges of controls, with a contrast of at least 3 to 1 against their background."""


LIGHT = Palette(
    paper="#faf9f6",
    raised="#ffffff",
    sunken="#f1efe9",
    ink="#191820",
    soft="#4f4c59",
    faint="#6a6675",
    line="#e3dfd6",
    line_strong="#c9c4b8",
    accent="#2c3fc7",
    on_accent="#ffffff",
    vermilion="#c2371b",
    viridian="#136b54",
    ochre="#8a5a00",
    violet="#7b3aa6",
    tint="#eceffd",
    selection="#cdd4fb",
    control="#8e897f",
)
DARK = Palette(
    paper="#131218",
    raised="#1b1a22",
    sunken="#0e0d12",
    ink="#f2f0f6",
    soft="#bdb9c8",
    faint="#9b97a7",
    line="#2e2c38",
    line_strong="#45424f",
    accent="#a3adff",
    on_accent="#12111a",
    vermilion="#ff8a6c",
    viridian="#5fd3ad",
    ochre="#f0ba58",
    violet="#d2a0f2",
    tint="#20223a",
    selection="#3a4080",
    control="#716d7f",
)
LIGHT_CONTRAST = replace(
    LIGHT, paper="#ffffff", sunken="#f4f3ef", ink="#000000", soft="#26242e", faint="#3a3743",
    line="#a9a498", line_strong="#8e897f", accent="#1c2a9c", vermilion="#9c2408", control="#26242e",
)  # fmt: skip
DARK_CONTRAST = replace(
    DARK, paper="#000000", raised="#0b0b0f", sunken="#000000", ink="#ffffff", soft="#ebe9f1", faint="#d6d3df",
    line="#5b5868", line_strong="#716d7f", accent="#c3caff", control="#ebe9f1",
)  # fmt: skip


class Space(IntEnum):
    """Distances in steps of four pixels."""

    XS = 4
    S = 8
    M = 12
    L = 16
    XL = 24
    XXL = 32
    HUGE = 48


class Type(IntEnum):
    """Sizes of text."""

    CAPTION = 12
    BODY = 14
    LEAD = 16
    TITLE = 20
    HEADING = 26
    DISPLAY = 34


class Radius(IntEnum):
    """Corner radii."""

    SMALL = 5
    """Radius of check boxes and of marks in a chart."""
    CONTROL = 9
    """Radius of buttons and fields."""
    CARD = 14


CONTROL_HEIGHT = 36
"""Height of buttons and fields."""


def mix(colour: str, other: str, share: float) -> str:
    """Return a mixture of two colours: that share of the first one, and the rest of the other."""
    pairs = zip(channels(colour), channels(other), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def channels(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of a colour, each 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
