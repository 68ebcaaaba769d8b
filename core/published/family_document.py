"""``idlebrush.json``: the kind and the origin of a published model whose other files are in a layout of others."""

import json
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from core.errors import CheckpointError
from core.published.document import ModelOrigin
from core.run.fields import Rules, TextLine
from core.storage.files import FileRef, Sha256, read_bounded
from core.storage.replacement import place
from core.storage.sealed import seal, unseal

DOCUMENT = "idlebrush.json"
_LARGEST = 1 << 20
_AGAIN = "Get the model's folder again from where it was published."


class FamilyDocument(Rules):
    """Kind, origin and digests of a published model."""

    format: Literal["idlebrush published model"] = "idlebrush published model"
    version: Literal[1] = 1
    kind: TextLine
    """Kind of the model: the name of its family."""
    origin: ModelOrigin
    parameter_digest: Sha256
    """Digest by `core.digest` of the parameters by our names."""
    files: Annotated[tuple[FileRef, ...], Field(max_length=64)]
    """All other files in the folder."""

    def sealed(self) -> str:
        """Return the document as JSON with its own digest."""
        return seal(self.model_dump(mode="json"))


def has_document(folder: Path) -> bool:
    """Return True if a model, sound or not, was published to ``folder`` in a family's own layout."""
    return place(folder.resolve(), DOCUMENT) is not None


def read_document(folder: Path) -> FamilyDocument:
    """Return the document in ``folder``.

    Raises:
        CheckpointError: There is none, it is damaged, or of a newer format.
    """
    path = folder / DOCUMENT
    try:
        raw = read_bounded(path, _LARGEST)
        document = FamilyDocument.model_validate_json(json.dumps(unseal(raw)))
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror or error}.", _AGAIN) from error
    except (ValidationError, ValueError) as error:
        raise CheckpointError(f"{path} is damaged, or of a newer Idlebrush.", _AGAIN) from error
    if raw != document.sealed().encode():
        raise CheckpointError(f"{path} is damaged: it is not as it was written.", _AGAIN)
    return document
