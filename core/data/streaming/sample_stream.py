"""A peer's endless stream of samples, whatever they are: shuffled, resumed exactly, in bounded memory.

A pass walks through all shards and row groups in an order drawn for this peer and pass, and cuts the rows
into windows whose rows are shuffled. Each pass yields every row that the filters keep exactly once, however
often it is interrupted; ``IterableDataset.shuffle`` would lose the rows in its buffer. The next window is
read in the background while one is trained on.

A shuffled window cannot be read in part: a resumed stream reads the window in which it was interrupted once
more, and first the rows before it in its row group. For the paper's codes that is 15 MB, or 16 s of a line of
1 MB/s, before the first sample (`benchmarks.streaming`).

In runs whose work is recomputed, each epoch draws its rows from the window at hand
(`core.data.streaming.assignment`), and a window ends once as many rows were taken as it has. Then a pass reads every
row once, and trains on a row as often as chance has it.
"""

import hashlib
import time
import weakref
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from core.data.streaming.assignment import assigned_rows, has_no_caption
from core.data.streaming.lack import SampleLack
from core.data.streaming.prefetch import Prefetch
from core.data.streaming.rows import SampleRows
from core.data.streaming.walk import Cursor, Position, Prepare, is_drawn
from core.data.streaming.windows import CodedSample, LeftShards, Window, Windows, WindowSizes
from core.network.pause_token import PauseToken
from core.swarm.auditing.row_spans import RowSpan, WindowPlace

WINDOW_ROWS = 8192
"""Rows of a window, about 20 MB with the paper's 1024 codes; a data set with fewer rows is shuffled as a whole."""


class MicroBatch(NamedTuple):
    """Samples for one micro-step."""

    captions: list[str]
    """Captions of the samples; empty texts in runs whose samples have none."""
    codes: Tensor
    """Codes or tokens, int64 of shape (samples, codes of a sample)."""
    rows: RowSpan | None = None
    """The rows by which others can name them; None where each peer has an order of its own."""


