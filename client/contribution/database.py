"""The database of the contribution: the few statements that read and write it.

The daemon writes, in short transactions, and so do commands that fetch something; others may read meanwhile.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

from client.api.errors import StatsError
from client.api.history import EpochPoint, RankPoint
from client.contribution import course
from client.contribution.course import CourseEpoch, CourseRank
from client.contribution.schema import MIGRATIONS, DamagedError, prepare, refusing_damage, transaction, verify
from client.contribution.tally import COLUMNS, Amounts

_BUSY_SECONDS = 0.05


class EpochKey(NamedTuple):
    """Key under which an epoch's samples are counted once."""

    run: str
    generation: int
    epoch: int
    peer: str


class EpochPart(NamedTuple):
    """A peer's own part of an epoch, and the hour in which it was committed."""

    hour: int
    samples: int

    @property
    def tally(self) -> Amounts:
        return Amounts(samples=self.samples, epochs=1 if self.samples else 0)


class Mark(NamedTuple):
    """Counters of a trainer's life that were counted already; they only rise."""

    peer: str = ""
    micro_steps: int = 0
    compute_seconds: float = 0.0
    bytes_sent: int = 0
    bytes_received: int = 0


@dataclass
class UnwrittenAmounts:
    """Amounts that were counted since the last transaction."""

    runs: dict[str, str] = field(default_factory=dict)
    """Names of runs by their digest."""
    hours: dict[tuple[str, int], Amounts] = field(default_factory=dict)
    epochs: dict[EpochKey, EpochPart] = field(default_factory=dict)
    lives: dict[str, Mark] = field(default_factory=dict)
    course: list[CourseEpoch] = field(default_factory=list)
    """Epochs in the order in which they were committed."""
    ranks: dict[str, CourseRank] = field(default_factory=dict)
    """Newest rank in each run."""

    def __bool__(self) -> bool:
        return bool(self.runs or self.hours or self.epochs or self.lives or self.course or self.ranks)

    def add(self, run: str, hour: int, tally: Amounts) -> None:
        self.hours[run, hour] = self.hours.get((run, hour), Amounts()) + tally

    def since(self, run: str | None, start: int) -> Amounts:
        """Return the amounts of that run, or of all runs, from that moment on."""
        tallies = [tally for (own, hour), tally in self.hours.items() if run in (None, own) and hour >= start]
        parts = [part for key, part in self.epochs.items() if run in (None, key.run) and part.hour >= start]
        return sum((part.tally for part in parts), sum(tallies, Amounts()))


