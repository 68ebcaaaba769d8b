"""Gathers statistics of code shards row by row, in memory that does not grow with the set."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.data.checking.repeats import Repeats
from core.data.checking.statistics import CodebookUse, Counts, Lengths, Statistics, StoredBytes
from core.data.shards import CodeRow

LONGEST = 1 << 16
"""Captions that are longer are counted as this long."""
_PENDING_ROWS = 256

CountTokens = Callable[[str], int]


class Gatherer:
    """Takes the rows of a set of shards one by one."""

    def __init__(self, grid: int, vocab: int, count_tokens: CountTokens | None = None) -> None:
        self.rows = 0
        self.stored = StoredBytes()
        self._grid = grid
        self._count_tokens = count_tokens
        self._codes: Counts = np.zeros(vocab, np.int64)
        self._pending: list[NDArray[np.int64]] = []
        self._characters: Counts = np.zeros(LONGEST + 1, np.int64)
        self._tokens: Counts = np.zeros(LONGEST + 1, np.int64)
        self._repeated_captions = self._repeated_images = 0
        self._repeats_exact = True
        self._captions, self._images = Repeats(), Repeats()

    def next_split(self) -> None:
        """From here on rows are compared with one another only: those of two splits may be the same."""
        self._repeated_captions += self._captions.count
        self._repeated_images += self._images.count
        self._repeats_exact &= self._captions.exact and self._images.exact
        self._captions, self._images = Repeats(), Repeats()

    def add(self, row: CodeRow, codes: NDArray[np.int64]) -> None:
        """``codes`` are the row's, decoded: int64 of shape (grid * grid,), each in [0, vocab)."""
        self.rows += 1
        self._characters[min(LONGEST, len(row.caption))] += 1
        if self._count_tokens:
            self._tokens[min(LONGEST, self._count_tokens(row.caption))] += 1
        self._captions.add(row.caption.encode())
        self._images.add(row.code)
        self._pending.append(codes)
        if len(self._pending) == _PENDING_ROWS:
            self._count_codes()

    def statistics(self) -> Statistics:
        """Of all rows so far."""
        self._count_codes()
        self.next_split()
        return Statistics(
            rows=self.rows,
            codebook=CodebookUse.of(self._codes),
            characters=Lengths.of(self._characters) if self.rows else None,
            tokens=Lengths.of(self._tokens) if self.rows and self._count_tokens else None,
            repeated_captions=self._repeated_captions,
            repeated_images=self._repeated_images,
            repeats_exact=self._repeats_exact,
            codes_per_row=self._grid**2,
            stored=self.stored,
        )

    def _count_codes(self) -> None:
        if self._pending:
            self._codes += np.bincount(np.concatenate(self._pending), minlength=len(self._codes))
            self._pending.clear()
