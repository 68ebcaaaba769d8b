"""What Weights & Biases is given: a whole step for each epoch, with all pictures that were shown with it."""

import tomllib
from pathlib import Path

import pytest

from coordinator.reports.weights_and_biases import WandbSink
from coordinator.settings import PACKAGES
from tests.coordinator.reports.recorded_coordinator import RecordedCoordinator
from tests.coordinator.reports.stand_in_wandb import StandInRun, StandInWandb

SOURCE = Path(__file__).parents[3]


@pytest.fixture
def wandb() -> StandInWandb:
    return StandInWandb()


def live(coordinator: RecordedCoordinator, wandb: StandInWandb, *, is_offline: bool = False) -> None:
    """A whole life of a reporter that reports to Weights & Biases."""
    sink = WandbSink(
        "emoji",
        coordinator.folder / "wandb",
        "ab" * 32,
        "Emoji",
        is_offline=is_offline,
        library=lambda: wandb,
    )
    reporting = coordinator.reporting(sink)
    while reporting.turn() == 0.0:
        pass
    reporting.close()


def captions(run: StandInRun) -> dict[int, list[str]]:
    """The pictures of each step that has some."""
    return {
        step: [shown.caption for shown in row["pictures"]]
        for step, row in run.rows.items()
        if "pictures" in row
    }


def test_each_epoch_is_a_step_with_its_pictures(
    coordinator: RecordedCoordinator, wandb: StandInWandb
) -> None:
    coordinator.commit(1, 2, 3)
    for epoch in (1, 2):
        coordinator.draw(epoch)
    live(coordinator, wandb)
    (run,) = wandb.runs.values()
    assert (run.id, run.name) == ("ab" * 8 + "-g0", "Emoji, generation 0")
    assert {step: (row["epoch"], row["loss"]) for step, row in run.rows.items()} == {
        1: (1, 4.875),
        2: (2, 4.75),
        3: (3, 4.625),
    }
    assert captions(run) == {1: ["epoch 1"], 2: ["epoch 2"]}
    assert not run.is_open
    assert wandb.teardowns == 1


def test_pictures_that_are_late_are_all_in_the_next_step_whose_figures_are_whole(
    coordinator: RecordedCoordinator, wandb: StandInWandb
) -> None:
    coordinator.commit(1, 2, 3)
    live(coordinator, wandb)
    for epoch in (1, 2, 3):
        coordinator.draw(epoch)
    live(coordinator, wandb)  # a restart between a picture and the next epoch
    coordinator.commit(4)
    live(coordinator, wandb)
    (run,) = wandb.runs.values()
    assert captions(run) == {4: ["epoch 1", "epoch 2", "epoch 3"]}
    assert run.rows[4]["epoch"] == 4


def test_each_generation_is_a_run(coordinator: RecordedCoordinator, wandb: StandInWandb) -> None:
    coordinator.commit(1, 2, 3)
    live(coordinator, wandb)
    coordinator.commit(3, generation=1)
    live(coordinator, wandb)
    assert {run.id[-2:]: list(run.rows) for run in wandb.runs.values()} == {"g0": [1, 2, 3], "g1": [3]}


def test_offline_each_start_is_a_run_since_an_upload_would_replace_an_earlier_one(
    coordinator: RecordedCoordinator, wandb: StandInWandb
) -> None:
    coordinator.commit(1, 2)
    live(coordinator, wandb, is_offline=True)
    coordinator.commit(3)
    live(coordinator, wandb, is_offline=True)
    assert {run.id[-5:]: list(run.rows) for run in wandb.runs.values()} == {"g0-e1": [1, 2], "g0-e3": [3]}
    assert [run.name[-12:] for run in wandb.runs.values()] == ["from epoch 1", "from epoch 3"]


def test_nothing_of_the_machine_is_collected_and_a_beginning_is_short(
    coordinator: RecordedCoordinator, wandb: StandInWandb
) -> None:
    coordinator.commit(1)
    live(coordinator, wandb)
    turned_off = {"disable_git", "x_disable_machine_info", "x_disable_meta", "x_disable_stats"}
    assert {name for name, value in wandb.settings.items() if value is True} == turned_off
    assert {name for name, value in wandb.settings.items() if value is False} == {
        "save_code",
        "x_save_requirements",
    }
    assert wandb.settings["init_timeout"] < 20.0, "an end waits for it"


def test_the_packages_that_are_named_are_those_of_the_project() -> None:
    extras = tomllib.loads((SOURCE / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {name: extras[name] for name in PACKAGES} == {name: [needed] for name, needed in PACKAGES.items()}
