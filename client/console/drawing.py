"""Draws pictures in this process, with a progress bar, and reports the result."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

from client.contribution.stats import TrainedRun
from client.generation.metered_download import metered_download
from client.generation.ranker_download import is_downloaded, no_more_than
from client.joining.run_card import RunCard
from client.machine.capacity import read_machine
from client.paths import Paths
from core.generation.album import check_folder, save_album
from core.generation.parts import DrawingDevice, ModelSource, load_parts
from core.generation.records import Album
from core.generation.service import generate
from core.memory.machine import Allowance
from core.messages.pictures import GenerationRequest
from core.published.document import RunOrigin
from core.published.model_folder import ModelFolder, load_published_parts
from core.ranking.arrival import Arrived
from core.run.contact import Ranking


def draw(
    request: GenerationRequest, source: ModelSource | ModelFolder, out: Path, paths: Paths, console: Console
) -> Album:
    """Draw and save the pictures of a request; CoreError where that cannot be, before much memory is taken."""
    check_folder(out)
    tokenizer = source.tokenizer()
    tokenizer.encode_prompt(request.prompt)
    sampling = request.sampling(source.config.image_vocab, source.usual_guidance)
    place = DrawingDevice.of(source.config, read_machine(), Allowance(), guided=sampling.is_guided)
    with progress_bar(console) as bar:
        task = bar.add_task("Loading the model", total=None)
        ranking, run = ranking_of(source)
        with ranker_download(ranking, run, paths, console) as allowed:
            arrived = partial(on_download, bar, task, no_more_than(allowed))
            if isinstance(source, ModelFolder):
                parts = load_published_parts(source, tokenizer, place, arrived)
            else:
                parts = load_parts(source, tokenizer, place, arrived)
        bar.update(task, description="Drawing", completed=0.0, total=1.0)
        drawn = generate(request, parts, lambda progress: bar.update(task, completed=progress))
        return save_album(out, request, parts.origin, drawn)


def report(album: Album, out: Path) -> Text:
    """Return the places of the pictures, in a few lines."""
    request, kept = album.request, len(album.pictures)
    pictures = "1 picture" if kept == 1 else f"{kept} pictures"
    of = f", the best of {request.count}," if kept < request.count else ""
    lines = [
        f"{pictures}{of} by {album.model}, seed {request.seed}:",
        *(f"  {out / item.file}{_scored(item.score)}" for item in album.pictures),
        f"All on one: {out / album.sheet}",
    ]
    if album.unranked:
        lines.insert(
            1, f"The pictures are not ranked{' and all kept' if request.best else ''}: {album.unranked}"
        )
    return Text("\n".join(lines))


def ranking_of(source: ModelSource | ModelFolder) -> tuple[Ranking | None, TrainedRun]:
    """Return the ranking method of a model, and the run for which its download counts."""
    if isinstance(source, ModelFolder):
        origin, digest = source.document.origin, source.document.parameter_digest
        if isinstance(origin, RunOrigin):
            return source.document.ranking, TrainedRun(origin.training_digest, origin.run)
        return source.document.ranking, TrainedRun(digest, origin.name)
    return source.manifest.contact.ranking, RunCard.of(source.manifest).trained


@contextmanager
def ranker_download(
    ranking: Ranking | None, run: TrainedRun, paths: Paths, console: Console
) -> Iterator[int | None]:
    """Limit and count the download of a ranker; gives the bytes that the month's quota still allows."""
    with metered_download(run, paths, console, is_needed=is_downloaded(ranking)) as download:
        yield download.allowed


def on_download(bar: Progress, task: TaskID, check: Arrived, done: int, total: int) -> None:
    """Show the progress of a ranker's download, after ``check`` has allowed it."""
    check(done, total)
    bar.update(task, description="Fetching the run's ranker", completed=done, total=total)


def _scored(score: float | None) -> str:
    return "" if score is None else f"  {score:+.3f}"


def progress_bar(console: Console) -> Progress:
    """Return a progress bar that leaves nothing on the console."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True)
