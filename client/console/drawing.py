"""Draws pictures in this process, with a progress bar, and reports the result."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

from client.api.errors import StatsError
from client.contribution.counting import counted_download
from client.contribution.database import ask
from client.contribution.stats import TrainedRun
from client.contribution.tally import Amounts, Calendar, Period
from client.generation.ranker_download import is_downloaded, no_more_than
from client.joining.run_card import RunCard
from client.machine.capacity import read_machine
from client.paths import Paths
from client.preferences.preferences import Preferences
from client.preferences.preferences_file import load
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
from core.swarm.bandwidth import Line


def draw(
    request: GenerationRequest, source: ModelSource | ModelFolder, out: Path, paths: Paths, console: Console
) -> Album:
    """Draw and save the pictures of a request; CoreError where that cannot be, before much memory is taken."""
    check_folder(out)
    tokenizer = source.tokenizer()
    tokenizer.encode_prompt(request.prompt)
    place = DrawingDevice.of(source.config, read_machine(), Allowance())
    with _bar(console) as bar:
        task = bar.add_task("Loading the model", total=None)
        ranking, run = _ranking(source)
        with _download(ranking, run, paths, console) as allowed:
            arrived = partial(_on_download, bar, task, no_more_than(allowed))
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
    after = f" after epoch {album.epoch}" if album.epoch else ""  # imported weights do not tell theirs
    lines = [
        f"{pictures}{of} by {album.run}{after}, seed {request.seed}:",
        *(f"  {out / item.file}{_scored(item.score)}" for item in album.pictures),
        f"All on one: {out / album.sheet}",
    ]
    if album.unranked:
        lines.insert(
            1, f"The pictures are not ranked{' and all kept' if request.best else ''}: {album.unranked}"
        )
    return Text("\n".join(lines))


def _ranking(source: ModelSource | ModelFolder) -> tuple[Ranking | None, TrainedRun]:
    """Return the ranking method of a model, and the run for which its download counts."""
    if isinstance(source, ModelFolder):
        origin, digest = source.document.origin, source.document.parameter_digest
        if isinstance(origin, RunOrigin):
            return source.document.ranking, TrainedRun(origin.training_digest, origin.run)
        return source.document.ranking, TrainedRun(digest, origin.name)
    return source.manifest.contact.ranking, RunCard.of(source.manifest).trained


@contextmanager
def _download(
    ranking: Ranking | None, run: TrainedRun, paths: Paths, console: Console
) -> Iterator[int | None]:
    """Limit and count the download of a ranker; gives the bytes that the month's quota still allows."""
    if not is_downloaded(ranking):
        yield None
        return
    paths.prepare()
    preferences, _ = load(paths.preferences)
    line = Line(download=preferences.download)
    from core.data.network.metered import meter_hub  # here because it takes a second

    meter_hub(line.data)

    def show_error(error: StatsError) -> None:
        console.print(str(error), markup=False)

    with counted_download(paths.stats, run, show_error) as received:
        try:
            yield _left(paths, preferences)
        finally:
            received(line.received)


def _left(paths: Paths, preferences: Preferences) -> int | None:
    """Return the bytes that are left of the month's quota; None: there is no quota."""
    if preferences.monthly_quota is None:
        return None
    month = Calendar().start(Period.MONTH, datetime.now(UTC))
    used = ask(paths.stats, lambda database: database.since(None, month), Amounts())
    return max(0, preferences.monthly_quota - used.bytes_sent - used.bytes_received)


def _on_download(bar: Progress, task: TaskID, check: Arrived, done: int, total: int) -> None:
    check(done, total)
    bar.update(task, description="Fetching the run's ranker", completed=done, total=total)


def _scored(score: float | None) -> str:
    return "" if score is None else f"  {score:+.3f}"


def _bar(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True)
