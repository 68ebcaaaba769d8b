"""Defines the schema of the contribution's database and its migrations, and tells usable files from others.

A file that is damaged, foreign or of a newer version is never written to.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

APPLICATION = 0x49644C62
"""Application ID in the file's header, which marks this program's databases."""
LIVES_KEPT = 64
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE runs (digest TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE hours (
        run TEXT NOT NULL,
        hour INTEGER NOT NULL, -- seconds since 1970 at its beginning in local time
        samples INTEGER NOT NULL,
        micro_steps INTEGER NOT NULL,
        compute_seconds REAL NOT NULL,
        epochs INTEGER NOT NULL,
        bytes_sent INTEGER NOT NULL,
        bytes_received INTEGER NOT NULL,
        joules REAL NOT NULL,
        PRIMARY KEY (run, hour)
    ) WITHOUT ROWID;
    CREATE TABLE epochs (
        run TEXT NOT NULL,
        generation INTEGER NOT NULL,
        epoch INTEGER NOT NULL,
        peer TEXT NOT NULL,
        samples INTEGER NOT NULL,
        PRIMARY KEY (run, generation, epoch, peer)
    ) WITHOUT ROWID;
    CREATE TABLE lives (
        life TEXT PRIMARY KEY,
        peer TEXT NOT NULL,
        micro_steps INTEGER NOT NULL,
        compute_seconds REAL NOT NULL,
        bytes_sent INTEGER NOT NULL,
        bytes_received INTEGER NOT NULL
    );
    """,
    """
    CREATE TABLE course (
        run TEXT NOT NULL,
        generation INTEGER NOT NULL,
        epoch INTEGER NOT NULL,
        loss REAL NOT NULL,
        samples INTEGER NOT NULL,
        own_samples INTEGER NOT NULL,
        peers INTEGER NOT NULL,
        seconds REAL NOT NULL,
        PRIMARY KEY (run, epoch)
    ) WITHOUT ROWID;
    CREATE TABLE ranks (
        run TEXT NOT NULL,
        time INTEGER NOT NULL, -- seconds since 1970
        rank INTEGER NOT NULL,
        volunteers INTEGER NOT NULL,
        PRIMARY KEY (run, time)
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE hours ADD COLUMN cpu_joules REAL NOT NULL DEFAULT 0;
    ALTER TABLE hours ADD COLUMN cost REAL NOT NULL DEFAULT 0; -- in the currency of that time
    ALTER TABLE hours ADD COLUMN carbon_grams REAL NOT NULL DEFAULT 0
    """,
)
"""Migrations; each brings the schema from the version of its index to the next one."""


class DamagedError(Exception):
    """The file is not a database that this version may write to."""


def prepare(connection: sqlite3.Connection, migrations: Sequence[str] = MIGRATIONS) -> None:
    """Bring a database, perhaps an empty one, to the newest schema; DamagedError if it cannot be used."""
    if _single(connection, "PRAGMA quick_check(1)") != "ok":
        raise DamagedError("its pages contradict each other")
    if _single(connection, "SELECT count(*) FROM sqlite_master") == 0:
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
    verify(connection, len(migrations))
    connection.execute("PRAGMA cache_size = -256")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")  # whole after a power cut, if some seconds older
    for number in range(_single_int(connection, "PRAGMA user_version"), len(migrations)):
        _migrate(connection, migrations[number], number + 1)
    with transaction(connection):
        kept = f"SELECT rowid FROM lives ORDER BY rowid DESC LIMIT {LIVES_KEPT}"
        connection.execute(f"DELETE FROM lives WHERE rowid NOT IN ({kept})")


def verify(connection: sqlite3.Connection, newest: int = len(MIGRATIONS)) -> None:
    """Raise DamagedError if it is not a database of ours, or one of a version after `newest`."""
    if _single_int(connection, "PRAGMA application_id") != APPLICATION:
        raise DamagedError("it is another program's database")
    if (version := _single_int(connection, "PRAGMA user_version")) > newest:
        raise DamagedError(f"a newer version of Idlebrush wrote it (schema {version})")


@contextmanager
def refusing_damage() -> Iterator[None]:
    """Raise DamagedError for damage, but not for faults that may pass, such as a full disk."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if code(error) in _DAMAGED:
            raise DamagedError(str(error)) from error
        raise


def code(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code; 0 for what is not SQLite's."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite rolls back by itself after some errors
            connection.execute("ROLLBACK")
        raise


def _migrate(connection: sqlite3.Connection, script: str, version: int) -> None:
    with transaction(connection):
        for statement in script.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {version}")


def _single(connection: sqlite3.Connection, sql: str) -> object:
    row: tuple[object, ...] = connection.execute(sql).fetchone()
    return row[0]


def _single_int(connection: sqlite3.Connection, sql: str) -> int:
    value = _single(connection, sql)
    assert isinstance(value, int)
    return value
