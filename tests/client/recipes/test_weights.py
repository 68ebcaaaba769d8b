"""The published weights of a recipe are imported with their ranker, without its data, and beside a changed draft."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import tomli_w

from client.recipes.fetched_folder import DRAFT
from client.recipes.gathering import gather
from client.recipes.origins import ORIGINS
from client.recipes.recipe import Recipe
from client.recipes.weights import import_published
from core.errors import ManifestError
from core.published.document import FileOrigin, ModelDocument
from core.run.contact import ClipRanking, ScorerRanking
from core.run.training.data_rules import USUAL_GUIDANCE
from tests.client.recipes.hub_of_recipes import DATA, WEIGHTS, fetching_from, hub_with_recipe
from tests.hub.hub_store import Blob
from tests.hub.writable_hub import HubFault, WritableHub
from tests.swarms.tiny_run import MODEL


@pytest.fixture
def made(tmp_path: Path) -> Iterator[tuple[WritableHub, Path]]:
    with hub_with_recipe(tmp_path) as made:
        yield made


def imported(made: tuple[WritableHub, Path], folder: Path) -> ModelDocument:
    hub, recipe = made
    with fetching_from(hub) as fetcher:
        return import_published(Recipe.load(str(recipe)), folder / "fetched", folder / "model", fetcher)


def test_a_model_is_imported_where_the_data_set_cannot_be_had(
    made: tuple[WritableHub, Path], tmp_path: Path
) -> None:
    hub, _ = made
    del hub.repositories[DATA]
    document = imported(made, tmp_path)
    assert document.model == MODEL
    assert isinstance(document.ranking, ScorerRanking)
    assert (tmp_path / "model" / document.ranking.weights.path).is_file()
    assert document.usual_guidance == 1.0
    assert not (tmp_path / "fetched" / DRAFT).exists()


def test_a_ranker_of_the_hub_and_guidance_are_those_of_the_recipe(
    made: tuple[WritableHub, Path], tmp_path: Path
) -> None:
    _, recipe = made
    table = tomllib.loads(recipe.read_text())
    table["contact"]["ranking"] = {"kind": "clip"}
    table["training"]["data"]["caption_dropout"] = 0.1
    recipe.write_text(tomli_w.dumps(table))
    document = imported(made, tmp_path)
    assert (document.ranking, document.usual_guidance) == (ClipRanking(), USUAL_GUIDANCE)


def test_the_draft_beside_it_stays(made: tuple[WritableHub, Path], tmp_path: Path) -> None:
    hub, recipe = made
    with fetching_from(hub) as fetcher:
        draft = gather(Recipe.load(str(recipe)), tmp_path / "fetched", fetcher).draft
    draft.write_text("# mine\n")
    hub.repositories[DATA].branches.clear()
    imported(made, tmp_path)
    assert draft.read_text() == "# mine\n"


def test_an_interrupted_import_goes_on_with_the_same_weights(
    made: tuple[WritableHub, Path], tmp_path: Path
) -> None:
    hub, _ = made
    before = hub.repositories[WEIGHTS].branches["main"]
    hub.faults.append(HubFault(f"{WEIGHTS}/resolve/", 404))
    with pytest.raises(Exception, match=WEIGHTS):
        imported(made, tmp_path)
    hub.repositories[WEIGHTS].commit("main", {"model_state.pt": Blob(b"other", large=True)}, "other weights")
    origin = imported(made, tmp_path).origin
    named = f"hf://{WEIGHTS}@{before}/model_state.pt"
    assert isinstance(origin, FileOrigin)
    assert origin.name == named
    origins = json.loads((tmp_path / "fetched" / ORIGINS).read_text())
    assert origins["files"][named]["sha256"] == origin.sha256
    assert len(origins["files"]) == 5


@pytest.mark.parametrize(
    ("training", "says"),
    [
        ({"model": {"kind": "causal-lm"}}, "makes no pictures"),
        ({"model": {"dim": 0}}, "The recipe tiny: model.dim"),
    ],
)
def test_a_recipe_that_draws_nothing_is_refused(
    training: dict[str, object], says: str, made: tuple[WritableHub, Path], tmp_path: Path
) -> None:
    _, recipe = made
    table = tomllib.loads(recipe.read_text())
    recipe.write_text(tomli_w.dumps({**table, "training": {**table["training"], **training}}))
    with pytest.raises(ManifestError, match=says):
        imported(made, tmp_path)
