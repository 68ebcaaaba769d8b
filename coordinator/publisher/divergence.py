"""Detects a run that diverged or stands still, by what its peers report of losses and epochs."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from statistics import median

from sqlalchemy import select
from sqlalchemy.orm import Session

from coordinator.database.connect import Database
from coordinator.database.tables import Epoch
from coordinator.settings import Checkpoints
from core.run.state import RunState

_LOSS_WINDOWS = 4
"""Number of windows of losses that are looked at."""
_LOOK_SECONDS = 3.0
"""Seconds between two looks at the losses."""
_IN_A_ROW = 3
"""Losses that must be off: single epochs are, in healthy runs, when a few bad batches come together."""
_LEAST_RISE = 0.05
"""Share of the usual loss that is no blow-up, however quiet the run was."""
_NORMAL = 1.4826
"""Standard deviations that a median absolute deviation is, of normally distributed values."""
_STILL_SECONDS = 600.0
_STILL_EPOCHS = 4
"""Durations of the previous epoch for which a swarm may go without a new one before it counts as standing still."""


@dataclass(frozen=True)
class Suspicion:
    """The suspicion that a run diverged, by its peers' reports."""

    epoch: int
    """Epoch of the last parameters that are above it."""
    why: str


class Alarm:
    """The alarm that the losses of one generation's epochs raise.

    Peers report the losses, and one volunteer's number can move an epoch's mean loss anywhere. So an alarm does not
    roll the run back. It makes the publisher take the next checkpoint at once, and the loss that the publisher
    measures of that state decides.
    """

    def __init__(
        self, database: Database, state: RunState, settings: Checkpoints, clock: Callable[[], float]
    ) -> None:
        self._database, self._state, self._settings, self._clock = database, state, settings, clock
        self._looked = clock()
        self._suspicion: Suspicion | None = None
        self._dismissed: int | None = None

    def suspicion(self, newest: int) -> Suspicion | None:
        """Return the suspicion to look into; None if there is none.

        ``newest`` is the epoch of the last checkpoint that was found good.
        """
        return self._suspicion if newest != self._dismissed else None

    def dismiss(self, epoch: int) -> None:
        """Declare the checkpoint of that epoch good whatever the losses say; the next one may come when it is due."""
        self._dismissed = epoch

    def look(self) -> None:
        """Check the newest losses for divergence; raises DatabaseError if they cannot be read."""
        if self._clock() - self._looked < _LOOK_SECONDS:
            return
        self._looked = self._clock()
        with self._database.reading() as session:
            losses = lineage(session, self._state, _LOSS_WINDOWS * self._settings.spike_window)
        found = find_divergence([item.loss for item in losses], self._settings)
        # an epoch's loss is that of the parameters which it began with
        self._suspicion = Suspicion(losses[found.first].epoch - 1, found.why) if found else None


@dataclass(frozen=True)
class Divergence:
    """The divergence of a run."""

    first: int
    """Index of the first loss that is off; a checkpoint from before it is good."""
    why: str
    """The reason in words."""


def find_divergence(losses: Sequence[float], settings: Checkpoints) -> Divergence | None:
    """Judge the losses of a run's epochs, oldest first.

    The last three must all lie more than ``spike_factor`` deviations above the best that the run was: the window of
    ``spike_window`` epochs with the lowest median, whose median absolute deviation is the measure. Held to its best,
    a run that creeps away is noticed as one that jumps. NaN and infinity need no comparison; while there are fewer
    epochs than a window, only those are noticed.
    """
    broken = next((index for index, loss in enumerate(losses) if not math.isfinite(loss)), None)
    if broken is not None:
        return Divergence(broken, "the loss is not a finite number")
    limit = _limit(losses[:-_IN_A_ROW], settings)
    off = len(list(takewhile(lambda loss: loss > limit, reversed(losses))))
    if off < _IN_A_ROW:
        return None
    why = f"the last {off} epochs' losses are above {limit:.4g}, the newest is {losses[-1]:.4g}"
    return Divergence(len(losses) - off, why)


def _limit(losses: Sequence[float], settings: Checkpoints) -> float:
    """Return the highest loss that can pass for usual; it is infinite while too few losses are known."""
    window = settings.spike_window
    if len(losses) < window:
        return math.inf
    windows = [losses[start : start + window] for start in range(len(losses) - window + 1)]
    best = min(windows, key=median)
    usual = median(best)
    deviation = _NORMAL * median(abs(loss - usual) for loss in best)
    return usual + max(settings.spike_factor * deviation, _LEAST_RISE * abs(usual))


@dataclass(frozen=True)
class LossOfEpoch:
    """The mean loss that an epoch's contributors reported."""

    epoch: int
    loss: float


def lineage(session: Session, state: RunState, count: int) -> list[LossOfEpoch]:
    """Return the newest ``count`` losses of the epochs that led to where a run is now, oldest first.

    If several generations went through an epoch, its loss is the latest generation's: a rollback took the
    others back.
    """
    rows = session.scalars(
        select(Epoch)
        .where(
            Epoch.loss.is_not(None),
            Epoch.generation <= state.generation,
            (Epoch.generation == state.generation) | (Epoch.epoch <= state.epoch),
        )
        .order_by(Epoch.epoch.desc(), Epoch.generation.desc())
        .limit(2 * count)
    )
    found: dict[int, LossOfEpoch] = {}
    for row in rows:
        if row.loss is not None:
            found.setdefault(row.epoch, LossOfEpoch(row.epoch, row.loss))
    return list(reversed(list(found.values())[:count]))


class StandstillDetector:
    """Detects that one swarm stands still, by the epochs that are seen.

    Then a checkpoint is due, to keep the state or to find the fault. Peers leave out gradients that are not numbers,
    so a run whose parameters give nothing else makes no more epochs, and none of its losses tells of it; the held-out
    loss of its state does.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._epoch: int | None = None
        self._since = self._before = 0.0

    def is_still(self, epoch: int) -> bool:
        """Return true if the swarm, now at that epoch, has been there for long."""
        now = self._clock()
        if epoch != self._epoch:
            self._before = now - self._since if self._epoch is not None else 0.0
            self._epoch, self._since = epoch, now
        return now - self._since > max(_STILL_SECONDS, _STILL_EPOCHS * self._before)
