"""Takes a run back to an earlier checkpoint, so that whoever is killed in the middle of it has done it or has not."""

from datetime import UTC, datetime

from coordinator.database.connect import Database
from coordinator.publisher.orders import Clock


def request(
    database: Database, epoch: int, *, by: str, clock: Clock = lambda: datetime.now(UTC)
) -> int:
    """Ask the publisher to take the run back to its newest good checkpoint of that epoch; the order's number.

    How it went is told by `coordinator.publisher.orders.outcome`. Raises RollbackError, naming the epochs that there
    are, if no checkpoint of that epoch is kept.
    """
    raise NotImplementedError
