"""Pictures are drawn by the requested model, the joined run's or a demo's; without any, an error helps."""

import shutil
from pathlib import Path

import pytest
import torch

from client.generation.joined_frames import timelapse_folder
from client.generation.sources import find_source
from client.joining.run_card import RunCard
from client.paths import Paths
from client.service.kept.choices import DaemonState
from core.errors import GenerationError, ManifestError
from core.generation.parts import ModelSource
from core.run.manifest import RunManifest
from core.storage.checkpoint import TrainingState, save
from tests.swarms.drawable_run import save_checkpoint, write_drawable_run
from tests.swarms.text_run import write_text_run

NO_MODEL = Path("no embedded runs")
"""A folder of embedded runs without a shipped model."""


@pytest.fixture
def paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    """Paths of a user who has joined no run and whose working folder is empty."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    paths = Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path / "home")})
    paths.prepare()
    return paths


def joined(paths: Paths, folder: Path) -> None:
    paths.state.write_text(DaemonState(run_folder=folder).model_dump_json())


def demo(folder: Path) -> Path:
    """Write a run and a checkpoint as `idlebrush demo` leaves them, and return the manifest's path."""
    manifest = write_drawable_run(folder / "run")
    save_checkpoint(manifest, folder / "checkpoint")
    return manifest


def found(source: ModelSource) -> tuple[Path, Path]:
    return source.base.resolve(), source.checkpoint.resolve()


def test_the_joined_runs_model_goes_before_a_demos(paths: Paths, tmp_path: Path) -> None:
    demo(Path("demo"))
    assert found(find_source(paths, embedded=NO_MODEL)) == (
        Path("demo/run").resolve(),
        Path("demo/checkpoint").resolve(),
    )
    run = tmp_path / "joined"
    joined(paths, run)
    write_drawable_run(run)
    assert found(find_source(paths, embedded=NO_MODEL))[0] == Path("demo/run").resolve(), (
        "it has learned nothing yet"
    )
    save_checkpoint(run / "run.toml", run / "peer" / "checkpoint")
    assert found(find_source(paths, embedded=NO_MODEL)) == (run, run / "peer" / "checkpoint")


@pytest.mark.parametrize("state", ["", "{", '{"run_folder": 3}'])
def test_without_any_model_it_says_how_to_get_one(paths: Paths, state: str) -> None:
    if state:
        paths.state.write_text(state)
    with pytest.raises(GenerationError, match="No trained model") as refused:
        find_source(paths, embedded=NO_MODEL)
    assert "idlebrush demo" in refused.value.remedy
    assert not state or paths.state.read_text() == state


@pytest.mark.parametrize("given", ["demo", "demo/run", "demo/run/run.toml"])
def test_a_run_is_given_by_its_folder_or_its_manifest(paths: Paths, given: str) -> None:
    demo(Path("demo"))
    source = find_source(paths, Path(given))
    assert found(source) == (Path("demo/run").resolve(), Path("demo/checkpoint").resolve())


def test_the_run_of_a_checkpoint_is_found_around_it(paths: Paths, tmp_path: Path) -> None:
    demo(Path("demo"))
    assert found(find_source(paths, saved=Path("demo/checkpoint")))[0] == Path("demo/run").resolve()
    write_drawable_run(tmp_path / "joined", saved=True)
    saved = tmp_path / "joined" / "peer" / "checkpoint"
    assert found(find_source(paths, saved=saved)) == (tmp_path / "joined", saved)


def test_both_can_be_given(paths: Paths, tmp_path: Path) -> None:
    manifest = write_drawable_run(tmp_path / "run")
    save_checkpoint(manifest, tmp_path / "far" / "far" / "away")
    with pytest.raises(GenerationError, match="is not beside it"):
        find_source(paths, saved=tmp_path / "far" / "far" / "away")
    source = find_source(paths, tmp_path / "run", tmp_path / "far" / "far" / "away")
    assert found(source) == (tmp_path / "run", tmp_path / "far" / "far" / "away")


def test_what_is_no_run_and_what_has_learned_nothing_are_refused(paths: Paths, tmp_path: Path) -> None:
    with pytest.raises(GenerationError, match=r"run.toml is missing"):
        find_source(paths, tmp_path)
    write_drawable_run(tmp_path / "run")
    with pytest.raises(GenerationError, match="no checkpoint yet"):
        find_source(paths, tmp_path / "run")
    (tmp_path / "text").write_text("nothing")
    save_checkpoint(tmp_path / "run" / "run.toml", tmp_path / "checkpoint")
    with pytest.raises(ManifestError):
        find_source(paths, tmp_path / "text", tmp_path / "checkpoint")


