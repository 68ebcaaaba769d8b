"""The databases that tests of the coordinator run on: each of them on SQLite and on PostgreSQL."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import NullPool, create_engine, text

from coordinator.database.connect import Database
from coordinator.database.engines import parse
from coordinator.database.tables import User
from tests.postgres import PostgresServer, postgres_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session")
def migrated_server(postgres: PostgresServer) -> str:
    """The address of a PostgreSQL database with all tables, used by one test after another."""
    address = postgres.new_database()
    Database.open(address).close()
    return address


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("migrated") / "coordinator.sqlite"
    Database.open(f"sqlite:///{file}").close()
    return file


@pytest.fixture(params=["sqlite", "postgresql"])
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def new_address(backend: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """The address of a database that was never opened, on SQLite and on PostgreSQL."""
    if backend == "sqlite":
        return f"sqlite:///{tmp_path}/coordinator.sqlite"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
def address(backend: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """The address of a database with all tables and no rows."""
    if backend == "sqlite":
        file = shutil.copy(request.getfixturevalue("migrated_file"), tmp_path / "coordinator.sqlite")
        return f"sqlite:///{file}"
    server = str(request.getfixturevalue("migrated_server"))
    _empty(server)
    return server


def _empty(server: str) -> None:
    engine = create_engine(parse(server), poolclass=NullPool)
    tables = ", ".join(User.metadata.tables)
    with engine.begin() as connection:
        connection.execute(text(f"TRUNCATE {tables} RESTART IDENTITY"))


@pytest.fixture
def database(address: str) -> Iterator[Database]:
    opened = Database.open(address)
    yield opened
    opened.close()
