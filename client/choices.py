"""What the volunteer has said to this daemon and those before it: which run, consent, pauses; kept in a file."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from client import state_file
from client.api.errors import StateError
from client.daemon_state import DaemonState
from client.snooze import Snooze


class Choices:
    """Holds at once, and is saved at once; that it could not be saved is told, and it holds for this daemon."""

    def __init__(self, path: Path, notice: Callable[[str], None], now: Callable[[], datetime]) -> None:
        self._path, self._notice, self._now = path, notice, now
        self._state, problem = state_file.load(path, DaemonState, DaemonState())
        if problem is not None:
            notice(str(problem))
        until, seen = self._state.snoozed_until, self._state.snoozed_at
        self._snooze = Snooze(until, seen) if until and seen else None

    @property
    def run_folder(self) -> Path | None:
        return self._state.run_folder

    @property
    def consented(self) -> bool:
        return self._state.consented_at is not None

    @property
    def paused(self) -> bool:
        """Until the volunteer resumes."""
        return self._state.mode == "never" or self._state.finished

    @property
    def finished(self) -> bool:
        """Whether that is because the epoch is over that was to be the last."""
        return self._state.finished

    def snoozed_until(self, now: datetime) -> datetime | None:
        """The end of a pause for a time; None: there is none, or it is over."""
        self._snooze = self._snooze.at(now) if self._snooze else None
        return self._snooze.until if self._snooze else None

    def join(self, folder: Path) -> None:
        self._snooze = None
        self._save(run_folder=folder, consented_at=self._now(), finished=False, mode=None, crashes=())

    def leave(self) -> None:
        self._save(run_folder=None, finished=False)

    def pause(self, length: timedelta | None) -> None:
        """For that long, or until resumed."""
        self._snooze = Snooze.of(length, self._now()) if length else None
        self._save(mode=None if length else "never")

    def resume(self) -> None:
        self._snooze = None
        self._save(mode=None, finished=False, crashes=())

    def finish(self) -> None:
        """The last epoch is over."""
        self._save(finished=True)

    def crashed(self) -> None:
        """The trainer did; a daemon that is started anew goes on counting."""
        self._state = self._state.with_crash(self._now())
        self._save()

    def crashes(self, now: datetime) -> list[float]:
        """How many seconds ago the trainer crashed, oldest first; a clock set back makes nothing a future one."""
        return [max(0.0, (now - crash).total_seconds()) for crash in self._state.crashes]

    def close(self) -> None:
        self._save()

    def _save(self, **changes: object) -> None:
        snooze = self._snooze
        self._state = self._state.with_changes(
            snoozed_at=snooze.seen if snooze else None,
            snoozed_until=snooze.until if snooze else None,
            **changes,
        )
        try:
            state_file.save(self._path, self._state)
        except StateError as error:
            self._notice(str(error))