@pytest.mark.parametrize("given", ["absent", "demo", "demo/run/run.toml"])
def test_what_is_no_checkpoint_is_called_none(paths: Paths, given: str) -> None:
    demo(Path("demo"))
    with pytest.raises(GenerationError, match=f"no checkpoint and no model in {given}") as refused:
        find_source(paths, saved=Path(given))
    assert "checkpoint import" in refused.value.remedy


def with_shipped_model(folder: Path, epoch: int) -> Path:
    """Write a folder of embedded runs whose model has learned for so many epochs, and return it."""
    save_checkpoint(write_drawable_run(folder), folder / "checkpoint", epoch=epoch)
    return folder


def test_the_shipped_model_draws_until_there_is_another(paths: Paths, tmp_path: Path) -> None:
    embedded = with_shipped_model(tmp_path / "embedded", 200)
    assert found(find_source(paths, embedded=embedded)) == (embedded, embedded / "checkpoint")
    demo(Path("demo"))
    assert found(find_source(paths, embedded=embedded))[0] == Path("demo/run").resolve()


@pytest.mark.parametrize(("own", "leads"), [(None, True), (199, True), (200, False), (201, False)])
def test_the_shipped_model_draws_for_its_run_until_that_has_learned_as_much(
    paths: Paths, tmp_path: Path, own: int | None, leads: bool
) -> None:
    embedded, run = with_shipped_model(tmp_path / "embedded", 200), tmp_path / "run"
    shutil.copytree(embedded, run, ignore=shutil.ignore_patterns("checkpoint"))
    joined(paths, run)
    if own is not None:
        save_checkpoint(run / "run.toml", run / "peer" / "checkpoint", epoch=own)
    expected = embedded / "checkpoint" if leads else run / "peer" / "checkpoint"
    source = find_source(paths, embedded=embedded)
    assert found(source)[1] == expected
    assert source.is_shipped is leads


def test_the_shipped_model_draws_nothing_for_another_run(paths: Paths, tmp_path: Path) -> None:
    embedded = with_shipped_model(tmp_path / "embedded", 200)
    write_drawable_run(tmp_path / "run")
    joined(paths, tmp_path / "run")
    with pytest.raises(GenerationError, match="No trained model"):
        find_source(paths, embedded=embedded)


def save_text_model(folder: Path, saved: str) -> None:
    """Write a text run and a checkpoint of it, which nothing reads, in its subfolder ``saved``."""
    write_text_run(folder)
    parameters = {"none": torch.zeros(1)}
    save(folder / saved, TrainingState("tiny-text", "ab" * 32, 1, parameters, parameters))


def test_runs_of_text_are_passed_over(paths: Paths, tmp_path: Path) -> None:
    embedded = with_shipped_model(tmp_path / "embedded", 200)
    manifest = RunManifest.load(write_text_run(tmp_path / "text"))
    assert not RunCard.of(manifest).makes_pictures
    joined(paths, tmp_path / "text")
    assert found(find_source(paths, embedded=embedded))[1] == embedded / "checkpoint"
    save_text_model(tmp_path / "text", "peer/checkpoint")
    save_text_model(Path("demo"), "checkpoint")
    assert find_source(paths, embedded=embedded).is_shipped
    shutil.rmtree("demo")
    demo(Path("demo"))
    assert found(find_source(paths, embedded=embedded))[1] == Path("demo/checkpoint").resolve()


def test_a_time_lapse_is_found_in_a_run_and_in_a_demo(paths: Paths, tmp_path: Path) -> None:
    with pytest.raises(GenerationError, match="No time-lapse was found in a joined run"):
        timelapse_folder(paths)
    for folder in (Path("demo/timelapse"), tmp_path / "run" / "peer" / "timelapse"):
        folder.mkdir(parents=True)
        (folder / "index.json").write_text("{}")
    assert timelapse_folder(paths) == Path("demo/timelapse")
    joined(paths, tmp_path / "run")
    assert timelapse_folder(paths) == tmp_path / "run" / "peer" / "timelapse"
    assert timelapse_folder(paths, Path("demo")) == Path("demo/timelapse")
    with pytest.raises(GenerationError, match="No time-lapse was found in nowhere"):
        timelapse_folder(paths, Path("nowhere"))
