"""Pictures in a notebook, by each kind of model that it may be given."""

from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from client.notebook.cells import NotebookError
from client.notebook.pictures import draw_pictures
from client.notebook.published import fetch_model
from client.paths import HOME_VARIABLE
from core.published.export import export_checkpoint
from core.run.manifest import RunManifest
from tests.hub.writable_hub import writable_hub
from tests.notebooks.drawn_cells import DrawnCells
from tests.swarms.drawable_run import write_drawable_run

REPOSITORY = "mia/painter"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run's folder, with a checkpoint of epoch 7."""
    return write_drawable_run(tmp_path_factory.mktemp("run"), saved=True).parent


@pytest.fixture(scope="module")
def published(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the model that was published of that checkpoint."""
    folder = tmp_path_factory.mktemp("published") / "model"
    export_checkpoint(run / "peer" / "checkpoint", RunManifest.load(run / "run.toml"), run, folder)
    return folder


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def cell() -> DrawnCells:
    return DrawnCells()


def test_each_kind_of_folder_draws_the_same_and_all_is_saved_and_shown(
    run: Path, published: Path, tmp_path: Path, cell: DrawnCells
) -> None:
    seen = []
    for number, model in enumerate((run, run / "run.toml", run / "peer" / "checkpoint", published)):
        out = tmp_path / str(number)
        album = draw_pictures("red heart", 2, model=str(model), seed=5, out=str(out), screen=cell)
        assert album.epoch == 7
        assert [picture.number for picture in album.pictures] == [0, 1]
        seen.append([Image.open(out / picture.file).tobytes() for picture in album.pictures])
        page = cell.pages[-1]
        assert page.html.count("data:image/png;base64,") == 2
        assert f"seed 5. Saved in {out}." in page.text
    assert seen[1:] == seen[:-1]


def test_a_model_on_the_hub_is_fetched_once_and_draws(
    published: Path, home: Path, tmp_path: Path, cell: DrawnCells, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        path.relative_to(published).as_posix(): path.read_bytes()
        for path in published.rglob("*")
        if path.is_file()
    }
    with writable_hub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        hub.make(REPOSITORY, {**files, "other.bin": b"not ours"})
        album = draw_pictures("red heart", 1, model=REPOSITORY, out=str(tmp_path / "drawn"), screen=cell)
        assert album.epoch == 7
        assert f"{REPOSITORY} from the Hub: " in cell.text
        full = partial(fetch_model, REPOSITORY, tmp_path / "full", hub.address, cell)
        with pytest.raises(NotebookError, match="and 1 GiB are free on the disk: less than 1 GiB would stay"):
            full(free=lambda _: 1 << 30)
        assert {path.name for path in (tmp_path / "full").rglob("*.safetensors")} == set()
        assert not list(home.rglob("other.bin")), "only what the model names"
        hub.make("mia/notes", {"README.md": b"no model"})
        with pytest.raises(NotebookError, match=r"mia/notes has no model\.json"):
            draw_pictures("red heart", 1, model="mia/notes", screen=cell)
        hub.make("mia/large", {**files, "tokenizer.json": b" " * 100_000})
        with pytest.raises(NotebookError, match=r"tokenizer\.json of mia/large has"):
            draw_pictures("red heart", 1, model="mia/large", screen=cell)
        with pytest.raises(NotebookError, match="mia/none cannot be fetched"):
            draw_pictures("red heart", 1, model="mia/none", screen=cell)


@pytest.mark.parametrize(
    ("model", "words"),
    [("nowhere", "no folder nowhere"), ("./a/b", r"no folder \./a/b"), (".", r"no run in \.")],
)
def test_what_is_no_model_says_why(
    model: str, words: str, cell: DrawnCells, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotebookError, match=words):
        draw_pictures("red heart", 1, model=model, screen=cell)


def test_without_a_model_the_one_that_is_shipped_draws(cell: DrawnCells, tmp_path: Path) -> None:
    album = draw_pictures("a red heart", 1, seed=3, out=str(tmp_path / "drawn"), screen=cell)
    assert album.is_shipped
    assert "By the model that comes with Idlebrush" in cell.pages[-1].text
