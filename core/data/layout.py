"""The layout of code shards, without heavy imports: columns, limits, and the compressions a build can choose from."""

from enum import StrEnum

COLUMNS = ("caption", "code", "NSFW", "original_width", "original_height")
"""Columns of laion/laion_100m_vqgan_f8, in the order in which shards are written."""
MAX_VOCAB = 1 << 15
"""Largest codebook: codes are stored as signed 16-bit integers."""
BATCH_ROWS = 64
"""Rows that are Python objects at once while a shard is read.

Other writers put a thousand rows of codes into a dictionary of two megabytes, and each row may repeat all of it
(`pages.must_fit`); so only a few rows can be read at a time.
"""
FETCH_AGAIN = "Fetch or build the shard again."
"""Remedy for a damaged shard."""


class Compression(StrEnum):
    """Trade between the size of a shard and the time that it takes to write it."""

    STANDARD = "standard"
    """Default level of Brotli, 256 rows a row group."""
    HIGH = "high"
    """Level 11 of Brotli, 4,096 rows a row group: fewer bytes, but slower to write."""

    @property
    def brotli_level(self) -> int | None:
        """Brotli's level from 0 to 11, or None for the default of pyarrow."""
        return 11 if self is Compression.HIGH else None

    @property
    def row_group_rows(self) -> int:
        """Rows of a row group, the smallest part of a shard that can be read."""
        return 4096 if self is Compression.HIGH else 256
