"""Environments for processes in which packages of the project cannot be imported, as if they were not installed."""

import os
import tomllib
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
_BLOCKING = """
import sys
sys.modules.update(dict.fromkeys({blocked!r}))
"""
"""Python takes a module that is None for one that is not there."""
_IMPORTED_AS = {"PySide6-Essentials": "PySide6", "pyjwt": "jwt", "pillow": "PIL", "PyYAML": "yaml"}


def required(*extras: str) -> set[str]:
    """Packages that the project's extras name, by the names under which they are imported; "": those of no extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    of_extras = {"": project["dependencies"], **project["optional-dependencies"]}
    named = (text for extra in extras for text in of_extras[extra])
    names = {text.partition(">")[0].partition("[")[0].partition(";")[0].strip() for text in named}
    return {_IMPORTED_AS.get(name, name.replace("-", "_")) for name in names}


def without(blocked: Iterable[str], folder: Path) -> dict[str, str]:
    """An environment for Python in which these packages cannot be imported; ``folder`` is made for it."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(_BLOCKING.format(blocked=sorted(blocked)))
    return {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "OMP_NUM_THREADS": "1"}
