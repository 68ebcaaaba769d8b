"""Serves the notebooks that the page Join offers, with the run's join link and the site's address filled in."""

import json
import sysconfig
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter, HTTPException
from starlette.responses import Response

from coordinator.contact import join_link
from coordinator.web.given import GivenContext

router = APIRouter(include_in_schema=False)

ADDRESS = "/join/notebooks/"
_ROOT = Path(__file__).resolve().parents[3]
_INSTALLED = Path(sysconfig.get_path("data")) / "share" / "idlebrush"
_PARAMETERS = "parameters"
"""Tag of the cell whose values are filled in, as papermill and nbclient users know it."""


@dataclass(frozen=True)
class OfferedNotebook:
    """A notebook as the page Join offers it."""

    name: str
    title: str
    about: str
    needs_pictures: bool = False
    """True if it is of use in runs of pictures alone."""

    @property
    def file(self) -> str:
        return f"{self.name}.ipynb"

    @property
    def address(self) -> str:
        return f"{ADDRESS}{self.file}"


NOTEBOOKS = (
    OfferedNotebook("join", "Train this run", "joins, shows the progress, and leaves in order"),
    OfferedNotebook(
        "generate",
        "Draw pictures",
        "draws prompts with a trained model, and saves the pictures",
        needs_pictures=True,
    ),
    OfferedNotebook(
        "history",
        "Look at the history",
        "shows loss, samples and peers over the epochs, and what the model made",
    ),
)


def notebook_folder() -> Path:
    """Return the folder of the notebooks, of a checkout or of an installed copy."""
    own = _ROOT / "notebooks"
    return own if own.is_dir() else _INSTALLED / "notebooks"


def offered(writes_texts: bool) -> tuple[OfferedNotebook, ...]:
    """Return the notebooks that this installation has for a run; ``writes_texts`` says if it is one of text."""
    folder = notebook_folder()
    useful = (each for each in NOTEBOOKS if not (writes_texts and each.needs_pictures))
    return tuple(each for each in useful if (folder / each.file).is_file())


@router.get(ADDRESS + "{name}")
def notebook(context: GivenContext, name: str) -> Response:
    """Return a notebook of this run, to be opened in Jupyter or uploaded to a service."""
    writes_texts = context.manifest.training.writes_texts
    found = next((each for each in offered(writes_texts) if each.file == name), None)
    if found is None:
        raise HTTPException(404)
    values = {
        "LINK": join_link(context.manifest, context.settings),
        "SITE": context.settings.address.rstrip("/"),
    }
    text = filled((notebook_folder() / found.file).read_text("utf-8"), values)
    headers = {
        "Cache-Control": "no-cache",
        "Content-Disposition": f'attachment; filename="{found.file}"',
        "X-Content-Type-Options": "nosniff",
    }
    return Response(text, 200, headers, "application/x-ipynb+json")


def filled(notebook: str, values: Mapping[str, str]) -> str:
    """Return a notebook whose cell of parameters has other values.

    Args:
        notebook: The notebook as JSON.
        values: Texts by the names of parameters; those that the notebook does not have are left out. Whatever a text
            contains, it becomes one literal of Python on one line.
    """
    document = json.loads(notebook)
    for cell in document["cells"]:
        if _PARAMETERS in cell["metadata"].get("tags", ()):
            cell["source"] = list(_filled(cell["source"], values))
    return json.dumps(document, indent=1)


def _filled(lines: list[str], values: Mapping[str, str]) -> Iterator[str]:
    for line in lines:
        name, sign, rest = line.partition(' = ""')
        if sign and name in values:
            yield f"{name} = {values[name]!a}{rest}"
        else:
            yield line
