"""``checkpoint.json``: the description of a checkpoint, in the only spelling that its own digest allows."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.errors import CheckpointError
from core.storage.files import Sha256, read_bounded
from core.storage.sealed import seal, unseal

FORMAT = "idlebrush checkpoint"
VERSION = 1
LARGEST = 64 << 20  # bytes
DOCUMENT_FILE = "checkpoint.json"

CheckpointFile = Literal["model.safetensors", "optimizer.safetensors"]


class StoredFile(BaseModel):
    """A file's size in bytes and its digest."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    size: Annotated[int, Field(ge=0)]
    """Size of the file in bytes."""
    sha256: Sha256


class Document(BaseModel):
    """A checkpoint's place in its run, and the files that belong to it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    format: Literal["idlebrush checkpoint"] = "idlebrush checkpoint"
    version: Literal[1] = 1
    run: str
    training_digest: str
    epoch: Annotated[int, Field(ge=0)]
    parameter_digest: Sha256
    files: Annotated[dict[CheckpointFile, StoredFile], Field(min_length=2)]
    cursor: dict[str, Any]
    random_state: dict[str, Any]
    metadata: dict[str, Any]

    def text(self) -> str:
        """Return the document as JSON, with a digest of all its other content."""
        return seal(self.model_dump())


def read_document(directory: Path) -> Document:
    """Return the document of the checkpoint in ``directory``, without a look at its other files.

    Raises:
        OSError: it cannot be read.
        ValueError: it is far too long.
        CheckpointError: as `parse`.
    """
    directory = directory.resolve()
    # A writer that was killed may have left the checkpoint there (`core.storage.replacement`, which takes PyTorch).
    places = directory, directory.with_name(f".{directory.name}.previous")
    found = next((place for place in places if (place / DOCUMENT_FILE).is_file()), directory)
    return parse(read_bounded(found / DOCUMENT_FILE, LARGEST), directory)


def parse(raw: bytes, directory: Path) -> Document:
    """Return the document ``raw`` of the checkpoint in ``directory``, which errors name.

    Raises:
        CheckpointError: it is not ours, has a newer format, or is not byte for byte as it was written.
    """
    try:
        content = unseal(raw)
    except ValueError as error:
        raise _damaged(directory) from error
    if content.get("format") != FORMAT:
        raise CheckpointError(
            f"checkpoint.json in {directory} is not an Idlebrush checkpoint.",
            "Give the directory that Idlebrush wrote one to.",
        )
    version = content.get("version")
    if isinstance(version, int) and version > VERSION:
        raise CheckpointError(
            f"The checkpoint in {directory} has format {version}; this Idlebrush reads up to {VERSION}.",
            "Update Idlebrush.",
        )
    try:
        document = Document.model_validate(content)
        written = document.text().encode()
    except (ValidationError, ValueError, RecursionError) as error:
        raise _damaged(directory) from error
    if raw != written:
        raise _damaged(directory)
    return document


def _damaged(directory: Path) -> CheckpointError:
    return CheckpointError(
        f"The checkpoint is damaged: checkpoint.json in {directory} is not as it was written.",
        "Use another checkpoint of this run, or let the swarm send the state.",
    )
