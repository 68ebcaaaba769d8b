"""Brings a database to the newest schema, once however many processes open it, and refuses one that is not ours."""

import time
from functools import cache

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import OperationalError

from coordinator.database import team_tables as team_tables  # whose tables the metadata then has
from coordinator.database.engines import outside_transactions
from coordinator.database.migrations.version_table import VERSION_TABLE
from coordinator.errors import DatabaseError

_SCRIPTS = "coordinator.database:migrations"
_ATTEMPTS, _PAUSE_SECONDS = 200, 0.05
_LOCK = 0x49646C65
"""Number of the PostgreSQL advisory lock that a migration holds."""


def bring_up_to_date(engine: Engine) -> None:
    """Migrate under a lock and in one transaction: a process that is killed meanwhile has changed nothing."""
    with engine.begin() as connection:  # of SQLite's, this takes the lock
        if engine.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            connection.execute(text("SET LOCAL lock_timeout = 0"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        if verify(connection) != _newest():
            command.upgrade(configuration(connection), "head")
    if engine.dialect.name == "sqlite":
        _write_ahead(engine)


def verify(connection: Connection) -> frozenset[str]:
    """Return the versions that the database names as its schema's: none if it is new.

    Raises DatabaseError if it is another program's, or was written by a newer version of ours.
    """
    tables = inspect(connection).get_table_names()
    if tables and VERSION_TABLE not in tables:
        raise DatabaseError(
            f"The database holds another program's tables ({', '.join(sorted(tables)[:3])}, ...).",
            "Give the coordinator a database of its own.",
        )
    if VERSION_TABLE not in tables:
        return frozenset()
    found = frozenset(connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalars())
    if newer := found - {script.revision for script in _scripts().walk_revisions()}:
        raise DatabaseError(
            f"A newer version of Idlebrush wrote the database (schema {', '.join(newer)}).",
            "Update Idlebrush, or restore a backup from before its update.",
        )
    return found


@cache
def _scripts() -> ScriptDirectory:
    """Return our migrations, which are compiled each time they are read."""
    return ScriptDirectory.from_config(configuration())


def _newest() -> frozenset[str]:
    return frozenset(_scripts().get_heads())


def configuration(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration for our scripts and a connection whose transaction stays ours."""
    config = Config()
    config.set_main_option("script_location", _SCRIPTS)
    config.attributes["connection"] = connection
    return config


def _write_ahead(engine: Engine) -> None:
    """Let readers and a writer work at once; it stays so in the file."""
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            with outside_transactions(engine).connect() as connection:
                connection.exec_driver_sql("PRAGMA journal_mode = WAL")
            return
        except OperationalError:  # SQLite changes this only without other users of the file, and never waits
            if attempt == _ATTEMPTS:
                raise
            time.sleep(_PAUSE_SECONDS)
