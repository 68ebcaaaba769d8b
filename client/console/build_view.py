"""Shows how far a build of code shards is, and what it left out when it is done."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn
from rich.table import Table
from rich.text import Text

from client.console.amounts import in_bytes, in_time
from client.console.terminal import SECONDS_BETWEEN_LINES, say
from core.data.building.build import BuildProgress
from core.data.building.writing import LEFT_OUT_NAME
from core.data.index import ShardIndex

_Show = Callable[[BuildProgress], None]


class BuildPace:
    """Speed of this attempt; work of earlier attempts does not count."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begun: tuple[float, int] | None = None

    def line(self, progress: BuildProgress) -> str:
        """Return the state of the build, as a line of text."""
        done, length, left_out = progress.tally.done, progress.length, progress.tally.left_out.total()
        of = f" of {length:,}" if length is not None else ""
        parts = [
            f"{done:,}{of} images",
            f"{left_out:,} left out",
            f"{in_bytes(progress.tally.source_bytes)} of images",
        ]
        parts.append(f"{in_bytes(progress.shard_bytes)} of shards")
        if rate := self._rate(done):
            parts.append(f"{rate:,.1f} images/s")
            if length is not None:
                parts.append(
                    f"{in_time(max(0, length - done) / rate)} left"
                )  # a source may have more than it says
        return " · ".join(parts)

    def _rate(self, done: int) -> float:
        now = self._clock()
        if self._begun is None:
            self._begun = now, done
        began, first = self._begun
        return (done - first) / (now - began) if now > began else 0.0


@contextmanager
def progress_on(console: Console, clock: Callable[[], float] = time.monotonic) -> Iterator[_Show]:
    """Give a function that shows progress: a bar on a terminal, otherwise a line now and then."""
    if not console.is_terminal:
        yield _BuildLines(console, clock).show
        return
    pace = BuildPace(clock)
    columns = SpinnerColumn(), BarColumn(), TextColumn("{task.description}")
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("Reading the source", total=None)
        yield lambda progress: bar.update(
            task, description=pace.line(progress), total=progress.length, completed=progress.tally.done
        )


class _BuildLines:
    """Prints progress for logs and pipes."""

    def __init__(self, console: Console, clock: Callable[[], float]) -> None:
        self._console, self._clock = console, clock
        self._pace = BuildPace(clock)
        self._written = clock()

    def show(self, progress: BuildProgress) -> None:
        line = self._pace.line(progress)
        if self._clock() - self._written >= SECONDS_BETWEEN_LINES:
            self._written = self._clock()
            say(self._console, line)


def report(index: ShardIndex, out: Path) -> RenderableType:
    """Report of a finished build: its shards, and the rows that were left out with their reasons."""
    rows = ", ".join(f"{split}: {index.rows(split):,} rows" for split in index.splits)
    stored = sum((out / entry.file).stat().st_size for entries in index.splits.values() for entry in entries)
    taken = f", from {in_bytes(index.source_bytes)}" if index.source_bytes else ""
    built = Text(f"{index.images:,} images in {out} ({rows}): {in_bytes(stored)}{taken}")
    if not index.left_out:
        return Group(built, "No image was left out.")
    return Group(built, _left_out(index), Text(f"{out / LEFT_OUT_NAME} names them."))


def document(index: ShardIndex, out: Path) -> str:
    """Return the report as one JSON object."""
    rows = {split: index.rows(split) for split in index.splits}
    return json.dumps(
        {"folder": str(out), "images": index.images, "rows": rows, "left_out": index.left_out}
        | {"source_bytes": index.source_bytes}
    )


def _left_out(index: ShardIndex) -> Table:
    seen = index.images + sum(index.left_out.values())
    table = Table("left out", "images", "share", box=None)
    for reason, count in sorted(index.left_out.items(), key=lambda item: (-item[1], item[0])):
        table.add_row(reason, f"{count:,}", f"{count / seen:.1%}")
    return table
