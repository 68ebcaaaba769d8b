"""The runs that are shipped with the program, and a trained model of the first. Imports nothing heavy."""

from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import as_file, files
from pathlib import Path

from core.errors import CheckpointError
from core.storage.checkpoint_document import Document, read_document


class EmbeddedSet(StrEnum):
    """The runs that are shipped: a first one of distinct pictures, one of all of them, and one of text."""

    STARTER = "starter"
    ALL = "all"
    TEXT = "text"


NAMES = {
    "embedded": EmbeddedSet.STARTER,
    "embedded-all": EmbeddedSet.ALL,
    "embedded-text": EmbeddedSet.TEXT,
}
"""Names by which volunteers call them."""
MANIFESTS = {
    EmbeddedSet.STARTER: "run.toml",
    EmbeddedSet.ALL: "run-all.toml",
    EmbeddedSet.TEXT: "text/run.toml",
}
"""Manifests in the folder of the embedded runs; the files of a run lie beside its manifest."""


def embedded_run() -> Path:
    """Return the folder of the run that is shipped with the program."""
    with as_file(files("assets") / "embedded") as folder:
        return folder


@dataclass(frozen=True)
class ShippedModel:
    """A trained model of the starter run, with which one can draw before one's own has learned as much."""

    checkpoint: Path
    digest: str
    """Digest of the run's training part."""
    epoch: int

    def leads(self, digest: str, own: int | None) -> bool:
        """Return True if it has learned more than the own model of the run with that ``digest``.

        ``own`` is the epoch of the own model; None: there is none.
        """
        return digest == self.digest and (own is None or own < self.epoch)


def shipped_model(run: Path | None = None) -> ShippedModel | None:
    """Return the model that is shipped with the starter run; None if there is none, as in a run that was just made.

    ``run`` is the folder of the embedded runs; None: the program's own.
    """
    folder = (run or embedded_run()) / "checkpoint"
    found = _document_of(folder)
    return None if found is None else ShippedModel(folder, found.training_digest, found.epoch)


def lent_model(demo: Path) -> Path:
    """Return the folder, for `shipped_model`, of the shipped model's copy that may draw for the run of a ``demo``."""
    return demo / "shipped"


def saved_epoch(checkpoint: Path) -> int | None:
    """Return the epoch of a ``checkpoint``; None if there is none.

    Raises:
        CheckpointError: it is damaged, or of a newer format.
    """
    found = _document_of(checkpoint)
    return None if found is None else found.epoch


def _document_of(checkpoint: Path) -> Document | None:
    try:
        return read_document(checkpoint)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise CheckpointError(
            f"The checkpoint in {checkpoint} cannot be read: {error}.",
            "Remove the folder, or restore its files.",
        ) from error
