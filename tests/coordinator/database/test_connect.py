"""Tests of the database as processes and threads share it."""

import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from coordinator.database.connect import Database
from coordinator.database.tables import AuditEntry, KnownPeer, User
from coordinator.errors import ConflictError, DatabaseError
from tests.postgres import PostgresServer

NOW = datetime(2026, 11, 22, 12, 0, 0, 123456, UTC)


def user(name: str) -> User:
    return User(name=name, created=NOW)


def names(database: Database) -> list[str]:
    with database.reading() as session:
        return list(session.scalars(select(User.name).order_by(User.name)))


def test_what_a_transaction_writes_is_there_for_all_who_open_the_database(
    database: Database, address: str
) -> None:
    with database.session() as session:
        session.add(user("ada"))
    other = Database.open(address)
    assert names(other) == ["ada"]
    other.close()


def test_a_transaction_that_an_error_leaves_has_never_been(database: Database) -> None:
    def fail(session: Session) -> None:
        session.add(user("ada"))
        session.flush()
        raise LookupError

    with pytest.raises(LookupError):
        database.retrying(fail)
    assert names(database) == []


@pytest.mark.parametrize("zone", [UTC, timezone(timedelta(hours=-8))])
def test_times_come_back_aware_and_in_utc(database: Database, zone: timezone) -> None:
    with database.session() as session:
        session.add(User(name="ada", created=NOW.astimezone(zone)))
    with database.reading() as session:
        found = session.scalars(select(User.created).where(User.created <= NOW)).one()
    assert (found, found.tzinfo) == (NOW, UTC)


def test_a_time_without_a_zone_is_refused(database: Database) -> None:
    with pytest.raises(DatabaseError, match="no time zone"), database.session() as session:
        session.add(User(name="ada", created=NOW.replace(tzinfo=None)))


def test_who_only_reads_cannot_write(database: Database) -> None:
    with pytest.raises(DatabaseError), database.reading() as session:
        session.add(user("ada"))
    assert names(database) == []


def test_a_reader_sees_one_moment_and_hinders_no_writer(database: Database) -> None:
    def add(name: str) -> None:
        with database.session() as session:
            session.add(user(name))

    add("ada")
    with database.reading() as session:
        before = session.scalar(select(func.count(User.id)))
        writer = threading.Thread(target=add, args=("bob",))
        writer.start()
        writer.join()
        assert session.scalar(select(func.count(User.id))) == before == 1
    assert names(database) == ["ada", "bob"]


@pytest.mark.parametrize(
    "row", [user("ada"), KnownPeer(peer_id="Qm", user_id=99, created=NOW)], ids=["twice", "of nobody"]
)
def test_what_stands_against_a_constraint_is_a_conflict(database: Database, row: User | KnownPeer) -> None:
    with database.session() as session:
        session.add(user("ada"))
    with pytest.raises(ConflictError), database.session() as session:
        session.merge(row) if isinstance(row, KnownPeer) else session.add(user(row.name))


def test_threads_that_write_at_once_wait_for_each_other(database: Database) -> None:
    def count_up() -> None:
        for _ in range(10):
            with database.session() as session:
                entry = session.scalars(select(AuditEntry).with_for_update()).one()
                entry.count += 1

    with database.session() as session:
        session.add(AuditEntry(time=NOW, actor="ada", action="counting"))
    threads = [threading.Thread(target=count_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.reading() as session:
        assert session.scalars(select(AuditEntry.count)).one() == 41


def test_work_that_met_a_conflict_is_done_again_and_sees_what_is_there(database: Database) -> None:
    seen: list[int] = []

    def add_unless_there(session: Session) -> None:
        seen.append(session.scalar(select(func.count(User.id))) or 0)
        if seen == [0]:
            session.add_all([user("ada"), user("ada")])

    database.retrying(add_unless_there, pause=lambda seconds: None)
    assert seen == [0, 0]


def test_work_whose_connection_was_lost_is_done_again(postgres: PostgresServer) -> None:
    database = Database.open(postgres.new_database())
    ended: list[bool] = []

    def add(session: Session) -> None:
        session.add(user("ada"))
        session.flush()
        if not ended:
            ended.append(True)
            postgres.end_connections()

    database.retrying(add, pause=lambda seconds: None)
    assert names(database) == ["ada"]
    database.close()


def test_a_connection_that_was_lost_in_between_is_replaced(postgres: PostgresServer) -> None:
    database = Database.open(postgres.new_database())
    assert names(database) == []
    postgres.end_connections()
    assert names(database) == []
    database.close()


def test_who_waits_too_long_for_another_writer_gets_an_error(address: str, database: Database) -> None:
    impatient = Database.open(address, patience=0.05)
    with database.session() as session:
        session.add(user("ada"))
        session.flush()
        with pytest.raises(DatabaseError, match="stayed locked"), impatient.session() as other:
            other.add(user("ada"))
    impatient.close()


def test_threads_wait_for_their_turn_before_they_ask_sqlite(tmp_path: Path) -> None:
    database = Database.open(f"sqlite:///{tmp_path}/coordinator.sqlite", patience=0.05)
    with database.session() as session:
        session.add(user("ada"))
        session.flush()
        with pytest.raises(DatabaseError, match="too many ask at once"), database.session() as other:
            other.add(user("bob"))
    assert names(database) == ["ada"]
    database.close()


def test_a_full_disk_loses_nothing_that_was_there(tmp_path: Path) -> None:
    database = Database.open(f"sqlite:///{tmp_path}/coordinator.sqlite")
    with database.session() as session:
        session.add(user("ada"))

    def fill(session: Session) -> None:
        pages = session.scalar(text("PRAGMA page_count"))
        session.execute(text(f"PRAGMA max_page_count = {pages}"))
        session.add_all(AuditEntry(time=NOW, actor="ada", action="x", detail="y" * 4000) for _ in range(20))

    with pytest.raises(DatabaseError, match="disk is full"):
        database.retrying(fill)
    assert names(database) == ["ada"]
    database.close()


def test_a_database_belongs_to_one_run(database: Database) -> None:
    database.belong_to("aa" * 32)
    database.belong_to("aa" * 32)
    with pytest.raises(DatabaseError, match="another run"):
        database.belong_to("bb" * 32)


def test_only_its_owner_reads_the_file(tmp_path: Path) -> None:
    database = Database.open(f"sqlite:///{tmp_path}/coordinator.sqlite")
    with database.session() as session:
        session.add(user("ada"))
        session.flush()
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert set(modes.values()) == {0o600}
    assert len(modes) == 3
    database.close()


def test_a_backup_made_in_use_is_a_database_like_it(tmp_path: Path) -> None:
    database = Database.open(f"sqlite:///{tmp_path}/coordinator.sqlite")
    with database.session() as session:
        session.add(user("ada"))
    database.backup(tmp_path / "backup.sqlite")
    copy = Database.open(f"sqlite:///{tmp_path}/backup.sqlite")
    assert names(copy) == ["ada"]
    assert (tmp_path / "backup.sqlite").stat().st_mode & 0o777 == 0o600
    for file in ("nowhere/backup.sqlite", "backup.sqlite", "coordinator.sqlite"):
        with pytest.raises(DatabaseError, match="cannot be written"):
            database.backup(tmp_path / file)
    assert names(copy) == names(database) == ["ada"]
    copy.close()
    database.close()


def test_a_server_is_backed_up_by_its_own_tools(postgres: PostgresServer, tmp_path: Path) -> None:
    database = Database.open(postgres.new_database())
    with pytest.raises(DatabaseError, match="pg_dump"):
        database.backup(tmp_path / "backup.sqlite")
    database.close()
