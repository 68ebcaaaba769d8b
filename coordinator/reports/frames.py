"""Reads the pictures of the time-lapse that reports show; one that was taken down meanwhile has no file any more."""

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image

from core.generation.records import FRAME_BYTES
from core.storage.files import read_bounded


@dataclass(frozen=True)
class ReportedPicture:
    """A picture of the time-lapse in memory, as reports show it."""

    epoch: int
    seconds: float
    """Time at which its file was written, in seconds since 1970."""
    image: Image.Image


@dataclass(frozen=True)
class ReportedFrame:
    """A frame of the time-lapse that the database has, whose file may be gone."""

    epoch: int
    file: Path

    def picture(self) -> ReportedPicture:
        """Return the picture in its file.

        Raises:
            OSError: The file is not there, or cannot be read.
            ValueError: It holds no picture.
        """
        seconds = self.file.stat().st_mtime
        try:
            with Image.open(BytesIO(read_bounded(self.file, FRAME_BYTES))) as image:
                return ReportedPicture(self.epoch, seconds, image.convert("RGB"))
        except (SyntaxError, EOFError, Image.DecompressionBombError) as error:
            raise ValueError(f"{self.file} holds no picture: {error}") from error
