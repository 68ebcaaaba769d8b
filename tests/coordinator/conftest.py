"""The databases that tests of the coordinator run on: each of them on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import NullPool, create_engine, text

from coordinator.database.connect import Database
from coordinator.database.engines import parse
from coordinator.database.tables import User
from coordinator.home import Home
from tests.coordinator.empty_database import empty_database
from tests.coordinator.homes import make_home
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
def made_home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home for tests to copy, and to leave as it is."""
    return make_home(tmp_path_factory.mktemp("made"))


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
        (tmp_path / "coordinator.sqlite").write_bytes(empty_database())
        return f"sqlite:///{tmp_path}/coordinator.sqlite"
    server = str(request.getfixturevalue("migrated_server"))
    _empty(server)
    return server


def _empty(server: str) -> None:
    """Take all rows away, and count from one again."""
    engine = create_engine(parse(server), poolclass=NullPool)
    with engine.begin() as connection:
        names = list(User.metadata.tables)
        connection.execute(
            text(f"LOCK {', '.join(names)}")
        )  # which waits for processes that a test has killed
        # Each table that is truncated gets new files, and nearly all are empty.
        if filled := [
            name for name in names if connection.scalar(text(f"SELECT EXISTS (SELECT FROM {name})"))
        ]:
            connection.execute(text(f"TRUNCATE {', '.join(filled)} CASCADE"))
        connection.execute(text("SELECT setval(sequencename::regclass, 1, false) FROM pg_sequences"))


@pytest.fixture
def database(address: str) -> Iterator[Database]:
    opened = Database.open(address)
    yield opened
    opened.close()
