"""`coordinator gather` and `checkpoint import RECIPE` as commands, from a Hub to a signed run and a picture."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.published.document import FileOrigin
from core.published.model_folder import open_model
from core.run.manifest import RunManifest
from core.storage.files import resolve_file
from tests.client.recipes.hub_of_recipes import COMMIT, WEIGHTS, hub_with_recipe
from tests.command_line import COMMAND, idlebrush
from tests.hub.writable_hub import WritableHub
from tests.swarms.tiny_run import MODEL


@pytest.fixture
def made(tmp_path: Path) -> Iterator[tuple[WritableHub, Path]]:
    with hub_with_recipe(tmp_path) as made:
        yield made


@pytest.mark.timeout(900)  # a process of its own is among the commands
def test_a_run_is_made_from_a_recipe(made: tuple[WritableHub, Path], tmp_path: Path) -> None:
    hub, recipe = made
    environment = {**os.environ, "HF_ENDPOINT": hub.address, "HF_HOME": str(tmp_path / "hf")}
    folder, home = tmp_path / "gathered", tmp_path / "home"
    done = idlebrush("coordinator", "gather", recipe, folder, environment=environment)
    assert done.returncode == 0, done.stderr
    assert f"--run {folder / 'draft.toml'}" in done.stdout
    assert f"ada/codes@{COMMIT}" in done.stdout
    # A process of its own, because the library that lists data sets reads the Hub's address when it is loaded.
    init = ["coordinator", "init", str(home), "--run", str(folder / "draft.toml"), "--open"]
    made_run = subprocess.run(
        [*COMMAND, *init], env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert made_run.returncode == 0, made_run.stderr
    manifest = RunManifest.load(home / "run" / "run.toml")
    assert manifest.training.model == MODEL
    for ref in manifest.files:
        resolve_file(ref, home / "run")
    model = tmp_path / "model"
    asked = ("checkpoint", "import", recipe, "--fetched", folder, "--out", model)
    assert idlebrush(*asked, environment=environment).returncode == 0
    done = idlebrush("coordinator", "begin-with", model, "--home", home)
    assert done.returncode == 0, done.stderr
    state = RunManifest.load(home / "run" / "run.toml").state
    assert (state.epoch, state.parameters) == (1, open_model(model).document.parameter_digest)


def test_gathering_again_names_a_changed_draft(made: tuple[WritableHub, Path], tmp_path: Path) -> None:
    hub, recipe = made
    draft = tmp_path / "out" / "draft.toml"
    asked = ("coordinator", "gather", recipe, draft.parent)
    environment = {**os.environ, "HF_ENDPOINT": hub.address}
    assert "was changed" not in idlebrush(*asked, environment=environment).stdout
    draft.write_text(draft.read_text().replace("A tiny run", "My run"))
    recipe.write_text(recipe.read_text().replace("A tiny run", "A newer run"))
    again = idlebrush(*asked, environment=environment)
    assert again.returncode == 0, again.stderr
    assert f"{draft} is the draft of My run" in again.stdout
    assert f"{draft} was changed since it was made, and stays as it is." in again.stdout
    assert f"{draft.with_name('draft.new.toml')} is what the recipe makes now." in again.stdout


def test_published_weights_are_imported_by_the_name_of_a_recipe(
    made: tuple[WritableHub, Path], tmp_path: Path
) -> None:
    hub, recipe = made
    environment = {**os.environ, "HF_ENDPOINT": hub.address}
    model, fetched = tmp_path / "model", tmp_path / "fetched"
    asked = ("checkpoint", "import", recipe, "--out", model, "--fetched", fetched)
    done = idlebrush(*asked, "--json", environment=environment)
    assert done.returncode == 0, done.stderr
    document = open_model(model).document
    assert json.loads(done.stdout)["parameter_digest"] == document.parameter_digest
    commit = hub.repositories[WEIGHTS].branches["main"]
    assert isinstance(document.origin, FileOrigin)
    assert document.origin.name == f"hf://{WEIGHTS}@{commit}/model_state.pt"
    drawn = idlebrush(
        "generate",
        "red heart",
        "-n",
        4,
        "--best",
        2,
        "--checkpoint",
        model,
        "--out",
        tmp_path / "out",
        "--json",
    )
    assert drawn.returncode == 0, drawn.stderr
    best, second = json.loads(drawn.stdout)["pictures"]
    assert all((tmp_path / "out" / picture["file"]).stat().st_size for picture in (best, second))


@pytest.mark.parametrize("option", ["--like", "--tokenizer", "--codec", "--config"])
def test_a_recipe_says_itself_what_options_say(option: str, tmp_path: Path) -> None:
    done = idlebrush("checkpoint", "import", tmp_path / "recipe.toml", option, "x")
    assert (done.returncode, done.stdout) == (2, "")
    assert option in done.stderr


def test_a_file_has_no_folder_of_fetched_files(tmp_path: Path) -> None:
    done = idlebrush("checkpoint", "import", "model_state.pt", "--fetched", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--fetched" in done.stderr
