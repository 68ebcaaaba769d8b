"""An index of training pictures on disk: captions, codes, embeddings and colours, part by part.

Memory holds a part at a time. An index that was interrupted goes on after its last whole part, and one of few
pictures grows when more are wanted: those that it has stay the first ones.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.data.streaming.walk import Position
from core.errors import DataError
from core.evaluation.index_part import IndexPart, PartPlace, encoded_part, joined, read_part, write_part
from core.evaluation.training_pictures import PictureEncoder, TrainingPictures
from core.evaluation.unindexed import UnindexedPictures
from core.storage.file_lock import alone
from core.storage.files import read_bounded, write_atomically

PART_PICTURES = 256
"""Pictures of a part; all of a part's are in memory together."""
_STATE, _LOCK = "index.json", "lock"
_LARGEST_STATE = 4 << 20
_Count = Annotated[int, Field(ge=0)]
_Place = tuple[_Count, _Count, _Count, _Count]
"""A `Position` in the walk."""


class _IndexState(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    digest: str
    parts: tuple[_Count, ...] = ()
    """Pictures of each part."""
    begun: tuple[_Count, ...] = ()
    """Number of shards of which there are pictures up to the end of each part."""
    after: _Place = (0, 0, 0, 0)
    """Position in the data after the last part."""
    left: tuple[_Place, ...] = ()
    """Positions at which shards were left."""
    seen: tuple[_Count, ...] = ()
    """Places in the walk of shards of which there are pictures."""
    is_at_end: bool = False
    """True if no shard follows."""

    @property
    def pictures(self) -> int:
        return sum(self.parts)

    def with_part(self, pictures: int, rest: UnindexedPictures) -> "_IndexState":
        """Return the state with one more part, up to which ``rest`` was given out."""
        return _IndexState(
            digest=self.digest,
            parts=(*self.parts, pictures) if pictures else self.parts,
            begun=(*self.begun, len(rest.seen)) if pictures else self.begun,
            after=_numbers(rest.after),
            left=tuple(map(_numbers, rest.left)),
            seen=tuple(sorted(rest.seen)),
            is_at_end=rest.is_at_end,
        )


@dataclass(frozen=True)
class SeenShards:
    """The shards of which an index has pictures."""

    seen: int
    """Number of shards of which there are pictures."""
    left: int
    """Number of shards that could not be read to their end."""
    total: int
    """Number of shards of the run's data."""


class PictureIndex:
    """The first training pictures of a run."""

    def __init__(
        self,
        folder: Path,
        digest: str,
        counts: Sequence[int],
        most: int,
        shards: SeenShards,
        *,
        is_whole: bool,
    ) -> None:
        """Give access to an index.

        Args:
            folder: Folder of the parts.
            digest: Digest of the index's data, codec and ranker.
            counts: Pictures of each part.
            most: Pictures that are shown; an earlier index may have had more.
            shards: Shards of which there are pictures.
            is_whole: True if these are all pictures that the run trains on.
        """
        starts = np.cumsum([0, *counts]).tolist()
        self._folder = folder
        self._places = [
            PartPlace(digest, start, count)
            for start, count in zip(starts, counts, strict=False)
            if start < most
        ]
        self.pictures = min(most, sum(counts))
        """Number of pictures."""
        self.shards = shards
        """Shards of which there are pictures."""
        self.is_whole = is_whole
        """True if the index has all pictures that the run trains on."""

    def parts(self) -> Iterator[IndexPart]:
        """Yield the parts in their order; DataError if one is missing or damaged."""
        for number, place in enumerate(self._places):
            part = read_part(_file(self._folder, number), place)
            shown = min(place.pictures, self.pictures - place.first)
            yield part if shown == place.pictures else part.picked(range(shown))

    def fetch(self, places: Sequence[int]) -> IndexPart:
        """Return the pictures with those numbers, in the order of ``places``; at least one.

        Each part is read at most once. Raises DataError if one is missing or damaged.
        """
        wanted = sorted(set(places))
        found: list[IndexPart] = []
        for number, part in enumerate(self._places):
            end = part.first + part.pictures
            if here := [place - part.first for place in wanted if part.first <= place < end]:
                found.append(read_part(_file(self._folder, number), part).picked(here))
        where = {place: row for row, place in enumerate(wanted)}
        return joined(found).picked([where[place] for place in places])


def build_index(
    folder: Path,
    pictures: TrainingPictures,
    encoder: PictureEncoder,
    most: int,
    report: Callable[[int], None] = lambda done: None,
) -> PictureIndex:
    """Return the index of the first pictures of a run, of which missing ones are added.

    Args:
        folder: Folder of the index, which is made if it is missing; one of other data is replaced.
        pictures: Training pictures of the run.
        encoder: Codec and embeddings.
        most: Most pictures of the index.
        report: Called with the number of pictures that are indexed, after each part.

    Raises:
        DataError: the data cannot be read, or have no picture, or another process extends this index.
        CoreError: a picture or caption cannot be embedded.
    """
    with _alone(folder):
        state = _extended(folder, pictures, encoder, most, report)
    if not state.pictures:
        raise DataError("The run has no training picture that can be used.", "Evaluate another run.")
    shown = next(number for number in range(1, len(state.parts) + 1) if _enough(state, number, most))
    shards = SeenShards(state.begun[shown - 1], len(state.left), len(pictures.rows.shards))
    is_whole = state.is_at_end and not state.left and state.pictures <= most
    return PictureIndex(folder, state.digest, state.parts, most, shards, is_whole=is_whole)


def _enough(state: _IndexState, parts: int, most: int) -> bool:
    return sum(state.parts[:parts]) >= min(most, state.pictures)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other processes from extending the index in ``folder``; DataError if one does, or a disk fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with alone(folder / _LOCK):
            yield
    except BlockingIOError as error:
        raise DataError(
            "Another evaluation looks at the same training pictures now.",
            "Try again when it has ended: what it has looked at is kept.",
        ) from error
    except OSError as error:
        raise DataError(
            f"The index of training pictures cannot be kept in {folder}: {error.strerror or error}.",
            "Free some space on that disk, or see that you may write there.",
        ) from error


def _extended(
    folder: Path,
    pictures: TrainingPictures,
    encoder: PictureEncoder,
    most: int,
    report: Callable[[int], None],
) -> _IndexState:
    """Write parts until there are ``most`` pictures, or no more can be had now; return the state then."""
    state = _read_state(folder, pictures.digest)
    if state.pictures >= most:
        return state
    left = [Position(*place) for place in state.left]
    after = Position(*state.after)
    rest = UnindexedPictures(pictures, after, left, state.seen, is_at_end=state.is_at_end)
    samples = rest.samples()
    while found := list(islice(samples, min(PART_PICTURES, most - state.pictures))):
        place = PartPlace(state.digest, state.pictures, len(found))
        write_part(_file(folder, len(state.parts)), encoded_part(found, encoder), place)
        state = _saved(folder, state.with_part(len(found), rest))
        report(state.pictures)
    if state.pictures < most or next(samples, None) is None:
        state = _saved(folder, state.with_part(0, rest))
    return state


def _saved(folder: Path, state: _IndexState) -> _IndexState:
    write_atomically(folder / _STATE, state.model_dump_json().encode())
    return state


def _numbers(position: Position) -> _Place:
    return position.passes, position.shard, position.row_group, position.row


def _read_state(folder: Path, digest: str) -> _IndexState:
    """Return the state of the index in ``folder``; a new one without old parts if its data are others."""
    try:
        state = _IndexState.model_validate_json(read_bounded(folder / _STATE, _LARGEST_STATE))
    except (OSError, ValueError, ValidationError):
        state = _IndexState(digest="")
    files = [_file(folder, number) for number in range(len(state.parts))]
    if state.digest == digest and all(file.is_file() for file in files):
        return state
    (folder / _STATE).unlink(missing_ok=True)
    for old in folder.glob("part-*.safetensors"):
        old.unlink()
    return _IndexState(digest=digest)


def _file(folder: Path, number: int) -> Path:
    return folder / f"part-{number:05d}.safetensors"
