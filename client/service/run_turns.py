"""Gives the joined runs their turns: counts the time of each, skips those that cannot train, and says when to switch.

`client.policy.shares` has the rule; the session ends the trainer of one run and opens the next.
"""

import asyncio
import logging
from collections.abc import Callable

from client.api.runs import RunHindrance
from client.policy.policy import Effect
from client.policy.shares import run_to_train
from client.service.context import Context
from client.service.kept.joined_runs import KeptRun
from client.service.trainer.hindrance import (
    LONGEST_WAIT,
    PATIENCE,
    RunCondition,
    WayOut,
    hindrance_of,
    way_out,
)
from client.service.trainer.run import ActiveRun
from client.service.trainer.state import State

_log = logging.getLogger(__name__)
_COMPUTING = (State.TRAINING, State.FINISHING)
_LONGEST_STEP = 60.0
"""Longest time in seconds that one look counts: a computer that slept has trained nothing meanwhile."""
_SAVE_EVERY = 60.0
"""Seconds of training that a crash of the daemon may cost the record."""


class RunTurns:
    """Watches the run that is trained, for the others; all methods belong to the event loop's thread."""

    def __init__(
        self, context: Context, is_ready: Callable[[], bool], is_drawing: Callable[[], bool]
    ) -> None:
        """Prepare to watch.

        Args:
            context: State of the daemon.
            is_ready: Returns false while no trainer of any run could start, for lack of its packages.
            is_drawing: Returns true while pictures are requested, which are to be of the present run.
        """
        self._context, self._is_ready, self._is_drawing = context, is_ready, is_drawing
        self._looked = self._tried = context.now()
        self._idle = self._waited = self._unsaved = 0.0
        self._saving: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Take note that another run was opened."""
        self._looked = self._tried = self._context.now()
        self._idle = self._waited = 0.0

    def look(self) -> KeptRun | None:
        """Count the time since the last look, and return the run that is to be opened instead of the present one.

        Return None if the present run stays, or has to be waited for.
        """
        context, seconds = self._context, self._seconds_since_look()
        current, run = context.joined.at(context.choices.run_folder), context.run
        if current is not None and run is not None:
            self._count(run, current, seconds)
        if current is not None and len(context.joined.all) < 2:
            self._stay()  # the run for which it was to make way may have been left
            return None
        if current is not None and run is None and self._is_missing(current):
            return current
        if current is not None and run is not None:
            self._judge(run, current)
        return self._next(current, seconds)

    def choose(self) -> KeptRun | None:
        """Return the run to train where none is trained now; None if no run is joined."""
        joined = self._context.joined
        return joined.of(run_to_train(joined.sharing, None, turn_is_over=True) or "")

    # --- time ---------------------------------------------------------------------------------------------------

    def _seconds_since_look(self) -> float:
        before, self._looked = self._looked, self._context.now()
        return min(_LONGEST_STEP, max(0.0, (self._looked - before).total_seconds()))

    def _count(self, run: ActiveRun, current: KeptRun, seconds: float) -> None:
        """Count seconds as trained, or as idle while training is allowed."""
        if _trains(run):
            self._idle = 0.0
            self._context.joined.count(current.digest, seconds)
            self._unsaved += seconds
            if self._unsaved >= _SAVE_EVERY:
                self._unsaved = 0.0
                self._saving = asyncio.ensure_future(self._context.save())
        elif self._context.decision.effect < Effect.PAUSE and self._is_ready() and not _has_made_way(run):
            self._idle += seconds

    # --- which run ----------------------------------------------------------------------------------------------

    def _is_missing(self, current: KeptRun) -> bool:
        """Skip the current run, which could not be opened; return true if that is to be tried again."""
        is_due = current.hindrance is RunHindrance.MISSING and current.can_train(self._context.now())
        self._skip(current, RunHindrance.MISSING)
        return is_due

    def _judge(self, run: ActiveRun, current: KeptRun) -> None:
        """Skip the current run if it cannot be trained, or try it again once its time has come."""
        found = hindrance_of(self._condition(run))
        if found is None and _trains(run):
            self._release(current)
        elif found is not None and current.hindrance is found and self._is_due(current):
            self._try_again(run, current)
        elif found is not None:
            self._skip(current, found)

    def _release(self, current: KeptRun) -> None:
        """Skip the current run no more, which is trained; others may be reached again as it was."""
        joined = self._context.joined
        if current.hindrance is RunHindrance.UNREACHABLE:
            joined.release_all(RunHindrance.UNREACHABLE, for_good=False)
        joined.release(current.digest, for_good=current.turn > PATIENCE)

    def _is_due(self, current: KeptRun) -> bool:
        """Return true if it is time to try the skipped current run, which was not tried since that time."""
        return current.can_train(self._context.now()) and not current.can_train(self._tried)

    def _skip(self, current: KeptRun, found: RunHindrance) -> None:
        if self._context.joined.hinder(current.digest, found):
            _log.info("Run %s is skipped: %s.", current.title, found)
            if current.failures == 0:  # later attempts tell nothing new
                self._context.notice(f"{current.title} is skipped: {found.words}.")
            self._context.changed()

    def _condition(self, run: ActiveRun) -> RunCondition:
        training = run.training
        return RunCondition(
            training.state,
            training.problem.code if training.problem else "",
            training.fault,
            needs_update=run.coordination.update_needed is not None,
            is_left_out=run.coordination.problem is not None,
            idle_seconds=self._idle,
        )

    def _try_again(self, run: ActiveRun, current: KeptRun) -> None:
        _log.info("Run %s is tried again.", current.title)
        self._tried, self._idle = self._context.now(), 0.0
        run.training.retry()
        run.coordination.again()

    def _next(self, current: KeptRun | None, seconds: float) -> KeptRun | None:
        context = self._context
        digest = current.digest if current is not None else None
        interval = context.preferences.switch_runs_minutes * 60
        wanted = run_to_train(
            context.joined.sharing, digest, turn_is_over=current is not None and current.turn >= interval
        )
        if wanted is None or wanted == digest:
            self._stay()
            return None
        return context.joined.of(wanted) if self._is_free(context.run, digest, seconds) else None

    def _stay(self) -> None:
        """Let the present run go on, though it was to make way a moment ago."""
        self._waited, run = 0.0, self._context.run
        if run is not None:
            run.makes_way = False

    def _is_free(self, run: ActiveRun | None, digest: str | None, seconds: float) -> bool:
        """Return true if the present run can be closed now; order it to complete its epoch otherwise."""
        if run is None:
            return True
        self._waited += seconds
        current = self._context.joined.of(digest or "")
        is_hindered = current is not None and not current.can_train(self._context.now())
        way = way_out(
            run.training.state,
            is_hindered=is_hindered,
            is_last_epoch=run.is_last_epoch,
            waited=self._waited,
        )
        if way is WayOut.CLOSE and self._is_drawing() and self._waited < LONGEST_WAIT:
            return False
        run.makes_way = True
        if way is WayOut.FINISH:
            run.training.finish()
        return way is WayOut.CLOSE


def _trains(run: ActiveRun) -> bool:
    """Return true if the run's trainer computes, and does not wait for other peers."""
    waits = run.progress is not None and run.progress.waiting is not None
    return run.training.state in _COMPUTING and not waits


def _has_made_way(run: ActiveRun) -> bool:
    """Return true if the run's trainer has ended for another run, which may wait for pictures to be drawn."""
    return run.makes_way and not run.alive
