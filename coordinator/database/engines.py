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
_CONNECTIONS = 5
_MORE_CONNECTIONS = 15
"""At a rush; four processes then stay below PostgreSQL's usual hundred."""
_CONNECT_SECONDS = 10
_POSTGRES_OPTIONS = {
    "timezone": "UTC",
    "statement_timeout": "30s",
    "idle_in_transaction_session_timeout": "60s",
}
_ADDRESSES = "Give one such as sqlite:////srv/run/coordinator.sqlite or postgresql://user:password@host/name."
_BEGIN = "idlebrush_begin"
"""The execution option that says how a transaction of SQLite's begins."""


def parse(address: str) -> URL:
    """The URL of a database that we can use; DatabaseError otherwise, without the password that may be in it."""
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


def connect(url: URL, patience: float = PATIENCE) -> Engine:
    """An engine; every transaction of SQLite's begins by taking its lock, those for reading excepted.

    A transaction that took the lock at its first write would fail, without waiting, if another had written since.
    """
    pool = {"pool_size": _CONNECTIONS, "max_overflow": _MORE_CONNECTIONS}
    if url.get_backend_name() == "postgresql":
        options = _POSTGRES_OPTIONS | {"lock_timeout": f"{round(patience * 1000)}ms"}
        spelled = " ".join(f"-c {name}={value}" for name, value in options.items())
        arguments: dict[str, Any] = {"connect_timeout": _CONNECT_SECONDS, "options": spelled}
        # The server may have been restarted since a connection was last used: each is tried first.
        return create_engine(url, pool_pre_ping=True, connect_args=arguments, **pool)
    _keep_to_owner(url)
    engine = create_engine(url, connect_args={"timeout": patience}, **pool)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _keep_to_owner(url: URL) -> None:
    """Make SQLite's file, if it is new, before SQLite would for all to read: hidden volunteers have names in it.

    What SQLite puts beside it takes its mode over; why it cannot be made SQLite tells better.
    """
    with suppress(OSError):
        os.close(os.open(str(url.database), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def for_reading(engine: Engine) -> Engine:
    """The same connections, in whose transactions nothing is written, and all is read as of one moment."""
    options: dict[str, Any] = {_BEGIN: ("PRAGMA query_only = ON", "BEGIN")}
    if engine.dialect.name == "postgresql":
        options |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    return engine.execution_options(**options)


def outside_transactions(engine: Engine) -> Engine:
    """The same connections to SQLite, for what it does in no transaction."""
    return engine.execution_options(**{_BEGIN: ()})


def _prepare_sqlite(connection: sqlite3.Connection, record: object) -> None:
    connection.isolation_level = None  # transactions are begun by us, never by Python's driver
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = NORMAL")  # after a power cut whole, if some seconds older


def _begin_sqlite(connection: Connection) -> None:
    options = connection.get_execution_options()
    for statement in options.get(_BEGIN, ("PRAGMA query_only = OFF", "BEGIN IMMEDIATE")):
        connection.exec_driver_sql(statement)
