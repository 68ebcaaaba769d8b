"""Describes the joined runs for front ends, with the part that each had of the last days: a pure function."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from client.api.runs import JoinedRunView
from client.service.kept.joined_runs import DAYS, KeptRun


def joined_views(runs: Sequence[KeptRun], current: Path | None, now: datetime) -> tuple[JoinedRunView, ...]:
    """Return the views of the joined runs, in their order.

    A single run is never skipped, as no other one would be trained instead.

    Args:
        runs: All joined runs.
        current: Folder of the run that is trained now; None: there is none.
        now: The time, with its zone.
    """
    first = now.date() - timedelta(days=DAYS - 1)
    whole = sum(run.seconds_since(first) for run in runs)
    return tuple(_view(run, current, now, run.seconds_since(first), whole, len(runs)) for run in runs)


def _view(
    run: KeptRun, current: Path | None, now: datetime, week: float, whole: float, count: int
) -> JoinedRunView:
    is_skipped = count > 1 and not run.can_train(now)
    return JoinedRunView(
        digest=run.digest,
        title=run.title,
        share=run.share,
        is_current=run.folder == current,
        hindrance=run.hindrance if is_skipped else None,
        retry_at=run.retry_at if is_skipped else None,
        trained_seconds=run.trained,
        week_seconds=week,
        week_part=week / whole if whole else 0.0,
    )
