"""The interface by which models of a family are published, read back, and used to write."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from core.run.manifest import RunManifest


@dataclass(frozen=True)
class PublishedModel:
    """A summary of a published model's folder."""

    parameters: int
    layers: int
    parameter_digest: str
    """Digest by `core.digest`: equal for equal parameters in any file."""
    description: Mapping[str, Any]
    """Sizes and origin of the model, as values of JSON."""


@dataclass(frozen=True)
class WritingChoices:
    """Choices of a user about a text that a model writes."""

    tokens: int
    """Tokens that follow the prompt, at most."""
    temperature: float
    """Sharpness of the choice of a token; lower values give more predictable texts."""
    top_k: int
    """Number of the likeliest tokens among which one is chosen."""
    seed: int
    """Seed of the choices: the same one writes the same text."""


class TextWriter(Protocol):
    """A model that continues prompts."""

    def room(self, prompt: str, tokens: int) -> int:
        """Return how many tokens can follow a ``prompt``, up to ``tokens``; raises CoreError as `write` does."""

    def write(self, prompt: str, choices: WritingChoices) -> str:
        """Return what follows a ``prompt``, by the ``choices``; raises CoreError if the prompt cannot be read."""


class FamilyPublishing(Protocol):
    """The form in which models of a family are published."""

    def export(
        self, checkpoint: Path, manifest: "RunManifest", base: Path, out: Path, license_id: str | None
    ) -> PublishedModel:
        """Write the model of a run's checkpoint as a folder to publish.

        Args:
            checkpoint: Folder of the checkpoint.
            manifest: Manifest of the run.
            base: Folder of the manifest's files.
            out: Folder to write.
            license_id: Licence that the card names, by the Hub's identifier; None: the card claims none.

        Raises:
            CheckpointError: The checkpoint is unsound or of another run, or the folder cannot be written.
            ManifestError: A file of the run is missing, or not the run's.
        """

    def export_again(self, folder: Path, out: Path, license_id: str | None) -> PublishedModel:
        """Write a published model again, with a card.

        Args:
            folder: Folder of the model.
            out: Folder to write.
            license_id: Licence that the card names, by the Hub's identifier; None: the card claims none.

        Raises:
            CheckpointError: The model is unsound, or the folder cannot be written.
        """

    def verify(self, folder: Path) -> PublishedModel:
        """Check every byte of the published model in ``folder``; raises CoreError if one is wrong."""

    def writer(self, folder: Path) -> TextWriter:
        """Return what writes with the model in ``folder``; raises CoreError if it makes no texts, or is unsound."""

    def writer_of_run(self, checkpoint: Path, manifest: "RunManifest", base: Path) -> TextWriter:
        """Return what writes with the model of a run's checkpoint.

        Args:
            checkpoint: Folder of the checkpoint.
            manifest: Manifest of the run.
            base: Folder of the manifest's files.

        Raises:
            CoreError: It makes no texts, or is unsound.
        """