class ContributionDatabase:
    """An open database whose schema is this version's."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        known = {name for _, name, *_ in connection.execute("PRAGMA table_info(hours)")}
        self._sums = ", ".join(f"total({column})" if column in known else "0.0" for column in COLUMNS)
        """Sums of all columns; those that an older version's file lacks are 0 until the daemon has added them."""

    @classmethod
    def open(cls, path: Path, migrations: Sequence[str] = MIGRATIONS) -> Self:
        """Open the database to write, and make it if it is missing; raises DamagedError and sqlite3's errors."""
        path.touch(mode=0o600)
        connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            with refusing_damage():
                prepare(connection, migrations)
        except BaseException:
            connection.close()
            raise
        return cls(connection)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Open the database to read only; raises DamagedError and sqlite3's errors."""
        address = f"{path.absolute().as_uri()}?mode=ro"
        connection = sqlite3.connect(address, uri=True, timeout=2.0, isolation_level=None)
        try:
            with refusing_damage():
                verify(connection)
        except BaseException:
            connection.close()
            raise
        return cls(connection)

    def close(self) -> None:
        self._connection.close()

    def write(self, unwritten: UnwrittenAmounts) -> None:
        """Write everything, or nothing if an error is raised."""
        with refusing_damage(), transaction(self._connection):
            self._write_runs(unwritten.runs)
            for (run, hour), tally in unwritten.hours.items():
                self._add(run, hour, tally)
            for key, part in unwritten.epochs.items():
                if self._is_new(key, part):
                    self._add(key.run, part.hour, part.tally)
            self._write_marks(unwritten.lives)
            course.write_epochs(self._connection, unwritten.course)
            course.write_ranks(self._connection, unwritten.ranks.values())

    def mark(self, life: str) -> Mark:
        sql = f"SELECT {', '.join(Mark._fields)} FROM lives WHERE life = ?"
        row = self._row(sql, life)
        return Mark(*row) if row else Mark()

    def since(self, run: str | None, start: int) -> Amounts:
        """Return the amounts of that run, or of all runs, from that moment on."""
        row = self._row(
            f"SELECT {self._sums} FROM hours WHERE (?1 IS NULL OR run = ?1) AND hour >= ?2", run, start
        )
        return _tally(row or ())

    def written_by_others(self) -> int:
        """Return a number that changes when another process has written to the database."""
        (version,) = self._row("PRAGMA data_version") or (0,)
        return int(version)

    def hours(self, run: str | None = None) -> list[tuple[int, Amounts]]:
        """Return the amounts by hour, of that run or of all runs together."""
        sql = (
            f"SELECT hour, {self._sums} FROM hours WHERE (?1 IS NULL OR run = ?1) GROUP BY hour ORDER BY hour"
        )
        with refusing_damage():
            return [(hour, _tally(values)) for hour, *values in self._connection.execute(sql, (run,))]

    def runs(self) -> dict[str, str]:
        """Return the names of all runs by their digests."""
        with refusing_damage():
            return dict(self._connection.execute("SELECT digest, name FROM runs ORDER BY name, digest"))

    def totals(self) -> dict[str, tuple[str, Amounts]]:
        """Return the name of each run and the amounts of all time, by its digest."""
        sql = f"SELECT digest, name, {self._sums} FROM runs JOIN hours ON run = digest GROUP BY digest ORDER BY name"
        with refusing_damage():
            rows = self._connection.execute(sql)
            return {digest: (name, _tally(values)) for digest, name, *values in rows}

    def epochs(self, run: str, generation: int = 0, began_at: int = 0) -> list[EpochPoint]:
        """Return the epochs that this computer saw committed and that count in that generation, in order."""
        with refusing_damage():
            return course.epochs(self._connection, run, generation, began_at)

    def ranks(self, run: str, newest: int = course.RANKS_KEPT) -> list[RankPoint]:
        """Return the newest ranks, oldest first."""
        with refusing_damage():
            return course.ranks(self._connection, run, newest)

    def _row(self, sql: str, *parameters: object) -> tuple[Any, ...] | None:
        with refusing_damage():
            row: tuple[Any, ...] | None = self._connection.execute(sql, parameters).fetchone()
        return row

    def _write_runs(self, names: Mapping[str, str]) -> None:
        sql = "INSERT INTO runs VALUES (?, ?) ON CONFLICT DO UPDATE SET name = excluded.name"
        self._connection.executemany(sql, names.items())

    def _add(self, run: str, hour: int, tally: Amounts) -> None:
        values = [getattr(tally, column) for column in COLUMNS]
        added = ", ".join(f"{column} = {column} + excluded.{column}" for column in COLUMNS)
        self._connection.execute(
            f"INSERT INTO hours (run, hour, {', '.join(COLUMNS)}) VALUES (?, ?{', ?' * len(COLUMNS)})"
            f" ON CONFLICT DO UPDATE SET {added}",
            (run, hour, *values),
        )

    def _is_new(self, key: EpochKey, part: EpochPart) -> bool:
        sql = "INSERT OR IGNORE INTO epochs VALUES (?, ?, ?, ?, ?)"
        return self._connection.execute(sql, (*key, part.samples)).rowcount > 0

    def _write_marks(self, lives: Mapping[str, Mark]) -> None:
        # In a table with a rowid, a replaced row becomes the newest.
        rows = ((life, *mark) for life, mark in lives.items())
        self._connection.executemany("INSERT OR REPLACE INTO lives VALUES (?, ?, ?, ?, ?, ?)", rows)


def checkpoint(path: Path) -> None:
    """Move what the log holds into the database; may wait for the disk, so not for an event loop's thread.

    What cannot be done now is done at another time, at the latest by the process that writes.
    """
    address = f"{path.absolute().as_uri()}?mode=rw"
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection,
    ):
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


def _tally(values: Sequence[object]) -> Amounts:
    """Return the values as amounts; SQLite's total() gives floats, exact below 2**53."""
    kinds = (type(getattr(Amounts(), column)) for column in COLUMNS)
    return Amounts(*(kind(value) for kind, value in zip(kinds, values, strict=True)))


T = TypeVar("T")


def ask(path: Path, question: Callable[[ContributionDatabase], T], otherwise: T) -> T:
    """Answer of the database, or ``otherwise`` if there is none yet; StatsError if it cannot be read."""
    if not path.exists():
        return otherwise
    try:
        with closing(ContributionDatabase.read(path)) as database:
            return question(database)
    except (DamagedError, sqlite3.Error) as error:
        raise StatsError(
            f"The record of your contribution, {path}, cannot be read: {error}.",
            "Start Idlebrush: it sets the file aside if it is damaged, and begins a new one.",
        ) from error
