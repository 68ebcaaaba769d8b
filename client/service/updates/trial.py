"""Measures for how long a new version has run and trained, and which epochs it made, over all of its daemons."""

from datetime import datetime, timedelta

from client.service.context import Context
from client.service.trainer.run import ActiveRun
from client.service.trainer.state import State
from client.updates.deciding import TrialFacts
from client.updates.stages import UpdateState

_LONGEST_STEP = timedelta(minutes=5)
"""Longest time between two looks that counts: a computer that was suspended has not trained meanwhile."""
_SETTLED = timedelta(minutes=10)
"""Time after which a daemon counts as one that starts well."""


class TrialClock:
    """The measurements of this daemon, added to those of the daemons before it."""

    def __init__(self, context: Context) -> None:
        """Prepare to measure; `begin` begins."""
        self._context = context
        self._running = self._trained = self._here = timedelta()
        self._starts, self._epochs, self._worked_before = 0, 0, False
        self._last: datetime | None = None
        self._baseline: dict[str, int] = {}

    def begin(self, state: UpdateState) -> None:
        """Go on from what earlier daemons have measured."""
        self._running = timedelta(seconds=state.trial_seconds)
        self._trained = timedelta(seconds=state.trained_seconds)
        self._starts, self._worked_before = state.starts, state.worked_before
        self._look()

    def facts(self) -> TrialFacts:
        """Return what is known by now."""
        self._look()
        run = self._context.run
        return TrialFacts(
            running=self._running,
            trained=self._trained,
            epochs=self._epochs,
            worked_before=self._worked_before,
            has_failed=run is not None and run.training.state is State.FAILED,
            starts=0 if self._here >= _SETTLED else self._starts,
            epoch=_length_of_epoch(run) if run is not None else None,
        )

    def noted(self, state: UpdateState) -> UpdateState:
        """Return the record with what was measured, for the next daemon."""
        return state.model_copy(
            update={
                "trial_seconds": self._running.total_seconds(),
                "trained_seconds": self._trained.total_seconds(),
                "starts": 0 if self._here >= _SETTLED else self._starts,
            }
        )

    def _look(self) -> None:
        now, run = self._context.now(), self._context.run
        step = now - self._last if self._last is not None else timedelta()
        step = min(max(step, timedelta()), _LONGEST_STEP)
        self._last = now
        self._running += step
        self._here += step
        if run is None:
            return
        if _is_training(run):
            self._trained += step
        made = self._context.accounting.contribution.summary(run.card.trained, now).epochs
        self._epochs = max(self._epochs, made - self._baseline.setdefault(run.card.digest, made))


def training_works(context: Context) -> bool:
    """Return true if this computer has made epochs of the run it is in, and its trainer was not given up."""
    run = context.run
    if run is None or run.training.state is State.FAILED:
        return False
    return context.accounting.contribution.summary(run.card.trained, context.now()).epochs > 0


def _is_training(run: ActiveRun) -> bool:
    """Return true if the run's trainer trains, and waits for no peer and no data."""
    progress = run.progress
    return run.training.state is State.TRAINING and not (progress is not None and progress.waiting)


def _length_of_epoch(run: ActiveRun) -> timedelta | None:
    """Return the time that an epoch of the run takes at the swarm's present speed; None: it is not known."""
    progress = run.progress
    if progress is None:
        return None
    if progress.round_seconds is not None:
        return timedelta(seconds=progress.round_seconds)
    if progress.samples_per_second <= 0:
        return None
    return timedelta(seconds=min(1e7, progress.target_batch_size / progress.samples_per_second))
