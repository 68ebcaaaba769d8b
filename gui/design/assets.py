"""Paths of the files with which the app is drawn."""

from importlib.resources import files
from pathlib import Path


def asset(*parts: str) -> Path:
    """Return the path of a file or folder of the package `assets`, which is always installed as files."""
    return Path(str(files("assets").joinpath(*parts)))
