"""Statistics of the rows of code shards: use of the codebook, lengths of captions, bytes as stored."""

import math
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from core.data.parquet.footer import row_groups
from core.data.shard_file import count_rows

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
BINS = 10
EXTREMES = 5

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class CodebookUse:
    """Frequencies of the codes of a codebook."""

    size: int
    """Number of entries of the codebook."""
    used: int
    """Number of codes that occur; few of a large codebook suggest that the codec does not suit the images."""
    entropy: float
    """Bits per code for a coder that knows how often each code occurs but not where (order 0)."""
    most_frequent: tuple[tuple[int, int], ...]
    """Codes with their numbers of occurrences, the most frequent first."""
    least_frequent: tuple[tuple[int, int], ...]
    """Codes that occur, with their numbers of occurrences, the rarest first."""

    @classmethod
    def of(cls, counts: Counts) -> Self:
        """Return the use of a codebook from ``counts``, the occurrences of each code, shape (size,)."""
        used = np.flatnonzero(counts)
        shares = counts[used] / max(1, counts.sum())
        rarest_first = used[np.argsort(counts[used], kind="stable")]
        ranked = [(int(code), int(counts[code])) for code in rarest_first]
        return cls(
            size=len(counts),
            used=len(used),
            entropy=max(0.0, -float((shares * np.log2(shares)).sum())),
            most_frequent=tuple(ranked[: -EXTREMES - 1 : -1]),
            least_frequent=tuple(ranked[:EXTREMES]),
        )

    @property
    def share(self) -> float:
        """Share of the codebook that occurs."""
        return self.used / self.size

    @property
    def perplexity(self) -> float:
        """Number of equally frequent codes that would have the same entropy."""
        return 2**self.entropy


@dataclass(frozen=True)
class Bin:
    """One bin of a histogram of lengths."""

    first: int
    """Smallest length in the bin, in the unit of the histogram."""
    last: int
    """Largest length in the bin, in the unit of the histogram."""
    count: int
    """Number of captions whose length lies in the bin."""


@dataclass(frozen=True)
class Lengths:
    """Lengths of captions, in characters or tokens."""

    mean: float
    """Mean number of characters or tokens of a caption."""
    longest: int
    """Number of characters or tokens of the longest caption."""
    quantiles: dict[float, int]
    """Least length that the given share of the captions does not exceed, by share."""
    histogram: tuple[Bin, ...]
    """Bins of equal width up to the last quantile; a last bin holds the rest."""

    @classmethod
    def of(cls, counts: Counts) -> Self:
        """Return the lengths from ``counts``, the number of captions by length, shape (largest length + 1,).

        There must be at least one caption.
        """
        total, reached = int(counts.sum()), counts.cumsum()
        quantiles = {part: int(np.searchsorted(reached, math.ceil(part * total))) for part in QUANTILES}
        mean = float(counts @ np.arange(len(counts))) / total
        longest = int(np.flatnonzero(counts)[-1])
        return cls(mean, longest, quantiles, tuple(_bins(counts, quantiles[QUANTILES[-1]], longest)))


@dataclass(frozen=True)
class StoredBytes:
    """Bytes of rows in the files of their shards, by kind."""

    rows: int = 0
    """Number of rows that these bytes hold."""
    codes: int = 0
    """Bytes of the column of codes."""
    captions: int = 0
    """Bytes of the column of captions."""
    other: int = 0
    """Bytes of the columns beside codes and captions."""
    framing: int = 0
    """Bytes of the headers and footers of the files."""

    @classmethod
    def of(cls, path: Path) -> Self:
        """Return the stored bytes of the shard at ``path``, which must be sound.

        Raises DataError if its footer cannot be read.
        """
        sizes = {"codes": 0, "captions": 0, "other": 0}
        with path.open("rb") as file:
            for chunk in chain.from_iterable(row_groups(file, str(path))):
                sizes[_COLUMN_KINDS.get(chunk.column, "other")] += chunk.packed
        return cls(count_rows(path), **sizes, framing=path.stat().st_size - sum(sizes.values()))

    def __add__(self, other: "StoredBytes") -> "StoredBytes":
        return StoredBytes(
            self.rows + other.rows,
            self.codes + other.codes,
            self.captions + other.captions,
            self.other + other.other,
            self.framing + other.framing,
        )

    @property
    def total(self) -> int:
        """Bytes of all kinds together."""
        return self.codes + self.captions + self.other + self.framing


@dataclass(frozen=True)
class Statistics:
    """Statistics of the rows of a set of shards."""

    rows: int
    codebook: CodebookUse
    characters: Lengths | None
    """Lengths of the captions in characters; None without rows."""
    tokens: Lengths | None
    """Lengths of the captions in tokens; None without rows or without a tokenizer."""
    repeated_captions: int
    """Rows whose caption an earlier row of their split has."""
    repeated_images: int
    """Rows whose codes an earlier row of their split has."""
    repeats_exact: bool
    """False if the repeats were estimated from a sample because the set is large."""
    codes_per_row: int
    """Number of codes of an image."""
    stored: StoredBytes
    """Stored bytes of the shards that are sound as a whole."""

    @property
    def stored_bytes_per_row(self) -> float | None:
        """Mean bytes of a row in the files of sound shards; None if there are no rows."""
        return self.stored.total / self.stored.rows if self.stored.rows else None

    @property
    def stored_bits_per_code(self) -> float | None:
        """Mean bits of a code in the column of codes; None if there are no codes."""
        codes = self.stored.rows * self.codes_per_row
        return 8 * self.stored.codes / codes if codes else None


_COLUMN_KINDS = {"code": "codes", "caption": "captions"}
"""Kinds of a shard's columns; all other columns count as ``other``."""


def _bins(counts: Counts, highest: int, longest: int) -> list[Bin]:
    width = max(1, math.ceil((highest + 1) / BINS))
    edges = range(0, highest + width, width)
    bins = [Bin(first, after - 1, int(counts[first:after].sum())) for first, after in pairwise(edges)]
    rest = int(counts[edges[-1] :].sum())
    return [*bins, Bin(edges[-1], longest, rest)] if rest else bins
