"""Reads the head of a code shard, here or on a server, without pyarrow: its columns, and how large its images are.

Rows are compressed, and take pyarrow. The header of a page is not: it states the bytes and the number of the values
in the page, and an image of more codes takes more bytes.
"""

from itertools import islice
from math import isqrt
from pathlib import Path
from typing import BinaryIO

from core.data.layout import COLUMNS, FETCH_AGAIN
from core.data.parquet.footer import Chunk, Readable, read_footer
from core.data.parquet.pages import Page, pages
from core.errors import DataError

_CODE = "code"
_PLAIN = 0
"""Encoding in which each value is its length, then its bytes; as parquet.thrift numbers it."""
_LENGTH_BYTES = 4
_CODE_BYTES = 2
_LEVEL_BYTES = 16
"""Most bytes before the values of a page, beside a bit for each: they tell which values are missing."""
_PAGES = 4
"""Most pages that are looked at; writers begin a column with a page that has values."""


class ShardHead:
    """Columns, row groups and size of the images of a shard; no row of it is read."""

    def __init__(self, file: Readable, name: str) -> None:
        """Read the footer.

        Args:
            file: The shard, positioned anywhere; its errors are raised as they are, but for OSError.
            name: Name of the shard in error messages.

        Raises:
            DataError: the file is not Parquet, is cut short, or lacks a column.
        """
        self.name, self._file = name, file
        try:
            footer = read_footer(file, name)
        except (OSError, ValueError) as error:
            raise DataError(
                f"{name} is not a Parquet file, or is cut short: {error}.", FETCH_AGAIN
            ) from error
        if missing := [column for column in COLUMNS if column not in footer.columns]:
            raise DataError(
                f"{name} has no column {', '.join(missing)}.",
                f"A code shard has the columns {', '.join(COLUMNS)}; build it with `idlebrush dataset build`.",
            )
        self.row_groups = footer.row_groups
        """Columns of each row group."""

    def image_side(self, expected: int) -> int | None:
        """Return the codes along one side of the images, as the first page of codes tells.

        Args:
            expected: Answer that is preferred where the page allows several.

        Returns:
            None if there is no page of codes, or if it does not tell.

        Raises:
            DataError: the page has no sound header.
        """
        page = self._first_codes()
        if page is None:
            return None
        guess = isqrt(max(0, page.unpacked // page.values - _LENGTH_BYTES) // _CODE_BYTES)
        return next((side for side in (expected, guess) if _may_hold(page, side)), None)

    def _first_codes(self) -> Page | None:
        """Return the first page whose values are whole codes, one after another; None: there is none."""
        for chunk in self.row_groups[0] if self.row_groups else ():
            if chunk.column == _CODE and not chunk.repeated:
                return self._first_page(chunk)
        return None

    def _first_page(self, chunk: Chunk) -> Page | None:
        found = islice(pages(self._file, chunk, f"Row group 0 of {self.name}"), _PAGES)
        page = next((page for page in found if page.values), None)
        return page if page is not None and (page.dictionary or page.encoding == _PLAIN) else None


def open_shard(path: Path, name: str) -> BinaryIO:
    """Open the shard at ``path`` on this machine; error messages call it ``name``.

    Raises:
        DataError: the file is missing or cannot be read.
    """
    try:
        return path.open("rb")
    except FileNotFoundError as error:
        raise DataError(f"There is no shard {name}.", FETCH_AGAIN) from error
    except OSError as error:
        raise DataError(f"{name} cannot be read: {error.strerror}.", FETCH_AGAIN) from error


def _may_hold(page: Page, side: int) -> bool:
    """Return true if the values of a page may be images of ``side`` by ``side`` codes, none of them missing."""
    least = page.values * (_LENGTH_BYTES + _CODE_BYTES * side**2)
    return least <= page.unpacked <= least + page.values // 8 + _LEVEL_BYTES
