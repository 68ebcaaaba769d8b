"""Writes lines of text into pictures, in the project's typefaces, and nothing where these lack a letter."""

from enum import StrEnum
from functools import cache
from importlib.resources import files
from unicodedata import normalize

from PIL import Image, ImageDraw, ImageFont

from core.excerpt import excerpt

_ABSENT = "\U0010fffd"
"""A character that no typeface has, and for which each draws a box."""
_MOST_LETTERS = 200
_FEW_COLOURS = 1024
"""Most colours of a picture of letters, whose edges have shades of each ink; a photo has tens of thousands."""


class Typeface(StrEnum):
    """A typeface of the folder ``assets/fonts``, by the name of its file."""

    TEXT = "InstrumentSans_400Regular"
    STRONG_TEXT = "InstrumentSans_600SemiBold"
    FIGURES = "BricolageGrotesque_600SemiBold"
    HEADING = "BricolageGrotesque_700Bold"


@cache
def font_of(typeface: Typeface, size: int) -> ImageFont.FreeTypeFont:
    """Return a typeface in a size in pixels."""
    return ImageFont.truetype(str(files("assets") / "fonts" / f"{typeface}.ttf"), size)


def write_line(
    pen: ImageDraw.ImageDraw,
    at: tuple[int, int],
    text: str,
    font: ImageFont.FreeTypeFont,
    colour: str,
    width: int,
    least: float | None = None,
) -> None:
    """Write a line of text, smaller or cut where it is too wide; nothing if the typeface lacks a letter of it.

    Args:
        pen: Writes into the picture.
        at: Left and top in pixels.
        text: Any text; control characters are left out.
        font: Typeface and size.
        colour: Colour as Pillow names it.
        width: Most pixels of the line.
        least: Smallest size in pixels to which the line is shrunk before it is cut; None: it is not shrunk.
    """
    text = excerpt(text, _MOST_LETTERS)
    if not has_letters(font, text):
        return
    while least is not None and font.getlength(text) > width and font.size > least:
        font = font.font_variant(size=font.size * 0.9)
    while font.getlength(text) > width and len(text) > 1:
        text = f"{text.rstrip('…')[:-1]}…"
    pen.text(at, text, colour, font)


def has_letters(font: ImageFont.FreeTypeFont, text: str) -> bool:
    """Return true if a typeface has all letters of a text.

    Letters that it lacks count as well where the library composes them of parts that it has (Raqm).

    Args:
        font: The typeface.
        text: The text, without control characters.
    """
    plain, composes = _uncomposed(str(font.path)), font.layout_engine == ImageFont.Layout.RAQM
    box = _drawn(plain, _ABSENT)

    def has(letter: str) -> bool:
        return _drawn(plain, letter) != box

    return all(has(letter) or (composes and all(map(has, normalize("NFD", letter)))) for letter in set(text))


def has_few_colours(picture: Image.Image) -> bool:
    """Return true if a picture has so few colours that it is best kept pixel by pixel: text on paper, not a photo."""
    return picture.getcolors(_FEW_COLOURS) is not None


def _drawn(font: ImageFont.FreeTypeFont, letter: str) -> tuple[tuple[int, int], bytes]:
    mask = font.getmask(letter)
    return mask.size, bytes(mask)


@cache
def _uncomposed(path: str) -> ImageFont.FreeTypeFont:
    """Return a typeface that draws each character by itself."""
    return ImageFont.truetype(path, 40, layout_engine=ImageFont.Layout.BASIC)
