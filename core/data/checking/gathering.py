"""Gathers statistics of code shards row by row, in memory that does not grow with the set."""

import hashlib
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.data.checking.statistics import CodebookUse, Counts, Lengths, Statistics, StoredBytes
from core.data.shards import CodeRow

LIMIT = 1 << 18
"""Number of different values up to which the count is exact; they take about 30 MB."""


class Repeats:
    """Counts the added values that equal an earlier one.

    Up to ``limit`` different values, a 64-bit digest of each is kept. Beyond that, only a sample is: the
    values whose digest ends in a number of zero bits, large enough that few remain (adaptive sampling:
    Flajolet, Computing 43, 1990). The count in the sample is then scaled to the whole; a count of zero stays
    zero.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._zeros = 0
        self._times: dict[int, int] = {}

    def add(self, value: bytes) -> None:
        """Count ``value``, and thin out the sample if it has become too large."""
        digest = int.from_bytes(hashlib.blake2b(value, digest_size=8).digest())
        if self._sampled(digest):
            self._times[digest] = self._times.get(digest, 0) + 1
        while len(self._times) > self._limit:
            self._zeros += 1
            self._times = {digest: times for digest, times in self._times.items() if self._sampled(digest)}

    @property
    def count(self) -> int:
        """Number of values that equal an earlier one."""
        return (sum(self._times.values()) - len(self._times)) << self._zeros

    @property
    def held(self) -> int:
        """Number of digests in memory, at most ``limit``."""
        return len(self._times)

    @property
    def exact(self) -> bool:
        """True if no value was left out of the sample, so that the count is not an estimate."""
        return self._zeros == 0

    def _sampled(self, digest: int) -> bool:
        return digest & ((1 << self._zeros) - 1) == 0


LONGEST = 1 << 16
"""Longest length that is counted by itself, in characters or tokens; longer captions count as this long."""
_PENDING_ROWS = 256

CountTokens = Callable[[str], int]


class Gatherer:
    """Gathers the statistics of a set of shards, row by row."""

    def __init__(self, grid: int, vocab: int, count_tokens: CountTokens | None = None) -> None:
        """Begin with no rows.

        Args:
            grid: Codes along one side of an image.
            vocab: Entries of the codebook; all codes are below it.
            count_tokens: Returns the number of tokens of a caption; None: the statistics have no lengths in tokens.
        """
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
        """Begin a new split: its rows are not compared with earlier ones, because splits may share rows."""
        self._repeated_captions += self._captions.count
        self._repeated_images += self._images.count
        self._repeats_exact &= self._captions.exact and self._images.exact
        self._captions, self._images = Repeats(), Repeats()

    def add(self, row: CodeRow, codes: NDArray[np.int64]) -> None:
        """Count ``row`` and its decoded ``codes``, int64 of shape (grid * grid,), each in [0, vocab)."""
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
        """Return the statistics of all rows so far."""
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
