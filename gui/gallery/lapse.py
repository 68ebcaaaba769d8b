"""The time-lapse of a run as the page shows it: frames by epoch, and which of them one looks at."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from client.api.gallery import TimelapseIndex


@dataclass(frozen=True)
class Lapse:
    """The frames of a folder, oldest first."""

    prompts: tuple[str, ...] = ()
    columns: int = 1
    epochs: tuple[int, ...] = ()
    files: tuple[Path, ...] = ()
    """As many as there are epochs."""

    @classmethod
    def read(cls, folder: Path) -> "Lapse":
        """OSError or ValueError for a folder that cannot be used; an empty one where there are no frames yet."""
        index = TimelapseIndex.read(folder)
        frames = index.frames if index.prompts else ()
        return cls(
            index.prompts,
            index.columns,
            tuple(frame.epoch for frame in frames),
            tuple(index.file(folder, frame) for frame in frames),
        )


def place_after(before: Sequence[int], place: int, epochs: Sequence[int]) -> int:
    """Where to look once other frames are there: at the newest if one did, else at the same epoch or the next."""
    if not before or place >= len(before) - 1:
        return max(0, len(epochs) - 1)
    looked_at = before[place]
    return next(
        (number for number, epoch in enumerate(epochs) if epoch >= looked_at), max(0, len(epochs) - 1)
    )


def next_place(place: int, count: int) -> int | None:
    """Of the frame that follows while it plays; None: that was the last."""
    return place + 1 if place + 1 < count else None
