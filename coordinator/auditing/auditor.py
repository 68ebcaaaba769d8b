"""Audits trainers' work, one sample after the other, within a budget of processor time."""

import logging
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime

from safetensors import SafetensorError

from coordinator.auditing.budget import AuditBudget
from coordinator.auditing.handover import AuditFolder
from coordinator.auditing.workplace import Workplace
from coordinator.database.connect import Database
from coordinator.errors import DatabaseError
from coordinator.ledger.withholding import EnteredVerdict
from coordinator.ledger.work_audits import JudgedWork, enter
from core.errors import CoreError
from core.swarm.auditing.trust import WorkVerdict
from core.swarm.auditing.work_auditor import WorkSample
from core.trainer.work_check import WorkCheck

_log = logging.getLogger(__name__)
_LOOK_SECONDS = 1.0
_READ_SECONDS = 600.0
"""Seconds, beside those of computing, that an audit may take until its rows have come."""
_WANT_SECONDS = 1800.0
"""Seconds for which a sample is waited for, and least seconds from there to another attempt."""
_MOST = 1e9
_drawn = random.SystemRandom().random
VERDICTS = {
    WorkVerdict.SOUND: EnteredVerdict.SOUND,
    WorkVerdict.FALSE: EnteredVerdict.FALSE,
    WorkVerdict.DOUBTFUL: EnteredVerdict.DOUBTFUL,
    WorkVerdict.USELESS: EnteredVerdict.DOUBTFUL,
    WorkVerdict.UNVERIFIABLE: EnteredVerdict.UNVERIFIABLE,
}
"""Verdicts as the database has them: a useless drift is a doubt, until most of a peer's are."""


class WorkAuditing:
    """The audits of one generation of a run; `turn` takes as long as an audit."""

    def __init__(
        self,
        generation: int,
        folder: AuditFolder,
        workplace: Workplace,
        database: Database,
        budget: AuditBudget,
        *,
        spent: Callable[[], float] = time.process_time,
        clock: Callable[[], float] = time.monotonic,
        is_ended: Callable[[], bool] = lambda: False,
        draw: Callable[[], float] = _drawn,
    ) -> None:
        """Begin with a pause that pays for what this process has spent so far.

        Args:
            generation: Number of the run's generation.
            folder: Folder by which samples and verdicts are handed over; it is cleared.
            workplace: Computes audits.
            database: Database of the coordinator.
            budget: Budget of processor time.
            spent: Returns the processor seconds of this process.
            clock: Returns monotonic seconds.
            is_ended: Returns true once the process is to end.
            draw: Returns a number from 0 to 1 that no trainer foresees.
        """
        self._generation, self._folder, self._workplace = generation, folder, workplace
        self._database, self._budget = database, budget
        self._spent, self._clock, self._is_ended, self._draw = spent, clock, is_ended, draw
        self._paid, self._is_wanting, self._has_warned = 0.0, False, False
        self._begin_at = self._wanted_at = 0.0
        folder.clear()
        self._pause()

    def turn(self) -> float:
        """Do what is due, and return the seconds until the next turn; OSError if the folder cannot be used."""
        if not self._is_wanting:
            left = self._begin_at - self._clock()
            if left > 0:
                return min(left, _LOOK_SECONDS)
            self._folder.want()
            self._is_wanting, self._wanted_at = True, self._clock()
        sample = self._folder.sample()
        if sample is None:
            self._end_vain_wait()
            return _LOOK_SECONDS
        verdict = self._audit(sample)
        self._folder.settle(sample.peer, verdict)
        self._is_wanting = False
        self._pause()
        return _LOOK_SECONDS

    def _end_vain_wait(self) -> None:
        """Want nothing for a while if no sample came: each epoch meanwhile writes the parameters to the disk."""
        if self._clock() - self._wanted_at > _WANT_SECONDS:
            self._folder.settle(b"", None)
            self._is_wanting = False
            self._begin_at = self._clock() + _WANT_SECONDS * (1 + self._draw())

    def _pause(self) -> None:
        spent = self._spent()
        self._begin_at = self._clock() + self._budget.pause_after(spent - self._paid, self._draw())
        self._paid = spent

    def _audit(self, sample: WorkSample) -> WorkVerdict | None:
        """Compute an audit, write it down, and return its verdict; None if it led to none."""
        until = self._spent() + self._budget.most_seconds
        latest = self._clock() + _READ_SECONDS + 20 * self._budget.most_seconds

        def may_go_on() -> bool:
            return not self._is_ended() and self._spent() < until and self._clock() < latest

        try:
            heads = self._folder.parameters()
            check = self._workplace.audit(sample, heads, may_go_on)
        except Exception as error:  # noqa: BLE001 - whatever a sample does, it costs that audit and its time alone
            expected = isinstance(error, (CoreError, OSError, SafetensorError))
            _log.warning(
                "Epoch %d: the work of %s could not be audited: %s",
                sample.epoch,
                sample.name,
                error if expected else repr(error),
                exc_info=not expected,
            )
            return None
        if check is None or check.verdict is None:
            self._warn_of_budget(sample)
            return None
        self._enter(sample, check)
        return check.verdict

    def _warn_of_budget(self, sample: WorkSample) -> None:
        if not self._is_ended() and not self._has_warned:
            self._has_warned = True
            _log.warning(
                "Epoch %d: an audit of %d rows was given up after a day's budget of %g processor seconds. Raise "
                "swarm.recomputed_seconds_an_hour in coordinator.toml if work is to be audited here.",
                sample.epoch,
                sample.rows.rows,
                self._budget.most_seconds,
            )

    def _enter(self, sample: WorkSample, check: WorkCheck) -> None:
        assert check.verdict is not None
        figures = check.figures
        judged = JudgedWork(
            peer_id=sample.name,
            generation=self._generation,
            epoch=sample.epoch + 1,
            samples=int(min(max(sample.weight, 0.0), _MOST)),
            rows=sample.rows.rows,
            verdict=VERDICTS[check.verdict],
            difference=figures.difference,
            gain=figures.gain,
            gain_of_others=figures.gain_of_others,
            words=figures.why,
        )
        now = datetime.now(UTC)
        while not self._is_ended():
            try:
                self._database.retrying(lambda session: enter(session, judged, now).id)
                return
            except DatabaseError as error:
                _log.warning("%s", error)  # it is waited for
                time.sleep(_LOOK_SECONDS)
