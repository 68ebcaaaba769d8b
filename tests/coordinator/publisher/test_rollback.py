"""A rollback that is killed at any step has happened or has not, and the books say which."""

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
from tests.coordinator.publisher.states import NOW, Books, new_books


@pytest.fixture
def books(tmp_path: Path, made_home: Home) -> Iterator[Books]:
    with new_books(tmp_path, made_home) as found:
        found.keep(10, 20, 30)
        yield found


class Dead(BaseException):
    """The process was killed."""


class DyingDatabase:
    """A database whose user is killed as the so-manieth transaction begins."""

    def __init__(self, database: Database, transactions: int) -> None:
        self._database, self._left = database, transactions

    def __getattr__(self, name: str) -> object:
        if name == "session":
            self._left -= 1
            if self._left < 0:
                raise Dead
        return getattr(self._database, name)


def order_of(books: Books) -> Order:
    with books.database.reading() as session:
        return waiting(session)[0]


def kept_epochs(books: Books) -> list[int]:
    return [kept.epoch for kept in books.archive().kept()]


def audited(books: Books) -> list[tuple[str, str, str]]:
    with books.database.reading() as session:
        found = entries(session)
    return [(entry.actor, entry.subject, entry.detail) for entry in found if entry.action == rollback.ACTION]


def test_it_begins_a_generation_at_the_checkpoint_and_forgets_those_after_it(books: Books) -> None:
    number = rollback.request(books.database, 20, by="ada", why="it drew nothing but cats")
    newer = take_back(books.home, books.database, books.archive(), order_of(books))
    assert RunManifest.load(books.home.manifest) == newer
    kept = books.archive().kept()[-1]
    assert (newer.state.generation, newer.state.epoch, newer.state.parameters) == (1, 20, kept.parameters)
    assert kept_epochs(books) == [10, 20]
    told = outcome(books.database, number)
    assert told is not None
    assert told.text == "The run was taken back to epoch 20."
    assert audited(books) == [("ada", "epoch 20, generation 1", "it drew nothing but cats")]


@pytest.mark.parametrize("transactions", [0, 1])
def test_killed_in_the_middle_it_is_done_once_all_the_same(books: Books, transactions: int) -> None:
    rollback.request(books.database, 20, by="ada")
    dying: Database = DyingDatabase(books.database, transactions)  # type: ignore[assignment]
    with pytest.raises(Dead):
        take_back(books.home, dying, books.archive(), order_of(books))
    happened = transactions == 1
    assert books.manifest.state.generation == (1 if happened else 0)
    _start_again(books)
    assert books.manifest.state.generation == 1
    assert kept_epochs(books) == [10, 20]
    assert len(audited(books)) == 1
    _start_again(books)
    assert (books.manifest.state.generation, len(audited(books))) == (1, 1)


def _start_again(books: Books) -> None:
    """Settle rollbacks and carry out waiting orders as the next publisher does."""
    rollback.settle(books.database, books.manifest)
    with books.database.reading() as session:
        orders = waiting(session)
    for order in orders:
        take_back(books.home, books.database, books.archive(), order)


def test_a_manifest_that_cannot_be_written_leaves_everything_as_it_was(
    books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    rollback.request(books.database, 20, by="ada")
    folder = books.home.manifest.parent
    archive, order = books.archive(), order_of(books)
    folder.rename(folder.with_name("away"))
    with pytest.raises(ManifestError):
        take_back(books.home, books.database, archive, order)
    folder.with_name("away").rename(folder)
    assert books.manifest.state.generation == 0
    assert kept_epochs(books) == [10, 20, 30]


def test_a_contact_part_that_is_issued_at_the_same_time_overwrites_no_rollback(books: Books) -> None:
    rollback.request(books.database, 20, by="ada")
    archive, order, moved = books.archive(), order_of(books), Settings(address="https://moved.example")
    with ThreadPoolExecutor(2) as both:
        with books.home.rewriting():
            ends = [
                both.submit(take_back, books.home, books.database, archive, order),
                both.submit(reissue, books.home, moved, (), NOW),
            ]
        for end in ends:
            end.result()
    assert books.manifest.state.generation == 1
    assert books.manifest.contact.coordinator == "https://moved.example"


def test_to_the_very_beginning_it_needs_no_checkpoint(books: Books) -> None:
    rollback.request(books.database, 0, by="ada")
    newer = take_back(books.home, books.database, books.archive(), order_of(books))
    assert (newer.state.generation, newer.state.epoch, newer.state.parameters) == (1, 0, None)
    assert kept_epochs(books) == []


def test_an_epoch_that_is_not_kept_is_refused_with_those_that_are(books: Books) -> None:
    with pytest.raises(RollbackError, match=r"\(10, 20, 30\)"):
        rollback.request(books.database, 25, by="ada")


@pytest.mark.parametrize(
    ("harm", "error"),
    [
        (lambda path: (path / "model.safetensors").write_bytes(b""), CheckpointError),
        (lambda path: (path / "checkpoint.json").unlink(), CheckpointError),
    ],
)
def test_a_checkpoint_that_is_damaged_takes_nobody_back(
    books: Books, harm: Callable[[Path], object], error: type[Exception]
) -> None:
    rollback.request(books.database, 20, by="ada")
    harm(books.archive().path(books.archive().kept()[1]))
    with pytest.raises(error):
        take_back(books.home, books.database, books.archive(), order_of(books))
    assert books.manifest.state.generation == 0


def test_a_second_rollback_goes_back_further(books: Books) -> None:
    for epoch in (20, 10):
        rollback.request(books.database, epoch, by="ada")
        take_back(books.home, books.database, books.archive(), order_of(books))
    assert (books.manifest.state.generation, books.manifest.state.epoch) == (2, 10)
    assert kept_epochs(books) == [10]


def test_only_what_the_coordinator_did_itself_within_a_day_counts(books: Books) -> None:
    for by in ("ada", rollback.COORDINATOR):
        rollback.request(books.database, 10, by=by)
        take_back(books.home, books.database, books.archive(), order_of(books), lambda: NOW)
    with books.database.reading() as session:
        assert rollback.of_today(session, NOW + timedelta(hours=23)) == 1
        assert rollback.of_today(session, NOW + timedelta(hours=25)) == 0
