"""What front ends find of pictures: the gallery's albums, newest first, and the frames of the run's time-lapse."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from core.files import read_bounded
from core.generation.records import FRAMES, MOST_FRAMES_BYTES, Album, Frame, FrameIndex, frame_file
from core.generation.records import PictureRecord as PictureRecord
from core.generation.request import GenerationRequest as GenerationRequest

INDEX = "index.json"
LARGEST = 64 << 20
"""Bytes of an index: more than those of as many albums as are kept, each of as many pictures as can be asked for."""
AlbumId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$")]


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GalleryAlbum(_Entry):
    """The pictures of one request; they lie in the gallery's folder, in one that is named by the id."""

    id: AlbumId
    time: datetime
    """When they were done."""
    album: Album


class GalleryIndex(_Entry):
    """The file ``index.json`` of a gallery."""

    version: Literal[1] = 1
    albums: tuple[GalleryAlbum, ...] = ()
    """Newest first."""

    @classmethod
    def read(cls, gallery: Path) -> Self:
        """The index of a gallery; nothing where there is none, OSError or ValueError for one that cannot be used."""
        try:
            return cls.model_validate_json(read_bounded(gallery / INDEX, LARGEST))
        except FileNotFoundError:
            return cls()


class TimelapseIndex(FrameIndex):
    """The file ``index.json`` of a time-lapse, as `core.generation.records` describes it."""

    @classmethod
    def read(cls, folder: Path) -> Self:
        """As it is in the folder; nothing where there is none, OSError or ValueError for one that cannot be used."""
        try:
            return cls.model_validate_json(read_bounded(folder / FRAMES, MOST_FRAMES_BYTES))
        except FileNotFoundError:
            return cls(prompts=(), columns=1)

    @staticmethod
    def file(folder: Path, frame: Frame) -> Path:
        """The WebP picture of a frame: as many tiles as there are prompts, row by row."""
        return folder / frame_file(frame.epoch)
