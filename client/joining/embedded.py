"""The runs that are shipped with the program: where they lie and what they are called. Imports nothing heavy."""

from enum import StrEnum
from importlib.resources import as_file, files
from pathlib import Path


class EmbeddedSet(StrEnum):
    """The runs that are shipped: a first one of distinct pictures, and one of all of them."""

    STARTER = "starter"
    ALL = "all"


NAMES = {"embedded": EmbeddedSet.STARTER, "embedded-all": EmbeddedSet.ALL}
"""Names by which volunteers call them."""
MANIFESTS = {EmbeddedSet.STARTER: "run.toml", EmbeddedSet.ALL: "run-all.toml"}


def embedded_run() -> Path:
    """Return the folder of the run that is shipped with the program."""
    with as_file(files("assets") / "embedded") as folder:
        return folder
