"""The index of a folder of code shards: what was built, from what, with which digests."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.data.filters import FilterSettings
from core.errors import DataError
from core.files import Sha256, read_bounded, write_atomically

INDEX_NAME = "index.json"
MAX_INDEX_BYTES = 1 << 24
_BUILD_AGAIN = "Build the shards again with `idlebrush dataset build`."

FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-][A-Za-z0-9._-]*\.parquet$", max_length=128)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ShardEntry(_Record):
    """One file of the folder."""

    file: FileName
    rows: Annotated[int, Field(ge=1)]
    sha256: Sha256


class ShardIndex(_Record):
    """What ``index.json`` says of the shards beside it."""

    layout: Literal[1] = 1
    grid: Annotated[int, Field(ge=1, le=256)]
    """Codes along one side of an image."""
    vocab: Annotated[int, Field(ge=1, le=1 << 15)]
    """Entries of the codebook that the codes point into."""
    codec_sha256: Sha256 | None = None
    """Of the codec's weights, where known: shards and codec belong together."""
    images: Annotated[int, Field(ge=1)]
    """Images that were encoded; one may be in several splits."""
    left_out: dict[str, int]
    """How many images of the source were left out, by reason; ``left_out.jsonl`` names them."""
    filters: FilterSettings | None = None
    """What let an image in, where the build wrote it down."""
    source_bytes: Annotated[int, Field(ge=1)] | None = None
    """Bytes of the ``images`` as the source holds them, encoded, where the build added them up."""
    job: Sha256 | None = None
    """Of what decided these bytes (source, codec, settings), where the build wrote it down: it is not repeated."""
    splits: dict[str, tuple[ShardEntry, ...]]

    @classmethod
    def load(cls, folder: Path) -> "ShardIndex":
        """Reads the index of a folder.

        Raises:
            DataError: it is missing, too large, or malformed; the error names the field.
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
        """The index that a file holds; ``where`` names it in errors.

        Raises:
            DataError: it is malformed; the error names the field.
        """
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"]) or "the top"
            raise DataError(f"{where} is malformed at {field}: {first['msg']}.", _BUILD_AGAIN) from error

    def to_json(self) -> bytes:
        """What the index is saved as."""
        return f"{self.model_dump_json(indent=2, exclude_none=True)}\n".encode()

    def save(self, folder: Path) -> None:
        """Writes the index whole or not at all."""
        write_atomically(folder / INDEX_NAME, self.to_json())

    def rows(self, split: str) -> int:
        """Rows of a split over all of its shards."""
        return sum(entry.rows for entry in self.splits[split])

    @property
    def total_rows(self) -> int:
        """Rows over all splits."""
        return sum(map(self.rows, self.splits))
