"""Decides which of the joined runs is trained now, by their shares of time: pure functions.

The rule is that of BOINC's debts. While one run is trained, each run that could be trained is owed its part of that
time, and the trained one has taken all of it. When a turn is over, the run that is owed most has the next one. A run
that cannot be trained is owed nothing meanwhile, so that it does not keep the others waiting when it comes back.
"""

from collections.abc import Sequence
from dataclasses import dataclass

MOST_OWED = 86_400.0
"""Most seconds that a run is owed, or has taken beyond its part: what a day of mistakes can cost the others."""


@dataclass(frozen=True)
class SharingRun:
    """A joined run as the rule looks at it."""

    digest: str
    share: int
    """Weight of the run when time is divided among all; 0: it trains only when no other run can."""
    owed: float = 0.0
    """Seconds that it is owed; less than 0: that it has taken beyond its part."""
    can_train: bool = True
    """False while it is skipped."""


def run_to_train(runs: Sequence[SharingRun], current: str | None, *, turn_is_over: bool) -> str | None:
    """Return the digest of the run to train; None if no run is joined.

    The current run keeps its turn until that is over, or until it can be trained no more; one without a share makes
    way at once. If no run can be trained, the current one stays, as its state is what the volunteer has to see.

    Args:
        runs: All joined runs, in the order in which they were joined.
        current: Digest of the run that is trained now; None: there is none.
        turn_is_over: True if it was trained for the whole interval of switching.
    """
    able = [run for run in runs if run.can_train]
    contenders = [run for run in able if run.share] or able
    if not contenders:
        stays = any(run.digest == current for run in runs)
        return current if stays else next((run.digest for run in runs), None)
    if not turn_is_over and any(run.digest == current for run in contenders):
        return current
    return max(contenders, key=lambda run: (run.owed, run.digest == current)).digest


def owed_after(runs: Sequence[SharingRun], trained: str, seconds: float) -> dict[str, float]:
    """Return the seconds that each run is owed after one of them was trained for some time.

    Args:
        runs: All joined runs.
        trained: Digest of the run that was trained.
        seconds: Time for which it was trained.
    """
    sharing = {run.digest for run in runs if run.share and (run.can_train or run.digest == trained)}
    whole = sum(run.share for run in runs if run.digest in sharing)
    if trained not in sharing:  # it has used time that no other run could
        return {run.digest: run.owed for run in runs}
    return {
        run.digest: _bounded(
            run.owed + _part(run, sharing, whole) * seconds - (seconds if run.digest == trained else 0.0)
        )
        for run in runs
    }


def _part(run: SharingRun, sharing: set[str], whole: int) -> float:
    return run.share / whole if run.digest in sharing else 0.0


def _bounded(owed: float) -> float:
    return min(MOST_OWED, max(-MOST_OWED, owed))
