"""A backup brings back who is banned and invited; a bad one, or a kill in the middle, costs nothing."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from coordinator.database.connect import Database
from coordinator.errors import CoordinatorError, DatabaseError, HomeError
from coordinator.gate.audit import entries
from coordinator.gate.entry import allow, is_allowed
from coordinator.home import Home
from coordinator.opened import opened
from coordinator.restoring import restore
from tests.coordinator.forking import dies_at_change_of_files, dies_at_statement
from tests.coordinator.homes import NOW, copied_home

LATER = NOW + timedelta(days=1)


@pytest.fixture
def home(tmp_path: Path, made_home: Home) -> Home:
    return copied_home(made_home, tmp_path)


@contextmanager
def database_of(home: Home) -> Iterator[Database]:
    with opened(home, {}) as opened_run:
        yield opened_run.database


def admit(home: Home, name: str) -> None:
    with database_of(home) as database, database.session() as session:
        allow(session, [name], "organiser", NOW)


def backed_up(home: Home, tmp_path: Path) -> Path:
    """A backup that knows of Ada; the folder's database knows of Bob as well."""
    admit(home, "ada")
    with database_of(home) as database:
        database.backup(tmp_path / "backup.sqlite")
    admit(home, "bob")
    return tmp_path / "backup.sqlite"


def known(home: Home) -> list[str]:
    with database_of(home) as database, database.reading() as session:
        return [name for name in ("ada", "bob") if is_allowed(session, name)]


def test_a_backup_is_served_again_and_what_was_there_is_set_aside(home: Home, tmp_path: Path) -> None:
    done = restore(home, backed_up(home, tmp_path), {}, LATER)
    assert known(home) == ["ada"]
    assert done.newest == NOW
    assert done.aside is not None
    with closing(Database.open(f"sqlite:///{done.aside}")) as before, before.reading() as session:
        assert is_allowed(session, "bob")
    with database_of(home) as database, database.reading() as session:
        assert (entries(session)[0].action, entries(session)[0].time) == ("database restored", LATER)
    assert not list(home.root.glob(".restoring-*"))
    assert home.database.stat().st_mode & 0o777 == 0o600


def test_a_database_that_is_lost_or_damaged_needs_no_other_to_be_replaced(home: Home, tmp_path: Path) -> None:
    backup = backed_up(home, tmp_path)
    home.database.write_bytes(b"not a database" * 1000)
    assert restore(home, backup, {}, LATER).aside is not None
    home.database.unlink()
    assert restore(home, backup, {}, LATER).aside is None
    assert known(home) == ["ada"]


def damaged(backup: Path, home: Home) -> None:
    content = bytearray(backup.read_bytes())
    content[4096:12_288] = b"\xff" * 8192
    backup.write_bytes(content)


def text(backup: Path, home: Home) -> None:
    backup.write_text("my notes")


def empty(backup: Path, home: Home) -> None:
    backup.write_bytes(b"")


def gone(backup: Path, home: Home) -> None:
    backup.unlink()


def of_another_run(backup: Path, home: Home) -> None:
    with closing(Database.open(f"sqlite:///{backup}")) as database, database.session() as session:
        session.connection().exec_driver_sql("UPDATE runs SET digest = 'ab'")


@pytest.mark.parametrize("spoilt", [damaged, text, empty, gone, of_another_run])
def test_a_backup_that_is_no_good_changes_nothing(home: Home, tmp_path: Path, spoilt: object) -> None:
    backup = backed_up(home, tmp_path)
    assert callable(spoilt)
    spoilt(backup, home)
    with pytest.raises(CoordinatorError):
        restore(home, backup, {}, LATER)
    assert known(home) == ["ada", "bob"]
    assert sorted(path.name for path in home.root.glob("*.sqlite")) == ["coordinator.sqlite"]


def test_it_is_refused_while_the_folder_is_served_and_for_a_server_s_database(
    home: Home, tmp_path: Path
) -> None:
    backup = backed_up(home, tmp_path)
    with home.locked(), pytest.raises(HomeError, match="serves"):
        restore(home, backup, {}, LATER)
    with pytest.raises(DatabaseError, match="PostgreSQL"):
        restore(home, backup, {"DATABASE_URL": "postgresql://u@host/runs"}, LATER)


def test_who_is_killed_while_a_backup_is_tried_leaves_the_old_database(home: Home, tmp_path: Path) -> None:
    backup = backed_up(home, tmp_path)
    number = 1
    while dies_at_statement(number, lambda: restore(home, backup, {}, LATER)):
        assert known(home) == ["ada", "bob"]
        number += 5
    assert known(home) == ["ada"]


def test_who_is_killed_while_files_take_places_leaves_the_old_database_or_the_new(
    home: Home, tmp_path: Path
) -> None:
    backup = backed_up(home, tmp_path)
    found: list[list[str]] = []
    while dies_at_change_of_files(len(found) + 1, lambda: restore(home, backup, {}, LATER)):
        found.append(known(home))
    assert found[0] == ["ada", "bob"], "a backup that is copied is none yet"
    assert known(home) == ["ada"]
    assert all(each in (["ada"], ["ada", "bob"]) for each in found)


def test_who_is_killed_while_it_backs_up_leaves_nothing_that_passes_for_a_backup(
    home: Home, tmp_path: Path
) -> None:
    target = tmp_path / "killed.sqlite"
    with database_of(home) as database:
        assert dies_at_change_of_files(1, lambda: database.backup(target))
        assert not target.exists()
        database.backup(target)
    assert restore(home, target, {}, LATER).aside is not None
