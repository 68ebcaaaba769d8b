"""Shows how far a long piece of work with files is: by a bar on a terminal, else by a line now and then."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from client.console.amounts import in_bytes, in_time
from client.console.terminal import SECONDS_BETWEEN_LINES, say

if TYPE_CHECKING:
    from core.data.pushing.push import PushProgress


@contextmanager
def rows_shown(
    console: Console, what: str, total: int | None, clock: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[int], None]]:
    """Give a function that shows how many rows are done."""
    if not console.is_terminal:
        yield RowLines(what, total, lambda line: say(console, line), clock).show
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def push_shown(console: Console) -> Iterator[Callable[["PushProgress"], None]]:
    """Give a function that shows the progress of a push."""
    if not console.is_terminal:
        yield PushLines(lambda line: say(console, line)).show
        return
    columns = BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None)

        def show(progress: "PushProgress") -> None:
            if progress.waiting is not None:
                say(bar.console, _waiting(progress.why, progress.waiting))
            bar.update(task, completed=progress.there, total=progress.total)

        yield show


@contextmanager
def files_shown(
    console: Console, clock: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[str, int, int], None]]:
    """Give a function that shows how many bytes of a file are here, of how many."""
    if not console.is_terminal:
        yield FileLines(lambda line: say(console, line), clock).show
        return
    columns = TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn()
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda name, done, total: bar.update(task, description=name, completed=done, total=total)


class RowLines:
    """Prints a line now and then, for logs and pipes."""

    def __init__(
        self, what: str, total: int | None, write: Callable[[str], None], clock: Callable[[], float]
    ) -> None:
        self._what, self._write, self._clock = what, write, clock
        self._of = f" of {total:,}" if total is not None else ""
        self._written = clock()

    def show(self, done: int) -> None:
        if self._clock() - self._written >= SECONDS_BETWEEN_LINES:
            self._write(f"{self._what}: {done:,}{self._of} rows")
            self._written = self._clock()


class PushLines:
    """Prints each wait, the end, and a line now and then in between, for logs and pipes."""

    def __init__(self, write: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._write, self._clock = write, clock
        self._written = clock()

    def show(self, progress: "PushProgress") -> None:
        now = self._clock()
        if progress.waiting is not None:
            self._write(_waiting(progress.why, progress.waiting))
        if progress.there == progress.total or now - self._written >= SECONDS_BETWEEN_LINES:
            self._write(f"{in_bytes(progress.there)} of {in_bytes(progress.total)} are at the Hub")
            self._written = now


class FileLines:
    """Prints a line for each file that is here, and a line now and then in between, for logs and pipes."""

    def __init__(self, write: Callable[[str], None], clock: Callable[[], float]) -> None:
        self._write, self._clock = write, clock
        self._written = clock()

    def show(self, name: str, done: int, total: int) -> None:
        now = self._clock()
        if done == total or now - self._written >= SECONDS_BETWEEN_LINES:
            self._write(f"{name}: {in_bytes(done)} of {in_bytes(total)} are here")
            self._written = now


def _waiting(why: str, seconds: float) -> str:
    return f"{why.rstrip('.')}; trying again in {in_time(seconds)}"
