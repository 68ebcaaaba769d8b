"""A folder of further families, as `core.families` has its own."""

from pathlib import Path

import core.families

FOLDER = str(Path(__file__).parent)


def add_toy() -> None:
    """Have the packages of this folder found among the families: a package's path is Python's way to extend it."""
    if FOLDER not in core.families.__path__:
        core.families.__path__.append(FOLDER)


def remove_toy() -> None:
    """Leave them out again."""
    if FOLDER in core.families.__path__:
        core.families.__path__.remove(FOLDER)
