"""Replaces a folder's database with a backup and keeps the old one; a kill leaves the one or the other."""

import os
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import func, select

from coordinator.database.connect import Database
from coordinator.database.tables import AuditEntry, Epoch, Run
from coordinator.errors import DatabaseError, HomeError
from coordinator.gate.audit import note
from coordinator.gate.moderation import COMMAND_LINE
from coordinator.home import Home
from coordinator.opened import require_served
from core.run.manifest import RunManifest

_BESIDE = ("-wal", "-shm")
"""Suffixes of the files that SQLite keeps beside an open database, or leaves when its program was killed."""


@dataclass(frozen=True)
class RestoredDatabase:
    """A restored database."""

    newest: datetime | None
    """Time of the newest entry."""
    aside: Path | None
    """Path of the previous database, if there was one."""


def restore(home: Home, file: Path, environment: Mapping[str, str], now: datetime) -> RestoredDatabase:
    """Serve the folder with that backup from now on.

    Raises HomeError while the folder is served, and DatabaseError if the backup is damaged, belongs to
    another run or is of a newer version; then nothing has changed.
    """
    if environment.get("DATABASE_URL"):
        raise DatabaseError("PostgreSQL databases are not restored by this command.", "Use pg_restore.")
    require_served(home, b"")
    run = RunManifest.load(home.manifest).training_digest
    with home.locked():
        try:
            with TemporaryDirectory(dir=home.root, prefix=".restoring-") as folder:
                tried = Path(folder) / "tried.sqlite"
                shutil.copyfile(file, tried)
                tried.chmod(0o600)
                newest = _verified(tried, run, file, now)
                aside = _set_aside(home.database, now)
                tried.replace(home.database)
        except OSError as error:
            raise HomeError(
                f"{file} cannot be put into {home.root}: {error.strerror or error}.",
                "Check the path, and that the disk has space.",
            ) from error
    return RestoredDatabase(newest, aside)


def _verified(tried: Path, run: str, file: Path, now: datetime) -> datetime | None:
    """Upgrade the backup to this version and record the restore; return the time of its newest entry."""
    _require_whole(tried, file)
    with closing(Database.open(f"sqlite:///{tried}")) as database, database.session() as session:
        owner = session.get(Run, 1)
        if owner is None or owner.digest != run:
            raise DatabaseError(f"{file} is not of this run.", "Give a backup that was made in this folder.")
        times = [session.scalar(select(func.max(table.time))) for table in (Epoch, AuditEntry)]
        note(session, now, COMMAND_LINE, "database restored", file.name)
    return max(filter(None, times), default=None)


def _require_whole(tried: Path, file: Path) -> None:
    try:
        with closing(sqlite3.connect(tried)) as connection:
            answer = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        answer = str(error)
    if answer != "ok":
        raise DatabaseError(f"{file} is no whole database: {answer}.", "Give another backup.")


def _set_aside(database: Path, now: datetime) -> Path | None:
    """Return a copy of the database with its companion files, which must not lie beside another database."""
    if not database.exists():
        return None
    with suppress(sqlite3.Error), closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # so that it is whole by itself
    aside = database.with_name(f"{database.stem}-before-{now:%Y%m%d-%H%M%S}.sqlite")
    for suffix in ("", *_BESIDE):
        part = Path(f"{database}{suffix}")
        if part.exists():
            shutil.copy2(part, f"{aside}{suffix}")
            _sync(Path(f"{aside}{suffix}"))
    for suffix in _BESIDE:
        Path(f"{database}{suffix}").unlink(missing_ok=True)
    return aside


def _sync(file: Path) -> None:
    descriptor = os.open(file, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
