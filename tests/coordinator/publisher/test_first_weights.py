"""A new run begins with the weights of a published model, and no other run does."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from coordinator.database.tables import Epoch
from coordinator.errors import HomeError
from coordinator.gate.audit import entries
from coordinator.home import Home
from coordinator.opened import OpenedRun, opened
from coordinator.publisher.first_weights import ACTION, EPOCH, begin_with
from core.errors import MisfitError
from core.model.transformer import Transformer
from core.published.document import FileOrigin
from core.published.model import Model
from core.published.writing import write_model
from core.run.manifest import RunManifest
from core.swarm.state.beginning import Beginning
from core.swarm.state.state import PARAMETERS, under
from tests.coordinator.homes import copied_home
from tests.coordinator.publisher.states import NOW, ProcessKilled, RunStore
from tests.swarms.tiny_run import MODEL

ORIGIN = FileOrigin(name="hf://ada/cats@main/model.pt", sha256="ab" * 32)


def write_weights(folder: Path, seed: int = 5) -> Path:
    """Write a published model of the tiny run's sizes."""
    parameters = dict(Transformer(MODEL, torch.Generator().manual_seed(seed)).state_dict())
    write_model(folder, Model(MODEL, parameters, ORIGIN))
    return folder


@pytest.fixture
def run(tmp_path: Path, made_home: Home) -> Iterator[OpenedRun]:
    with opened(copied_home(made_home, tmp_path), {}) as found:
        yield found


def test_the_run_begins_with_the_weights(run: OpenedRun, tmp_path: Path) -> None:
    newer = begin_with(run, write_weights(tmp_path / "model"), by="ada", clock=lambda: NOW)
    assert RunManifest.load(run.home.manifest) == newer
    archive = RunStore(run.home, run.database).archive()
    kept = archive.beginning()
    assert kept is not None
    assert (newer.state.generation, kept.epoch, kept.parameters) == (1, EPOCH, newer.state.parameters)
    state = archive.state(kept)
    assert Beginning.of(newer).is_named(state)
    expected = Transformer(MODEL, torch.Generator().manual_seed(5)).state_dict()
    found = under(PARAMETERS, state.tensors)
    assert found.keys() == expected.keys()
    assert all(torch.equal(found[name], tensor) for name, tensor in expected.items())
    with run.database.reading() as session:
        (entry,) = (entry for entry in entries(session) if entry.action == ACTION)
    assert (entry.actor, entry.subject) == ("ada", ORIGIN.name)


class KilledHome(Home):
    """A home whose process is killed before it rewrites the manifest."""

    def rewriting(self) -> None:  # type: ignore[override]
        raise ProcessKilled


def begin_and_be_killed(run: OpenedRun, model: Path) -> None:
    before = run.home.manifest.read_bytes()
    with pytest.raises(ProcessKilled):
        begin_with(replace(run, home=KilledHome(run.home.root)), model, by="ada")
    assert run.home.manifest.read_bytes() == before


@pytest.mark.parametrize("seed", [5, 6], ids=["the same model", "another"])
def test_after_an_interruption_it_begins_with_either_model(seed: int, run: OpenedRun, tmp_path: Path) -> None:
    begin_and_be_killed(run, write_weights(tmp_path / "model", seed=5))
    newer = begin_with(run, write_weights(tmp_path / "next", seed=seed), by="ada")
    archive = RunStore(run.home, run.database).archive()
    assert [(item.epoch, item.parameters) for item in archive.kept()] == [(EPOCH, newer.state.parameters)]
    assert Beginning.of(newer).is_named(archive.state(archive.kept()[0]))


def test_an_interrupted_beginning_is_not_served(run: OpenedRun, tmp_path: Path) -> None:
    begin_and_be_killed(run, write_weights(tmp_path / "model"))
    archive = RunStore(run.home, run.database).archive()
    assert archive.newest() is None
    archive.clear_up()  # as each start of the publisher does
    assert archive.kept() == []
    assert list(run.home.checkpoints.iterdir()) == []


def test_a_trained_run_with_an_older_manifest_keeps_its_checkpoints(run: OpenedRun, tmp_path: Path) -> None:
    before = run.home.manifest.read_bytes()
    begin_with(run, write_weights(tmp_path / "model"), by="ada")
    with run.database.session() as session:
        session.add(Epoch(generation=1, epoch=2, time=NOW, samples=1, peers=1, seconds=1.0, root="ab" * 32))
    run.home.manifest.write_bytes(before)
    archive = RunStore(run.home, run.database).archive()
    archive.clear_up()
    assert [item.epoch for item in archive.kept()] == [EPOCH]


def test_a_run_that_has_begun_keeps_its_weights(run: OpenedRun, tmp_path: Path) -> None:
    model = write_weights(tmp_path / "model")
    begin_with(run, model, by="ada")
    with pytest.raises(HomeError, match="has begun already"):
        begin_with(run, model, by="ada")
    with opened(run.home, {}) as again, pytest.raises(HomeError, match="has begun already"):
        begin_with(again, model, by="ada")


def test_a_trained_run_keeps_its_weights(run: OpenedRun, tmp_path: Path) -> None:
    with run.database.session() as session:
        session.add(Epoch(generation=0, epoch=1, time=NOW, samples=1, peers=1, seconds=1.0, root="ab" * 32))
    with pytest.raises(HomeError, match="has begun already"):
        begin_with(run, write_weights(tmp_path / "model"), by="ada")


def test_a_served_run_is_left_alone(run: OpenedRun, tmp_path: Path) -> None:
    with run.home.locked(), pytest.raises(HomeError, match="Another coordinator serves"):
        begin_with(run, write_weights(tmp_path / "model"), by="ada")


def test_a_model_of_other_sizes_is_refused(run: OpenedRun, tmp_path: Path) -> None:
    other = MODEL.model_copy(update={"depth": 2})
    write_model(tmp_path / "model", Model(other, dict(Transformer(other).state_dict()), ORIGIN))
    with pytest.raises(MisfitError, match="depth = 2, but the run's has 3"):
        begin_with(run, tmp_path / "model", by="ada")
    assert RunManifest.load(run.home.manifest) == run.manifest
