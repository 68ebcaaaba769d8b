"""A database to begin with, for tests of other things than how its tables come there."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from coordinator.database.connect import Database


@cache
def empty_database() -> bytes:
    """SQLite's file with all tables and no rows."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "coordinator.sqlite"
        Database.open(f"sqlite:///{file}").close()
        return file.read_bytes()
