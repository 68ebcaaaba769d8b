"""Draws pictures in this process, with a progress bar, and tells what came of it."""

from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

from client.machine.reading import read_machine
from core.generation.album import check_folder, save_album
from core.generation.parts import Place, Source, load_parts
from core.generation.records import Album
from core.generation.request import GenerationRequest
from core.generation.service import generate
from core.memory.machine import Allowance
from core.published.model_folder import ModelFolder
from core.published.parts import load_published_parts


def draw(request: GenerationRequest, source: Source | ModelFolder, out: Path, console: Console) -> Album:
    """Draw and save the pictures of a request; CoreError where that cannot be, before much memory is taken."""
    check_folder(out)
    tokenizer = source.tokenizer()
    tokenizer.encode_prompt(request.prompt)
    place = Place.of(source.config, read_machine(), Allowance())
    with _bar(console) as bar:
        task = bar.add_task("Loading the model", total=None)
        if isinstance(source, ModelFolder):
            parts = load_published_parts(source, tokenizer, place)
        else:
            parts = load_parts(source, tokenizer, place, partial(_show_download, bar, task))
        bar.update(task, description="Drawing", completed=0.0, total=1.0)
        drawn = generate(request, parts, lambda progress: bar.update(task, completed=progress))
        return save_album(out, request, parts.origin, drawn)


def report(album: Album, out: Path) -> Text:
    """Where the pictures are, in a few lines."""
    request, kept = album.request, len(album.pictures)
    pictures = "1 picture" if kept == 1 else f"{kept} pictures"
    of = f", the best of {request.count}," if kept < request.count else ""
    after = f" after epoch {album.epoch}" if album.epoch else ""  # imported weights do not tell theirs
    lines = [
        f"{pictures}{of} by {album.run}{after}, seed {request.seed}:",
        *(f"  {out / item.file}{_scored(item.score)}" for item in album.pictures),
        f"All on one: {out / album.sheet}",
    ]
    if album.unranked:
        lines.insert(1, f"They are not ranked{' and all kept' if request.best else ''}: {album.unranked}")
    return Text("\n".join(lines))


def _show_download(bar: Progress, task: TaskID, done: int, total: int) -> None:
    bar.update(task, description="Bringing the run's ranker here", completed=done, total=total)


def _scored(score: float | None) -> str:
    return "" if score is None else f"  {score:+.3f}"


def _bar(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True)
