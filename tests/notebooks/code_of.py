"""Prints the code of notebooks as one module for mypy: `python -m tests.notebooks.code_of`."""

import json
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

FOLDER = Path(__file__).parents[2] / "notebooks"
OFFERED = ("join", "generate", "history")
"""Names of the notebooks that websites offer."""
NAMES = (*OFFERED, "large_models_on_small_devices")
"""Names of the notebooks whose cells are checked."""


def functions() -> Iterator[str]:
    """Yield the code of each of `NAMES` as a function."""
    for name in NAMES:
        cells = json.loads((FOLDER / f"{name}.ipynb").read_text("utf-8"))["cells"]
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        yield f"def {name}() -> None:\n{indent(code, '    ')}\n"


if __name__ == "__main__":
    print("\n".join(functions()))
