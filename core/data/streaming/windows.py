"""Cuts the walk of a peer through the data into windows of rows, each shuffled as a whole."""

import hashlib
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.data.streaming.rows import SampleRows
from core.data.streaming.walk import Position, Prepare, WalkStep, permutation, walk
from core.errors import DataError
from core.swarm.auditing.row_spans import DIGEST_BYTES, WindowPlace

NAMED = 5
"""Most shards that notices name; one more notice says that there are others."""


class LeftShards:
    """Reports the shards that one stream leaves before their end."""

    def __init__(self, notify: Callable[[str], None]) -> None:
        """Begin without any; ``notify`` is called with a sentence for the user, up to ``NAMED + 1`` times."""
        self._notify = notify
        self._known: set[str] = set()

    def report(self, name: str, error: DataError) -> None:
        """Report once that the shard ``name`` is left for the rest of this pass because of ``error``."""
        if name in self._known:
            return
        self._known.add(name)
        if len(self._known) <= NAMED:
            self._notify(f"Training continues without the shard {name}. {error.what}")
        elif len(self._known) == NAMED + 1:
            self._notify(
                f"More than {NAMED} of the run's shards cannot be used; training continues without them."
            )


CodedSample = tuple[str, NDArray[np.integer]]
"""A caption, and codes or tokens of shape (codes of a sample,)."""

WINDOW_BYTES = 1 << 26
"""Approximate largest size of a window in bytes; long captions or large images end it before its last row."""
_GROWTH = 4
"""Divisor of the growth: a window has a quarter more rows than the one before it.

A line that carries 1.25 times as much as training uses then has the next window ready in time.
"""


@dataclass(frozen=True)
class WindowSizes:
    """Sizes of windows in rows: ``first`` at the start of training, growing to ``rows``.

    Larger windows mix the rows better, but the first one must arrive before training can begin.
    """

    rows: int
    first: int

    def size(self, number: int) -> int:
        """Return the rows of the window that follows ``number`` others."""
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
    """Number of windows before this one."""
    start: Position
    captions: list[str]
    codes: NDArray[np.signedinteger[Any]]
    """Codes or tokens, of shape (rows, codes of a sample)."""
    order: list[int]
    """Order in which the rows are taken, where no epoch assigns another one."""

    @cached_property
    def place(self) -> WindowPlace:
        """The place by which other peers find the window, and recognise its rows."""
        found = hashlib.sha256("\0".join(self.captions).encode())
        found.update(self.codes.tobytes())
        return WindowPlace(self.number, self.start, found.digest()[:DIGEST_BYTES])


@dataclass(frozen=True)
class Windows:
    """Cuts a walk into windows."""

    rows: SampleRows
    prepare: Prepare[CodedSample]
    width: int
    """Number of codes of a sample."""
    seed: str
    sizes: WindowSizes
    left: Callable[[str, DataError], None]
    """Receiver of the name of each shard that is left before its end, and of the error."""
    dtype: type[np.signedinteger[Any]] = np.int16
    """Type of the codes of its windows."""

    def following(self, start: Position, number: int) -> Generator[Window]:
        """Yield all windows from ``start`` on, pass after pass, without empty ones.

        ``number`` is the number of windows before ``start``.

        Raises:
            DataError: a whole pass had no window.
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

    def _next(
        self, steps: Iterator[WalkStep[CodedSample]], start: Position, number: int
    ) -> tuple[Window, Position]:
        """Return the next window and the position at its end, which is its start if the pass is over."""
        size, taken, end = self.sizes.size(number), 0, start
        captions: list[str] = []
        codes = np.empty((size, self.width), self.dtype)
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
    """Return the error of a pass without rows; ``reasons`` has fault and remedy of each shard that was left."""
    if len(reasons) < shards:
        return DataError("The run's filters keep no row of its data.", "Tell the run's organiser.")
    what, remedy = reasons[0]
    return DataError(f"None of the run's {shards} shards can be used. {what}", remedy)
