"""A peer's endless stream of captions and codes: shuffled, filtered, resumed exactly, in bounded memory.

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
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import torch
from torch import Tensor

from core.data.listing import local_shards
from core.data.shards import CodeRow, decode_codes
from core.data.streaming.assignment import assigned_rows
from core.data.streaming.prefetch import Prefetch
from core.data.streaming.rows import ShardRows, hub_rows
from core.data.streaming.walk import Cursor, Position, peer_seed
from core.data.streaming.windows import CodedSample, LeftShards, Window, Windows, WindowSizes
from core.network.pause_token import PauseToken
from core.run.filters import FilterSettings, drop_reason
from core.run.rules import TrainingRules
from core.swarm.auditing.row_spans import RowSpan, WindowPlace

WINDOW_ROWS = 8192
"""Rows of a window, about 20 MB with the paper's 1024 codes; a data set with fewer rows is shuffled as a whole."""
FIRST_ROWS = 256
"""Rows of the first window of a data set on the Hub: half a second's worth of a line of 1 MB/s."""


class MicroBatch(NamedTuple):
    """Samples for one micro-step."""

    captions: list[str]
    codes: Tensor
    """int64 of shape (samples, grid * grid)."""
    rows: RowSpan | None = None
    """The rows by which others can name them; None where each peer has an order of its own."""


