"""What the publisher is due to do: obey orders, take checkpoints, publish some, and take a run back that blew up."""

import logging
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from coordinator.database.connect import Database
from coordinator.database.tables import Order
from coordinator.errors import RollbackError
from coordinator.gate.audit import note
from coordinator.home import Home
from coordinator.publisher.archive import Archive
from coordinator.publisher.blow_up import has_blown_up
from coordinator.publisher.capture import Capture, Taken
from coordinator.publisher.jobs import Job
from coordinator.publisher.losses import lineage
from coordinator.publisher.orders import Argument, Kind, argument_of, place, waiting
from coordinator.publisher.releases import Releases
from coordinator.publisher.ring import is_due
from coordinator.publisher.stillness import Stillness
from coordinator.publisher.taking_back import take_back
from coordinator.publisher.witnesses import Witnesses
from coordinator.rollback import COORDINATOR, best_before, conclude, of_today
from coordinator.settings import Checkpoints
from core.errors import CheckpointError, CoreError, ManifestError
from core.run import RunManifest
from core.swarm.agreement import leading_place
from core.swarm.records import ProgressRecord

_log = logging.getLogger(__name__)
_WINDOWS = 4
"""Of losses that are looked at."""
_LOOK_SECONDS = 3.0
"""Between two looks at them."""
_REFUSALS = 3
"""States in a row that are worse than they may be, after which the run counts as blown up."""
BLEW_UP = "blew up"
"""In the audit log: what nothing was done about."""


class Publisher:
    """Of one generation of a run. ``turn`` never takes long, but when it takes the run back."""

    def __init__(
        self,
        home: Home,
        manifest: RunManifest,
        database: Database,
        settings: Checkpoints,
        archive: Archive,
        witnesses: Witnesses,
        capture: Capture,
        releases: Releases,
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.home, self._manifest, self._database, self._settings = home, manifest, database, settings
        self._archive, self._witnesses, self._capture, self._releases = archive, witnesses, capture, releases
        self._clock, self._now = clock, now
        self._job: Job[Taken | None] = Job("checkpoint", self._complain, clock=clock)
        self._has_complained = False
        self._judged, self._refusals, self._has_warned = clock(), 0, False
        self._stillness = Stillness(clock)
        self.successor: RunManifest | None = None
        """What the run was taken back to: this generation is over."""

    def turn(self, others: Sequence[ProgressRecord]) -> None:
        """Do what is due, by what the other peers say; DatabaseError if the database is away."""
        self._witnesses.see(others)
        self._hear_of_checkpoint()
        self._obey()
        if self.successor is None:
            self._judge()
            self._take_checkpoint(others)
            self._releases.turn()

    def close(self) -> None:
        self._job.close()
        self._releases.close()

    # --- orders -------------------------------------------------------------------------------------------------

    def _obey(self) -> None:
        with self._database.reading() as session:
            orders = waiting(session)
        for order in orders:
            if order.kind == Kind.ROLLBACK and self.successor is None:
                self._take_back(order)
            elif order.kind == Kind.PUBLISH:
                self._releases.order(order)

    def _take_back(self, order: Order) -> None:
        try:
            self.successor = take_back(self.home, self._database, self._archive, order, self._now)
        except (CheckpointError, RollbackError) as error:
            conclude(self._database, order.id, f"It could not be done: {error}", self._now())
            if isinstance(error, CheckpointError) and (epoch := argument_of(order).epoch) is not None:
                self._archive.condemn(epoch)  # or it would be gone back to again and again
        except ManifestError as error:
            _log.warning("%s", error)  # the order waits, for a disk with room or the right key

    # --- a run that blew up -------------------------------------------------------------------------------------

    def _judge(self) -> None:
        """Look at the newest losses, and order a rollback if they say so."""
        if self._clock() - self._judged < _LOOK_SECONDS:
            return
        self._judged = self._clock()
        with self._database.reading() as session:
            losses = lineage(session, self._manifest.state, _WINDOWS * self._settings.spike_window)
        found = has_blown_up([item.loss for item in losses], self._settings)
        if found is not None:
            # an epoch's loss is that of the parameters which it began with
            self._go_back(losses[found.first].epoch - 1, found.why)

    def _go_back(self, epoch: int, why: str) -> None:
        kept, beginning = self._archive.kept(), self._archive.beginning()
        has_own = any(item.generation == self._manifest.state.generation for item in kept)
        target = best_before(kept, epoch, beginning.id if beginning and not has_own else None)
        with self._database.reading() as session:
            if any(order.kind == Kind.ROLLBACK for order in waiting(session)):
                return
            is_often = of_today(session, self._now()) >= self._settings.rollbacks_a_day
        if target is None:
            self._warn(f"{why}; there is no checkpoint from before")
        elif is_often:
            self._warn(
                f"{why}; it was taken back often enough today, so look at it and give the order yourself"
            )
        else:
            with self._database.session() as session:
                argument = Argument(by=COORDINATOR, epoch=target.epoch, why=why)
                place(session, Kind.ROLLBACK, argument, self._now())

    def _warn(self, why: str) -> None:
        """Once in a generation's process."""
        if not self._has_warned:
            self._note(BLEW_UP, "", why)
        self._has_warned = True

    # --- checkpoints --------------------------------------------------------------------------------------------

    def _take_checkpoint(self, others: Sequence[ProgressRecord]) -> None:
        leading = leading_place(others)
        if leading is None:
            return
        every = 1 if self._stillness.is_still(leading[0]) else self._settings.every
        if not self._job.is_free:
            return
        newest = self._archive.newest()
        last = newest.epoch if newest else self._manifest.state.epoch
        if is_due(leading[0], last, every):
            donors = self._witnesses.donors(others)
            self._job.start(lambda: self._capture.take(donors, last + every))

    def _hear_of_checkpoint(self) -> None:
        if not self._job.is_done:
            return
        taken = self._job.collect()
        if taken is None or taken.refusal is not None:
            self._job.put_off()
        if taken is None:
            return
        self._has_complained = False
        self._refusals = self._refusals + 1 if taken.refusal else 0
        if taken.refusal:
            self._note("checkpoint refused", f"epoch {taken.epoch}", taken.refusal)
        if self._refusals == _REFUSALS:
            self._refusals = 0
            self._go_back(taken.epoch, f"{_REFUSALS} checkpoints in a row were refused: {taken.refusal}")

    def _complain(self, error: CoreError) -> None:
        """Once for failures in a row."""
        if not self._has_complained:
            self._note("checkpoint failed", "", str(error))
        self._has_complained = True

    def _note(self, action: str, subject: str, detail: str) -> None:
        with self._database.session() as session:
            note(session, self._now(), COORDINATOR, action, subject, detail)
