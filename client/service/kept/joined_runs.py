"""Keeps the joined runs in a file of their own: the share of each, the time it had, and why it is skipped.

The run that is trained now is named in `DaemonState` as well, so that an earlier version of Idlebrush, which knows
one joined run, continues it after an update was taken back.
"""

import threading
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from client import state_file
from client.api.errors import JoinError
from client.api.runs import DEFAULT_SHARE, LARGEST_SHARE, RunHindrance
from client.joining.run_card import RunCard
from client.policy.shares import SharingRun, owed_after
from core.storage.files import read_bounded

MOST_RUNS = 20
DAYS = 7
"""Newest days for which the time of each run is kept."""
_FIRST_RETRY = {
    RunHindrance.UNREACHABLE: timedelta(minutes=10),
    RunHindrance.MISSING: timedelta(minutes=10),
}
"""Time until a run is tried again for the first time; for the other hindrances an hour."""
_LONGEST_RETRY = timedelta(days=1)


class KeptRun(BaseModel):
    """A joined run between two starts of the daemon."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    folder: Path
    digest: str
    title: str
    share: Annotated[int, Field(ge=0, le=LARGEST_SHARE)] = DEFAULT_SHARE
    owed: float = 0.0
    """Seconds that it is owed, as in `client.policy.shares`."""
    turn: float = 0.0
    """Seconds for which it was trained since its present or last turn began."""
    trained: float = 0.0
    """Seconds for which it was trained since it was joined."""
    days: Annotated[dict[date, float], Field(max_length=DAYS + 1)] = {}
    """Seconds for which it was trained on the newest days, in local time."""
    hindrance: RunHindrance | None = None
    failures: int = 0
    """Number of hindrances in a row, between which it was not trained for long."""
    retry_at: AwareDatetime | None = None
    """Time from which it is tried again; None: only when the volunteer asks for it."""

    def can_train(self, now: datetime) -> bool:
        """Return false while it is skipped; a clock that was set back does not skip it for longer."""
        if self.hindrance is None or self.retry_at is None:
            return self.hindrance is None
        return not timedelta() < self.retry_at - now <= _LONGEST_RETRY

    def sharing(self, now: datetime) -> SharingRun:
        """Return what the rule of shares looks at."""
        return SharingRun(self.digest, self.share, self.owed, self.can_train(now))

    def seconds_since(self, first: date) -> float:
        """Return the seconds for which it was trained on that day and later ones."""
        return sum(seconds for day, seconds in self.days.items() if day >= first)


class KeptRunsState(BaseModel):
    """The joined runs in the order in which they were joined, at `Paths.joined`."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    version: Literal[1] = 1
    runs: Annotated[tuple[KeptRun, ...], Field(max_length=MOST_RUNS)] = ()


def time_until_retry(hindrance: RunHindrance, failures: int) -> timedelta | None:
    """Return the time for which a run is skipped, which doubles with each failure; None: no retry can help.

    Args:
        hindrance: Reason why it cannot be trained.
        failures: Number of hindrances in a row, this one included.
    """
    if hindrance is RunHindrance.FINISHED:
        return None
    first = _FIRST_RETRY.get(hindrance, timedelta(hours=1))
    return min(_LONGEST_RETRY, first * (1 << min(16, failures - 1)))


def titles_in(path: Path) -> tuple[str, ...]:
    """Return the titles of the joined runs in that file, as far as it can be read; a daemon may be writing it."""
    try:
        state = KeptRunsState.model_validate_json(read_bounded(path, state_file.LARGEST))
    except (OSError, ValueError):  # the daemon says what is wrong with it
        return ()
    return tuple(run.title for run in state.runs)


