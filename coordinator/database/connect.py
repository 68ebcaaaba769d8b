"""Opens the coordinator's database and gives transactions on it to threads and processes side by side."""

import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self, TypeVar

from sqlalchemy import Engine
from sqlalchemy.orm import Session, sessionmaker

from coordinator.database import failures
from coordinator.database.engines import MOST_CONNECTIONS, PATIENCE, connect, for_reading, parse
from coordinator.database.schema import bring_up_to_date
from coordinator.database.tables import Run
from coordinator.errors import DatabaseError

_log = logging.getLogger(__name__)


T = TypeVar("T")

_ATTEMPTS = 3
_PAUSE_SECONDS = 0.2


class Database:
    """A database that is open; may be used by many threads, each in transactions of its own.

    All of its methods raise DatabaseError, and ConflictError where a constraint stands against it; their words are
    for organisers, since they may tell names of hosts and files.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine, self._readers = engine, for_reading(engine)
        self._writing = sessionmaker(engine, expire_on_commit=False)
        self._reading = sessionmaker(self._readers, expire_on_commit=False)

    @classmethod
    def open(cls, address: str, *, patience: float = PATIENCE, connections: int = MOST_CONNECTIONS) -> Self:
        """Open the database at ``address``, a URL of SQLAlchemy's; make or migrate it if that is due.

        Several processes may do so at once, and one that is killed leaves the old schema or the new. ``patience``:
        seconds for which a transaction waits for others that write. ``connections``: most of them to PostgreSQL.
        """
        engine = connect(parse(address), patience, connections)
        try:
            with failures.in_words():
                bring_up_to_date(engine)
        except BaseException:
            engine.dispose()
            raise
        return cls(engine)

    def close(self) -> None:
        self._readers.dispose()
        self._engine.dispose()

    @contextmanager
    def session(self) -> Iterator[Session]:
        """Begin a transaction that may write; it is committed at the end, or undone as a whole if an error leaves it.

        SQLite has one such transaction at a time, so nothing slow belongs in it, and no other one. Errors of
        the database are raised as DatabaseError, and violated constraints as ConflictError.
        """
        with failures.in_words(), self._writing.begin() as session:
            yield session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Begin a transaction that sees the state of one moment. It waits for no writer; writing in it fails."""
        with failures.in_words(), self._reading.begin() as session:
            yield session

    def retrying(self, work: Callable[[Session], T], pause: Callable[[float], None] = time.sleep) -> T:
        """Run ``work`` in a transaction, again after a conflict or a broken connection, and return its result.

        ``work`` must do nothing twice: whether a transaction was committed is unknown if its connection broke then.
        """
        for attempt in range(1, _ATTEMPTS):
            try:
                return self._once(work)
            except DatabaseError as error:
                if not failures.may_pass(error):
                    raise
                wait = attempt * _PAUSE_SECONDS
                _log.warning(
                    "Transaction %d of %d failed (%s); the next in %.1f s.", attempt, _ATTEMPTS, error, wait
                )
                pause(wait)
        return self._once(work)

    def _once(self, work: Callable[[Session], T]) -> T:
        with self.session() as session:
            return work(session)

    def belong_to(self, run: str) -> None:
        """Keep the database for one run, named by its training part's digest; DatabaseError if another has it."""
        with self.session() as session:
            owner = session.get(Run, 1)
            if owner is None:
                session.add(Run(id=1, digest=run))
            elif owner.digest != run:
                raise DatabaseError(
                    f"The database belongs to another run ({owner.digest[:16]}...).",
                    "Give each run a database of its own.",
                )

    def backup(self, file: Path) -> None:
        """Write a whole copy of a SQLite database while it is in use, which only its owner can read.

        It takes no other file's place: one that is there may be another run's database, in use.
        """
        if self._engine.dialect.name != "sqlite":
            raise DatabaseError("PostgreSQL databases are not backed up by this command.", "Use pg_dump.")
        with failures.in_words(), self._readers.connect() as connection:
            source = connection.connection.driver_connection
            assert isinstance(source, sqlite3.Connection)
            _copy(source, file)


def _copy(source: sqlite3.Connection, file: Path) -> None:
    """Copy beside the file first: a killed process leaves nothing that passes for a backup."""
    try:
        with TemporaryDirectory(dir=file.parent, prefix=f".{file.name}-") as folder:
            begun = Path(folder) / file.name
            with closing(sqlite3.connect(begun)) as target:
                source.backup(target)
            begun.chmod(0o600)
            os.link(begun, file)
    except (OSError, sqlite3.Error) as error:
        raise _no_backup(file, getattr(error, "strerror", None) or error) from error


def _no_backup(file: Path, reason: object) -> DatabaseError:
    return DatabaseError(f"The backup cannot be written to {file}: {reason}.", "Choose another file.")
