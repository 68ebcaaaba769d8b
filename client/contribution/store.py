"""Keeps the contribution's database in use whatever befalls it: a full disk passes, a damaged file is set aside."""

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

from client.api.errors import StatsError
from client.contribution.database import ContributionDatabase, UnwrittenAmounts
from client.contribution.schema import DamagedError, code
from client.state_file import set_aside
from core.storage import moving

SET_ASIDE_KEPT = 10
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_STILL_READABLE = (*_BUSY, sqlite3.SQLITE_FULL)

T = TypeVar("T")


class Store:
    """Database of the process that writes. No method raises; ``notify`` gets each fault once."""

    def __init__(self, path: Path, notify: Callable[[StatsError], None], rest: timedelta) -> None:
        """Prepare to open the database.

        ``rest``: for which a database that could not be opened is not asked again.
        """
        self._path = path
        self._notify = notify
        self._rest = rest
        self._failed_at: datetime | None = None
        self._database: ContributionDatabase | None = None
        self.failing = False
        """True if the last attempt to write, or to open, failed."""

    def write(self, unwritten: UnwrittenAmounts, now: datetime) -> bool:
        """Write all of it, or nothing; True if it is in the database now."""
        try:
            self._use(lambda database: database.write(unwritten), now)
        except (DamagedError, sqlite3.Error, OSError) as error:
            self._fail(error, now)
            return False
        self.failing = False
        return True

    def ask(self, question: Callable[[ContributionDatabase], T], otherwise: T, now: datetime) -> T:
        """Answer of the database, or ``otherwise`` if it cannot be used now."""
        if self._database is None and self._rests(now):
            return otherwise
        try:
            return self._use(question, now)
        except (DamagedError, sqlite3.Error, OSError) as error:
            self._fail(error, now)
            return otherwise

    def close(self) -> None:
        if self._database:
            with suppress(sqlite3.Error):
                self._database.close()
            self._database = None

    def _use(self, action: Callable[[ContributionDatabase], T], now: datetime) -> T:
        try:
            return action(self._open())
        except DamagedError as error:
            self._set_aside(error, now)
            return action(self._open())

    def _open(self) -> ContributionDatabase:
        if not self._path.exists():
            self.close()  # what is written to a file that was removed is gone with it
        if self._database is None:
            self._database = ContributionDatabase.open(self._path)
        return self._database

    def _set_aside(self, error: DamagedError, now: datetime) -> None:
        self.close()
        place = set_aside(self._path, now, SET_ASIDE_KEPT)
        for suffix in ("-wal", "-shm"):  # SQLite's, which belong to the file of that name
            with suppress(FileNotFoundError):
                moving.replace(
                    self._path.with_name(self._path.name + suffix), place.with_name(place.name + suffix)
                )
        self._notify(
            StatsError(
                f"The record of your contribution could not be used ({error}), so a new one was begun.",
                f"The old one was set aside as {place}; training is not affected.",
            )
        )

    def _rests(self, now: datetime) -> bool:
        """Return true while the last failure is recent; a clock that was set back must not prolong that."""
        failed_at = self._failed_at
        return self.failing and failed_at is not None and failed_at <= now < failed_at + self._rest

    def _fail(self, error: DamagedError | sqlite3.Error | OSError, now: datetime) -> None:
        self._failed_at = now
        reason = code(error) if isinstance(error, sqlite3.Error) else 0
        if reason not in _STILL_READABLE:
            self.close()
        if not self.failing and reason not in _BUSY:
            self._notify(
                StatsError(
                    f"Your contribution cannot be recorded now: {error}. Training continues, and it is remembered.",
                    f"See that the disk has space and that you may write to {self._path.parent}.",
                )
            )
        self.failing = True
