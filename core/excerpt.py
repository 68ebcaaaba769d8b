"""Keeps words that others chose, such as a server's or a window's, to what people can be shown on one line."""

QUOTE = 60
"""Characters of what is quoted within a sentence."""
PASSAGE = 500
"""Characters of a whole text."""


def excerpt(text: str, longest: int = PASSAGE) -> str:
    """Return ``text``, cut to ``longest`` characters, with spaces for those that steer a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in shortened(text, longest))


def shortened(text: str, longest: int) -> str:
    """Return ``text``, cut to ``longest`` characters, to be quoted by its `repr`."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
