"""Past days go to files: no row is lost or there twice, whenever it is killed; pages and receipts stay the same."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from coordinator.database.connect import Database
from coordinator.database.tables import Credit, Day, Doubt, Epoch, Total, User
from coordinator.ledger.archive import ArchivedDay, archive_oldest, lines_of
from coordinator.ledger.board import leaderboard
from coordinator.ledger.history import history
from coordinator.ledger.ledger import Ledger
from coordinator.ledger.receipts import receipts
from core.signing import SigningKey
from tests.coordinator.forking import dies_at_statement
from tests.coordinator.ledger.evidence import OPERATIONS, PEERS, claim, epoch_of
from tests.coordinator.ledger_rows import rows

_DAY = date(2026, 11, 1)
_KEY = SigningKey.generate()
_EPOCHS_A_DAY = 3


def _fill(database: Database, days: int = 3) -> None:
    """Record epochs with doubts: the last peer claims less than the commit gives it."""
    ledger = Ledger(database, OPERATIONS)
    for number in range(days * _EPOCHS_A_DAY):
        day, part = divmod(number, _EPOCHS_A_DAY)
        moment = datetime(2026, 11, 1, 1 + 11 * part, tzinfo=UTC) + timedelta(days=day)
        made = epoch_of(dict.fromkeys(PEERS, 40.0), number + 1, time=moment)
        ledger.record(replace(made, claims={**made.claims, PEERS[-1]: claim(10.0, 1.0)}))


def _shown(database: Database) -> list[object]:
    """What volunteers and visitors can see of the ledger."""
    now = datetime(2026, 11, 4, tzinfo=UTC)
    with database.reading() as session:
        users = session.scalars(select(User).order_by(User.id)).all()
        signed = [receipts(session, user, "ab" * 32, _KEY) for user in users]
        return [signed, leaderboard(session, now), history(session)]


def _archive(database: Database, folder: Path, before: date) -> list[ArchivedDay]:
    done = []
    while one := archive_oldest(database, folder, before, pause=lambda _: None):
        done.append(one)
    return done


def test_days_that_are_old_enough_go_to_a_file_each_and_all_else_stays(
    database: Database, tmp_path: Path
) -> None:
    _fill(database)
    before = _shown(database)
    kept = [len(rows(database, table)) for table in (Epoch, Day, Total)]
    done = _archive(database, tmp_path / "archive", _DAY + timedelta(days=2))
    assert [one.day for one in done] == [_DAY, _DAY + timedelta(days=1)]
    assert {one.rows for one in done} == {_EPOCHS_A_DAY * (len(PEERS) + 1)}
    assert _shown(database) == before
    assert [len(rows(database, table)) for table in (Epoch, Day, Total)] == kept
    left = {credit.epoch for credit in rows(database, Credit)}
    assert left == {doubt.epoch for doubt in rows(database, Doubt)} == {7, 8, 9}
    assert _archive(database, tmp_path / "archive", _DAY + timedelta(days=2)) == []


def test_a_file_has_what_the_database_had_and_is_its_owners_alone(database: Database, tmp_path: Path) -> None:
    _fill(database, days=1)
    credited = {credit.samples for credit in rows(database, Credit) if credit.epoch == 1}
    (one,) = _archive(database, tmp_path / "archive", date(2026, 12, 1))
    lines = [line for line in lines_of(one.file) if line[2] == "1"]
    credits_ = [line for line in lines if line[0] == "credit"]
    assert sorted(line[4] for line in credits_) == sorted(PEERS)
    assert {int(line[6]) for line in credits_} == credited
    assert {line[3] for line in lines} == {"2026-11-01T01:00:00+00:00"}
    (doubt,) = (line for line in lines if line[0] == "doubt")
    assert (doubt[4], float(doubt[8]), doubt[9]) == (PEERS[-1], 40.0, "its own progress records report less")
    assert one.file.stat().st_mode & 0o077 == 0
    assert list(one.file.parent.iterdir()) == [one.file]


def test_whenever_it_is_killed_no_row_is_lost_and_none_is_there_twice(address: str, tmp_path: Path) -> None:
    database = Database.open(address)
    _fill(database, days=1)
    expected = _EPOCHS_A_DAY * (len(PEERS) + 1)
    folder = tmp_path / "archive"

    def work() -> None:
        opened = Database.open(address)
        archive_oldest(opened, folder, date(2026, 12, 1), pause=lambda _: None)

    number = 1
    database.close()
    while dies_at_statement(number, work):
        number += 3
        with_rows = Database.open(address)
        left = {(row.epoch, row.peer_id) for row in rows(with_rows, Credit)}
        with_rows.close()
        files = list(folder.glob("*.gz")) if folder.exists() else []
        assert files or len(left) == _EPOCHS_A_DAY * len(PEERS)
    assert number > 10
    (file,) = folder.iterdir()
    lines = list(lines_of(file))
    assert len(lines) == len(set(lines)) == expected


def test_an_epoch_that_is_entered_late_joins_the_file_of_its_day(database: Database, tmp_path: Path) -> None:
    _fill(database, days=1)
    (one,) = _archive(database, tmp_path, date(2026, 12, 1))
    before = set(lines_of(one.file))
    late = epoch_of({PEERS[0]: 40.0}, 50, time=datetime(2026, 11, 1, 20, tzinfo=UTC))
    assert Ledger(database, OPERATIONS).record(late)
    (again,) = _archive(database, tmp_path, date(2026, 12, 1))
    assert (again.file, again.rows) == (one.file, 1)
    after = set(lines_of(one.file))
    assert before < after
    assert {line[2] for line in after - before} == {"50"}


def test_a_folder_that_cannot_be_written_leaves_all_in_the_database(
    database: Database, tmp_path: Path
) -> None:
    _fill(database, days=1)
    (tmp_path / "archive").write_text("no folder")
    with pytest.raises(FileExistsError):
        _archive(database, tmp_path / "archive", date(2026, 12, 1))
    assert len(rows(database, Credit)) == _EPOCHS_A_DAY * len(PEERS)
