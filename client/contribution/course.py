"""Keeps the course of each run in the contribution's database: its epochs, and the volunteer's ranks.

These are its statements; the caller is in a transaction.
"""

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

from client.api.history import MOST_POINTS, EpochPoint, RankPoint

EPOCHS_KEPT = 20_000
"""Largest number of epochs of a run; of more, every second one of the older half is forgotten."""
RANKS_KEPT = MOST_POINTS
"""Number of a run's newest ranks that are kept."""


class CourseEpoch(NamedTuple):
    """An epoch that this computer saw the swarm commit."""

    run: str
    generation: int
    began_at: int
    """The epoch at which the generation began: whatever followed it in earlier ones was rolled back."""
    point: EpochPoint


class CourseRank(NamedTuple):
    """The volunteer's place on a run's leaderboard."""

    run: str
    point: RankPoint


def write_epochs(
    connection: sqlite3.Connection, epochs: Iterable[CourseEpoch], most: int = EPOCHS_KEPT
) -> None:
    """Add epochs; those that were rolled back, or that the swarm lost and does again, are replaced."""
    for run, generation, began_at, point in epochs:
        newer = "SELECT 1 FROM course WHERE run = ? AND generation > ?"
        if connection.execute(newer, (run, generation)).fetchone():
            continue
        connection.execute(
            "DELETE FROM course WHERE run = ? AND (epoch >= ? OR (generation < ? AND epoch > ?))",
            (run, point.epoch, generation, began_at),
        )
        values = point.epoch, point.loss, point.samples, point.own_samples, point.peers, point.seconds
        connection.execute("INSERT INTO course VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (run, generation, *values))
        _thin_out(connection, run, most)


def write_ranks(connection: sqlite3.Connection, ranks: Iterable[CourseRank], most: int = RANKS_KEPT) -> None:
    for run, point in ranks:
        values = run, int(point.time.timestamp()), point.rank, point.of
        connection.execute("INSERT OR REPLACE INTO ranks VALUES (?, ?, ?, ?)", values)
        connection.execute(
            "DELETE FROM ranks WHERE run = ?1 AND time NOT IN"
            " (SELECT time FROM ranks WHERE run = ?1 ORDER BY time DESC LIMIT ?2)",
            (run, most),
        )


def epochs(
    connection: sqlite3.Connection, run: str, generation: int = 0, began_at: int = 0
) -> list[EpochPoint]:
    """Return epochs in order, without those that were rolled back when that generation began at that epoch."""
    columns = "epoch, loss, samples, own_samples, peers, seconds"
    stands = "run = ? AND NOT (generation < ? AND epoch > ?)"
    sql = f"SELECT {columns} FROM course WHERE {stands} ORDER BY epoch"
    rows = connection.execute(sql, (run, generation, began_at))
    return [EpochPoint(**dict(zip(columns.split(", "), row, strict=True))) for row in rows]


def ranks(connection: sqlite3.Connection, run: str, newest: int = RANKS_KEPT) -> list[RankPoint]:
    """Return the newest ranks, oldest first."""
    sql = "SELECT time, rank, volunteers FROM ranks WHERE run = ? ORDER BY time DESC LIMIT ?"
    found = [
        RankPoint(time=datetime.fromtimestamp(time, UTC), rank=rank, of=of)
        for time, rank, of in connection.execute(sql, (run, newest))
    ]
    return found[::-1]


def _thin_out(connection: sqlite3.Connection, run: str, most: int) -> None:
    (count,) = connection.execute("SELECT count(*) FROM course WHERE run = ?", (run,)).fetchone()
    if count > most:
        connection.execute(
            "DELETE FROM course WHERE run = ?1 AND epoch IN (SELECT epoch FROM"
            " (SELECT epoch, row_number() OVER (ORDER BY epoch) AS place FROM course WHERE run = ?1)"
            " WHERE place % 2 = 0 AND place <= ?2)",
            (run, count // 2),
        )
