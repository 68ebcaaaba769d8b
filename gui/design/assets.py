"""Where the files lie that the app is drawn with."""

from importlib.resources import files
from pathlib import Path


def asset(*parts: str) -> Path:
    """A file or folder of the package `assets`, which is always installed as files."""
    return Path(str(files("assets").joinpath(*parts)))
