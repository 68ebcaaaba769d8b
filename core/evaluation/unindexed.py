"""Walks through the training pictures that an index lacks: those of shards that were left, then those that follow.

A shard that could not be read is left at a row, and looked for again from that row on the next time.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from core.data.streaming.walk import Position
from core.data.streaming.windows import CodedSample
from core.errors import DataError
from core.evaluation.training_pictures import TrainingPictures


class UnindexedPictures:
    """The pictures that follow on what an index has, and the place up to which they were given out."""

    def __init__(
        self,
        pictures: TrainingPictures,
        after: Position,
        left: Sequence[Position],
        seen: Iterable[int],
        *,
        is_at_end: bool,
    ) -> None:
        """Go on from a place; nothing is read yet.

        Args:
            pictures: Training pictures of the run.
            after: Position after the last picture of the walk through all shards.
            left: Positions at which shards were left.
            seen: Places in the walk of shards of which there are pictures.
            is_at_end: True if the walk through all shards has ended.
        """
        self._pictures = pictures
        self.after = after
        """Position in the walk through all shards after the last picture that was given out."""
        self.left = list(left)
        """Positions at which shards were left, one of each shard."""
        self.seen = set(seen)
        """Places in the walk of shards of which there are pictures."""
        self.is_at_end = is_at_end
        """True if the walk through all shards has ended."""

    def samples(self) -> Iterator[CodedSample]:
        """Yield the pictures; all properties say how far the walk is, whenever one was yielded."""
        for position in tuple(self.left):
            yield from self._of_shard(position)
        if not self.is_at_end:
            yield from self._following()
            self.is_at_end = True

    def _of_shard(self, begin: Position) -> Iterator[CodedSample]:
        """Yield the rest of one shard that was left; it is left no more if it can be read to its end."""
        is_left = False

        def leave(name: str, error: DataError) -> None:
            nonlocal is_left
            if self._pictures.place_of(name) == begin.shard:
                is_left = True
                self._pictures.left(name, error)

        at = self.left.index(begin)
        for step in replace(self._pictures, left=leave).following(begin):
            if step.after.shard != begin.shard:
                break
            self.left[at] = step.after
            if step.sample is not None:
                self.seen.add(step.after.shard)
                yield step.sample
        if not is_left:
            self.left = [place for place in self.left if place.shard != begin.shard]

    def _following(self) -> Iterator[CodedSample]:
        def leave(name: str, error: DataError) -> None:
            place = self._pictures.place_of(name)
            at = self.after if self.after.shard == place else Position(self.after.passes, place)
            self.left = [*(other for other in self.left if other.shard != place), at]
            self._pictures.left(name, error)

        for step in replace(self._pictures, left=leave).following(self.after):
            self.after = step.after
            if step.sample is not None:
                self.seen.add(step.after.shard)
                yield step.sample
