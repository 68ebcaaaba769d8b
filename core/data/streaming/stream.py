"""A peer's endless stream of captions and codes: shuffled, filtered, resumed exactly, in bounded memory.

A pass walks through all shards and row groups in an order drawn for this peer and pass, and cuts the rows
into windows whose rows are shuffled. Each pass yields every row that the filters keep exactly once, however
often it is interrupted; ``IterableDataset.shuffle`` would lose the rows in its buffer. The next window is read
in the background while one is trained on.

What was shuffled cannot be had in part: a resumed stream reads the window in which it was interrupted once more,
and first what lies before it in its row group. Of the paper's codes that is 15 MB, or 16 s of a line of 1 MB/s,
before the first sample (`benchmarks.streaming`); in the packed layout it is also decoded again.
"""

import hashlib
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import torch
from torch import Tensor

from core.data.filters import FilterSettings, drop_reason
from core.data.listing import local_shards
from core.data.network.valve import Valve
from core.data.order import peer_seed
from core.data.shards import CodeRow, decode_codes
from core.data.streaming.cursor import Cursor
from core.data.streaming.left_shards import LeftShards
from core.data.streaming.prefetch import Prefetch
from core.data.streaming.rows import ShardRows, hub_rows
from core.data.streaming.walk import Position
from core.data.streaming.windows import Cut, Sample, Window, Windows
from core.rules import TrainingRules

WINDOW_ROWS = 8192
"""About 20 MB with the paper's 1024 codes; a data set with fewer rows is shuffled as a whole."""
FIRST_ROWS = 256
"""Of a data set on the Hub: half a second's worth of a line of 1 MB/s."""


class MicroBatch(NamedTuple):
    """Samples for one micro-step."""

    captions: list[str]
    codes: Tensor
    """int64 of shape (samples, grid * grid)."""


