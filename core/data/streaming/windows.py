"""Cuts a peer's walk through the data into windows of rows, each shuffled as a whole."""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from core.data.order import permutation
from core.data.streaming.rows import ShardRows
from core.data.streaming.walk import Position, Prepare, Step, walk
from core.errors import DataError

Sample = tuple[str, NDArray[np.integer]]
"""A caption, and codes of shape (grid * grid,)."""

WINDOW_BYTES = 1 << 26
"""About where a window of long captions or large images ends, however few rows it has."""
_GROWTH = 4
"""A window has a quarter more rows than the one before it, so that a line that carries 1.25 times what is trained on
has the next window ready in time."""


@dataclass(frozen=True)
class Cut:
    """How many rows of a walk make a window: ``first`` at the start of training, growing to ``rows``.

    The larger the windows, the better rows are mixed; but the first must have come before training can begin.
    """

    rows: int
    first: int

    def size(self, number: int) -> int:
        """Rows of the window before which there were ``number`` others."""
        size = self.first
        for _ in range(number):
            if size >= self.rows:
                break
            size += max(1, size // _GROWTH)
        return min(size, self.rows)


@dataclass(frozen=True)
class Window:
    """Rows in memory."""

    number: int
    start: Position
    captions: list[str]
    codes: NDArray[np.int16]
    """Shape (rows, grid * grid)."""
    order: list[int]
    """In which the rows are to be taken."""


@dataclass(frozen=True)
class Windows:
    """What a walk is cut into windows with."""

    rows: ShardRows
    prepare: Prepare[Sample]
    width: int
    """Codes of an image."""
    seed: str
    cut: Cut
    left: Callable[[str, DataError], None]
    """Told the name of each shard that is left before its end, and why."""

    def following(self, start: Position, number: int) -> Generator[Window]:
        """All windows from a place on, pass after pass, without the empty ones; ``number`` were before.

        Raises:
            DataError: a whole pass had none.
        """
        while True:
            reasons: list[tuple[str, str]] = []
            found = False
            for window in self._rest_of_pass(start, number, reasons):
                number = window.number + 1
                if window.captions:
                    found = True
                    yield window
            if not found and start == Position(start.passes):
                raise _nothing_to_train_on(reasons, len(self.rows.shards))
            start = Position(start.passes + 1)

    def _rest_of_pass(self, start: Position, number: int, reasons: list[tuple[str, str]]) -> Iterator[Window]:
        def left(name: str, error: DataError) -> None:
            # Not the error itself: with it would stay all that was in use where it was raised, a shard's file too.
            reasons.append((error.what, error.remedy))
            self.left(name, error)

        steps = walk(self.rows, self.seed, start, self.prepare, left)
        end = start
        while True:
            window, end = self._next(steps, end, number)
            if end == window.start:
                return
            number += 1
            yield window

    def _next(self, steps: Iterator[Step[Sample]], start: Position, number: int) -> tuple[Window, Position]:
        """The next window and where it ends: where it starts, if the pass is over."""
        size, taken, end = self.cut.size(number), 0, start
        captions: list[str] = []
        codes = np.empty((size, self.width), np.int16)
        for step in islice(steps, size):
            end = step.after
            if step.sample is None:
                continue
            caption, codes[len(captions)] = step.sample
            captions.append(caption)
            taken += len(caption) + codes[0].nbytes
            if taken >= WINDOW_BYTES:
                break
        order = permutation(len(captions), self.seed, "rows", *start)
        return Window(number, start, captions, codes[: len(captions)], order), end


def _nothing_to_train_on(reasons: list[tuple[str, str]], shards: int) -> DataError:
    """``reasons``: what was wrong with each shard that was left, and what to do about it."""
    if len(reasons) < shards:
        return DataError("The run's filters keep no row of its data.", "Tell the run's organiser.")
    what, remedy = reasons[0]
    return DataError(f"None of the run's {shards} shards can be used. {what}", remedy)
