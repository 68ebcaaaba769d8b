"""What a record says of its image, whether it was a line of JSON or CSV, a file in an archive, or a row."""

import math
import re
from collections.abc import Mapping
from typing import Any

from core.data.pixels import BrokenImageError
from core.data.sources.source import DEFAULT_SPLIT, UNLABELLED

CAPTION_NAMES = ("caption", "text", "txt", "TEXT", "prompt", "description", "alt_text", "title")
"""Under which a caption is looked for, in this order."""
LABEL_NAMES = ("NSFW", "nsfw")
MAX_CAPTION_CHARACTERS = 1 << 16
MAX_SIDE = 1 << 31
MAX_SPLITS = 64
"""Of an image, and of all that a build takes in: each becomes shards of its own."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_SPLIT_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_REMEDY = "Correct or remove it."


def name_in(record: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    """The first of the names that the record has."""
    return next((name for name in names if name in record), None)


def caption_of(record: Mapping[str, Any], column: str | None = None) -> str:
    """The caption; the first one where there are several, and empty where the record leaves it out.

    Raises:
        BrokenImageError: the record has no place for one, or something else in it.
    """
    name = column or name_in(record, CAPTION_NAMES)
    if name is None:
        raise BrokenImageError("It has no caption.", "Add one.")
    value = record.get(name)
    if isinstance(value, list) and value:
        value = value[0]
    return "" if value is None else plain_text(value, name)


def label_of(record: Mapping[str, Any]) -> str:
    """The NSFW label: ``UNLABELLED`` where records have none, and empty where only this one lacks it.

    Raises:
        BrokenImageError: it is not text.
    """
    name = name_in(record, LABEL_NAMES)
    if name is None:
        return UNLABELLED
    return "" if record[name] is None else plain_text(record[name], name)


def size_of(record: Mapping[str, Any]) -> tuple[int, int] | None:
    """Width and height of the original in pixels, where the record knows them, and nothing absurd."""
    width, height = (_side(record.get(name)) for name in ("original_width", "original_height"))
    return (width, height) if width and height else None


def splits_of(record: Mapping[str, Any]) -> tuple[str, ...]:
    """The sets that the image goes to: ``split`` is a name or a list of names.

    Raises:
        BrokenImageError: it is neither, or names more than ``MAX_SPLITS``.
    """
    value = record.get("split", DEFAULT_SPLIT)
    names = value if isinstance(value, list) else [value]
    if len(names) > MAX_SPLITS:
        raise BrokenImageError(f"It has {len(names)} splits.", f"Name {MAX_SPLITS} at most.")
    if not names or not all(isinstance(name, str) and _SPLIT_NAME.fullmatch(name) for name in names):
        raise BrokenImageError(
            f"It has the split {str(value)[:200]!r}.",
            "Name splits with letters, digits, - and _: they become names of files.",
        )
    return tuple(dict.fromkeys(names))


def plain_text(value: object, name: str) -> str:
    """The value, as text that every file can hold; BrokenImageError otherwise."""
    if not isinstance(value, str) or _LONE_SURROGATE.search(value):
        raise BrokenImageError(f"It has no text under {name!r}.", _REMEDY)
    if len(value) > MAX_CAPTION_CHARACTERS:
        raise BrokenImageError(f"It has more than {MAX_CAPTION_CHARACTERS} letters under {name!r}.", _REMEDY)
    return value


def _side(value: object) -> int:
    # Readers that go through pandas turn a column of integers with gaps into floats.
    if isinstance(value, float) and math.isfinite(value):
        value = int(value)
    return value if isinstance(value, int) and 0 < value < MAX_SIDE else 0
