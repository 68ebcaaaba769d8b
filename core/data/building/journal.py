"""Records the progress of a build in one file, which is consistent whenever the build may be killed."""

import json
import shutil
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.data.index import ShardEntry
from core.data.shards import CodeRow
from core.data.sources.source import START, SourcePlace
from core.errors import DataError

JOURNAL_NAME = "journal.sqlite"

JobDescription = Mapping[str, str]
"""Settings that decide which bytes a build makes, by name: source, codec and others."""

_ROW = "caption, code, nsfw, width, height"
_TABLES = f"""
CREATE TABLE build (job, place, images, source_bytes);
CREATE TABLE pending (number INTEGER PRIMARY KEY, split, {_ROW});
CREATE INDEX pending_of_split ON pending (split, number);
CREATE TABLE shards (split, file, rows, sha256);
CREATE TABLE left_out (reason, line);
"""


@dataclass(frozen=True)
class LeftOut:
    """An image that is left out of the shards."""

    name: str
    reason: str
    """A fixed phrase, by which reports count."""
    detail: str
    """The caption of a pair that the filters drop, or the fault of the image."""
    after: SourcePlace


@dataclass(frozen=True)
class EncodedBatch:
    """The results of one batch."""

    rows: Sequence[tuple[str, CodeRow]]
    """Rows with the split of each; an image in two splits has two rows."""
    images: int
    """Number of images that were encoded."""
    source_bytes: int
    """Bytes of these images as the source holds them, encoded."""
    left_out: Sequence[LeftOut]
    after: SourcePlace
    """Place in the source at which the next batch begins."""


@dataclass(frozen=True)
class BuildTally:
    """Totals of a build so far."""

    images: int
    """Number of images that were encoded."""
    source_bytes: int
    """Bytes of these images as the source holds them, encoded."""
    left_out: Counter[str]
    """Number of images that were left out, by reason."""

    @property
    def done(self) -> int:
        """Number of images that were encoded or left out."""
        return self.images + self.left_out.total()


class Journal:
    """The place in the source, the rows that are not in a shard yet, the shards, and the images left out.

    Each change is a transaction, written out to the disk before the method returns.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Read the counts of images left out over ``connection``, to a database that has the journal's tables.

        `open_journal` makes such a connection, and closes it.
        """
        self._connection = connection
        self._counts = Counter(dict(connection.execute("SELECT reason, count(*) FROM left_out GROUP BY 1")))

    @property
    def place(self) -> SourcePlace:
        """Place in the source from which the build goes on."""
        return tuple(json.loads(self._one("SELECT place FROM build")))

    @property
    def tally(self) -> BuildTally:
        """Totals of the build so far."""
        images, source_bytes = self._connection.execute("SELECT images, source_bytes FROM build").fetchone()
        return BuildTally(images, source_bytes, self._counts.copy())

    def add(self, step: EncodedBatch) -> None:
        """Record the results of one batch, ``step``: its rows as pending, and the images that it left out."""
        lines = [(image.reason, _line(image)) for image in step.left_out]
        with self._connection as transaction:
            transaction.executemany(
                f"INSERT INTO pending (split, {_ROW}) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (split, row.caption, row.code, row.nsfw, row.original_width, row.original_height)
                    for split, row in step.rows
                ],
            )
            transaction.executemany("INSERT INTO left_out VALUES (?, ?)", lines)
            transaction.execute(
                "UPDATE build SET place = ?, images = images + ?, source_bytes = source_bytes + ?",
                (json.dumps(step.after), step.images, step.source_bytes),
            )
        self._counts.update(reason for reason, _ in lines)

    def pending_counts(self) -> dict[str, int]:
        """Return the number of rows that are not in a shard yet, for each split that has any, in order of names."""
        return dict(
            self._connection.execute("SELECT split, count(*) FROM pending GROUP BY split ORDER BY split")
        )

    def pending(self, split: str, limit: int) -> Iterator[CodeRow]:
        """Yield the first rows of a split that are not in a shard yet, ``limit`` at most, one in memory at a time."""
        found = self._connection.execute(
            f"SELECT {_ROW} FROM pending WHERE split = ? ORDER BY number LIMIT ?", (split, limit)
        )
        return (CodeRow(*values) for values in found)

    def add_shard(self, split: str, entry: ShardEntry) -> None:
        """Record a shard of the first ``entry.rows`` pending rows of a split; they are pending no longer."""
        with self._connection as transaction:
            transaction.execute(
                "DELETE FROM pending WHERE number IN"
                " (SELECT number FROM pending WHERE split = ? ORDER BY number LIMIT ?)",
                (split, entry.rows),
            )
            transaction.execute(
                "INSERT INTO shards VALUES (?, ?, ?, ?)", (split, entry.file, entry.rows, entry.sha256)
            )

    def shard_count(self, split: str) -> int:
        """Return the number of shards of a split that were written."""
        (count,) = self._connection.execute(
            "SELECT count(*) FROM shards WHERE split = ?", (split,)
        ).fetchone()
        return int(count)

    def shards(self) -> dict[str, tuple[ShardEntry, ...]]:
        """Return the shards of each split, in the order in which they were written."""
        found: defaultdict[str, list[ShardEntry]] = defaultdict(list)
        for split, file, rows, sha256 in self._connection.execute(
            "SELECT * FROM shards ORDER BY split, rowid"
        ):
            found[split].append(ShardEntry(file=file, rows=rows, sha256=sha256))
        return {split: tuple(entries) for split, entries in found.items()}

    def left_out(self) -> Iterator[str]:
        """Yield a line of JSON for each image that was left out, in the source's order."""
        return (line for (line,) in self._connection.execute("SELECT line FROM left_out ORDER BY rowid"))

    def _one(self, query: str) -> str:
        (value,) = self._connection.execute(query).fetchone()
        return str(value)