class CodeStream:
    """Micro-batches for one peer, without end; for one thread, and to be closed.

    A shard that cannot be used is left for the rest of the pass, and servers that cannot be reached are tried again
    for ever: `ready` says whether training would wait.

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
        batch_size: int = 1,
        window_rows: int = WINDOW_ROWS,
        first_rows: int | None = None,
        valve: Valve | None = None,
        notify: Callable[[str], None] = lambda text: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``first_rows`` in the first window, instead of ``window_rows``; ``valve`` as what ``rows`` fetches with.

        ``notify`` is told, by the reading thread, of shards that are left.
        """
        self.batch_size = batch_size
        self._rows, self._width, self._seed = rows, grid**2, seed
        self._cut = Cut(window_rows, first_rows or window_rows)
        self._valve, self._left_shards, self._clock = valve or Valve(), LeftShards(notify), clock
        self._prepare = partial(_sample, valve=self._valve, grid=grid, vocab=vocab, filters=filters)
        growing = f"\nfrom {first_rows}" if first_rows else ""
        identity = f"{rows.identity}\n{filters.model_dump_json()}\n{window_rows}{growing}"
        self._data = hashlib.sha256(identity.encode()).hexdigest()
        self._held: deque[Window] = deque()
        self._taken = 0
        self._waiting_since: float | None = None
        self.waited = 0.0
        """Seconds in which samples were asked for and not there."""
        self._share_from = clock(), 0.0
        self._start_at(Position(), 0)

    @classmethod
    def open(
        cls,
        training: TrainingRules,
        base_dir: Path,
        *,
        peer: str,
        batch_size: int = 1,
        notify: Callable[[str], None] = lambda text: None,
    ) -> Self:
        """A peer's stream of a run whose manifest lies in ``base_dir``: files are verified, the Hub is not asked.

        Raises:
            ManifestError: a shard beside the manifest is not the one that it names.
        """
        hub, valve = training.data.hub, Valve()
        if hub is None:
            rows = ShardRows(local_shards(training.data.shards, base_dir))
        else:
            rows = hub_rows(hub, valve, notify)
        return cls(
            rows,
            grid=training.model.grid,
            vocab=training.model.image_vocab,
            filters=training.data.filters,
            seed=peer_seed(training.data.seed, peer),
            batch_size=batch_size,
            first_rows=None if hub is None else FIRST_ROWS,
            valve=valve,
            notify=notify,
        )

    def __iter__(self) -> Iterator[MicroBatch]:
        return self

    def __next__(self) -> MicroBatch:
        return self.take(self.batch_size)

    def ready(self, count: int) -> bool:
        """Whether `take` would return so many samples at once; reading begins with the first question."""
        while self._rows_left < count and self._windows.ready():
            self._held.append(self._windows.take())
        there = self._rows_left >= count
        self._note_waiting(not there)
        return there

    def take(self, count: int) -> MicroBatch:
        """The next ``count`` samples, waited for; they may span windows and passes."""
        while not self.ready(count):
            self._held.append(self._windows.take())
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

    @property
    def passes(self) -> int:
        """Passes through the data that were completed before the last sample."""
        return self._place.start.passes

    @property
    def rows_held(self) -> int:
        """Rows of the windows that samples are taken from; as many as fit into one more are read ahead."""
        return sum(len(window.captions) for window in self._held)

    def stand_back(self) -> None:
        """Ask no server for anything and read no row until `come_back`; what has been read can be taken."""
        self._valve.hold()
        self._note_waiting(False)

    @property
    def settled(self) -> bool:
        """Whether nothing is under way that others wait for."""
        return True

    def come_back(self) -> None:
        self._valve.go_on()

    def waiting_share(self) -> float:
        """Share of the time since this was last asked in which samples were asked for and not there."""
        (began, waited), self._share_from = self._share_from, (self._clock(), self.waited)
        seconds = self._share_from[0] - began
        return min(1.0, (self.waited - waited) / seconds) if seconds > 0 else 0.0

    def close(self) -> None:
        """End reading, even where it waits for the network."""
        self._close()

    def state_dict(self) -> dict[str, Any]:
        """The place of the last sample that was taken, as a small JSON object."""
        start = self._place.start._asdict()
        return Cursor(
            data=self._data, seed=self._seed, taken=self._taken, window=self._place.number, **start
        ).model_dump()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from a saved place, in the saved order: the seed is taken over with it. Not once reading has begun.

        Raises:
            DataError: the state is malformed, or of other data, filters or windows.
        """
        if self._windows.started:
            raise RuntimeError("a stream that is being read stays where it is")
        cursor = Cursor.read(state, self._data, self._cut.rows)
        self._seed, self._taken = cursor.seed, cursor.taken
        self._start_at(cursor.position, cursor.window)

    @property
    def _rows_left(self) -> int:
        """Rows in memory that were not taken."""
        if not self._held:
            return 0
        first, *others = (len(window.order) for window in self._held)
        return max(0, first - self._taken) + sum(others)

    @property
    def _place(self) -> Window:
        """The window of the last sample."""
        return self._held[0] if self._held else self._begins

    def _start_at(self, position: Position, number: int) -> None:
        windows = Windows(
            self._rows, self._prepare, self._width, self._seed, self._cut, self._left_shards.tell
        )
        self._begins = Window(number, position, [], np.empty((0, self._width), np.int16), [])
        self._windows = Prefetch(windows.following(position, number))
        # Also when nobody closes it: a reader that is left to itself while Python ends fails within libraries.
        self._close = weakref.finalize(self, _end, self._valve, self._windows)

    def _note_waiting(self, waiting: bool) -> None:
        now = self._clock()
        if self._waiting_since is not None:
            self.waited += now - self._waiting_since
        self._waiting_since = now if waiting else None


def _end(valve: Valve, windows: Prefetch[Window]) -> None:
    valve.end()
    windows.close()


def _sample(
    row: CodeRow, where: str, valve: Valve, grid: int, vocab: int, filters: FilterSettings
) -> Sample | None:
    """Caption and codes of a row, or None where the filters drop it; raises DataError, and Ended by the valve."""
    valve.wait()  # a disk needs none, but who reads from it has to stand back and end as well
    size = row.original_width, row.original_height
    if drop_reason(row.caption, row.nsfw, *size, filters) is not None:
        return None
    return row.caption, decode_codes(row.code, grid, vocab, where)
