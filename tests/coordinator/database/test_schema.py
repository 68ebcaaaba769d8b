"""Tests of how a database comes to have the newest schema, and which are refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import Engine, inspect, make_url, text

from coordinator.database.connect import Database
from coordinator.database.engines import connect, parse
from coordinator.database.migrations.version_table import VERSION_TABLE
from coordinator.database.schema import configuration
from coordinator.database.tables import User
from coordinator.errors import DatabaseError
from tests.coordinator.forking import at_once, dies_at_statement
from tests.postgres import PostgresServer

AT = {"t": "2026-11-01 10:00:00+00:00"}


@pytest.fixture
def engine(new_address: str) -> Iterator[Engine]:
    engine = connect(parse(new_address))
    yield engine
    engine.dispose()


def is_whole(engine: Engine) -> bool:
    with engine.connect() as connection:
        found = set(inspect(connection).get_table_names())
    assert found in (set(), {*User.metadata.tables, VERSION_TABLE})
    return bool(found)


def test_migrations_lead_to_the_very_tables_that_we_use(new_address: str, engine: Engine) -> None:
    Database.open(new_address).close()
    with engine.begin() as connection:
        command.check(configuration(connection))


def test_processes_that_open_a_new_database_at_once_migrate_it_once(new_address: str, engine: Engine) -> None:
    assert at_once(4, lambda: Database.open(new_address).close()) == [0] * 4
    assert is_whole(engine)


def test_who_is_killed_while_migrating_has_changed_nothing(new_address: str, engine: Engine) -> None:
    def migrate() -> None:
        Database.open(new_address).close()

    number = 1
    # SQLite gets one statement more, after the migration: it is whole, if it is killed there
    while dies_at_statement(number, migrate) and not is_whole(engine):
        number += 9
    assert number > 30
    assert is_whole(engine)


def test_a_newer_version_s_database_is_left_alone(new_address: str, engine: Engine) -> None:
    Database.open(new_address).close()
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    with pytest.raises(DatabaseError, match=r"newer version .* 9999"):
        Database.open(new_address)


def test_another_program_s_database_is_left_alone(new_address: str, engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE songs (title TEXT)"))
    with pytest.raises(DatabaseError, match=r"another program's tables \(songs"):
        Database.open(new_address)
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == ["songs"]


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "coordinator.sqlite"
    file.write_bytes(b"a letter to my aunt " * 100)
    with pytest.raises(DatabaseError, match="not a SQLite database"):
        Database.open(f"sqlite:///{file}")
    assert file.read_bytes() == b"a letter to my aunt " * 100


def test_damage_is_reported_in_words(tmp_path: Path) -> None:
    file = tmp_path / "coordinator.sqlite"
    Database.open(f"sqlite:///{file}").close()
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(DatabaseError, match="damaged"):
        Database.open(f"sqlite:///{file}")


def test_a_folder_that_is_not_there_is_reported_in_words(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="cannot be opened"):
        Database.open(f"sqlite:///{tmp_path}/nowhere/coordinator.sqlite")


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("", "cannot be understood"),
        ("coordinator.sqlite", "cannot be understood"),
        ("martian://host/name", "several processes"),
        ("postgresql://host:port/name", "cannot be understood"),
        ("sqlite://", "several processes"),
        ("sqlite:///:memory:", "several processes"),
        ("mysql+pymysql://ada:sesame@host/name", "several processes"),
    ],
)
def test_an_address_of_no_use_is_reported_in_words_and_without_its_password(address: str, words: str) -> None:
    with pytest.raises(DatabaseError, match=words) as caught:
        Database.open(address)
    assert "sesame" not in str(caught.value)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_an_address_of_postgresql_s_is_taken_however_it_is_spelled(
    postgres: PostgresServer, scheme: str
) -> None:
    address = postgres.new_database()
    Database.open(address.replace("postgresql", scheme, 1)).close()


@pytest.mark.parametrize(
    "address", ["postgresql://ada:sesame@127.0.0.1:1/run", "postgresql://ada:sesame@/run?host=/nonexistent"]
)
def test_a_server_that_is_away_is_reported_in_words_and_without_the_password(address: str) -> None:
    with pytest.raises(DatabaseError, match="cannot be reached") as caught:
        Database.open(address)
    assert "sesame" not in str(caught.value)


def test_a_server_without_that_database_is_reported_in_words(postgres: PostgresServer) -> None:
    elsewhere = make_url(postgres.new_database()).set(database="elsewhere")
    with pytest.raises(DatabaseError, match='"elsewhere" does not exist'):
        Database.open(elsewhere.render_as_string())


def test_totals_and_days_of_an_earlier_schema_are_changed_in_place_from_now_on(
    new_address: str, engine: Engine
) -> None:
    with engine.begin() as connection:
        command.upgrade(configuration(connection), "0002")
        connection.execute(
            text("INSERT INTO users VALUES (1, 'ada', NULL, FALSE, FALSE, :t, NULL, NULL, FALSE)"), AT
        )
        connection.execute(text("INSERT INTO totals VALUES (1, 40, 1.5, 2, :t)"), AT)
    Database.open(new_address).close()
    with engine.connect() as connection:
        assert inspect(connection).get_indexes("totals") == []
        assert connection.execute(text("SELECT user_id, samples, epochs FROM totals")).all() == [(1, 40, 2)]
        if engine.dialect.name == "postgresql":
            kept = "SELECT relname, reloptions FROM pg_class WHERE relname IN ('totals', 'days') ORDER BY relname"
            assert connection.execute(text(kept)).all() == [
                ("days", ["fillfactor=75"]),
                ("totals", ["fillfactor=50"]),
            ]
