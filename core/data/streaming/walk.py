"""The order in which one peer walks through the rows of a data set, pass after pass, from any place on.

A shard that is missing or damaged is left, for the rest of the pass, at the first row that cannot be used: a walk
that is resumed leaves it at the same row.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from core.data.listing import RefusedError
from core.data.order import permutation
from core.data.shards import CodeRow
from core.data.streaming.rows import ShardRows
from core.errors import DataError

T = TypeVar("T")


class Position(NamedTuple):
    """A place between two rows of a walk; shard and row group are counted in the order of the pass."""

    passes: int = 0
    """Passes completed before."""
    shard: int = 0
    row_group: int = 0
    row: int = 0


@dataclass(frozen=True, slots=True)
class Step(Generic[T]):
    """A row of a walk."""

    sample: T | None
    """None for a row that is left out."""
    after: Position


Prepare = Callable[[CodeRow, str], T | None]
"""Makes a sample of a row, or None of one to leave out; raises DataError with the words that name the row."""


def walk(
    rows: ShardRows, seed: str, start: Position, prepare: Prepare[T], left: Callable[[str, DataError], None]
) -> Generator[Step[T]]:
    """The rest of a pass: shards in drawn order, and the row groups of each in drawn order as well.

    Row groups are drawn within their shard, so that the footer of one shard is needed at a time. ``left`` is told
    the name of a shard that is left before its end, and why. Raises RefusedError where no shard can be had.
    """
    shards = permutation(len(rows.shards), seed, "shards", start.passes)
    for place in range(start.shard, len(shards)):
        here = start if place == start.shard else Position(start.passes, place)
        try:
            yield from _walk_shard(rows, seed, here, shards[place], prepare)
        except RefusedError:
            raise
        except DataError as error:
            left(rows.shards[shards[place]].name, error)


def _walk_shard(
    rows: ShardRows, seed: str, start: Position, shard: int, prepare: Prepare[T]
) -> Generator[Step[T]]:
    groups = permutation(rows.row_groups(shard), seed, "row groups", start.passes, shard)
    for group in range(start.row_group, len(groups)):
        first = start.row if group == start.row_group else 0
        for number, (where, row) in enumerate(rows.read(shard, groups[group], first), start=first + 1):
            yield Step(prepare(row, where), start._replace(row_group=group, row=number))
