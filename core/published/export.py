"""Publishing: a model's folder with its card, from a run's checkpoint or from another model's folder."""

from functools import partial
from pathlib import Path

from core.errors import CheckpointError
from core.published.card import model_card
from core.published.document import ModelDocument, RunOrigin
from core.published.model import CodecFiles, Model, TokenizerFile, parameter_shapes
from core.published.model_folder import open_model
from core.published.writing import write_model
from core.run.contact import ScorerRanking
from core.run.manifest import RunManifest
from core.storage.checkpoint import load_weights
from core.storage.files import resolve_file


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
) -> ModelDocument:
    """Write the model of a run's checkpoint, with the run's tokenizer, codec and ranker and a card.

    Args:
        checkpoint: Folder of the checkpoint.
        manifest: Manifest of the run.
        base: Folder of the manifest's files.
        out: Folder to write.
        license_id: Licence that the card names, by the Hub's identifier; None: the card claims none.

    Raises:
        CheckpointError: the checkpoint is unsound or of another run, or `write_model` cannot write.
        ManifestError: a file of the run is missing, or not the run's.
    """
    training, ranking = manifest.training, manifest.contact.ranking
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
    )
    return write_model(out, model, partial(model_card, license_id=license_id))
