"""A coordinator's home with its database, opened for one command beside the processes that serve it."""

import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass

from coordinator.database.connect import Database
from coordinator.home import Home
from coordinator.settings import Settings
from core.run import RunManifest


@dataclass(frozen=True)
class Opened:
    """What a command works on."""

    home: Home
    settings: Settings
    manifest: RunManifest
    database: Database


@contextmanager
def opened(home: Home, environment: Mapping[str, str] = os.environ) -> Iterator[Opened]:
    """Open what a home holds, and the database that ``DATABASE_URL`` names, or the home's own.

    Raises:
        CoreError: something of it cannot be read, or the database belongs to another run.
    """
    settings, manifest = Settings.load(home.settings), RunManifest.load(home.manifest)
    with closing(Database.open(home.database_url(environment))) as database:
        database.belong_to(manifest.training_digest)
        yield Opened(home, settings, manifest, database)
