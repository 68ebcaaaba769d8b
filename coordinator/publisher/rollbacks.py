"""Rolls a run back: orders it automatically after a divergence, so often a day, and carries orders out."""

from collections.abc import Callable
from datetime import UTC, datetime

from coordinator.database.connect import Database
from coordinator.database.tables import Order
from coordinator.gate.audit import note
from coordinator.home import Home
from coordinator.publisher.archive import Archive
from coordinator.publisher.orders import Argument, Clock, Kind, argument_of, place, waiting
from coordinator.publisher.retention import KeptCheckpoint
from coordinator.rollback import COORDINATOR, best_before, intend, of_today, require, settle
from core.digest import digest
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.swarm.state.state import OPTIMIZER, PARAMETERS, under

BLEW_UP = "blew up"
"""Entry of the audit log: a diverged run that was not rolled back."""


class AutomaticRollback:
    """Orders a diverged run to be rolled back, a few times a day; after that it only notifies the organiser."""

    def __init__(
        self,
        archive: Archive,
        database: Database,
        manifest: RunManifest,
        a_day: int,
        now: Callable[[], datetime],
    ) -> None:
        """Allow at most ``a_day`` rollbacks within 24 hours, of all generations together."""
        self._archive, self._database, self._manifest = archive, database, manifest
        self._a_day, self._now = a_day, now
        self._reported: set[str] = set()

    def go(self, epochs: tuple[int, ...], why: str) -> None:
        """Order a rollback to the newest checkpoint from before the first of these epochs that has one."""
        target = next(filter(None, map(self._target, epochs)), None)
        with self._database.reading() as session:
            if any(order.kind == Kind.ROLLBACK for order in waiting(session)):
                return
            is_often = of_today(session, self._now()) >= self._a_day
        if target is None:
            self.report(why, "there is no checkpoint from before")
        elif is_often:
            self.report(
                why,
                "the daily limit of automatic rollbacks is reached; check the run and roll it back yourself",
            )
        else:
            argument = Argument(by=COORDINATOR, epoch=target.epoch, why=why)
            with self._database.session() as session:
                place(session, Kind.ROLLBACK, argument, self._now())

    def report(self, why: str, obstacle: str) -> None:
        """Tell the organiser why nothing is done; once of each obstacle."""
        if obstacle not in self._reported:
            with self._database.session() as session:
                note(session, self._now(), COORDINATOR, BLEW_UP, "", f"{why}; {obstacle}")
        self._reported.add(obstacle)

    def _target(self, epoch: int) -> KeptCheckpoint | None:
        kept, beginning = self._archive.kept(), self._archive.beginning()
        has_own = any(item.generation == self._manifest.state.generation for item in kept)
        return best_before(kept, epoch, beginning.id if beginning and not has_own else None)


def take_back(
    home: Home,
    database: Database,
    archive: Archive,
    order: Order,
    clock: Clock = lambda: datetime.now(UTC),
) -> RunManifest:
    """Do what an order says, and return the new manifest, which is in the home then.

    The one step that cannot be undone is the new manifest.

    Raises RollbackError if the checkpoint no longer exists, and CheckpointError if it is damaged; nothing has
    happened then.
    """
    epoch, key = argument_of(order).epoch, SigningKey.load(home.organiser_key)
    assert epoch is not None
    parameters, optimizer = _beginning(archive, epoch)
    with home.rewriting():
        newer = RunManifest.load(home.manifest).roll_back(key, epoch, parameters, optimizer)
        with database.session() as session:
            intend(session, order.id, newer.state.generation)
        newer.save(home.manifest)  # from here on it has happened
    settle(database, newer, clock)
    return newer


def _beginning(archive: Archive, epoch: int) -> tuple[str | None, str | None]:
    """Return the digests of parameters and optimizer state at a kept epoch; none at the run's own beginning."""
    if epoch == 0:
        return None, None
    kept = archive.kept()
    require(epoch, [item.epoch for item in kept])
    tensors = archive.state([item for item in kept if item.epoch == epoch][-1]).tensors
    return digest(under(PARAMETERS, tensors)), digest(under(OPTIMIZER, tensors))
