"""The order in which one peer walks through the rows of a data set, pass after pass, from any place on."""

from collections.abc import Generator
from typing import NamedTuple

from core.data.order import permutation
from core.data.rows import ShardRows
from core.data.shards import CodeRow


class Position(NamedTuple):
    """A place between two rows of a walk; shard and row group are counted in the order of the pass."""

    passes: int = 0
    """Passes completed before."""
    shard: int = 0
    row_group: int = 0
    row: int = 0


class Step(NamedTuple):
    """A row of a walk."""

    row: CodeRow
    where: str
    """Names the row in errors."""
    after: Position


def walk(rows: ShardRows, seed: str, start: Position) -> Generator[Step]:
    """The rest of a pass: shards in drawn order, and the row groups of each in drawn order as well.

    Row groups are drawn within their shard, so that the footer of one shard is needed at a time.
    """
    shards = permutation(len(rows.shards), seed, "shards", start.passes)
    for place in range(start.shard, len(shards)):
        shard = shards[place]
        groups = permutation(rows.row_groups(shard), seed, "row groups", start.passes, shard)
        for group in range(start.row_group if place == start.shard else 0, len(groups)):
            first = start.row if (place, group) == (start.shard, start.row_group) else 0
            for number, (where, row) in enumerate(rows.read(shard, groups[group], first), start=first + 1):
                yield Step(row, where, Position(start.passes, place, group, number))
