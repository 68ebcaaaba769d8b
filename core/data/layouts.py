"""The ways in which rows lie in the records of a Parquet file; a reader tells them apart by the columns."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from core.data.shards import COLUMNS, CodeRow


@dataclass(frozen=True)
class Layout:
    """One of them."""

    columns: tuple[str, ...]
    """Those that are read; a file that has them all has this layout."""
    record: str
    """What errors call a record."""
    batch: int
    """Records that are Python objects at once."""
    unpack: Callable[[Mapping[str, Any], str], Iterable[CodeRow]]
    """The rows of a record; raises DataError with the words that name it."""


PUBLISHED = Layout(COLUMNS, "row", 256, lambda record, where: (CodeRow.from_record(record, where),))
"""That of laion/laion_100m_vqgan_f8: a record is a row."""
LAYOUTS = (PUBLISHED,)


def layout_of(columns: Iterable[str]) -> Layout | None:
    """The layout of a file with these columns, if it has one."""
    there = set(columns)
    return next((layout for layout in LAYOUTS if there.issuperset(layout.columns)), None)