class CodeStream:
    """Endless micro-batches for one peer; for one thread, and closed in the end.

    A shard that cannot be used is left for the rest of the pass. Servers that cannot be reached are tried
    again for ever; `ready` tells if training would wait.

    Raises:
        DataError: from `take` and `ready`, when no shard can be used or the filters keep no row.
    """

    def __init__(
        self,
        rows: ShardRows,
        *,
        grid: int,
        vocab: int,
        filters: FilterSettings,
        seed: str,
        window_rows: int = WINDOW_ROWS,
        first_rows: int | None = None,
        is_assigned: bool = False,
        pause_token: PauseToken | None = None,
        notify: Callable[[str], None] = lambda text: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare a stream from its beginning; nothing is read yet.

        Args:
            rows: Rows of the shards; remote ones are fetched under ``pause_token``.
            grid: Codes along one side of an image.
            vocab: Entries of the codebook.
            filters: Rules by which rows are left out.
            seed: Seed of the order.
            window_rows: Rows of a window.
            first_rows: Rows of the first window; None: as many as of any other.
            is_assigned: True to draw the rows of each epoch by its head, which `begin_epoch` names.
            pause_token: Pauses and ends the reading; None: one of its own.
            notify: Called by the reading thread with a sentence about each shard that is left.
            clock: Returns the time in seconds.
        """
        self._rows, self._width, self._seed = rows, grid**2, seed
        self._open_rows = rows.reopened
        self._is_assigned = is_assigned
        self._epoch: tuple[int, bytes] = 0, b""
        self._in_epoch = 0
        """Rows that were taken in the epoch, where epochs assign them."""
        self._window_sizes = WindowSizes(window_rows, first_rows or window_rows)
        self._pause_token, self._left_shards, self._clock = (
            pause_token or PauseToken(),
            LeftShards(notify),
            clock,
        )
        self._prepare = partial(
            _sample, pause_token=self._pause_token, grid=grid, vocab=vocab, filters=filters
        )
        growing = f"\nfrom {first_rows}" if first_rows else ""
        identity = f"{rows.identity}\n{filters.model_dump_json()}\n{window_rows}{growing}"
        self._data = hashlib.sha256(identity.encode()).hexdigest()
        self._held: deque[Window] = deque()
        self._taken = 0
        self._waiting_since: float | None = None
        self.waited = 0.0
        """Seconds in which samples were asked for but not available."""
        self._share_from = clock(), 0.0
        self._start_at(Position(), 0)

    @classmethod
    def open(
        cls,
        training: TrainingRules,
        base_dir: Path,
        *,
        peer: str,
        notify: Callable[[str], None] = lambda text: None,
    ) -> Self:
        """Return a peer's stream of a run: local files are verified, and the Hub is not asked yet.

        Args:
            training: Rules of the run.
            base_dir: Folder of the manifest, relative to which the rules name files.
            peer: Name of the peer, from which its order is drawn.
            notify: Called with a sentence for the user about shards that are left and servers that do not
                answer.

        Raises:
            ManifestError: a shard beside the manifest is missing or differs.
        """
        hub, pause_token = training.data.hub, PauseToken()
        if hub is None:
            rows = ShardRows(local_shards(training.data.shards, base_dir))
        else:
            rows = hub_rows(hub, pause_token, notify)
        return cls(
            rows,
            grid=training.model.grid,
            vocab=training.model.image_vocab,
            filters=training.data.filters,
            seed=peer_seed(training.data.seed, peer),
            is_assigned=training.swarm.recomputed_share is not None,
            first_rows=None if hub is None else FIRST_ROWS,
            pause_token=pause_token,
            notify=notify,
        )

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
        self._note_waiting(not there)
        return there

    def take(self, count: int) -> MicroBatch:
        """Wait for the next ``count`` samples and return them; they may span windows and passes."""
        while not self.ready(count):
            self._held.append(self._windows.take())
        return self._take_assigned(count) if self._is_assigned else self._take_in_order(count)

    def _take_in_order(self, count: int) -> MicroBatch:
        captions: list[str] = []
        pieces = [np.empty((0, self._width), np.int16)]
        while len(captions) < count:
            if self._taken >= len(self._held[0].order):
                self._held.popleft()
                self._taken = 0
            window = self._held[0]
            chosen = window.order[self._taken : self._taken + count - len(captions)]
            captions += [window.captions[index] for index in chosen]
            pieces.append(window.codes[chosen])
            self._taken += len(chosen)
        return MicroBatch(captions, torch.from_numpy(np.concatenate(pieces).astype(np.int64)))

    def _take_assigned(self, count: int) -> MicroBatch:
        if self._has_used_window:
            self._held.popleft()
            self._taken = 0
        window, (epoch, head) = self._held[0], self._epoch
        span = RowSpan(epoch, head, window.place, self._in_epoch, count)
        self._in_epoch += count
        self._taken = min(self._taken + count, len(window.captions))
        return rows_of_span(window, span, self._seed)

    @property
    def passes(self) -> int:
        """Number of passes through the data that were completed before the last sample."""
        return self._place.start.passes

    def window_of(self, seed: str, place: WindowPlace) -> Prefetch[Window]:
        """Begin to read the window at ``place`` in the walk of the peer with that ``seed``, by a reader of its own.

        Its digest tells if the rows are those that the peer had; close it in the end. `take` raises the DataError of
        a window that there is not.
        """
        windows = Windows(
            self._open_rows(), self._prepare, self._width, seed, self._window_sizes, lambda name, error: None
        )
        return Prefetch(_first(windows.following(Position(*place.start), place.number)))

    def stand_back(self) -> None:
        """Ask no server and read no row until `come_back`; samples that have been read can be taken."""
        self._pause_token.hold()
        self._note_waiting(False)

    @property
    def settled(self) -> bool:
        """True while the stream has nothing under way that others wait for."""
        return True

    def come_back(self) -> None:
        """Read on after `stand_back`."""
        self._pause_token.go_on()

    def waiting_share(self) -> float:
        """Return the share of the time since the last call in which a sample was asked for and none was ready."""
        (began, waited), self._share_from = self._share_from, (self._clock(), self.waited)
        seconds = self._share_from[0] - began
        return min(1.0, (self.waited - waited) / seconds) if seconds > 0 else 0.0

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
            self._rows, self._prepare, self._width, self._seed, self._window_sizes, self._left_shards.report
        )
        self._begins = Window(number, position, [], np.empty((0, self._width), np.int16), [])
        self._windows = Prefetch(windows.following(position, number))
        # Close it even if no caller does: a reader that still runs while Python ends fails within libraries.
        self._close = weakref.finalize(self, _end, self._pause_token, self._windows)

    def _note_waiting(self, waiting: bool) -> None:
        now = self._clock()
        if self._waiting_since is not None:
            self.waited += now - self._waiting_since
        self._waiting_since = now if waiting else None


def rows_of_span(window: Window, span: RowSpan, seed: str) -> MicroBatch:
    """Return the samples of a ``span`` of rows of the ``window`` that it is of, for the peer with that ``seed``."""
    size = len(window.captions)
    chosen = assigned_rows(seed, span.epoch, span.head, size, first=span.first, count=span.count)
    return samples_at(window, chosen)._replace(rows=span)


def samples_at(window: Window, places: list[int]) -> MicroBatch:
    """Return the samples of the rows at ``places`` in the ``window``."""
    codes = torch.from_numpy(window.codes[places].astype(np.int64))
    return MicroBatch([window.captions[place] for place in places], codes)


def _first(windows: Generator[Window]) -> Generator[Window]:
    with closing(windows):
        yield next(windows)


def _end(pause_token: PauseToken, windows: Prefetch[Window]) -> None:
    pause_token.end()
    windows.close()


def _sample(
    row: CodeRow, where: str, pause_token: PauseToken, grid: int, vocab: int, filters: FilterSettings
) -> CodedSample | None:
    """Return caption and codes of a row, or None if the filters drop it; raises DataError, or Ended."""
    pause_token.wait()  # a disk needs none, but who reads from it has to stand back and end as well
    size = row.original_width, row.original_height
    if drop_reason(row.caption, row.nsfw, *size, filters) is not None:
        return None
    return row.caption, decode_codes(row.code, grid, vocab, where)
