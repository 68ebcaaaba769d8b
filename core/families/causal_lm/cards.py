"""Cards that show a prompt and what a model wrote after it, where other runs show a picture."""

from collections.abc import Iterator

import numpy as np
import torch
from PIL import Image, ImageDraw, ImageFont
from torch import Tensor

from core.excerpt import excerpt
from core.generation.lettering import Typeface, font_of, has_letters

SIDE = 320
"""Side of a card in pixels."""
_MARGIN, _SIZE, _LEADING = 16, 19, 25
_PAPER, _INK, _PROMPT = "#fbfaf7", "#26241f", "#8a5a00"
_MOST_LETTERS = 1000
"""Letters of a prompt and of a text that are looked at: more do not fit a card."""
_UNWRITTEN = "[…]"
"""Replacement for words with letters that the typeface lacks."""


def card(prompt: str, text: str) -> Tensor:
    """Return the card of a ``prompt`` and the ``text`` after it, float (3, SIDE, SIDE) in [0, 1].

    What does not fit is left out, and an ellipsis says so. Words that are wider than a line are broken. The project's
    typefaces are Latin: brackets stand for words of other letters.
    """
    picture = Image.new("RGB", (SIDE, SIDE), _PAPER)
    pen, font = ImageDraw.Draw(picture), font_of(Typeface.TEXT, _SIZE)
    x, y = _MARGIN, _MARGIN
    for word, colour in (*_words(prompt, _PROMPT, font), *_words(text, _INK, font)):
        width = round(font.getlength(word))
        if x > _MARGIN and x + width > SIDE - _MARGIN:
            x, y = _MARGIN, y + _LEADING
        if y + _LEADING > SIDE - _MARGIN:
            pen.text((SIDE - 2 * _MARGIN, SIDE - _MARGIN - _SIZE), "…", fill=_INK, font=font)
            break
        pen.text((x, y), word, fill=colour, font=font)
        x += width + round(font.getlength(" "))
    pixels = torch.from_numpy(np.asarray(picture, np.float32) / 255)
    return pixels.permute(2, 0, 1)


def _words(text: str, colour: str, font: ImageFont.FreeTypeFont) -> Iterator[tuple[str, str]]:
    """Yield the words of a text in pieces that fit a line, each with its ``colour``."""
    last = ""
    for word in excerpt(text, _MOST_LETTERS).split():
        written = word if has_letters(font, word) else _UNWRITTEN
        if (written, last) != (_UNWRITTEN, _UNWRITTEN):
            yield from ((piece, colour) for piece in _broken(written, font))
        last = written


def _broken(word: str, font: ImageFont.FreeTypeFont) -> Iterator[str]:
    """Yield a word in pieces that are no wider than a line."""
    while font.getlength(word) > SIDE - 2 * _MARGIN:
        end = len(word) - 1
        while end > 1 and font.getlength(word[:end]) > SIDE - 2 * _MARGIN:
            end = end * 7 // 8
        yield word[:end]
        word = word[end:]
    yield word
