"""Imports the published weights of a recipe's model, with all that it takes to draw with them, fetched by name."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from client.recipes.fetched_folder import fetched_folder
from client.recipes.hub_fetcher import HubFetcher
from client.recipes.hub_file import RepoKind
from client.recipes.recipe import NamedPlace, Recipe
from core.errors import ManifestError
from core.model.config import ModelConfig
from core.published.document import ModelDocument
from core.published.importing import import_model
from core.published.model import CodecFiles, TokenizerFile
from core.run.contact import ClipRanking, Ranking
from core.run.fields import Rules
from core.run.training.data_rules import CaptionDropout, CodecRules, TextRules, usual_guidance
from core.run.training.families import TEXT_TO_IMAGE, kind_of, without_usual_kind
from core.run.validation import in_words
from core.storage.files import FileRef


class RecipeDrawing(Rules):
    """A recipe's rules of drawing: the model, its tokenizer and codec, and the ranker of its pictures."""

    model: ModelConfig
    text: TextRules
    codec: CodecRules
    ranking: Ranking | None = None
    caption_dropout: CaptionDropout = 0.0


def import_published(recipe: Recipe, fetched: Path, out: Path, fetcher: HubFetcher) -> ModelDocument:
    """Fetch a recipe's published weights and all that draws with them, and write a model's folder.

    The recipe's data are not asked for, and no draft is written.

    Args:
        recipe: Recipe that names the weights.
        fetched: Folder for what is fetched, such as the one that `client.recipes.gathering.gather` left; it stays.
        out: Folder to write.
        fetcher: Fetches the files.

    Raises:
        ManifestError: the recipe names no weights, or no run of pictures, or ``fetched`` cannot be written.
        DownloadError: a file cannot be had, or is another one than the recipe says.
        CheckpointError: the weights are unsafe, damaged or not of the recipe's model, or ``out`` cannot be written.
        TextError: the tokenizer cannot be used.
        CodecError: the codec cannot be used.
        RankingError: the scorer cannot be used.
        OSError: the disk cannot be read or written.
    """
    recipe, published = recipe.copied(), recipe.published
    _require_pictures(recipe)
    with fetched_folder(recipe.name, fetched, fetcher) as folder:
        for source in recipe.sources():
            if source.kind is RepoKind.MODEL:
                folder.pin(source)
        places = list(recipe.drawing_places())
        *files, weights = folder.fetch([*(place.file for place in places), published])
    drawing = _drawing(recipe, places, [file.below(fetched) for file in files])
    text, codec, ranking = drawing.text, drawing.codec, drawing.ranking
    return import_model(
        weights.place,
        out,
        like=drawing.model,
        tokenizer=TokenizerFile(fetched / text.tokenizer.path, text.eos_id, text.pad_id),
        codec=CodecFiles(fetched / codec.config.path, fetched / codec.weights.path),
        ranker=ranking if isinstance(ranking, ClipRanking | None) else fetched / ranking.weights.path,
        guidance=usual_guidance(drawing.caption_dropout),
        name=str(weights.source),
    )


def _require_pictures(recipe: Recipe) -> None:
    training = recipe.table.get("training")
    if not isinstance(training, dict) or kind_of(training) != TEXT_TO_IMAGE:
        raise ManifestError(
            f"The model of the recipe {recipe.name} makes no pictures: it is of the kind {kind_of(training)}.",
            "Choose a recipe whose model draws.",
        )


def _drawing(recipe: Recipe, places: Sequence[NamedPlace], files: Sequence[FileRef]) -> RecipeDrawing:
    """Return what a recipe says of drawing, with files in the places of their names."""
    for place, file in zip(places, files, strict=True):
        place.parent[place.key] = file.model_dump()
    training, contact = without_usual_kind(recipe.table["training"]), _table(recipe.table.get("contact"))
    table: dict[str, Any] = {name: training.get(name) for name in ("model", "text", "codec")}
    table["caption_dropout"] = _table(training.get("data")).get("caption_dropout", 0.0)
    table["ranking"] = contact.get("ranking")
    try:
        return RecipeDrawing.model_validate_json(json.dumps(table, default=str))
    except ValidationError as error:
        raise ManifestError(
            f"The recipe {recipe.name}: {in_words(error)}.",
            "Correct it; docs/coordinator.md shows what a run is made of.",
        ) from error


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
