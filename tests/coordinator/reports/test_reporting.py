"""Reports of a run: each epoch once, whatever ends in between, and by TensorBoard's own reader."""

import logging
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete
from sqlalchemy.orm import Session

from coordinator.database.connect import Database
from coordinator.database.tables import Epoch
from coordinator.errors import SettingsError
from coordinator.reports.tensorboard import TensorBoardSink
from coordinator.settings import ReportSettings, Settings, require_reportable
from tests.coordinator.empty_database import empty_database
from tests.coordinator.homes import NOW
from tests.coordinator.reports.recorded_coordinator import RecordedCoordinator, RecordedPlace


def test_each_figure_of_an_epoch_is_read_back(coordinator: RecordedCoordinator) -> None:
    coordinator.commit(1, 2, 3)
    coordinator.report()
    read = coordinator.read()
    found = {tag: read.Scalars(tag)[-1] for tag in read.Tags()["scalars"]}
    assert {tag: point.value for tag, point in found.items()} == pytest.approx(
        {
            "epoch/loss": 5.0 - 3 / 8,
            "epoch/samples": 64.0,
            "epoch/samples_per_second": 16.0,
            "epoch/peers": 2.0,
            "epoch/seconds": 4.0,
            "epoch/learning_rate": 0.02,
        }
    )
    assert {point.step for point in found.values()} == {3}
    assert found["epoch/loss"].wall_time == (NOW + timedelta(seconds=12)).timestamp()


def test_an_epoch_without_a_loss_has_the_other_figures(coordinator: RecordedCoordinator) -> None:
    coordinator.commit(1)
    coordinator.commit(2, loss=1.0)
    with coordinator.database.session() as session:
        row = session.get(Epoch, (0, 1))
        assert row is not None
        row.loss = None
    coordinator.report()
    assert coordinator.steps("loss") == [2]
    assert coordinator.steps("peers") == [1, 2]


def test_a_restart_goes_on_with_the_next_epoch(coordinator: RecordedCoordinator) -> None:
    coordinator.commit(1, 2)
    coordinator.report()
    coordinator.report()
    coordinator.commit(3, 4)
    coordinator.report()
    assert coordinator.steps() == [1, 2, 3, 4]


def test_what_was_written_and_not_noted_before_a_crash_is_not_there_twice(
    coordinator: RecordedCoordinator,
) -> None:
    coordinator.commit(1, 2)
    coordinator.report()
    noted = (coordinator.folder / "reports.json").read_bytes()
    coordinator.commit(3, 4)
    coordinator.report()
    (coordinator.folder / "reports.json").write_bytes(noted)  # the crash came before this was replaced
    coordinator.commit(5)
    coordinator.report()
    assert coordinator.steps() == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("restarts", [True, False])
def test_a_rollback_voids_what_it_took_back(coordinator: RecordedCoordinator, restarts: bool) -> None:
    coordinator.commit(1, 2, 3, 4, 5)
    reporting = coordinator.reporting()
    reporting.turn()
    coordinator.commit(3, 4, generation=1, loss=0.5)
    if restarts:
        reporting.close()
        reporting = coordinator.reporting()
    reporting.turn()
    reporting.close()
    assert coordinator.losses() == pytest.approx({1: 4.875, 2: 4.75, 3: 0.5, 4: 0.5})


class RollingBack(Database):
    """A database in which a rollback is committed right after one of the transactions that only read."""

    reads = 0
    """Transactions until then."""
    rolls_back: Callable[[], None]

    @contextmanager
    def reading(self) -> Iterator[Session]:
        with super().reading() as session:
            yield session
        self.reads -= 1
        if self.reads == 0:
            self.rolls_back()


@pytest.mark.parametrize("reads", [1, 2, 3, 4])
def test_a_rollback_between_two_reads_loses_no_epoch(tmp_path: Path, reads: int) -> None:
    (tmp_path / "coordinator.sqlite").write_bytes(empty_database())
    with closing(RollingBack.open(f"sqlite:///{tmp_path / 'coordinator.sqlite'}")) as database:
        coordinator = RecordedCoordinator(tmp_path, database)
        coordinator.commit(1, 2, 3, 4, 5)
        reporting = coordinator.reporting()
        database.rolls_back = lambda: coordinator.commit(3, generation=1, loss=0.5)
        database.reads = reads
        while database.reads > 0:
            reporting.turn()
        coordinator.commit(4, 5, generation=1, loss=0.5)
        reporting.turn()
        reporting.close()
        assert coordinator.losses() == pytest.approx({1: 4.875, 2: 4.75, 3: 0.5, 4: 0.5, 5: 0.5})


def test_another_folder_begins_with_the_first_epoch(coordinator: RecordedCoordinator) -> None:
    coordinator.commit(1, 2)
    coordinator.report()
    coordinator.events = coordinator.folder / "another"
    coordinator.report()
    assert coordinator.steps() == [1, 2]


def test_a_place_that_fails_is_named_once_and_keeps_no_other_from_its_reports(
    coordinator: RecordedCoordinator, caplog: pytest.LogCaptureFixture
) -> None:
    coordinator.commit(1, 2, 3)
    failing, board = RecordedPlace(is_away=True), TensorBoardSink(coordinator.events)
    reporting = coordinator.reporting(failing, board)
    with caplog.at_level(logging.INFO, "coordinator"):
        assert reporting.turn() > 5.0
        reporting.turn()
        assert coordinator.steps() == [1, 2, 3]
        failing.is_away, failing.written = False, []
        reporting.turn()
    assert failing.written == [1, 2, 3]
    assert failing.begun == [(0, 1)] * 3, "each attempt begins again with what is not noted"
    said = [record.getMessage() for record in caplog.records]
    assert said == [
        "Reports to A place (there) fail, and are tried again every minute: it is away. Wait.",
        "Reports to A place arrive again.",
    ]
    reporting.close()


def test_a_folder_that_cannot_be_written_to_is_tried_again(coordinator: RecordedCoordinator) -> None:
    coordinator.commit(1)
    coordinator.events.write_text("a file is in the way")
    reporting = coordinator.reporting()
    assert reporting.turn() > 5.0
    coordinator.events.unlink()
    reporting.turn()
    reporting.close()
    assert coordinator.steps() == [1]


def test_a_run_without_epochs_writes_nothing(coordinator: RecordedCoordinator) -> None:
    with coordinator.database.session() as session:
        session.execute(delete(Epoch))
    coordinator.report()
    assert not coordinator.events.exists()


@pytest.mark.parametrize("package", ["tensorboard", "wandb"])
def test_a_package_that_is_missing_is_named_at_the_start(package: str) -> None:
    settings = Settings(reports=ReportSettings(**{package: "emoji"}))
    with pytest.raises(SettingsError) as caught:
        require_reportable(settings, is_installed=lambda name: name != package)
    assert f"the package {package} is not installed" in caught.value.what
    assert f"pip install '{package}>=" in caught.value.remedy
    require_reportable(settings, is_installed=lambda name: True)
    require_reportable(Settings(), is_installed=lambda name: False)
