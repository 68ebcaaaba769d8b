"""Publishes models that draw, in the form of `core.published`."""

from pathlib import Path

from core.errors import GenerationError
from core.model.family.publishing import FamilyPublishing, PublishedModel, TextWriter
from core.published.export import export_drawing_model, export_model, published
from core.published.model_folder import open_model
from core.run.manifest import RunManifest


class DrawingPublishing:
    """The form in which models that draw are published."""

    def export(
        self, checkpoint: Path, manifest: RunManifest, base: Path, out: Path, license_id: str | None
    ) -> PublishedModel:
        """Write the model of a run's checkpoint with all that drawing needs, as `FamilyPublishing.export` says.

        Args:
            checkpoint: Folder of the checkpoint.
            manifest: Manifest of the run.
            base: Folder of the manifest's files.
            out: Folder to write.
            license_id: Licence that the card names; None: the card claims none.
        """
        return published(export_drawing_model(checkpoint, manifest, base, out, license_id))

    def export_again(self, folder: Path, out: Path, license_id: str | None) -> PublishedModel:
        """Write a published model again, as `FamilyPublishing.export_again` says.

        Args:
            folder: Folder of the model.
            out: Folder to write.
            license_id: Licence that the card names; None: the card claims none.
        """
        return published(export_model(folder, out, license_id))

    def verify(self, folder: Path) -> PublishedModel:
        """Check every byte of the published model in ``folder``; raises CheckpointError if one is wrong."""
        found = open_model(folder)
        found.model()
        return published(found.document)

    def writer(self, folder: Path) -> TextWriter:
        """Refuse to write.

        Raises:
            GenerationError: The model in ``folder`` draws.
        """
        raise _draws()

    def writer_of_run(self, checkpoint: Path, manifest: RunManifest, base: Path) -> TextWriter:
        """Refuse to write with a run's ``checkpoint``.

        Raises:
            GenerationError: The model of the ``manifest``, with the files in ``base``, draws.
        """
        raise _draws()


def _draws() -> GenerationError:
    return GenerationError(
        "This model draws pictures, and writes no text.", "Draw with `idlebrush generate`."
    )


PUBLISHING: FamilyPublishing = DrawingPublishing()
"""The form in which models of this family are published."""
