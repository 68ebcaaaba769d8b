"""SQLAlchemy engines for the coordinator: one file of SQLite that several processes write, or PostgreSQL."""

import os
import sqlite3
from contextlib import suppress
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from coordinator.errors import DatabaseError

PATIENCE = 20.0
"""Seconds for which a writer waits for the others; a transaction of ours takes some milliseconds."""
MOST_CONNECTIONS = 20
"""Connections of a process at a rush; four processes then stay below PostgreSQL's usual hundred."""
_CONNECT_SECONDS = 10
_POSTGRES_OPTIONS = {
    "timezone": "UTC",
    "statement_timeout": "30s",
    "idle_in_transaction_session_timeout": "60s",
}
_ADDRESSES = "Give one such as sqlite:////srv/run/coordinator.sqlite or postgresql://user:password@host/name."
_NO_BEGIN = "idlebrush_no_begin"
"""The execution option of SQLite's connections for work outside of transactions."""


def parse(address: str) -> URL:
    """Return the URL of a database that we can use.

    Raise DatabaseError for any other ``address``; the error does not contain the password that may be in it.
    """
    try:
        url = make_url(address.replace("postgres://", "postgresql://", 1))
        backend = url.get_backend_name()
    except (ArgumentError, ValueError) as error:
        raise DatabaseError("The database's address cannot be understood.", _ADDRESSES) from error
    if backend == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if backend == "sqlite" and url.database not in (None, "", ":memory:"):
        return url.set(drivername="sqlite+pysqlite")
    raise DatabaseError(
        f"{url.render_as_string()} is no database that several processes can share.", _ADDRESSES
    )


def connect(url: URL, patience: float = PATIENCE, connections: int = MOST_CONNECTIONS) -> Engine:
    """Return an engine for transactions that write, each of which waits for others for ``patience`` seconds at most.

    It has at most ``connections`` to PostgreSQL.
    A transaction of SQLite's begins by taking the lock, and there is one at a time. A transaction that took
    the lock at its first write would fail, without waiting, if another had written since. Threads take turns
    at the one connection, in their order: SQLite itself lets those who wait look again every so often, up to
    a tenth of a second apart, and some come too late for seconds. Other processes wait in that way.
    """
    if url.get_backend_name() == "postgresql":
        options = _POSTGRES_OPTIONS | {"lock_timeout": f"{round(patience * 1000)}ms"}
        spelled = " ".join(f"-c {name}={value}" for name, value in options.items())
        arguments: dict[str, Any] = {"connect_timeout": _CONNECT_SECONDS, "options": spelled}
        # The server may have been restarted since a connection was last used: each is tried first.
        return create_engine(url, pool_pre_ping=True, connect_args=arguments, **_pool(connections))
    _keep_to_owner(url)
    turns = {"pool_size": 1, "max_overflow": 0, "pool_timeout": patience}
    engine = create_engine(url, connect_args={"timeout": patience}, **turns)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _pool(connections: int) -> dict[str, Any]:
    """Keep every connection once it is open: PostgreSQL starts a process for each, which delays others in a rush."""
    return {"pool_size": connections, "max_overflow": 0, "pool_use_lifo": True}


def for_reading(engine: Engine) -> Engine:
    """Return an engine of the same database for read-only transactions, which see it as of one moment."""
    if engine.dialect.name == "postgresql":
        return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    readers = create_engine(engine.url, connect_args={"timeout": PATIENCE}, **_pool(MOST_CONNECTIONS))
    event.listen(readers, "connect", _prepare_reader)
    event.listen(readers, "begin", _begin_reading)
    return readers


def _keep_to_owner(url: URL) -> None:
    """Make SQLite's file, if it is new, before SQLite would for all to read: hidden volunteers have names in it.

    What SQLite puts beside it takes its mode over; why it cannot be made SQLite tells better.
    """
    with suppress(OSError):
        os.close(os.open(str(url.database), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def outside_transactions(engine: Engine) -> Engine:
    """Return the same connections to SQLite, for statements that it runs outside of transactions."""
    return engine.execution_options(**{_NO_BEGIN: True})


def _prepare_sqlite(connection: sqlite3.Connection, record: object) -> None:
    connection.isolation_level = None  # transactions are begun by us, never by Python's driver
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = NORMAL")  # after a power cut whole, if some seconds older


def _prepare_reader(connection: sqlite3.Connection, record: object) -> None:
    connection.isolation_level = None
    connection.execute("PRAGMA query_only = ON")


def _begin_sqlite(connection: Connection) -> None:
    if _NO_BEGIN not in connection.get_execution_options():
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin_reading(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")
