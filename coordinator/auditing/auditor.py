"""Audits trainers' work, one sample after the other, within a budget of processor time."""

import logging
import math
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
from core.trainer.work_check import WorkFigures

_log = logging.getLogger(__name__)
_LOOK_SECONDS = 1.0
_READ_SECONDS = 600.0
"""Seconds, beside those of computing, that an audit may take until its rows have come."""
_VAIN_HEADS = 12
"""Heads whose parameters are kept in vain before the auditor gives up: for each, all parameters are written."""
_VAIN_SECONDS = 1800.0
"""Least seconds until it waits for a sample again."""
_NOTE_SECONDS = 30.0
_FORGETTING_SECONDS = 7 * 86_400.0
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
        wall: Callable[[], float] = time.time,
        is_ended: Callable[[], bool] = lambda: False,
        draw: Callable[[], float] = _drawn,
    ) -> None:
        """Begin with a pause that pays for what this process and those before it have spent so far.

        Args:
            generation: Number of the run's generation.
            folder: Folder by which samples and verdicts are handed over; it is cleared.
            workplace: Computes audits.
            database: Database of the coordinator.
            budget: Budget of processor time.
            spent: Returns the processor seconds of this process.
            clock: Returns monotonic seconds.
            wall: Returns the seconds since 1970.
            is_ended: Returns true once the process is to end.
            draw: Returns a number from 0 to 1 that no trainer foresees.
        """
        self._generation, self._folder, self._workplace = generation, folder, workplace
        self._database, self._budget = database, budget
        self._spent, self._clock, self._wall = spent, clock, wall
        self._is_ended, self._draw = is_ended, draw
        self._paid, self._begin_at = 0.0, 0.0
        self._least_pause = 0.0
        """Least seconds of the next pause."""
        self._is_wanting, self._has_warned = False, False
        self._heads: set[tuple[int, bytes]] = set()
        """Heads whose parameters came since a sample is wanted."""
        self._too_many, self._forgotten_at = math.inf, 0.0
        """Fewest rows of gradients that took more than an audit may, and the moment at which that is tried again."""
        self._noted_at = -math.inf
        """Moment at which the debt of the audit under way was written down last."""
        folder.clear()
        self._pause(owed=folder.paid_at - wall())

    def turn(self) -> float:
        """Do what is due, and return the seconds until the next turn; OSError if the folder cannot be used."""
        if not self._is_wanting:
            left = self._begin_at - self._clock()
            if left > 0:
                return min(left, _LOOK_SECONDS)
            self._folder.want(self._too_many)
            self._is_wanting, self._heads = True, set()
        sample = self._folder.sample()
        if sample is None:
            self._go_on_waiting()
            return _LOOK_SECONDS
        verdict = self._audit(sample)
        self._folder.settle(sample.peer, verdict)
        self._is_wanting = False
        self._pause()
        return _LOOK_SECONDS

    def _go_on_waiting(self) -> None:
        """Want a sample for some more epochs, however long they take, and then nothing for a while."""
        newest = self._folder.newest_head
        if newest is not None:
            self._heads.add(newest)
        if len(self._heads) <= _VAIN_HEADS:
            self._folder.still_want()
            return
        self._folder.settle(b"", None)
        self._is_wanting = False
        self._begin_at = self._clock() + _VAIN_SECONDS * (1 + self._draw())
        _log.info("No trainer sent work to this coordinator's own peers in %d epochs.", _VAIN_HEADS)

    def _pause(self, owed: float = 0.0) -> None:
        """Begin no audit before what was spent is paid for; another auditor left that many seconds ``owed``."""
        spent = self._spent()
        pause = self._budget.pause_after(spent - self._paid, self._draw())
        most = self._budget.pause_after(self._budget.most_seconds, 1.0)  # clocks are set
        pause = max(pause + min(max(owed, 0.0), most), self._least_pause)
        self._begin_at, self._paid, self._least_pause = self._clock() + pause, spent, 0.0
        self._folder.owe_until(self._wall() + pause)

    def _note_debt(self) -> None:
        """Write down now and then what the audit under way has cost: this process may be killed in the middle."""
        now = self._clock()
        if now - self._noted_at > _NOTE_SECONDS:
            self._noted_at = now
            self._folder.owe_until(self._wall() + self._budget.pause_after(self._spent() - self._paid, 0.0))

    def _audit(self, sample: WorkSample) -> WorkVerdict | None:
        """Compute an audit, write it down, and return its verdict; None if it led to none."""
        if self._clock() >= self._forgotten_at:
            self._too_many = math.inf
        if sample.rows.rows >= self._too_many:
            self._least_pause = _VAIN_SECONDS * (1 + self._draw())  # it costs the disks of three processes
            return self._give_up(sample)
        until = self._spent() + self._budget.most_seconds
        latest = self._clock() + _READ_SECONDS + 20 * self._budget.most_seconds

        def may_go_on() -> bool:
            self._note_debt()
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
        if check is not None and check.verdict is not None:
            self._enter(sample, check.verdict, check.figures)
            return check.verdict
        if self._spent() >= until:
            if (
                self._workplace.manifest.training.swarm.local_steps is None
            ):  # else it costs the same for all rows
                self._too_many = min(self._too_many, sample.rows.rows)
                self._forgotten_at = self._clock() + _FORGETTING_SECONDS
            return self._give_up(sample)
        if not self._is_ended():
            _log.warning(
                "Epoch %d: an audit of %d rows was given up after %.0f s: the data came too slowly, or the machine "
                "is busy.",
                sample.epoch,
                sample.rows.rows,
                _READ_SECONDS + 20 * self._budget.most_seconds,
            )
        return None

    def _give_up(self, sample: WorkSample) -> WorkVerdict:
        """Enter work that is more than the budget allows, and return its verdict; say once what to do."""
        rows = sample.rows.rows
        if not self._has_warned:
            self._has_warned = True
            _log.warning(
                "Epoch %d: an audit of %d rows takes more than a day's budget of %g processor seconds. Raise "
                "swarm.recomputed_seconds_an_hour in coordinator.toml if such work is to be audited.",
                sample.epoch,
                rows,
                self._budget.most_seconds,
            )
        verdict = WorkVerdict.UNVERIFIABLE
        self._enter(
            sample, verdict, WorkFigures(why=f"its {rows:,} rows take more than the budget of a day.")
        )
        return verdict

    def _enter(self, sample: WorkSample, verdict: WorkVerdict, figures: WorkFigures) -> None:
        judged = JudgedWork(
            peer_id=sample.name,
            generation=self._generation,
            epoch=sample.epoch + 1,
            samples=int(min(max(sample.weight, 0.0), _MOST)),
            rows=sample.rows.rows,
            verdict=VERDICTS[verdict],
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
