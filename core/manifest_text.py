"""A run manifest as text: read within bounds, parsed, and a preset's sizes put in its place; nothing is checked."""

import tomllib
from pathlib import Path
from typing import Any

from core.errors import ManifestError
from core.files import read_bounded
from core.model.config import preset

MAX_MANIFEST_BYTES = 1 << 20
_AGAIN = "Get the manifest again from the run's organiser."


def read_manifest(path: Path) -> bytes:
    """The bytes of a manifest's file; ManifestError if it cannot be one."""
    try:
        return read_bounded(path, MAX_MANIFEST_BYTES)
    except OSError as error:
        raise ManifestError(
            f"The manifest {path} cannot be read: {error.strerror or error}.", "Check the path."
        ) from error
    except ValueError as error:
        raise ManifestError(f"{path} cannot be a manifest: {error}.", _AGAIN) from error


def table_of(text: bytes, source: str) -> dict[str, Any]:
    """What a manifest says, sizes of its model spelled out; ManifestError, by ``source``, where it is no TOML."""
    try:
        return expand_preset(tomllib.loads(text.decode()))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ManifestError(f"{source} is not a manifest in TOML: {error}.", _AGAIN) from error
    except ValueError as error:
        raise ManifestError(f"{source} cannot be a manifest: {error}.", _AGAIN) from error


def expand_preset(manifest: dict[str, Any]) -> dict[str, Any]:
    """The table with ``training.model.preset`` replaced by the sizes it stands for; ValueError if unknown."""
    training = manifest.get("training")
    model = training.get("model") if isinstance(training, dict) else None
    if not isinstance(model, dict) or not isinstance(name := model.get("preset"), str):
        return manifest
    sizes: dict[str, Any] = {**preset(name).model_dump(mode="json"), **model}
    del sizes["preset"]
    return {**manifest, "training": {**manifest["training"], "model": sizes}}
