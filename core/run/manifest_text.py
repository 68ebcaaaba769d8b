"""A run manifest as text: read within bounds, parsed, and a preset's sizes put in its place; nothing is checked."""

import re
import tomllib
from pathlib import Path
from typing import Any

from core.errors import ManifestError
from core.model.config import preset
from core.storage.files import read_bounded

MAX_MANIFEST_BYTES = 1 << 20
AGAIN = "Get the manifest again from the run's organiser."
"""Remedy for a manifest that cannot be used."""
_MOST_DOTS = 16
"""Dots between words on one line, at most: a key that long would keep Python's parser busy for hours.

Its time grows with the square of the parts of a key, which all stand on one line.
"""
_DOT = re.compile(rb"""[\w"'-][ \t]*\.(?=[ \t]*[\w"'-])""")


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

    Raises ManifestError, which names ``source``, if it is not TOML, its preset is unknown, or a line has too many
    dots.
    """
    if any(len(_DOT.findall(line)) > _MOST_DOTS for line in text.splitlines()):
        raise ManifestError(f"{source} cannot be a manifest: one of its lines has too many dots.", AGAIN)
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
    training = manifest.get("training")
    model = training.get("model") if isinstance(training, dict) else None
    if not isinstance(model, dict) or not isinstance(name := model.get("preset"), str):
        return manifest
    sizes: dict[str, Any] = {**preset(name).model_dump(mode="json"), **model}
    del sizes["preset"]
    return {**manifest, "training": {**manifest["training"], "model": sizes}}
