"""What the volunteer has said to this daemon and those before it: which run, consent, pauses; kept in a file."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from client import state_file
from client.preferences.snooze import Snooze
from client.service.daemon_state import DaemonState


class Choices:
    """What is said holds at once; `save` brings it to the disk, for the daemons that follow."""

    def __init__(self, path: Path, notice: Callable[[str], None], now: Callable[[], datetime]) -> None:
        self._path, self._now, self._saving = path, now, threading.Lock()
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
        self._change(run_folder=folder, consented_at=self._now(), finished=False, mode=None, crashes=())

    def leave(self) -> None:
        self._change(run_folder=None, finished=False)

    def pause(self, length: timedelta | None) -> None:
        """For that long, or until resumed."""
        self._snooze = None if length is None else Snooze.of(length, self._now())
        self._change(mode="never" if length is None else None)

    def resume(self) -> None:
        self._snooze = None
        self._change(mode=None, finished=False, crashes=())

    def finish(self) -> None:
        """The last epoch is over."""
        self._change(finished=True)

    def crashed(self) -> None:
        """The trainer did; a daemon that is started anew goes on counting."""
        self._state = self._state.with_crash(self._now())

    def crashes(self, now: datetime) -> list[float]:
        """How many seconds ago the trainer crashed, oldest first; a clock set back makes nothing a future one."""
        return [max(0.0, (now - crash).total_seconds()) for crash in self._state.crashes]

    def save(self) -> None:
        """StateError if it cannot be; what was said holds for this daemon all the same. Any thread may call it."""
        with self._saving:
            state_file.save(self._path, self._state)

    def _change(self, **changes: object) -> None:
        snooze = self._snooze
        self._state = self._state.with_changes(
            snoozed_at=snooze.seen if snooze else None,
            snoozed_until=snooze.until if snooze else None,
            **changes,
        )
