"""Publishing: a model's folder with its card, from a run's checkpoint or from another model's folder."""

from functools import partial
from pathlib import Path

from core.errors import CheckpointError
from core.model.family.publishing import FamilyPublishing, PublishedModel
from core.published.card import model_card
from core.published.document import ModelDocument, RunOrigin
from core.published.family_document import has_document, read_document
from core.published.model import CodecFiles, Model, TokenizerFile, parameter_shapes
from core.published.model_folder import is_model, open_model
from core.published.writing import write_model
from core.run.contact import ScorerRanking
from core.run.describe import parameter_count
from core.run.manifest import RunManifest
from core.run.training.families import TEXT_TO_IMAGE, picture_rules, publishing_of
from core.storage.checkpoint import load_weights
from core.storage.files import resolve_file


def published_form(folder: Path) -> FamilyPublishing | None:
    """Return the form of the published model in ``folder``; None if there is none, such as in a checkpoint's.

    Raises:
        CheckpointError: What describes the model is damaged, or this version knows no such form.
    """
    if is_model(folder):
        return publishing_of(TEXT_TO_IMAGE)
    if not has_document(folder):
        return None
    kind = read_document(folder).kind
    try:
        return publishing_of(kind)
    except (ValueError, ImportError) as error:
        raise CheckpointError(f"The model in {folder} is of an unknown kind.", "Update Idlebrush.") from error


def published(document: ModelDocument) -> PublishedModel:
    """Return what the folder of the model that ``document`` describes holds."""
    return PublishedModel(
        parameter_count(document.model),
        document.model.depth,
        document.parameter_digest,
        document.model_dump(mode="json"),
    )


def export_model(folder: Path, out: Path, license_id: str | None = None) -> ModelDocument:
    """Write a published model again, with a card, and return its document.

    Raises the errors of `open_model` and of `write_model`.

    Args:
        folder: Folder of the model.
        out: Folder to write.
        license_id: Licence that the card names, by the Hub's identifier; None: the card claims none.
    """
    return write_model(out, open_model(folder).model(), partial(model_card, license_id=license_id))


def export_checkpoint(
    checkpoint: Path, manifest: RunManifest, base: Path, out: Path, license_id: str | None = None
) -> PublishedModel:
    """Write the model of a run's checkpoint as a folder to publish, in the form of its family, with a card.

    Args:
        checkpoint: Folder of the checkpoint.
        manifest: Manifest of the run.
        base: Folder of the manifest's files.
        out: Folder to write.
        license_id: Licence that the card names, by the Hub's identifier; None: the card claims none.

    Raises:
        CheckpointError: the checkpoint is unsound or of another run, its model cannot be published, or the
            folder cannot be written.
        ManifestError: a file of the run is missing, or not the run's.
    """
    if why := manifest.training.unpublishable:
        raise CheckpointError(
            f"This model cannot be exported: {why}.",
            "Share the checkpoint's folder together with the run's manifest.",
        )
    return publishing_of(manifest.training.kind).export(checkpoint, manifest, base, out, license_id)


def export_drawing_model(
    checkpoint: Path, manifest: RunManifest, base: Path, out: Path, license_id: str | None = None
) -> ModelDocument:
    """Write the model of a checkpoint, with its run's tokenizer, codec and ranker and a card.

    Args:
        checkpoint: Folder of the checkpoint.
        manifest: Manifest of the run, whose model draws.
        base: Folder of the manifest's files.
        out: Folder to write.
        license_id: Licence that the card names, by the Hub's identifier; None: the card claims none.

    Raises:
        CheckpointError: the checkpoint is unsound or of another run, or `write_model` cannot write.
        ManifestError: a file of the run is missing, or not the run's.
    """
    training, ranking = picture_rules(manifest.training), manifest.contact.ranking
    weights = load_weights(checkpoint, parameter_shapes(training.model))
    if weights.training_digest != manifest.training_digest:
        raise CheckpointError(
            f"The checkpoint in {checkpoint} belongs to another run ({weights.run}).",
            "Give that run's manifest with --run.",
        )
    model = Model(
        training.model,
        weights.parameters,
        RunOrigin(
            run=training.name,
            training_digest=manifest.training_digest,
            epoch=weights.epoch,
            data=training.data.hub.repo if training.data.hub else None,
        ),
        TokenizerFile(
            resolve_file(training.text.tokenizer, base), training.text.eos_id, training.text.pad_id
        ),
        CodecFiles(resolve_file(training.codec.config, base), resolve_file(training.codec.weights, base)),
        resolve_file(ranking.weights, base) if isinstance(ranking, ScorerRanking) else ranking,
        training.data.usual_guidance,
    )
    return write_model(out, model, partial(model_card, license_id=license_id))
