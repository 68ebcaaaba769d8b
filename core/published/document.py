"""``model.json``: what a published model is, where it comes from, and the files that belong to it."""

import json
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationError, model_validator

from core.errors import CheckpointError
from core.messages.sampling import MOST_GUIDANCE
from core.model.config import ModelConfig
from core.run.contact import Ranking
from core.run.fields import Rules, TextLine
from core.run.training.data_rules import CodecRules, TextRules
from core.storage.files import FileRef, Sha256
from core.storage.sealed import seal, unseal

FORMAT = "idlebrush model"
VERSION = 1
LARGEST = 1 << 20
"""Largest size of a document, in bytes."""
LONGEST_NAME = 200
"""Largest number of characters of a name, as of every `TextLine`."""


class RunOrigin(Rules):
    """An epoch of a run."""

    kind: Literal["run"] = "run"
    run: TextLine
    training_digest: TextLine
    """Digest that identifies the run among others of that name."""
    epoch: Annotated[int, Field(ge=0)]
    data: TextLine | None = None
    """The data set on the Hugging Face Hub that the run learned from."""


class FileOrigin(Rules):
    """A file that another program wrote."""

    kind: Literal["file"] = "file"
    name: TextLine
    sha256: Sha256


ModelOrigin = Annotated[RunOrigin | FileOrigin, Field(discriminator="kind")]


CARD = "README.md"
"""File of the model card in the folder of a published model."""


def require_replaceable(
    folder: Path, names: Collection[str], foreign: Collection[str], is_card_ours: Callable[[], bool]
) -> None:
    """Check that replacing a published model deletes no other files, such as those of a repository.

    Args:
        folder: Folder of the model.
        names: Names of what is in it.
        foreign: Those that do not belong to a model that was written there.
        is_card_ours: Returns true if the card is as it was written.

    Raises:
        CheckpointError: There are foreign files, or the card was changed.
    """
    if foreign:
        raise CheckpointError(
            f"{folder} holds {min(foreign)}, which does not belong to a model that was written there.",
            "Choose another folder with --out.",
        )
    if CARD in names and not is_card_ours():
        raise CheckpointError(
            f"{folder / CARD} is not as it was written: it was changed.",
            "Move it to keep it, or choose another folder with --out.",
        )


class ModelDocument(Rules):
    """A published model: all that it takes to use it, and nothing of how it was trained."""

    format: Literal["idlebrush model"] = "idlebrush model"
    version: Literal[1] = 1
    model: ModelConfig
    weights: FileRef
    parameter_digest: Sha256
    """Digest by `core.digest`: equal for equal parameters in any file."""
    origin: ModelOrigin
    text: TextRules | None = None
    """Tokenizer of the prompts; None: it is not included."""
    codec: CodecRules | None = None
    """Codec that turns codes into pictures; None: it is not included."""
    ranking: Ranking | None = None
    """Ranker that chooses the best of many pictures, as its run names it; None: there is none."""
    usual_guidance: Annotated[float, Field(ge=1, le=MOST_GUIDANCE)] = 1.0
    """Factor by which its drawings are guided, without a unit; 1 if it cannot be guided."""

    @model_validator(mode="after")
    def _text_fits_model(self) -> Self:
        if self.text and (self.text.length, self.text.vocab) != (
            self.model.text_length,
            self.model.text_vocab,
        ):
            raise ValueError("text must have the model's text_length and text_vocab")
        return self

    def sealed(self) -> str:
        """Return the document as JSON; without ranker and guidance, it is the same as before models had any."""
        left_out = {"ranking"} if self.ranking is None else set[str]()
        if self.usual_guidance == 1.0:
            left_out.add("usual_guidance")
        return seal(self.model_dump(mode="json", exclude=left_out))


def parse(raw: bytes, source: str) -> ModelDocument:
    """Return the document in ``raw``, the bytes of a file; ``source`` names the file in errors.

    Raises:
        CheckpointError: it is not ours, of a newer format, or not to the byte as it was written.
    """
    again = "Get the model again from where it was published."
    try:
        content = unseal(raw)
        if content.get("format") != FORMAT:
            raise CheckpointError(f"{source} describes no model of Idlebrush's.", "Give a model's folder.")
        if isinstance(version := content.get("version"), int) and version > VERSION:
            raise CheckpointError(
                f"{source} has format {version}; this Idlebrush reads up to {VERSION}.", "Update Idlebrush."
            )
        document = ModelDocument.model_validate_json(json.dumps(content))
        written = document.sealed().encode()
    except (ValidationError, ValueError, RecursionError) as error:
        raise CheckpointError(f"{source} is damaged: it describes no model.", again) from error
    if raw != written:
        raise CheckpointError(f"{source} is damaged: it is not as it was written.", again)
    return document
