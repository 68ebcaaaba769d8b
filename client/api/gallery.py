"""Pictures that front ends find on the disk: the gallery's albums, newest first, and the frames of the time-lapse."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from core.generation.frame_texts import texts_in
from core.generation.records import (
    FRAME_BYTES,
    FRAMES,
    MOST_FRAMES_BYTES,
    Album,
    FrameIndex,
    TimelapseFrame,
    frame_file,
)
from core.generation.records import PictureRecord as PictureRecord
from core.messages.pictures import GenerationRequest as GenerationRequest
from core.storage.files import read_bounded

INDEX = "index.json"
LARGEST = 64 << 20
"""Largest size of an index, in bytes.

It is more than the size for as many albums as are kept, each with as many pictures as can be requested.
"""
AlbumId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$")]


class _IndexEntry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GalleryAlbum(_IndexEntry):
    """The pictures of one request; they lie in the gallery's folder, in one that is named by the id."""

    id: AlbumId
    time: datetime
    """Time at which they were completed."""
    album: Album


class GalleryIndex(_IndexEntry):
    """The file ``index.json`` of a gallery."""

    version: Literal[1] = 1
    albums: tuple[GalleryAlbum, ...] = ()
    """The albums, newest first."""

    @classmethod
    def read(cls, gallery: Path) -> Self:
        """Read the index of the folder ``gallery``; an empty one if the folder has none.

        Raises OSError or ValueError if the index cannot be used.
        """
        try:
            return cls.model_validate_json(read_bounded(gallery / INDEX, LARGEST))
        except FileNotFoundError:
            return cls()


class TimelapseIndex(FrameIndex):
    """The file ``index.json`` of a time-lapse, as `core.generation.records` describes it."""

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read the index of a folder of frames.

        Args:
            folder: Folder of the frames.

        Returns:
            The index; an empty one if the folder has none.

        Raises:
            OSError: The index cannot be read.
            ValueError: It is not an index.
        """
        try:
            return cls.model_validate_json(read_bounded(folder / FRAMES, MOST_FRAMES_BYTES))
        except FileNotFoundError:
            return cls(prompts=(), columns=1)

    @staticmethod
    def file(folder: Path, frame: TimelapseFrame) -> Path:
        """Return the path of the WebP picture of ``frame`` in ``folder``.

        It has as many tiles as there are prompts, row by row.
        """
        return folder / frame_file(frame.epoch)


def texts_of_frame(file: Path, prompts: int) -> tuple[str, ...]:
    """Return what the model wrote after each prompt, as it can be shown; none if it makes pictures.

    Args:
        file: File of a frame.
        prompts: Number of the prompts.

    Raises:
        OSError: The frame cannot be read.
        ValueError: Its file is too long to be a frame.
    """
    return texts_in(read_bounded(file, FRAME_BYTES), prompts)