class SampleStream:
    """Endless micro-batches for one peer; for one thread, and closed in the end.

    A shard that cannot be used is left for the rest of the pass. Servers that cannot be reached are tried
    again for ever; `ready` tells if training would wait.

    Raises:
        DataError: from `take` and `ready`, when no shard can be used or the filters keep no row.
    """

    def __init__(
        self,
        rows: SampleRows,
        prepare: Prepare[CodedSample],
        *,
        width: int,
        kept: str,
        seed: str,
        dtype: type[np.signedinteger[Any]] = np.int16,
        window_rows: int = WINDOW_ROWS,
        first_rows: int | None = None,
        is_assigned: bool = False,
        caption_dropout: float = 0.0,
        pause_token: PauseToken | None = None,
        notify: Callable[[str], None] = lambda text: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare a stream from its beginning; nothing is read yet.

        Args:
            rows: Rows of the shards; remote ones are fetched under ``pause_token``.
            prepare: Makes a sample of a row; None for a row that is left out.
            width: Codes of a sample.
            kept: Text that tells which rows are kept, and how samples are made of them.
            seed: Seed of the order.
            dtype: Type in which windows hold codes.
            window_rows: Rows of a window.
            first_rows: Rows of the first window; None: as many as of any other.
            is_assigned: True to draw the rows of each epoch by its head, which `begin_epoch` names.
            caption_dropout: Share of the samples that come without their caption.
            pause_token: Pauses and ends the reading; None: one of its own.
            notify: Called by the reading thread with a sentence about each shard that is left.
            clock: Returns the time in seconds.
        """
        self._rows, self._width, self._dtype, self._seed = rows, width, dtype, seed
        self._open_rows = rows.reopened
        self._is_assigned = is_assigned
        self.caption_dropout = caption_dropout
        """Share of the samples that come without their caption, drawn anew each time."""
        self._epoch: tuple[int, bytes] = 0, b""
        self._in_epoch = 0
        """Rows that were taken in the epoch, where epochs assign them."""
        self._window_sizes = WindowSizes(window_rows, first_rows or window_rows)
        self._pause_token, self._left_shards = pause_token or PauseToken(), LeftShards(notify)
        self._prepare = prepare
        self._data = _digest_of(rows, kept, window_rows, first_rows)
        self._stands_back = False
        self._beside: weakref.WeakSet[PauseToken] = weakref.WeakSet()
        """Tokens of the readers that `window_of` began."""
        self._held: deque[Window] = deque()
        self._taken = 0
        self._lack = SampleLack(clock)
        self._start_at(Position(), 0)

    @property
    def waited(self) -> float:
        """Seconds in which samples were asked for but not available."""
        return self._lack.seconds

    def begin_epoch(self, epoch: int, head: bytes) -> None:
        """Draw rows by the ``head`` that ``epoch`` begins at from now on; of no effect if nothing is assigned.

        Within an epoch it changes nothing.
        """
        if self._epoch != (epoch, head):
            self._epoch, self._in_epoch = (epoch, head), 0

    def ready(self, count: int) -> bool:
        """Return true if `take` would return ``count`` samples at once; the first call begins the reading."""
        while self._lacks(count) and self._windows.ready():
            self._held.append(self._windows.take())
        there = not self._lacks(count)
        self._lack.note(not there)
        return there

    def take(self, count: int) -> MicroBatch:
        """Wait for the next ``count`` samples and return them; they may span windows and passes."""
        while not self.ready(count):
            self._held.append(self._windows.take())
        return self._take_assigned(count) if self._is_assigned else self._take_in_order(count)

    def _take_in_order(self, count: int) -> MicroBatch:
        captions: list[str] = []
        pieces = [np.empty((0, self._width), self._dtype)]
        while len(captions) < count:
            if self._taken >= len(self._held[0].order):
                self._held.popleft()
                self._taken = 0
            window = self._held[0]
            chosen = window.order[self._taken : self._taken + count - len(captions)]
            captions += [
                "" if self._drops(window, number) else window.captions[index]
                for number, index in enumerate(chosen, self._taken)
            ]
            pieces.append(window.codes[chosen])
            self._taken += len(chosen)
        return MicroBatch(captions, torch.from_numpy(np.concatenate(pieces).astype(np.int64)))

    def _drops(self, window: Window, number: int) -> bool:
        """Return True if the row that is taken from the window after ``number`` others has no caption this time."""
        return is_drawn(self.caption_dropout, self._seed, "no caption", *window.start, number)

    def _take_assigned(self, count: int) -> MicroBatch:
        if self._has_used_window:
            self._held.popleft()
            self._taken = 0
        window, (epoch, head) = self._held[0], self._epoch
        span = RowSpan(epoch, head, window.place, self._in_epoch, count)
        self._in_epoch += count
        self._taken = min(self._taken + count, len(window.captions))
        return rows_of_span(window, span, self._seed, self.caption_dropout)

    @property
    def passes(self) -> int:
        """Number of passes through the data that were completed before the last sample."""
        return self._place.start.passes

    def window_of(self, seed: str, place: WindowPlace) -> Prefetch[Window]:
        """Begin to read the window at ``place`` in the walk of the peer with that ``seed``, by a reader of its own.

        Its digest tells if the rows are those that the peer had; close it in the end. `take` raises the DataError of
        a window that there is not.
        """
        token = PauseToken()
        windows = Windows(
            self._open_rows(token),
            _pausing(token, self._prepare),
            self._width,
            seed,
            self._window_sizes,
            lambda name, error: None,
            self._dtype,
        )
        self._beside.add(token)
        if self._stands_back:
            token.hold()
        return Prefetch(_first(windows.following(Position(*place.start), place.number)), token.end)

    def stand_back(self) -> None:
        """Ask no server and read no row until `come_back`; samples that have been read can be taken."""
        self._stands_back = True
        for token in (*self._beside, self._pause_token):
            token.hold()
        self._lack.note(False)

    @property
    def settled(self) -> bool:
        """True while the stream has nothing under way that others wait for."""
        return True

    def come_back(self) -> None:
        """Read on after `stand_back`."""
        self._stands_back = False
        for token in (*self._beside, self._pause_token):
            token.go_on()

    def waiting_share(self) -> float:
        """Return the share of the time since the last call in which a sample was asked for and none was ready."""
        return self._lack.share()

    def close(self) -> None:
        """End the reading, even while it waits for the network."""
        self._close()

    def state_dict(self) -> dict[str, Any]:
        """Return the place of the last sample that was taken, as a small JSON object."""
        place: dict[str, Any] = self._place.start._asdict()
        place |= {"data": self._data, "seed": self._seed, "taken": self._taken, "window": self._place.number}
        if self._is_assigned:
            epoch, head = self._epoch
            place |= {"epoch": epoch, "head": head.hex(), "in_epoch": self._in_epoch}
        return Cursor(**place).model_dump(exclude_unset=True)

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from the saved place ``state``, in the saved order, whose seed is adopted.

        Where epochs assign the rows, the place of another peer is left alone.

        Raises:
            DataError: the state is malformed, or of other data, filters or windows.
            RuntimeError: reading has begun already.
        """
        if self._windows.started:
            raise RuntimeError("a stream that is being read stays where it is")
        cursor = Cursor.read(state, self._data, self._window_sizes.rows)
        if self._is_assigned and cursor.seed != self._seed:
            return  # rows follow from a peer's id, and this was another peer's place
        self._seed, self._taken = cursor.seed, cursor.taken
        self._epoch, self._in_epoch = (cursor.epoch, bytes.fromhex(cursor.head)), cursor.in_epoch
        self._start_at(cursor.position, cursor.window)

    def _lacks(self, count: int) -> bool:
        if not self._is_assigned:
            return self._rows_left < count
        return len(self._held) <= self._has_used_window

    @property
    def _has_used_window(self) -> bool:
        """True if the epoch, of which nothing was taken yet, is to draw from the next window."""
        return bool(self._held) and not self._in_epoch and self._taken >= len(self._held[0].captions)

    @property
    def _rows_left(self) -> int:
        """Number of rows in memory that were not taken."""
        if not self._held:
            return 0
        first, *others = (len(window.order) for window in self._held)
        return max(0, first - self._taken) + sum(others)

    @property
    def _place(self) -> Window:
        """Window of the last sample."""
        return self._held[0] if self._held else self._begins

    def _start_at(self, position: Position, number: int) -> None:
        windows = Windows(
            self._rows,
            self._prepare,
            self._width,
            self._seed,
            self._window_sizes,
            self._left_shards.report,
            self._dtype,
        )
        self._begins = Window(number, position, [], np.empty((0, self._width), self._dtype), [])
        self._windows = Prefetch(windows.following(position, number))
        # Close it even if no caller does: a reader that still runs while Python ends fails within libraries.
        self._close = weakref.finalize(self, _end, self._pause_token, self._beside, self._windows)


def _digest_of(rows: SampleRows, kept: str, window_rows: int, first_rows: int | None) -> str:
    """Return the SHA-256 in hex of all that decides which samples a stream has, and in which windows."""
    growing = f"\nfrom {first_rows}" if first_rows else ""
    return hashlib.sha256(f"{rows.identity}\n{kept}\n{window_rows}{growing}".encode()).hexdigest()


def rows_of_span(window: Window, span: RowSpan, seed: str, caption_dropout: float = 0.0) -> MicroBatch:
    """Return the samples of a ``span`` of rows of the ``window`` that it is of, for the peer with that ``seed``.

    About ``caption_dropout`` of them come without their caption, the same ones each time.
    """
    size = len(window.captions)
    chosen = assigned_rows(seed, span.epoch, span.head, size, first=span.first, count=span.count)
    found = samples_at(window, chosen)
    captions = [
        "" if has_no_caption(caption_dropout, seed, span.epoch, span.head, number) else caption
        for number, caption in enumerate(found.captions, span.first)
    ]
    return MicroBatch(captions, found.codes, span)


def samples_at(window: Window, places: list[int]) -> MicroBatch:
    """Return the samples of the rows at ``places`` in the ``window``."""
    codes = torch.from_numpy(window.codes[places].astype(np.int64))
    return MicroBatch([window.captions[place] for place in places], codes)


def _pausing(pause_token: PauseToken, prepare: Prepare[CodedSample]) -> Prepare[CodedSample]:
    """Return ``prepare`` for a thread that ``pause_token`` pauses and ends at each row."""

    def prepared(row: Any, where: str) -> CodedSample | None:
        pause_token.wait()
        return prepare(row, where)

    return prepared


def _first(windows: Generator[Window]) -> Generator[Window]:
    with closing(windows):
        yield next(windows)


def _end(pause_token: PauseToken, beside: Iterable[PauseToken], windows: Prefetch[Window]) -> None:
    for token in (*beside, pause_token):
        token.end()
    windows.close()
