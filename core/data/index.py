"""The index of a folder of code shards: its contents, their origin and their digests."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.errors import DataError
from core.run.filters import FilterSettings
from core.storage.files import Sha256, read_bounded, write_atomically

INDEX_NAME = "index.json"
MAX_INDEX_BYTES = 1 << 24
_BUILD_AGAIN = "Build the shards again with `idlebrush dataset build`."

_FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-][A-Za-z0-9._-]*\.parquet$", max_length=128)]


class _IndexModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ShardEntry(_IndexModel):
    """One file of the folder."""

    file: _FileName
    rows: Annotated[int, Field(ge=1)]
    """Number of rows in the file."""
    sha256: Sha256


class ShardIndex(_IndexModel):
    """The contents of ``index.json``, which describes the shards beside it."""

    layout: Literal[1] = 1
    grid: Annotated[int, Field(ge=1, le=256)]
    """Codes along one side of an image."""
    vocab: Annotated[int, Field(ge=1, le=1 << 15)]
    """Entries of the codebook that the codes point into."""
    codec_sha256: Sha256 | None = None
    """SHA-256 of the codec's weights, where known: shards and codec belong together."""
    images: Annotated[int, Field(ge=1)]
    """Images that were encoded; one may be in several splits."""
    left_out: dict[str, int]
    """Number of images of the source that were left out, by reason; ``left_out.jsonl`` names them."""
    filters: FilterSettings | None = None
    """Rules by which images were kept; None where the build did not record them."""
    source_bytes: Annotated[int, Field(ge=1)] | None = None
    """Bytes of the ``images`` as the source holds them, encoded; None where the build did not record them."""
    job: Sha256 | None = None
    """SHA-256 of all that decided these bytes (source, codec, settings), by which a repeated build is recognised.

    None where the build did not record it.
    """
    splits: dict[str, tuple[ShardEntry, ...]]

    @classmethod
    def load(cls, folder: Path) -> "ShardIndex":
        """Read the index of a folder.

        Raises:
            DataError: the index is missing, too large, or malformed; the error names the field.
        """
        path = folder / INDEX_NAME
        try:
            return cls.of_json(read_bounded(path, MAX_INDEX_BYTES), str(path))
        except OSError as error:
            raise DataError(f"{path} cannot be read: {error.strerror}.", _BUILD_AGAIN) from error
        except ValueError as error:
            raise DataError(f"{error}.", _BUILD_AGAIN) from error

    @classmethod
    def of_json(cls, text: bytes, where: str) -> "ShardIndex":
        """Parse the ``text`` of an index; ``where`` names it in errors.

        Raises:
            DataError: the index is malformed; the error names the field.
        """
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"]) or "the top"
            raise DataError(f"{where} is malformed at {field}: {first['msg']}.", _BUILD_AGAIN) from error

    def to_json(self) -> bytes:
        """Return the index as the file holds it."""
        return f"{self.model_dump_json(indent=2, exclude_none=True)}\n".encode()

    def save(self, folder: Path) -> None:
        """Write the index to ``folder``, whole or not at all."""
        write_atomically(folder / INDEX_NAME, self.to_json())

    def rows(self, split: str) -> int:
        """Return the rows of a split over all of its shards."""
        return sum(entry.rows for entry in self.splits[split])

    @property
    def total_rows(self) -> int:
        """Number of rows over all splits."""
        return sum(map(self.rows, self.splits))
