"""The publisher's duties: obey orders, take checkpoints, publish some, roll back a run that diverged."""

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
from coordinator.publisher.capture import Capture, CapturedState
from coordinator.publisher.divergence import Alarm, StandstillDetector, Suspicion
from coordinator.publisher.jobs import Job
from coordinator.publisher.orders import Kind, argument_of, waiting
from coordinator.publisher.releases import Releases
from coordinator.publisher.reported_parameters import ReportedParameters
from coordinator.publisher.retention import is_due
from coordinator.publisher.rollbacks import AutomaticRollback, take_back
from coordinator.rollback import COORDINATOR, conclude
from coordinator.settings import Checkpoints
from core.errors import CheckpointError, CoreError, ManifestError
from core.run.manifest import RunManifest
from core.swarm.wire.records import ProgressRecord

_log = logging.getLogger(__name__)
_IN_A_ROW = 3
"""Refused states in a row after which the run is rolled back; also attempts in a row without any state after which
the organiser is notified of a suspicion.
"""
_REFUSALS_APART = 120.0
"""Least seconds between refusals that count: a follower's state is at hand at once, also one just refused."""
HELD_BACK = "checkpoint held back"
"""Entry of the audit log: no second volunteer is known to hold the state, or volunteers hold different ones."""
DISMISSED = "losses not believed"
"""Entry of the audit log: peers reported that the run diverged, and its state contradicts them."""


class Publisher:
    """The publisher of one generation of a run. ``turn`` never takes long, except when it rolls the run back."""

    def __init__(
        self,
        home: Home,
        manifest: RunManifest,
        database: Database,
        settings: Checkpoints,
        archive: Archive,
        reported: ReportedParameters,
        capture: Capture,
        releases: Releases,
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.home, self._manifest, self._database, self._settings = home, manifest, database, settings
        self._archive, self._reported, self._capture, self._releases = archive, reported, capture, releases
        self._now = now
        self._job: Job[CapturedState | None] = Job("checkpoint", self._note_failure, clock=clock)
        self._has_noted_failure = self._has_dismissed = self._has_noted_doubt = False
        self._refusals = self._misses = 0
        self._clock, self._refused_at = clock, float("-inf")
        self._alarm = Alarm(database, manifest.state, settings, clock)
        self._suspicion: Suspicion | None = None
        """The suspicion for which the current checkpoint is taken."""
        self._automatic_rollback = AutomaticRollback(
            archive, database, manifest, settings.rollbacks_a_day, now
        )
        self._standstill = StandstillDetector(clock)
        self.successor: RunManifest | None = None
        """The manifest that the run was rolled back to: this generation is over."""

    def turn(self, others: Sequence[ProgressRecord]) -> None:
        """Do what is due, by what the other peers say; DatabaseError if the database is away."""
        self._reported.see(others)
        self._collect_checkpoint()
        self._obey()
        if self.successor is None:
            self._alarm.look()
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
                self._archive.mark_unreadable(epoch)  # or it would be gone back to again and again
        except ManifestError as error:
            _log.warning("%s", error)  # the order waits, for a disk with room or the right key

    # --- checkpoints --------------------------------------------------------------------------------------------

    def _take_checkpoint(self, others: Sequence[ProgressRecord]) -> None:
        leading = self._reported.leading(others)
        if leading is None:
            return
        is_still = self._standstill.is_still(leading)
        if not self._job.is_free:
            return
        newest = self._archive.newest()
        last = newest.epoch if newest else self._manifest.state.epoch
        suspicion = self._alarm.suspicion(last)
        every = 1 if is_still or suspicion else self._settings.every
        if is_due(leading, last, every):
            donors, self._suspicion = self._reported.donors(others), suspicion
            self._job.start(lambda: self._capture.take(donors, last + every, suspected=bool(suspicion)))

    def _collect_checkpoint(self) -> None:
        if not self._job.is_done:
            return
        taken = self._job.collect()
        if taken is None or not taken.is_kept:
            self._job.put_off()
        if taken is None:
            self._miss()
            return
        if taken.held_back:
            self._hold_back(taken.epoch, taken.held_back)
            return
        self._has_noted_failure, self._has_noted_doubt, self._misses = False, False, 0
        if taken.refusal:
            self._handle_refusal(taken.epoch, taken.refusal)
            return
        self._refusals, self._refused_at = 0, float("-inf")
        if self._suspicion:
            self._dismiss(self._suspicion, taken)

    def _hold_back(self, epoch: int, why: str) -> None:
        """Tell the organiser, once for states in a row, that too few volunteers hold what is to be published."""
        if not self._has_noted_doubt:
            self._note(HELD_BACK, f"epoch {epoch}", why)
        self._has_noted_doubt = True

    def _handle_refusal(self, epoch: int, refusal: str) -> None:
        """Count a refusal, unless it follows the last one at once: the same state was only looked at again."""
        now = self._clock()
        if self._suspicion is None and now - self._refused_at < _REFUSALS_APART:
            return
        self._refusals, self._refused_at = self._refusals + 1, now
        self._note("checkpoint refused", f"epoch {epoch}", refusal)
        self._judge_refusal(epoch, refusal)

    def _miss(self) -> None:
        self._misses += 1
        if self._suspicion and self._misses == _IN_A_ROW:
            self._automatic_rollback.report(
                self._suspicion.why,
                "no peer gives its state, so this could not be checked: look at it yourself",
            )

    def _judge_refusal(self, epoch: int, refusal: str) -> None:
        """Go back if the losses had said so as well, or the state is refused again and again."""
        if self._suspicion:
            self._automatic_rollback.go((self._suspicion.epoch, epoch), f"{self._suspicion.why}; {refusal}")
        elif self._refusals == _IN_A_ROW:
            self._refusals = 0
            self._automatic_rollback.go((epoch,), f"{_IN_A_ROW} checkpoints in a row were refused: {refusal}")

    def _dismiss(self, suspicion: Suspicion, taken: CapturedState) -> None:
        """Dismiss a suspicion that the state does not confirm.

        Without held-out rows the organiser is asked to check the run. With them, the audit log tells of the dismissal
        once in a process's life, since a peer that lies goes on.
        """
        self._alarm.dismiss(taken.epoch)
        if taken.loss is None:
            self._automatic_rollback.report(
                suspicion.why, "there are no held-out rows to verify this, so check the run yourself"
            )
        elif not self._has_dismissed:
            self._has_dismissed = True
            self._note(
                DISMISSED, f"epoch {taken.epoch}", f"{suspicion.why}; yet its loss is {taken.loss:.4f}"
            )

    def _note_failure(self, error: CoreError) -> None:
        """Note that a checkpoint failed, once for failures in a row."""
        if not self._has_noted_failure:
            self._note("checkpoint failed", "", str(error))
        self._has_noted_failure = True

    def _note(self, action: str, subject: str, detail: str) -> None:
        with self._database.session() as session:
            note(session, self._now(), COORDINATOR, action, subject, detail)
