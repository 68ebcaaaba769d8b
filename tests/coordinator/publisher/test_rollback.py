"""A rollback that is killed at any step has happened or has not, and the store say which."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from coordinator import rollback
from coordinator.contact import reissue
from coordinator.database.connect import Database
from coordinator.database.tables import Order
from coordinator.errors import RollbackError
from coordinator.gate.audit import entries
from coordinator.home import Home
from coordinator.publisher.orders import outcome, waiting
from coordinator.publisher.rollbacks import take_back
from coordinator.settings import Settings
from core.errors import CheckpointError, ManifestError
from core.run.manifest import RunManifest
from tests.coordinator.publisher.states import NOW, ProcessKilled, RunStore, new_store


@pytest.fixture
def store(tmp_path: Path, made_home: Home) -> Iterator[RunStore]:
    with new_store(tmp_path, made_home) as found:
        found.keep(10, 20, 30)
        yield found


class DyingDatabase:
    """A database whose user is killed as the so-manieth transaction begins."""

    def __init__(self, database: Database, transactions: int) -> None:
        self._database, self._left = database, transactions

    def __getattr__(self, name: str) -> object:
        if name == "session":
            self._left -= 1
            if self._left < 0:
                raise ProcessKilled
        return getattr(self._database, name)


def order_of(store: RunStore) -> Order:
    with store.database.reading() as session:
        return waiting(session)[0]


def kept_epochs(store: RunStore) -> list[int]:
    return [kept.epoch for kept in store.archive().kept()]


def audited(store: RunStore) -> list[tuple[str, str, str]]:
    with store.database.reading() as session:
        found = entries(session)
    return [(entry.actor, entry.subject, entry.detail) for entry in found if entry.action == rollback.ACTION]


def test_it_begins_a_generation_at_the_checkpoint_and_forgets_those_after_it(store: RunStore) -> None:
    number = rollback.request(store.database, 20, by="ada", why="it drew nothing but cats")
    newer = take_back(store.home, store.database, store.archive(), order_of(store))
    assert RunManifest.load(store.home.manifest) == newer
    kept = store.archive().kept()[-1]
    assert (newer.state.generation, newer.state.epoch, newer.state.parameters) == (1, 20, kept.parameters)
    assert kept_epochs(store) == [10, 20]
    ended = outcome(store.database, number)
    assert ended is not None
    assert ended.text == "The run was rolled back to epoch 20."
    assert audited(store) == [("ada", "epoch 20, generation 1", "it drew nothing but cats")]


@pytest.mark.parametrize(("harm", "chosen"), [(31, 30), (30, 20), (15, 10), (11, 10)])
def test_the_checkpoint_before_a_harm_is_the_newest_from_before_it(
    store: RunStore, harm: int, chosen: int
) -> None:
    assert rollback.epoch_before(store.database, harm) == chosen


def test_a_harm_before_all_checkpoints_names_those_there_are(store: RunStore) -> None:
    with pytest.raises(RollbackError, match=r"before epoch 10 .*10, 20, 30.*or 0"):
        rollback.epoch_before(store.database, 10)


@pytest.mark.parametrize("transactions", [0, 1])
def test_killed_in_the_middle_it_is_done_once_all_the_same(store: RunStore, transactions: int) -> None:
    rollback.request(store.database, 20, by="ada")
    dying: Database = DyingDatabase(store.database, transactions)  # type: ignore[assignment]
    with pytest.raises(ProcessKilled):
        take_back(store.home, dying, store.archive(), order_of(store))
    happened = transactions == 1
    assert store.manifest.state.generation == (1 if happened else 0)
    _start_again(store)
    assert store.manifest.state.generation == 1
    assert kept_epochs(store) == [10, 20]
    assert len(audited(store)) == 1
    _start_again(store)
    assert (store.manifest.state.generation, len(audited(store))) == (1, 1)


def _start_again(store: RunStore) -> None:
    """Settle rollbacks and carry out waiting orders as the next publisher does."""
    rollback.settle(store.database, store.manifest)
    with store.database.reading() as session:
        orders = waiting(session)
    for order in orders:
        take_back(store.home, store.database, store.archive(), order)


def test_a_manifest_that_cannot_be_written_leaves_everything_as_it_was(
    store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    rollback.request(store.database, 20, by="ada")
    folder = store.home.manifest.parent
    archive, order = store.archive(), order_of(store)
    folder.rename(folder.with_name("away"))
    with pytest.raises(ManifestError):
        take_back(store.home, store.database, archive, order)
    folder.with_name("away").rename(folder)
    assert store.manifest.state.generation == 0
    assert kept_epochs(store) == [10, 20, 30]


def test_a_contact_part_that_is_issued_at_the_same_time_overwrites_no_rollback(store: RunStore) -> None:
    rollback.request(store.database, 20, by="ada")
    archive, order, moved = store.archive(), order_of(store), Settings(address="https://moved.example")
    with ThreadPoolExecutor(2) as both:
        with store.home.rewriting():
            ends = [
                both.submit(take_back, store.home, store.database, archive, order),
                both.submit(reissue, store.home, moved, (), NOW),
            ]
        for end in ends:
            end.result()
    assert store.manifest.state.generation == 1
    assert store.manifest.contact.coordinator == "https://moved.example"


def test_to_the_very_beginning_it_needs_no_checkpoint(store: RunStore) -> None:
    rollback.request(store.database, 0, by="ada")
    newer = take_back(store.home, store.database, store.archive(), order_of(store))
    assert (newer.state.generation, newer.state.epoch, newer.state.parameters) == (1, 0, None)
    assert kept_epochs(store) == []


def test_an_epoch_that_is_not_kept_is_refused_with_those_that_are(store: RunStore) -> None:
    with pytest.raises(RollbackError, match="Kept epochs: 10, 20, 30"):
        rollback.request(store.database, 25, by="ada")


@pytest.mark.parametrize(
    ("harm", "error"),
    [
        (lambda path: (path / "model.safetensors").write_bytes(b""), CheckpointError),
        (lambda path: (path / "checkpoint.json").unlink(), CheckpointError),
    ],
)
def test_a_checkpoint_that_is_damaged_takes_nobody_back(
    store: RunStore, harm: Callable[[Path], object], error: type[Exception]
) -> None:
    rollback.request(store.database, 20, by="ada")
    harm(store.archive().path(store.archive().kept()[1]))
    with pytest.raises(error):
        take_back(store.home, store.database, store.archive(), order_of(store))
    assert store.manifest.state.generation == 0


def test_a_second_rollback_goes_back_further(store: RunStore) -> None:
    for epoch in (20, 10):
        rollback.request(store.database, epoch, by="ada")
        take_back(store.home, store.database, store.archive(), order_of(store))
    assert (store.manifest.state.generation, store.manifest.state.epoch) == (2, 10)
    assert kept_epochs(store) == [10]


def test_only_what_the_coordinator_did_itself_within_a_day_counts(store: RunStore) -> None:
    for by in ("ada", rollback.COORDINATOR):
        rollback.request(store.database, 10, by=by)
        take_back(store.home, store.database, store.archive(), order_of(store), lambda: NOW)
    with store.database.reading() as session:
        assert rollback.of_today(session, NOW + timedelta(hours=23)) == 1
        assert rollback.of_today(session, NOW + timedelta(hours=25)) == 0
