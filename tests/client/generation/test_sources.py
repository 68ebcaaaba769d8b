"""Pictures are drawn by the requested model, the joined run's or a demo's; without any, an error helps."""

from pathlib import Path

import pytest

from client.generation.sources import find_source
from client.paths import Paths
from client.service.kept.choices import DaemonState
from core.errors import GenerationError, ManifestError
from core.generation.parts import ModelSource
from tests.swarms.drawable_run import save_checkpoint, write_drawable_run


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
    assert found(find_source(paths)) == (Path("demo/run").resolve(), Path("demo/checkpoint").resolve())
    run = tmp_path / "joined"
    joined(paths, run)
    write_drawable_run(run)
    assert found(find_source(paths))[0] == Path("demo/run").resolve(), "it has learned nothing yet"
    save_checkpoint(run / "run.toml", run / "peer" / "checkpoint")
    assert found(find_source(paths)) == (run, run / "peer" / "checkpoint")


@pytest.mark.parametrize("state", ["", "{", '{"run_folder": 3}'])
def test_without_any_model_it_says_how_to_get_one(paths: Paths, state: str) -> None:
    if state:
        paths.state.write_text(state)
    with pytest.raises(GenerationError, match="No trained model") as refused:
        find_source(paths)
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
