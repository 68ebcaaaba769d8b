"""Draws pictures in a notebook: with the joined run's model, a published one, or the one that is shipped."""

import os
import secrets
from base64 import b64encode
from html import escape
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from client.notebook.cells import (
    GREEN,
    CellDisplay,
    CellPage,
    NotebookCell,
    NotebookError,
    boxed,
    in_words,
    paragraph,
    sentences,
)
from client.notebook.machine import notebook_home
from client.paths import HOME_VARIABLE, Paths

if TYPE_CHECKING:
    from core.generation.parts import ModelSource
    from core.generation.records import Album
    from core.published.model_folder import ModelFolder

_SHOWN = 36
"""Largest number of pictures that a cell shows; all are saved."""


def draw_pictures(
    prompt: str,
    number: int = 4,
    *,
    model: str = "",
    seed: int | None = None,
    out: str = "pictures",
    screen: CellDisplay | None = None,
) -> "Album":
    """Draw pictures of a prompt on the GPU or, without one, on the processor; save them, and show them in the cell.

    Args:
        prompt: Description of the pictures.
        number: Number of pictures to draw.
        model: Folder of a checkpoint, a published model or a run, or the name of a model on the Hub such as
            ``user/model``; empty: the model of the run that a notebook has joined here or, before it has learned as
            much, the one that comes with Idlebrush.
        seed: The same seed gives the same pictures; None: a new one.
        out: Folder for the pictures; nothing in it is overwritten.
        screen: Place to draw at; None: the output of the cell that runs.

    Returns:
        The pictures' files, seed and model.

    Raises:
        NotebookError: There is no such model, or it cannot draw this.
    """
    from core.messages.pictures import GenerationRequest

    screen = screen or NotebookCell()
    with in_words():
        chosen = secrets.randbits(31) if seed is None else seed
        request = GenerationRequest.of(prompt=prompt, count=number, seed=chosen)
        source = _source(model.strip(), screen)
        screen.draw(sentences("Drawing", (f"“{prompt}”, {number} times. Without a GPU it takes a while.",)))
        from rich.console import Console

        from client.console.drawing import draw

        console = Console(file=StringIO(), force_jupyter=False)
        album = draw(request, source, Path(out), _paths(), console)
    screen.draw(album_page(album, Path(out)))
    return album


def album_page(album: "Album", folder: Path) -> CellPage:
    """Return the pictures of an album, which lie in ``folder``."""
    about = f"By {album.model}, seed {album.request.seed}. Saved in {folder}."
    shown = album.pictures[:_SHOWN]
    images = (
        _image(folder / picture.file, f"{album.request.prompt}, {picture.number + 1}") for picture in shown
    )
    files = (str(folder / picture.file) for picture in album.pictures)
    return boxed(f"“{album.request.prompt}”", (paragraph(about), *images), (about, *files), GREEN)


def _image(file: Path, label: str) -> str:
    data = b64encode(file.read_bytes()).decode()
    return (
        f'<img alt="{escape(label)}" src="data:image/png;base64,{data}" '
        'style="width:160px;margin:.3rem .5rem .3rem 0;border-radius:6px;display:inline-block">'
    )


def _source(model: str, screen: CellDisplay) -> "ModelSource | ModelFolder":
    from client.generation.sources import find_model, find_source
    from core.published.model_folder import is_model
    from core.storage import checkpoint

    if not model:
        return find_source(_paths())
    path = Path(model).expanduser()
    if is_model(path) or checkpoint.exists(path):
        return find_model(_paths(), saved=path)
    if path.exists():
        return find_source(_paths(), path)
    if model.count("/") != 1 or model.startswith((".", "/", "~")):
        raise NotebookError(
            f"There is no folder {model}.", "Give a folder, or a model on the Hub as user/model."
        )
    from client.account.tasks import HubSettings
    from client.notebook.published import fetch_model

    hub = HubSettings.of_environment(os.environ).endpoint
    return find_model(_paths(), saved=fetch_model(model, notebook_home() / "models", hub, screen))


def _paths() -> Paths:
    return Paths.of_user({HOME_VARIABLE: str(notebook_home())})
