"""Moves the credits of past days, each peer's for each epoch, from the database to a compressed file for each day.

Epochs, days and totals stay: so curves, boards and pages are the same, and receipts, which are made of days.
"""

import csv
import gzip
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from io import TextIOWrapper
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from coordinator.database.connect import Database
from coordinator.database.tables import Credit, Doubt, Epoch, KnownPeer, User

if TYPE_CHECKING:
    import _csv

COLUMNS = (
    "kind",
    "generation",
    "epoch",
    "time",
    "peer",
    "user",
    "samples",
    "compute_seconds",
    "claimed",
    "why",
)
"""Columns of a file: a credit has the seconds of computing, a doubt the samples that were claimed and the reason."""
_PAUSE_SECONDS = 0.02
"""Seconds between two epochs, in which other processes can take SQLite's lock: they poll for it."""
_Key = tuple[int, int]
_Line = tuple[str, ...]


@dataclass(frozen=True)
class ArchivedDay:
    """A day whose credits are in a file, and no longer in the database."""

    day: date
    file: Path
    rows: int
    """Credits and doubts that were moved."""


def archive_oldest(
    database: Database, folder: Path, before: date, pause: Callable[[float], None] = time.sleep
) -> ArchivedDay | None:
    """Move the oldest day that has credits or doubts to ``folder``; return None if all are of ``before`` or later.

    The file is whole on the disk before the first row is deleted, and each epoch is deleted as a whole. So a process
    that is killed at any time loses no row and has none twice, if it does the same again.

    Args:
        pause: called between two epochs with seconds to wait.

    Raises:
        OSError: the file cannot be written.
        DatabaseError: the database is away.
    """
    with database.reading() as session:
        day = _oldest(session)
        epochs = _epochs_of(session, day) if day is not None else []
    if day is None or day >= before:
        return None
    file = folder / f"credits-{day}.csv.gz"
    folder.mkdir(mode=0o700, exist_ok=True)
    for left in folder.glob(f".{file.name}-*"):  # by a process that was killed
        rmtree(left)
    rows = _write(database, file, epochs)
    for key in epochs:
        database.retrying(lambda session, key=key: _delete(session, key))  # type: ignore[misc]
        pause(_PAUSE_SECONDS)
    return ArchivedDay(day, file, rows)


def lines_of(file: Path) -> Iterator[_Line]:
    """Yield the lines of an archived day, as `COLUMNS` names their fields."""
    with gzip.open(file, "rt", encoding="utf-8", newline="") as text:
        lines = csv.reader(text)
        next(lines, None)
        yield from map(tuple, lines)


def _oldest(session: Session) -> date | None:
    """Return the day in UTC of the first epoch that has credits or doubts."""
    credit = select(Credit.time).order_by(Credit.generation, Credit.epoch).limit(1)
    doubt = select(Doubt.time).order_by(Doubt.generation, Doubt.epoch).limit(1)
    found = [moment for query in (credit, doubt) if (moment := session.scalar(query)) is not None]
    return min(found).astimezone(UTC).date() if found else None


def _epochs_of(session: Session, day: date) -> list[_Key]:
    begin = datetime.combine(day, time_of_day(), UTC)
    during = Epoch.time >= begin, Epoch.time < begin + timedelta(days=1)
    found = select(Epoch.generation, Epoch.epoch).where(*during).order_by(Epoch.generation, Epoch.epoch)
    return [(generation, epoch) for generation, epoch in session.execute(found)]


def _write(database: Database, file: Path, epochs: list[_Key]) -> int:
    """Write the rows of these epochs, beside those of others that the file has already; return their number."""
    moved, written = 0, set()
    with _replaced(file) as lines:
        for key in epochs:
            with database.reading() as session:
                rows = list(_rows_of(session, key))
            if rows:
                written.add(key)
                lines.writerows(rows)
                moved += len(rows)
        earlier = lines_of(file) if file.exists() else iter(())
        lines.writerows(line for line in earlier if (int(line[1]), int(line[2])) not in written)
    return moved


def _rows_of(session: Session, key: _Key) -> Iterator[_Line]:
    credits_ = select(Credit.time, KnownPeer.peer_id, User.name, Credit.samples, Credit.compute_seconds)
    credits_ = credits_.join(KnownPeer, KnownPeer.id == Credit.peer_id).join(User, User.id == Credit.user_id)
    of_epoch = (Credit.generation == key[0], Credit.epoch == key[1])
    number = (str(key[0]), str(key[1]))
    for moment, peer, user, samples, seconds in session.execute(
        credits_.where(*of_epoch).order_by(Credit.peer_id)
    ):
        yield ("credit", *number, moment.isoformat(), peer, user, str(samples), f"{seconds:.3f}", "", "")
    doubts = select(Doubt.time, KnownPeer.peer_id, Doubt.credited, Doubt.claimed, Doubt.why)
    doubts = doubts.join(KnownPeer, KnownPeer.id == Doubt.peer_id)
    of_epoch = (Doubt.generation == key[0], Doubt.epoch == key[1])
    for moment, peer, samples, claimed, why in session.execute(doubts.where(*of_epoch).order_by(Doubt.id)):
        yield ("doubt", *number, moment.isoformat(), peer, "", str(samples), "", str(claimed), why)


def _delete(session: Session, key: _Key) -> None:
    session.execute(delete(Credit).where(Credit.generation == key[0], Credit.epoch == key[1]))
    session.execute(delete(Doubt).where(Doubt.generation == key[0], Doubt.epoch == key[1]))


@contextmanager
def _replaced(file: Path) -> Iterator["_csv.Writer"]:
    """Yield a writer of lines, which take the file's place once they are whole on the disk."""
    with TemporaryDirectory(dir=file.parent, prefix=f".{file.name}-") as folder:
        begun = Path(folder) / file.name
        with open(begun, "xb", opener=_for_owner) as raw:
            # Without a name and a time in it, the same rows make the same file.
            with (
                gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed,
                TextIOWrapper(packed, "utf-8", newline="") as text,
            ):
                lines = csv.writer(text)
                lines.writerow(COLUMNS)
                yield lines
            os.fsync(raw.fileno())
        begun.replace(file)
        _sync(file.parent)


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)  # hidden volunteers have names in it


def _sync(folder: Path) -> None:
    """Write the folder itself to the disk: a file that has its name is there after a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
