"""The order in which one peer walks through the rows of a data set, pass after pass, from any place on.

A shard that is missing or damaged is left, for the rest of the pass, at the first row that cannot be used: a walk
that is resumed leaves it at the same row.
"""

import hashlib
import json
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Generic, NamedTuple, Self, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from core.data.listing import RefusedError
from core.data.streaming.rows import SampleRows
from core.errors import DataError


def permutation(count: int, *key: str | int) -> list[int]:
    """Return the numbers 0 to ``count - 1`` in the order that the key determines.

    Sorting by a hash stays the same for ever, which numpy does not promise of its generators (NEP 19): a
    cursor saved by one version of the program must lead the next one through the same rows.
    """
    name = "\n".join(map(str, key)).encode()
    draws = np.frombuffer(hashlib.shake_256(name).digest(8 * count), dtype="<u8")
    order: list[int] = np.argsort(draws, kind="stable").tolist()
    return order


def is_drawn(share: float, *key: str | int) -> bool:
    """Return True for about this ``share`` of all keys, for ever the same ones."""
    if not share:
        return False
    name = "\n".join(map(str, key)).encode()
    return int.from_bytes(hashlib.sha256(name).digest()[:8], "little") < share * 2**64


def peer_seed(run_seed: int, peer: str) -> str:
    """Return the seed of the order of ``peer``, so that peers see different rows; ``run_seed`` is the run's seed."""
    return hashlib.sha256(f"{run_seed}\n{peer}".encode()).hexdigest()[:32]


T = TypeVar("T")


class Position(NamedTuple):
    """A place between two rows of a walk; shard and row group are counted in the order of the pass."""

    passes: int = 0
    """Number of passes completed before."""
    shard: int = 0
    """Number of shards of the pass before this one."""
    row_group: int = 0
    """Number of row groups of the shard that the pass takes before this one."""
    row: int = 0
    """Number of rows of the row group before the place."""


@dataclass(frozen=True, slots=True)
class WalkStep(Generic[T]):
    """A row of a walk."""

    sample: T | None
    """The sample of the row, or None if the row is left out."""
    after: Position


def shard_order(count: int, seed: str, passes: int = 0) -> list[int]:
    """Return the order in which a pass takes shards.

    Args:
        count: Number of shards.
        seed: Seed of the order.
        passes: Number of passes completed before.
    """
    return permutation(count, seed, "shards", passes)


Prepare = Callable[[Any, str], T | None]
"""Makes a sample of a row and the text that names it, or None if the row is left out; raises DataError."""


def walk(
    rows: SampleRows, seed: str, start: Position, prepare: Prepare[T], left: Callable[[str, DataError], None]
) -> Generator[WalkStep[T]]:
    """Yield the rest of a pass: shards in a drawn order, and the row groups of each in a drawn order as well.

    Row groups are drawn within their shard, so that the footer of only one shard is needed at a time.

    Args:
        rows: Rows of the shards.
        seed: Seed of the order.
        start: Position from which the pass goes on.
        prepare: Makes a sample of a row.
        left: Called with the name of each shard that is left before its end, and the error.

    Raises:
        RefusedError: the data set as a whole is not handed out.
    """
    shards = shard_order(len(rows.shards), seed, start.passes)
    for place in range(start.shard, len(shards)):
        here = start if place == start.shard else Position(start.passes, place)
        try:
            yield from _walk_shard(rows, seed, here, shards[place], prepare)
        except RefusedError:
            raise
        except DataError as error:
            left(rows.shards[shards[place]].name, error)


def _walk_shard(
    rows: SampleRows, seed: str, start: Position, shard: int, prepare: Prepare[T]
) -> Generator[WalkStep[T]]:
    groups = permutation(rows.row_groups(shard), seed, "row groups", start.passes, shard)
    for group in range(start.row_group, len(groups)):
        first = start.row if group == start.row_group else 0
        for number, (where, row) in enumerate(rows.read(shard, groups[group], first), start=first + 1):
            yield WalkStep(prepare(row, where), start._replace(row_group=group, row=number))


_REMEDY = "Start the data from the beginning by leaving the saved position out."

_Position = Annotated[int, Field(ge=0)]


class Cursor(BaseModel):
    """Start of a window, and number of its rows that were taken."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    data: str
    """Digest of everything that decides which rows there are and how they are cut into windows."""
    seed: str
    passes: _Position
    """Number of passes completed before the window, as in `Position`."""
    shard: _Position
    """Number of shards before the window's start, as in `Position`."""
    row_group: _Position
    """Number of row groups before the window's start, as in `Position`."""
    row: _Position
    """Number of rows before the window's start, as in `Position`."""
    taken: _Position
    """Number of the window's rows that were taken."""
    window: _Position = 0
    """Number of windows before this one."""
    epoch: _Position = 0
    """Epoch that assigned the rows which were taken last, where epochs do so."""
    head: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2}){0,64}$")] = ""
    """Root in hex of the commit at which that epoch began."""
    in_epoch: _Position = 0
    """Number of rows that were taken in that epoch."""

    @classmethod
    def read(cls, state: Mapping[str, Any], data: str, window_rows: int) -> Self:
        """Return the cursor that ``state`` holds.

        Args:
            state: The saved place of a stream.
            data: Digest of the data, filters and windows of this stream.
            window_rows: Largest number of rows of a window.

        Raises:
            DataError: the state is malformed, or belongs to another stream.
        """
        try:
            cursor = cls.model_validate_json(json.dumps(dict(state)))
        except (TypeError, ValidationError) as error:
            raise DataError("The saved position in the data is malformed.", _REMEDY) from error
        if cursor.data != data:
            raise DataError("The saved position belongs to other data or filters.", _REMEDY)
        if cursor.taken > window_rows:
            raise DataError("The saved position lies outside the data.", _REMEDY)
        return cursor

    @property
    def position(self) -> Position:
        """Position at which the window starts."""
        return Position(self.passes, self.shard, self.row_group, self.row)
