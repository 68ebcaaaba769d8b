"""Judges the environment in use: one on trial that does not work is rolled back; missing ones are needed again."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from client.api.errors import ClientError
from client.environment.places import record_of
from client.service.context import Context
from client.service.environment.keeping import EnvironmentKeeper
from client.service.trainer.restarts import EndCause
from client.service.trainer.state import State
from core.errors import CoreError

_log = logging.getLogger(__name__)

MOST_CRASHES = 3
"""Crashes of the trainer after which the environment is taken for the cause."""
LONGEST_SECONDS = 12 * 3600.0
"""Seconds of training without an epoch after which it is; an epoch of a small swarm may take hours."""
_LONGEST_STEP = 60.0
"""Most seconds that count between two looks: a computer may have slept."""
_LACKING = "packages"
"""Code of the error that a package is missing: the next start would fail as well."""


@dataclass(frozen=True)
class EnvironmentTrial:
    """Record of the trainer since the environment was put in use, or since the daemon has started."""

    crashes: int = 0
    training_seconds: float = 0.0
    is_lacking: bool = False
    """True if a trainer reported that a package is missing."""

    def after_end(self, cause: EndCause, code: str) -> "EnvironmentTrial":
        """Return what follows from a trainer's failure; ``code`` is that of its error.

        What network, memory or clock cause says nothing about the environment.
        """
        if code == _LACKING:
            return replace(self, is_lacking=True)
        return replace(self, crashes=self.crashes + 1) if cause is EndCause.CRASH else self

    def after_training(self, seconds: float) -> "EnvironmentTrial":
        """Return what follows from that many more ``seconds`` of training."""
        return replace(self, training_seconds=self.training_seconds + seconds)

    @property
    def fault(self) -> str:
        """Sentence that says why the environment does not work; empty: it may."""
        if self.is_lacking:
            return "A package is missing in it."
        if self.crashes >= MOST_CRASHES:
            return f"The trainer crashed {self.crashes} times in it before it made an epoch."
        if self.training_seconds >= LONGEST_SECONDS:
            return f"The trainer made no epoch in {LONGEST_SECONDS / 3600:.0f} hours of training."
        return ""


class TrialWatch:
    """Watches the trainer in its environment; all methods belong to the event loop."""

    def __init__(self, context: Context, kept: EnvironmentKeeper, computes: Callable[[], bool]) -> None:
        """Prepare to watch; ``computes`` returns true if any process of the environment runs."""
        self._context, self._kept, self._computes = context, kept, computes
        self._trial = EnvironmentTrial()
        self._looked: datetime | None = None
        self._problem: ClientError | None = None
        self.fault = ""
        """Sentence for which the environment is to be rolled back, once no process of it runs; empty: it is not."""
        self.is_damaged = False
        """True if packages are missing in an environment that cannot be rolled back."""

    def begin(self) -> None:
        """Begin again: another environment is in use."""
        self._trial, self._looked, self.fault = EnvironmentTrial(), None, ""
        self.is_damaged = False

    def look(self) -> None:
        """Count the time that a trainer has trained since the last look."""
        now, run = self._context.now(), self._context.run
        trains = run is not None and run.training.state in (State.TRAINING, State.FINISHING)
        if trains and self._looked is not None:
            seconds = (now - self._looked).total_seconds()
            self._trial = self._trial.after_training(min(max(0.0, seconds), _LONGEST_STEP))
        self._looked = now if trains else None
        self._judge()

    def ended(self, cause: EndCause | None, problem: ClientError) -> None:
        """Take note of a trainer's failure, once."""
        if cause is not None and problem is not self._problem:
            self._problem = problem
            self._trial = self._trial.after_end(cause, problem.code)
            self._judge()

    async def made_epoch(self) -> None:
        """Keep the environment: it has made an epoch."""
        try:
            await self._kept.made_epoch()
        except CoreError as error:  # the next epoch tries again
            _log.warning("The environment's first epoch could not be noted: %s", error)
        else:
            self.begin()

    async def take_back(self) -> None:
        """Put the environment before it back, and tell the volunteer; no process of it runs."""
        fault, run = self.fault, self._context.run
        try:
            await self._kept.take_back(fault)
        except CoreError as error:
            self._context.notice(f"The new environment does not work, and cannot be removed: {error}")
        else:
            self._context.notice(
                f"The new environment for training was removed, and the one before it is in use again. {fault}"
            )
            if run is not None:
                run.training.retry()
        self.begin()

    async def note_damage(self) -> None:
        """Note that packages are missing, so that they are set up again."""
        try:
            await self._kept.note_damage()
        except CoreError as error:  # the next failure of a trainer tries again
            _log.warning("That packages are missing could not be noted: %s", error)
        self.begin()

    def _judge(self) -> None:
        """Name the fault of an environment that can be rolled back: one on trial, with another before it."""
        if not self._trial.fault or self.fault or self.is_damaged:
            return
        record = record_of(self._kept.places.current)
        if record is None:
            return
        if not record.has_made_epoch and record_of(self._kept.places.previous):
            self.fault = self._trial.fault
            _log.warning("The environment on trial is rolled back: %s", self.fault)
        elif self._trial.is_lacking:
            self.is_damaged = True
            _log.warning("Packages are missing in the environment, so they are needed again.")

    @property
    def may_take_back(self) -> bool:
        """True if there is a fault, and no process of the environment runs any more."""
        return bool(self.fault) and not self._computes()
