"""A coordinator's home with its database, opened for one command beside the processes that serve it."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass

from coordinator.database.connect import Database
from coordinator.database.engines import parse
from coordinator.errors import HomeError
from coordinator.home import Home
from coordinator.settings import Settings
from core.run.manifest import RunManifest
from core.storage.files import read_bounded, write_atomically

_LONGEST_MARK = 64


@dataclass(frozen=True)
class OpenedRun:
    """A home, its settings, its manifest and its database, opened for a command."""

    home: Home
    settings: Settings
    manifest: RunManifest
    database: Database


@contextmanager
def opened(
    home: Home, environment: Mapping[str, str] = os.environ, *, to_serve: bool = False
) -> Iterator[OpenedRun]:
    """Open what a home holds, and the database that ``DATABASE_URL`` names, or the home's own.

    Args:
        to_serve: whether this is the database to serve from now on; else it must be the one that was served last.

    Raises:
        CoreError: something of it cannot be read, or the database belongs to another run, or is not the served one.
    """
    settings, manifest = Settings.load(home.settings), RunManifest.load(home.manifest)
    mark = mark_of(environment)
    if not to_serve:
        require_served(home, mark)
    with closing(Database.open(home.database_url(environment))) as database:
        database.belong_to(manifest.training_digest)
        if to_serve:
            _note_served(home, mark)
        yield OpenedRun(home, settings, manifest, database)


def mark_of(environment: Mapping[str, str]) -> bytes:
    """Return nothing for a home's own database, else a digest of its address without the password."""
    address = environment.get("DATABASE_URL")
    if not address:
        return b""
    known_by = parse(address).render_as_string(hide_password=True)
    return hashlib.sha256(known_by.encode()).hexdigest().encode()


def require_served(home: Home, mark: bytes) -> None:
    """Raise HomeError if the command would write to a database that the coordinator does not serve."""
    if home.database_mark.exists() and read_bounded(home.database_mark, _LONGEST_MARK) != mark:
        raise HomeError(
            f"The coordinator of {home.root} was last served with another database than this command would use.",
            "Set DATABASE_URL as it is set for `serve`, or unset it if it is not set there.",
        )


def _note_served(home: Home, mark: bytes) -> None:
    try:
        write_atomically(home.database_mark, mark, mode=0o600)
    except OSError as error:
        raise HomeError(
            f"{home.database_mark} cannot be written: {error.strerror or error}.",
            "See that the disk has space and that you may write there.",
        ) from error
