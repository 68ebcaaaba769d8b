"""Finds and loads what an evaluation draws and judges with: a model, and the codec, tokenizer and ranker of its run.

A published model has a codec and a ranker of its own, which may be older than its run's. The training pictures are
seen by the run's, so the drawings have to be as well: embeddings of two rankers cannot be compared.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from client.generation.sources import find_model, find_source
from client.paths import Paths
from core.errors import GenerationError, RankingError
from core.generation.parts import DrawingDevice, DrawingParts, ModelSource, complete, load_parts
from core.model.config import ModelConfig
from core.published.document import RunOrigin
from core.published.model_folder import ModelFolder, origin_of
from core.ranking.arrival import Arrived
from core.run.contact import ClipRanking
from core.run.training.data_rules import TextRules
from core.run.training.families import picture_rules
from core.text import CaptionTokenizer


@dataclass(frozen=True)
class EvaluatedSource:
    """The run whose pictures are looked at, and the model that draws: the run's own, or a published one."""

    run: ModelSource
    model: ModelSource | ModelFolder

    @property
    def ranker_name(self) -> str:
        """Name of the run's ranker, for people."""
        ranking = self.run.manifest.contact.ranking
        if isinstance(ranking, ClipRanking):
            return f"{ranking.repo} at {ranking.revision[:8]}"
        return "the scorer of the run"


def find_evaluated(paths: Paths, run: Path | None, saved: Path | None) -> EvaluatedSource:
    """Return the model that is evaluated and its run; nothing large is read.

    Args:
        paths: The user's folders.
        run: Folder or manifest of the run; None: the joined run, or a demo's.
        saved: Folder of the checkpoint or published model; None: the run's newest checkpoint.

    Raises:
        GenerationError: there is none, or the model does not fit the run.
        ManifestError: the run makes no pictures.
        RankingError: the run names no ranker.
    """
    model = find_model(paths, run, saved)
    source = model if isinstance(model, ModelSource) else find_source(paths, run)
    if isinstance(model, ModelFolder):
        _require_fitting(model, source)
    picture_rules(source.manifest.training)
    if source.manifest.contact.ranking is None:
        raise RankingError(
            "An evaluation compares pictures and texts by the run's ranker. The run names no ranker.",
            "Evaluate a run whose manifest names a ranker; the command `idlebrush generate` draws without one.",
        )
    return EvaluatedSource(source, model)


def load_evaluated(
    source: EvaluatedSource, tokenizer: CaptionTokenizer, place: DrawingDevice, arrived: Arrived
) -> DrawingParts:
    """Load the model, and codec and ranker of the run; CoreError if one is missing, damaged or of another run.

    Args:
        source: The model and its run.
        tokenizer: The run's tokenizer.
        place: Device and precision to compute in.
        arrived: Called with the progress of the ranker's download.
    """
    run, model = source.run, source.model
    if isinstance(model, ModelSource):
        return load_parts(model, tokenizer, place, arrived)
    transformer = model.transformer().requires_grad_(False)
    transformer.compute_in(place.precision)
    transformer.to(place.device)
    origin = origin_of(model.document)
    parts = complete(transformer, origin, run.manifest, run.base, tokenizer, place.room, arrived)
    return replace(parts, usual_guidance=model.usual_guidance)


def _require_fitting(model: ModelFolder, run: ModelSource) -> None:
    """Raise GenerationError if a published model is not of the run, or reads or draws otherwise than it."""
    name, origin = run.manifest.training.name, model.document.origin
    if isinstance(origin, RunOrigin) and origin.training_digest != run.manifest.training_digest:
        raise GenerationError(
            f"The model in {model.path} is of another run than {name}.",
            "Give the run whose data it learned from: its training pictures are looked at.",
        )
    if others := ", ".join(_differences(model, run)):
        raise GenerationError(
            f"The model in {model.path} has another {others} than the run {name}.",
            "Give the run whose data it learned from: its captions and codes mean the same to both then.",
        )


def _differences(model: ModelFolder, run: ModelSource) -> Iterator[str]:
    rules, document = picture_rules(run.manifest.training), model.document
    if _drawing(model.config) != _drawing(rules.model):
        yield "size or architecture"
    if document.text is not None and _reading(document.text) != _reading(rules.text):
        yield "tokenizer"
    if document.codec is not None and document.codec.weights.sha256 != rules.codec.weights.sha256:
        yield "image codec"


def _drawing(config: ModelConfig) -> ModelConfig:
    """Return all of a model's sizes but those that matter to training alone."""
    return config.model_copy(update={"image_loss_weight": 1.0})


def _reading(text: TextRules) -> TextRules:
    """Return how captions become tokens, whatever the place of the tokenizer's file."""
    return text.model_copy(update={"tokenizer": text.tokenizer.model_copy(update={"path": "tokenizer.json"})})
