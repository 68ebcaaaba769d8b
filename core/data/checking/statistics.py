"""What the rows of code shards are like: use of the codebook, lengths of captions, bytes as stored."""

import math
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from core.data.parquet.footer import row_groups
from core.data.shards import count_rows

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
BINS = 10
EXTREMES = 5

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class CodebookUse:
    """How often the codes of a codebook occur."""

    size: int
    """Entries of the codebook."""
    used: int
    """Those that occur; few of a large codebook hint at a codec that does not suit the images."""
    entropy: float
    """Bits a code, of a coder that knows how often each code occurs but not where (order 0)."""
    most_frequent: tuple[tuple[int, int], ...]
    """Code and occurrences, the most frequent first."""
    least_frequent: tuple[tuple[int, int], ...]
    """The same of those that occur at all, the rarest first."""

    @classmethod
    def of(cls, counts: Counts) -> Self:
        """From the number of occurrences of each code."""
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
        """Part of the codebook that occurs."""
        return self.used / self.size

    @property
    def perplexity(self) -> float:
        """Of how many equally frequent codes the entropy would be the same."""
        return 2**self.entropy


@dataclass(frozen=True)
class Bin:
    first: int
    last: int
    count: int


@dataclass(frozen=True)
class Lengths:
    """How long captions are, in characters or tokens."""

    mean: float
    longest: int
    quantiles: dict[float, int]
    """The least length that this part of the captions does not exceed."""
    histogram: tuple[Bin, ...]
    """Of equal width up to the last quantile; the last one holds the rest."""

    @classmethod
    def of(cls, counts: Counts) -> Self:
        """From the number of captions of each length; there is one at least."""
        total, reached = int(counts.sum()), counts.cumsum()
        quantiles = {part: int(np.searchsorted(reached, math.ceil(part * total))) for part in QUANTILES}
        mean = float(counts @ np.arange(len(counts))) / total
        longest = int(np.flatnonzero(counts)[-1])
        return cls(mean, longest, quantiles, tuple(_bins(counts, quantiles[QUANTILES[-1]], longest)))


@dataclass(frozen=True)
class StoredBytes:
    """What rows take as they are stored."""

    rows: int = 0
    codes: int = 0
    captions: int = 0
    other: int = 0
    """Columns beside codes and captions."""
    framing: int = 0
    """Headers and footers of the files."""

    @classmethod
    def of(cls, path: Path) -> Self:
        """Of a sound shard."""
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
        return self.codes + self.captions + self.other + self.framing


@dataclass(frozen=True)
class Statistics:
    """What the rows of a set of shards are like."""

    rows: int
    codebook: CodebookUse
    characters: Lengths | None
    """Of the captions; None without rows."""
    tokens: Lengths | None
    """The same in tokens, if a tokenizer was given."""
    repeated_captions: int
    """Rows whose caption an earlier row of their split has."""
    repeated_images: int
    """Rows whose codes an earlier row of their split has."""
    repeats_exact: bool
    """False: estimated from a sample, the set being large."""
    codes_per_row: int
    stored: StoredBytes
    """Of the shards that are sound as a whole."""

    @property
    def stored_bytes_per_row(self) -> float | None:
        """All of it, of the sound shards."""
        return self.stored.total / self.stored.rows if self.stored.rows else None

    @property
    def stored_bits_per_code(self) -> float | None:
        """What the column of codes takes in the files."""
        codes = self.stored.rows * self.codes_per_row
        return 8 * self.stored.codes / codes if codes else None


_COLUMN_KINDS = {"code": "codes", "codes": "codes", "caption": "captions"}
"""Of the published layout, and of the packed one."""


def _bins(counts: Counts, highest: int, longest: int) -> list[Bin]:
    width = max(1, math.ceil((highest + 1) / BINS))
    edges = range(0, highest + width, width)
    bins = [Bin(first, after - 1, int(counts[first:after].sum())) for first, after in pairwise(edges)]
    rest = int(counts[edges[-1] :].sum())
    return [*bins, Bin(edges[-1], longest, rest)] if rest else bins
