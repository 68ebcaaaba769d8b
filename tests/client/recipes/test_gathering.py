"""A recipe's files are gathered into a folder, with a draft that names them; an interruption changes nothing."""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest
import tomli_w

from client.api.errors import DownloadError
from client.recipes.fetched_folder import DRAFT, NEWER_DRAFT
from client.recipes.gathering import Gathered, gather
from client.recipes.origins import ORIGINS
from client.recipes.recipe import Recipe
from coordinator.draft import Draft
from core.errors import ManifestError
from core.run.training.families import picture_rules
from tests.client.recipes.hub_of_recipes import CODEC, COMMIT, DATA, TEXT, fetching_from, hub_with_recipe
from tests.hub.writable_hub import HubFault, WritableHub
from tests.swarms.tiny_run import MODEL

NOW = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture
def made(tmp_path: Path) -> Iterator[tuple[WritableHub, Path]]:
    with hub_with_recipe(tmp_path) as made:
        yield made


def gathered(made: tuple[WritableHub, Path], folder: Path) -> Gathered:
    hub, recipe = made
    with fetching_from(hub) as fetcher:
        return gather(Recipe.load(str(recipe)), folder, fetcher)


def test_a_draft_has_all_files_beside_it(made: tuple[WritableHub, Path], tmp_path: Path) -> None:
    hub, _ = made
    draft = Draft.load(gathered(made, tmp_path / "out").draft, NOW)
    rules = picture_rules(draft.training)
    assert rules.model == MODEL
    assert rules.data.hub is not None
    assert rules.data.hub.revision == COMMIT
    assert rules.codec.config.path == f"{CODEC}/deep/config.yaml"
    files = hub.repositories[TEXT].commits[hub.repositories[TEXT].branches["main"]]
    assert rules.text.tokenizer.sha256 == sha256(files["deep/tokenizer.json"].content).hexdigest()


def test_origins_name_commits_and_digests(made: tuple[WritableHub, Path], tmp_path: Path) -> None:
    hub, _ = made
    draft = gathered(made, tmp_path / "out").draft
    origins = json.loads((tmp_path / "out" / ORIGINS).read_text())
    commit = hub.repositories[CODEC].branches["main"]
    refs = {ref.path: ref for ref in Draft.load(draft, NOW).training.files}
    weights = refs[f"{CODEC}/deep/vqgan.safetensors"]
    named = f"hf://{CODEC}@{commit}/deep/vqgan.safetensors"
    assert origins["files"][named] == {"size": weights.size, "sha256": weights.sha256}
    assert origins["commits"][f"dataset {DATA}@main"] == COMMIT


def test_a_changed_draft_stays(made: tuple[WritableHub, Path], tmp_path: Path) -> None:
    _, recipe = made
    place = gathered(made, tmp_path / "out").draft
    assert gathered(made, tmp_path / "out") == replace(gathered(made, tmp_path / "out"), is_changed=False)
    changed = place.read_text().replace("A tiny run", "My run")
    place.write_text(changed)
    again = gathered(made, tmp_path / "out")
    assert (again.is_changed, again.newer) == (True, None)
    recipe.write_text(recipe.read_text().replace("A tiny run", "A newer run"))
    again = gathered(made, tmp_path / "out")
    assert (again.is_changed, again.newer) == (True, tmp_path / "out" / NEWER_DRAFT)
    assert place.read_text() == changed
    assert "A newer run" in (tmp_path / "out" / NEWER_DRAFT).read_text()


def test_an_unchanged_draft_follows_the_recipe(made: tuple[WritableHub, Path], tmp_path: Path) -> None:
    _, recipe = made
    gathered(made, tmp_path / "out")
    recipe.write_text(recipe.read_text().replace("A tiny run", "A newer run"))
    again = gathered(made, tmp_path / "out")
    assert not again.is_changed
    assert "A newer run" in again.draft.read_text()