@contextmanager
def open_journal(folder: Path, job: JobDescription) -> Iterator[Journal]:
    """Open the journal in a folder, or begin a new one for ``job``; no other process can open it meanwhile.

    Raises:
        DataError: the journal belongs to another job, is in use, is damaged, or cannot be written.
    """
    with _named_errors(folder), closing(sqlite3.connect(folder / JOURNAL_NAME, timeout=0)) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
            _begin(connection, job)
        connection.commit()
        _refuse_other_job(connection, job, folder)
        yield Journal(connection)


def discard(folder: Path) -> None:
    """Delete the unfinished build in a folder, if there is one.

    Raises:
        DataError: another process is at work on the build.
    """
    if (folder / JOURNAL_NAME).exists():
        try:
            with closing(sqlite3.connect(folder / JOURNAL_NAME, timeout=0)) as connection:
                connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise _at_work(folder) from error
            # It is damaged, which is a reason to throw it away.
    if folder.exists():
        shutil.rmtree(folder)


@contextmanager
def _named_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise _at_work(folder) from error
        raise DataError(
            f"The journal in {folder} cannot be written: {error}.", "Make room, or choose another folder."
        ) from error
    except sqlite3.DatabaseError as error:
        raise DataError(
            f"The journal in {folder} is damaged: {error}.", "Start again with --restart."
        ) from error


def _at_work(folder: Path) -> DataError:
    return DataError(f"Another build is at work in {folder}.", "Wait for it, or end it.")


def _begin(connection: sqlite3.Connection, job: JobDescription) -> None:
    for statement in filter(str.strip, _TABLES.split(";")):
        connection.execute(statement)
    connection.execute("INSERT INTO build VALUES (?, ?, 0, 0)", (json.dumps(dict(job)), json.dumps(START)))


def _refuse_other_job(connection: sqlite3.Connection, job: JobDescription, folder: Path) -> None:
    begun: dict[str, str] = json.loads(connection.execute("SELECT job FROM build").fetchone()[0])
    for name in (*job, *begun):
        if begun.get(name) != job.get(name):
            raise DataError(
                f"The unfinished build in {folder} was begun with {name} {begun.get(name)}, not {job.get(name)}.",
                "Give the same as before, or start again with --restart.",
            )


def _line(image: LeftOut) -> str:
    return json.dumps({"file_name": image.name, "reason": image.reason, "detail": image.detail})
