"""A run manifest as text: read within bounds, parsed, and a preset's sizes put in its place; nothing is checked."""

import re
import tomllib
from pathlib import Path
from typing import Any

from core.errors import ManifestError
from core.model.config import preset
from core.run.training.families import without_usual_kind
from core.storage.files import read_bounded

MAX_MANIFEST_BYTES = 1 << 20
AGAIN = "Get the manifest again from the run's organiser."
"""Remedy for a manifest that cannot be used."""
_PART = rb"""(?:[\w-]+|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?)"""
_NEXT_PART = rb"[ \t]*\.[ \t]*" + _PART
_MOST_DOTS = 16
"""Dots of one key, at most: a key of 40 kB would keep Python's parser busy for hours.

Its time grows with the square of the parts of a key.
"""
_WORD = re.compile(
    b"|".join(
        [
            rb"#[^\n]*",
            rb'"""(?:\\.?|[^\\])*?(?:"{3,5}|\Z)',
            rb"'''.*?(?:'{3,5}|\Z)",
            rb"%b(?:%b){0,%d}(?P<beyond>%b)?" % (_PART, _NEXT_PART, _MOST_DOTS, _NEXT_PART),
        ]
    ),
    re.DOTALL,
)
"""A comment, a string, or a key up to the most dots and one: a dot within a string is none of a key.

Strings that do not end are matched as well, so that the time of a search grows with the length of a text alone.
"""


def read_manifest(path: Path) -> bytes:
    """Return the bytes of the manifest's file at ``path``.

    Raises ManifestError if it cannot be read, or is too large for a manifest.
    """
    try:
        return read_bounded(path, MAX_MANIFEST_BYTES)
    except OSError as error:
        raise ManifestError(
            f"The manifest {path} cannot be read: {error.strerror or error}.", "Check the path."
        ) from error
    except ValueError as error:
        raise ManifestError(f"{path} cannot be a manifest: {error}.", AGAIN) from error


def table_of(text: bytes, source: str) -> dict[str, Any]:
    """Parse the manifest in ``text``, and spell out the sizes of its model.

    Raises ManifestError, which names ``source``, if it is not TOML, its preset is unknown, or a key has too many
    dots.
    """
    if any(found["beyond"] for found in _WORD.finditer(text)):
        raise ManifestError(f"{source} cannot be a manifest: one of its keys has too many dots.", AGAIN)
    try:
        return expand_preset(tomllib.loads(text.decode()))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ManifestError(f"{source} is not a manifest in TOML: {error}.", AGAIN) from error
    except ValueError as error:
        raise ManifestError(f"{source} cannot be a manifest: {error}.", AGAIN) from error


def expand_preset(manifest: dict[str, Any]) -> dict[str, Any]:
    """Return the table ``manifest`` with ``training.model.preset`` replaced by the sizes of that preset.

    Raises ValueError if the preset is unknown.
    """
    training = without_usual_kind(manifest.get("training"))
    model = training.get("model") if isinstance(training, dict) else None
    if not isinstance(model, dict) or "kind" in model or not isinstance(name := model.get("preset"), str):
        return manifest
    sizes: dict[str, Any] = {**preset(name).model_dump(mode="json"), **model}
    del sizes["preset"]
    return {**manifest, "training": {**training, "model": sizes}}
