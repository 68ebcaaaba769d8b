"""Orders a run that went astray to be taken back by itself: so often a day, and after that it is only told."""

from collections.abc import Callable
from datetime import datetime

from coordinator.database.connect import Database
from coordinator.gate.audit import note
from coordinator.publisher.archive import Archive
from coordinator.publisher.orders import Argument, Kind, place, waiting
from coordinator.publisher.ring import Kept
from coordinator.rollback import COORDINATOR, best_before, of_today
from core.run import RunManifest

BLEW_UP = "blew up"
"""In the audit log: what nothing was done about."""


class WayBack:
    """Of one generation's process."""

    def __init__(
        self,
        archive: Archive,
        database: Database,
        manifest: RunManifest,
        a_day: int,
        now: Callable[[], datetime],
    ) -> None:
        """``a_day``: rollbacks within 24 hours, of all generations together."""
        self._archive, self._database, self._manifest = archive, database, manifest
        self._a_day, self._now = a_day, now
        self._told: set[str] = set()

    def go(self, epochs: tuple[int, ...], why: str) -> None:
        """Order a rollback to the newest checkpoint from before the first of these epochs that has one."""
        target = next(filter(None, map(self._target, epochs)), None)
        with self._database.reading() as session:
            if any(order.kind == Kind.ROLLBACK for order in waiting(session)):
                return
            is_often = of_today(session, self._now()) >= self._a_day
        if target is None:
            self.tell(why, "there is no checkpoint from before")
        elif is_often:
            self.tell(why, "it was taken back often enough today, so look at it and give the order yourself")
        else:
            argument = Argument(by=COORDINATOR, epoch=target.epoch, why=why)
            with self._database.session() as session:
                place(session, Kind.ROLLBACK, argument, self._now())

    def tell(self, why: str, obstacle: str) -> None:
        """Tell the organiser why nothing is done; once of each obstacle."""
        if obstacle not in self._told:
            with self._database.session() as session:
                note(session, self._now(), COORDINATOR, BLEW_UP, "", f"{why}; {obstacle}")
        self._told.add(obstacle)

    def _target(self, epoch: int) -> Kept | None:
        kept, beginning = self._archive.kept(), self._archive.beginning()
        has_own = any(item.generation == self._manifest.state.generation for item in kept)
        return best_before(kept, epoch, beginning.id if beginning and not has_own else None)
