"""The packed layout: the published one, but for the codes of a row group, which lie in one block in its first row.

The columns are ``caption``, ``codes`` (bytes: a block in the first row of a row group, null in the others), ``NSFW``,
``original_width`` and ``original_height``. A row is a sample, as in the published layout; its codes come from the
block of its row group.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.data.packed.block import unpack
from core.errors import DataError

CODES = "codes"
PACKED_COLUMNS = ("caption", CODES, "NSFW", "original_width", "original_height")


def published_records(records: Iterable[Mapping[str, Any]], where: str) -> Iterator[dict[str, Any]]:
    """The records of a packed row group, from its first on, as the published layout has them.

    ``where`` names the row group in errors.

    Raises:
        DataError: the block is missing or damaged, or has the codes of more or fewer images.
    """
    images: Iterator[Any] = iter(())
    for row, record in enumerate(records):
        other = dict(record)
        block = other.pop(CODES, None)
        if row == 0:
            if not isinstance(block, bytes):
                raise DataError(f"The first row of {where} has no codes.", "Fetch the shard again.")
            images = iter(unpack(block, where))
        codes = next(images, None)
        if codes is None:
            raise _unequal(where)
        yield {**other, "code": codes.astype("<i2").tobytes()}
    if next(images, None) is not None:
        raise _unequal(where)


def _unequal(where: str) -> DataError:
    return DataError(
        f"The block of {where} is not of as many images as there are rows.", "Fetch the shard again."
    )
