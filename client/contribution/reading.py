"""Reads the contribution's database beside the process that writes to it; for threads and programs of any kind."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from client.api.errors import StatsError
from client.contribution.database import Database
from client.contribution.schema import DamagedError

T = TypeVar("T")


def ask(path: Path, question: Callable[[Database], T], otherwise: T) -> T:
    """What the database answers, or something else where there is none yet; StatsError if it cannot be read."""
    if not path.exists():
        return otherwise
    try:
        with closing(Database.read(path)) as database:
            return question(database)
    except (DamagedError, sqlite3.Error) as error:
        raise StatsError(
            f"The record of your contribution, {path}, cannot be read: {error}.",
            "Start Idlebrush: it sets the file aside if it is damaged, and begins a new one.",
        ) from error