class JoinedRuns:
    """The joined runs; changes take effect at once, and `save` writes them to the disk."""

    def __init__(self, path: Path, notice: Callable[[str], None], now: Callable[[], datetime]) -> None:
        self._path, self._now, self._saving = path, now, threading.Lock()
        self._state, problem = state_file.load(path, KeptRunsState, KeptRunsState())
        if problem is not None:
            notice(str(problem))

    @property
    def all(self) -> tuple[KeptRun, ...]:
        return self._state.runs

    @property
    def sharing(self) -> list[SharingRun]:
        """All runs as the rule of shares looks at them now."""
        return [run.sharing(self._now()) for run in self.all]

    def of(self, digest: str) -> KeptRun | None:
        return next((run for run in self.all if run.digest == digest), None)

    def at(self, folder: Path | None) -> KeptRun | None:
        """Return the run whose files are in that folder."""
        return next((run for run in self.all if run.folder == folder), None)

    def require_room(self, digest: str) -> None:
        """Raise JoinError if no further run can be joined."""
        if len(self.all) >= MOST_RUNS and self.of(digest) is None:
            raise JoinError(
                f"{MOST_RUNS} runs are joined, the most there can be.", "Leave one of them first."
            )

    def add(self, folder: Path, card: RunCard) -> None:
        """Add a run; one that is joined already keeps its share and its time.

        Raise JoinError if no further run can be joined.
        """
        self.require_room(card.digest)
        known = self.of(card.digest)
        if known is None:
            run = KeptRun(folder=folder, digest=card.digest, title=card.title)
            self._keep((*self.all, run))
        else:
            self._change(known, folder=folder, title=card.title)

    def remove(self, digest: str) -> None:
        self._keep(tuple(run for run in self.all if run.digest != digest))

    def keep_only(self, digest: str) -> None:
        """Remove all runs but that one."""
        self._keep(tuple(run for run in self.all if run.digest == digest))

    def set_share(self, digest: str, share: int) -> KeptRun:
        """Set the share of a run; JoinError if it is not joined."""
        run = self.of(digest)
        if run is None:
            raise JoinError("That run is not joined.", "`idlebrush runs joined` shows those that are.")
        return self._change(run, share=share)

    def begin_turn(self, digest: str) -> None:
        """Count the turn of that run from now on."""
        if (run := self.of(digest)) is not None:
            self._change(run, turn=0.0)

    def count(self, digest: str, seconds: float) -> None:
        """Count seconds for which a run was trained, and what the others are owed for them."""
        owed, today = owed_after(self.sharing, digest, seconds), self._now().date()
        first = today - timedelta(days=DAYS - 1)
        for run in self.all:
            days = {day: spent for day, spent in run.days.items() if first <= day <= today}
            if run.digest == digest:
                days[today] = days.get(today, 0.0) + seconds
            spent = seconds if run.digest == digest else 0.0
            self._change(
                run, owed=owed[run.digest], days=days, trained=run.trained + spent, turn=run.turn + spent
            )

    def hinder(self, digest: str, hindrance: RunHindrance) -> bool:
        """Skip a run for a while; return false if it is skipped for that reason already."""
        run, now = self.of(digest), self._now()
        if run is None or (run.hindrance is hindrance and not run.can_train(now)):
            return False
        wait = time_until_retry(hindrance, run.failures + 1)
        retry_at = now + wait if wait is not None else None
        self._change(run, hindrance=hindrance, failures=run.failures + 1, retry_at=retry_at)
        return True

    def release(self, digest: str, *, for_good: bool) -> None:
        """Skip a run no more; ``for_good`` forgets how often it was skipped."""
        run = self.of(digest)
        if run is not None and (run.hindrance is not None or (for_good and run.failures)):
            self._change(run, hindrance=None, retry_at=None, failures=0 if for_good else run.failures)

    def release_all(self, hindrance: RunHindrance | None = None, *, for_good: bool = True) -> None:
        """Try all runs again, or those that are skipped for one reason, which may have gone, as `release` does."""
        for run in self.all:
            if hindrance in (None, run.hindrance):
                self.release(run.digest, for_good=for_good)

    def save(self) -> None:
        """Save the runs; raise StateError if they cannot be saved. Any thread may call this."""
        with self._saving:
            state_file.save(self._path, self._state)

    def _change(self, run: KeptRun, **changes: object) -> KeptRun:
        changed = run.model_copy(update=changes)
        self._keep(tuple(changed if item.digest == run.digest else item for item in self.all))
        return changed

    def _keep(self, runs: tuple[KeptRun, ...]) -> None:
        self._state = self._state.model_copy(update={"runs": runs})
