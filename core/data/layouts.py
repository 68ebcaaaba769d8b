"""The ways in which rows lie in Parquet files; a reader tells them apart by the columns."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from core.data.packed.records import PACKED_COLUMNS, published_records

Records = Iterable[Mapping[str, Any]]
"""One for each row."""


@dataclass(frozen=True)
class Layout:
    """One of them."""

    columns: tuple[str, ...]
    """Those that are read; a file that has them all has this layout."""
    batch: int
    """Rows that are Python objects at once."""
    unpack: Callable[[Records, str], Records]
    """The records of a row group, from its first on, as the published layout has them; raises DataError with the
    words that name the row group."""


PUBLISHED = Layout(
    ("caption", "code", "NSFW", "original_width", "original_height"), 64, lambda records, where: records
)
"""That of laion/laion_100m_vqgan_f8.

Writers that know nothing of codes put a thousand rows of them into a dictionary first: two megabytes, of which a row
might repeat all (`pages.must_fit`), so that few rows can be read at a time.
"""
PACKED = Layout(PACKED_COLUMNS, 256, published_records)


def layout_of(columns: Iterable[str]) -> Layout | None:
    """The layout of a file with these columns, if it has one."""
    there = set(columns)
    return next((layout for layout in (PUBLISHED, PACKED) if there.issuperset(layout.columns)), None)
