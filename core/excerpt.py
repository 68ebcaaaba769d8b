"""Keeps words that others chose, such as a server's, a window's or a model's, to what people can be shown."""

import re
import unicodedata

QUOTE = 60
"""Characters of what is quoted within a sentence."""
PASSAGE = 500
"""Characters of a whole text."""
MOST_LINES = 40
"""Lines of a passage, unless more are wanted."""
_MOST_MARKS = 8
"""Marks over and under one letter, such as accents: more would be drawn over the lines around it."""
_LINE_ENDS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
_JOINERS = "\u200c\u200d"
"""Characters that show nothing and are needed all the same: Persian, Hindi and emoji have them within words."""
_UNSHOWN = "\N{REPLACEMENT CHARACTER}"


def excerpt(text: str, longest: int = PASSAGE) -> str:
    """Return ``text``, cut to ``longest`` characters, with spaces for those that steer a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in shortened(text, longest))


def shortened(text: str, longest: int) -> str:
    """Return ``text``, cut to ``longest`` characters, to be quoted by its `repr`."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def passage(text: str, longest: int = PASSAGE, most_lines: int = MOST_LINES) -> str:
    """Return ``text`` as what can be shown of it, cut to ``longest`` characters and to ``most_lines``.

    Any letters stay, and so do the ends of lines. What steers a terminal, or turns the direction of the text around,
    does not: characters of format are left out, and others that cannot be shown are replaced. The result can be
    written in UTF-8, and a second time it stays as it is.
    """
    ends = _LINE_ENDS.sub("\n", text[: 4 * longest]).replace("\t", "    ")
    lines = re.sub("\n{3,}", "\n\n", _without_towers("".join(map(_shown, ends)))).split("\n")
    if len(lines) > most_lines:
        lines = [*lines[: most_lines - 1], "…"]
    return shortened("\n".join(lines), longest)


def _shown(letter: str) -> str:
    if letter.isprintable() or letter == "\n" or letter in _JOINERS:
        return letter
    return {"Zs": " ", "Cf": ""}.get(unicodedata.category(letter), _UNSHOWN)


def _without_towers(text: str) -> str:
    """Return ``text`` with the first marks of each letter alone."""
    kept, marks = list[str](), 0
    for letter in text:
        marks = marks + 1 if unicodedata.category(letter).startswith("M") else 0
        if marks <= _MOST_MARKS:
            kept.append(letter)
    return "".join(kept)
