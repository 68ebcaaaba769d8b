"""The databases that tests of the coordinator run on: each of them on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from coordinator.database.connect import Database
from tests.postgres import PostgresServer, postgres_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Of an empty database, on each of the two."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/coordinator.sqlite"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
def database(address: str) -> Iterator[Database]:
    opened = Database.open(address)
    yield opened
    opened.close()
