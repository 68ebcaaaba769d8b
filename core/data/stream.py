"""A peer's endless stream of captions and codes: shuffled, filtered, resumed exactly, in bounded memory.

A pass walks through all shards and row groups in an order drawn for this peer and pass, and cuts the rows
into windows whose rows are shuffled. Each pass yields every row that the filters keep exactly once, however
often it is interrupted; ``IterableDataset.shuffle`` would lose the rows in its buffer.
"""

import hashlib
import json
import weakref
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from torch import Tensor

from core.data.filters import FilterSettings, drop_reason
from core.data.order import peer_seed, permutation
from core.data.rows import ShardRows, find_shards
from core.data.shards import CodeRow, decode_codes
from core.data.walk import Position, walk
from core.errors import DataError
from core.rules import TrainingRules

WINDOW_ROWS = 8192
"""About 20 MB with the paper's 1024 codes; a data set with fewer rows is shuffled as a whole."""

Place = Annotated[int, Field(ge=0)]


class MicroBatch(NamedTuple):
    """Samples for one micro-step."""

    captions: list[str]
    codes: Tensor
    """int64 of shape (samples, grid * grid)."""


class Cursor(BaseModel):
    """What a stream's place is saved as: where its window starts, and how much of the window was taken."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    data: str
    """Digest of all that decides which rows there are and how they are cut into windows."""
    seed: str
    passes: Place
    shard: Place
    row_group: Place
    row: Place
    taken: Place


@dataclass(frozen=True)
class _Window:
    """The rows in memory."""

    start: Position
    end: Position
    captions: list[str]
    codes: NDArray[np.int16]
    order: list[int]

    @classmethod
    def empty(cls, at: Position) -> Self:
        return cls(at, at, [], np.empty((0, 0), np.int16), [])


class CodeStream:
    """Micro-batches for one peer, without end; not to be shared by threads.

    Raises:
        DataError: when rows are reached that cannot be used; it names file and row.
    """

    _window: _Window
    _taken: int

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
    ) -> None:
        self._rows = rows
        self._grid = grid
        self._vocab = vocab
        self._filters = filters
        self._window_rows = window_rows
        self._seed = seed
        self.batch_size = batch_size
        identity = f"{rows.identity}\n{filters.model_dump_json()}\n{window_rows}"
        self._data = hashlib.sha256(identity.encode()).hexdigest()
        self._reading = ExitStack()
        # A row group left half read is closed while Python still runs: its readers fail at shutdown.
        weakref.finalize(self, self._reading.close)
        self._start_at(Position())

    @classmethod
    def open(cls, training: TrainingRules, base_dir: Path, *, peer: str, batch_size: int = 1) -> Self:
        """The stream of a peer of a run whose manifest lies in ``base_dir``."""
        return cls(
            ShardRows(find_shards(training.data, base_dir)),
            grid=training.model.grid,
            vocab=training.model.image_vocab,
            filters=training.data.filters,
            seed=peer_seed(training.data.seed, peer),
            batch_size=batch_size,
        )

    def __iter__(self) -> Iterator[MicroBatch]:
        return self

    def __next__(self) -> MicroBatch:
        return self.take(self.batch_size)

    def take(self, count: int) -> MicroBatch:
        """The next ``count`` samples; they may span windows and passes."""
        captions: list[str] = []
        pieces = [np.empty((0, self._grid**2), np.int16)]
        while len(captions) < count:
            if self._taken == len(self._window.order):
                self._window, self._taken = self._next_window(), 0
            chosen = self._window.order[self._taken : self._taken + count - len(captions)]
            captions += [self._window.captions[index] for index in chosen]
            pieces.append(self._window.codes[chosen])
            self._taken += len(chosen)
        return MicroBatch(captions, torch.from_numpy(np.concatenate(pieces).astype(np.int64)))

    @property
    def passes(self) -> int:
        """Passes through the data that were completed before the last sample."""
        return self._window.start.passes

    @property
    def rows_held(self) -> int:
        """Rows in memory now, at most ``window_rows``."""
        return len(self._window.captions)

    def state_dict(self) -> dict[str, Any]:
        """The place in the stream, as a small JSON object."""
        place = self._window.start._asdict()
        return Cursor(data=self._data, seed=self._seed, taken=self._taken, **place).model_dump()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from a saved place, in the saved order: the seed is taken over with it.

        Raises:
            DataError: the state is malformed, or of other data, filters or windows.
        """
        remedy = "Start the data anew by leaving the saved position out."
        try:
            cursor = Cursor.model_validate_json(json.dumps(dict(state)))
        except (TypeError, ValidationError) as error:
            raise DataError("The saved position in the data is malformed.", remedy) from error
        if cursor.data != self._data:
            raise DataError("The saved position belongs to other data or filters.", remedy)
        self._seed = cursor.seed
        self._start_at(Position(cursor.passes, cursor.shard, cursor.row_group, cursor.row))
        self._window, self._taken = self._read_window(), cursor.taken
        if self._taken > len(self._window.order):
            raise DataError("The saved position lies outside the data.", remedy)

    def _start_at(self, position: Position) -> None:
        self._window, self._taken = _Window.empty(position), 0
        self._reading.close()
        self._walk = self._reading.enter_context(closing(walk(self._rows, self._seed, position)))

    def _next_window(self) -> _Window:
        """The next window that is not empty, of the next pass if this one is over."""
        for _ in range(2):
            while (window := self._read_window()).end != window.start:
                if window.order:
                    return window
                self._window = window
            self._start_at(Position(passes=window.start.passes + 1))
        raise DataError("The run's filters keep no row of its data.", "Tell the run's organiser.")

    def _read_window(self) -> _Window:
        """The rows that follow the current window; with ``end == start`` if the pass is over."""
        start = end = self._window.end
        self._window = _Window.empty(start)
        captions: list[str] = []
        codes = np.empty((self._window_rows, self._grid**2), np.int16)
        for step in islice(self._walk, self._window_rows):
            end = step.after
            if self._keeps(step.row):
                codes[len(captions)] = decode_codes(step.row.code, self._grid, self._vocab, step.where)
                captions.append(step.row.caption)
        order = permutation(len(captions), self._seed, "rows", *start)
        return _Window(start, end, captions, codes, order)

    def _keeps(self, row: CodeRow) -> bool:
        size = row.original_width, row.original_height
        return drop_reason(row.caption, row.nsfw, *size, self._filters) is None