@pytest.mark.parametrize(
    "named", [f"hf://{CODEC}@COMMIT/deep/config.yaml", "hf://Ada/codec@COMMIT/deep/config.yaml"]
)
def test_two_commits_have_no_place_in_common(
    named: str, made: tuple[WritableHub, Path], tmp_path: Path
) -> None:
    hub, recipe = made
    codec = hub.repositories["Ada/codec"] = hub.repositories[CODEC]
    newer = codec.commit("main", codec.commits[codec.branches["main"]], "a second commit")
    hub.repositories[CODEC].branches["main"] = next(iter(codec.commits))
    table = tomllib.loads(recipe.read_text())
    table["contact"]["ranking"]["weights"] = named.replace("COMMIT", newer)
    recipe.write_text(tomli_w.dumps(table))
    with pytest.raises(ManifestError, match=f"cannot hold both .*{CODEC}.* and .*{newer}"):
        gathered(made, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == [ORIGINS]


def test_a_place_is_not_given_to_another_commit_later(made: tuple[WritableHub, Path], tmp_path: Path) -> None:
    hub, recipe = made
    gathered(made, tmp_path / "out")
    codec = hub.repositories[CODEC]
    newer = codec.commit("main", codec.commits[codec.branches["main"]], "a second commit")
    recipe.write_text(recipe.read_text().replace(f"hf://{CODEC}@main", f"hf://{CODEC}@{newer}"))
    with pytest.raises(ManifestError, match="cannot hold both"):
        gathered(made, tmp_path / "out")


def test_a_repository_is_not_put_in_the_place_of_the_draft(
    made: tuple[WritableHub, Path], tmp_path: Path
) -> None:
    _, recipe = made
    recipe.write_text(recipe.read_text().replace(f"hf://{CODEC}@main", f"hf://Draft.toml/x@{'a' * 40}"))
    with pytest.raises(ManifestError, match=r"cannot hold both draft\.toml and hf://Draft\.toml"):
        gathered(made, tmp_path / "out")


def test_an_interrupted_gathering_goes_on_with_the_same_commits(
    made: tuple[WritableHub, Path], tmp_path: Path
) -> None:
    hub, _ = made
    before = hub.repositories[CODEC].branches["main"]
    hub.faults.append(HubFault("/resolve/", 404))
    with pytest.raises(DownloadError):
        gathered(made, tmp_path / "out")
    assert not (tmp_path / "out" / DRAFT).exists()
    hub.repositories[CODEC].commit("main", {}, "everything is gone")
    gathered(made, tmp_path / "out")
    origins = json.loads((tmp_path / "out" / ORIGINS).read_text())
    assert origins["commits"][f"model {CODEC}@main"] == before
    with pytest.raises(DownloadError, match="has no file"):
        gathered(made, tmp_path / "another")


def test_a_folder_of_another_recipe_is_left_alone(made: tuple[WritableHub, Path], tmp_path: Path) -> None:
    hub, recipe = made
    gathered(made, tmp_path / "out")
    other = recipe.with_name("other.toml")
    other.write_bytes(recipe.read_bytes())
    with pytest.raises(ManifestError, match="holds the files of the recipe tiny"):
        gathered((hub, other), tmp_path / "out")
    (tmp_path / "out" / ORIGINS).write_text("{")
    with pytest.raises(ManifestError, match="is damaged"):
        gathered(made, tmp_path / "out")


@pytest.mark.parametrize(
    ("text", "says"), [("title = ", "no recipe in TOML"), (None, "training-transformers-together")]
)
def test_what_is_no_recipe_is_refused(text: str | None, says: str, tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ManifestError) as refusal:
        Recipe.load(str(path))
    assert says in str(refusal.value)


def test_a_recipe_without_weights_says_so(made: tuple[WritableHub, Path]) -> None:
    _, path = made
    tables = tomllib.loads(path.read_text())
    with pytest.raises(ManifestError, match="names no published weights"):
        _ = Recipe("tiny", {"training": tables["training"]}).published
