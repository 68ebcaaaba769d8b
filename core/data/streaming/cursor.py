"""What a stream's place is saved as."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.data.streaming.walk import Position
from core.errors import DataError

_REMEDY = "Start the data anew by leaving the saved position out."

Place = Annotated[int, Field(ge=0)]


class Cursor(BaseModel):
    """Where a window starts, and how much of the window was taken."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    data: str
    """Digest of all that decides which rows there are and how they are cut into windows."""
    seed: str
    passes: Place
    shard: Place
    row_group: Place
    row: Place
    taken: Place
    window: Place = 0
    """How many windows were before it."""

    @classmethod
    def read(cls, state: Mapping[str, Any], data: str, window_rows: int) -> Self:
        """What was saved of a stream of ``data`` whose windows have so many rows at most.

        Raises:
            DataError: it is malformed, or of another stream.
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
        return Position(self.passes, self.shard, self.row_group, self.row)
