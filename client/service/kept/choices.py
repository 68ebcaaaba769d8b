"""Keeps the volunteer's choices in files, for later daemons: run, consent and pauses, and the preferences."""

import asyncio
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from client import state_file
from client.api.errors import AutostartError, PreferenceError
from client.autostart.interface import Autostart
from client.preferences.preferences import Preferences, with_value
from client.preferences.preferences_file import PreferencesFile, change
from client.preferences.snooze import Snooze
from core.storage.files import read_bounded

CRASHES_KEPT = 16


class DaemonState(BaseModel):
    """The daemon's state between two starts, at `Paths.state`, kept by `client.state_file`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    run_folder: Path | None = None
    """Folder of the joined run that is trained now; None: no run is joined."""
    consented_at: AwareDatetime | None = None
    """Time at which the volunteer agreed that this computer trains; None: ask first."""
    snoozed_at: AwareDatetime | None = None
    snoozed_until: AwareDatetime | None = None
    """A pause for a time; with its beginning, so that a clock that was set back makes it no longer."""
    mode: Literal["always", "preferences", "never"] | None = None
    """Run mode that replaces the preferences' one until the volunteer resumes; None: the preferences decide."""
    finished: bool = False
    """True once the epoch is over after which the volunteer asked to stop: training resumes only on request."""
    wants_environment: bool = False
    """True once the volunteer has agreed that what training needs is fetched and installed."""
    setup_paused: bool = False
    """True while the volunteer pauses that."""
    crashes: Annotated[tuple[AwareDatetime, ...], Field(max_length=CRASHES_KEPT)] = ()
    """Times at which the trainer crashed, oldest first, for a daemon that is restarted."""

    def with_changes(self, **changes: object) -> Self:
        """Return a copy with other values, validated as a file's are."""
        return type(self).model_validate(self.model_dump() | changes)

    def with_crash(self, now: datetime) -> Self:
        """Return a copy that remembers one more crash, and forgets the oldest."""
        return self.with_changes(crashes=(*self.crashes, now)[-CRASHES_KEPT:])


def has_run(path: Path) -> bool:
    """Return True if a daemon that starts with the state in that file has a run to train, as far as is known."""
    try:
        state = DaemonState.model_validate_json(read_bounded(path, state_file.LARGEST))
    except FileNotFoundError:
        return False
    except (OSError, ValueError):  # the daemon says what is wrong with it
        return True
    return state.run_folder is not None


class VolunteerChoices:
    """Choices take effect at once; `save` writes them to the disk, for later daemons."""

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
        """True if training is paused until the volunteer resumes it."""
        return self._state.mode == "never" or self._state.finished

    @property
    def finished(self) -> bool:
        """True if it is paused because the volunteer's last epoch is over."""
        return self._state.finished

    @property
    def wants_environment(self) -> bool:
        """True if the volunteer has agreed to the set-up of the trainer's environment."""
        return self._state.wants_environment

    @property
    def setup_paused(self) -> bool:
        """True if the volunteer has paused that set-up."""
        return self._state.setup_paused

    def snoozed_until(self, now: datetime) -> datetime | None:
        """Return the end of a pause for a time, or None if there is none or it is over."""
        self._snooze = self._snooze.at(now) if self._snooze else None
        return self._snooze.until if self._snooze else None

    def join(self, folder: Path) -> None:
        self._snooze = None
        self._change(run_folder=folder, consented_at=self._now(), finished=False, mode=None, crashes=())

    def train(self, folder: Path) -> None:
        """Train another run that was joined before; the crashes of the one before are not its own."""
        self._change(run_folder=folder, crashes=())

    def leave(self) -> None:
        self._change(run_folder=None, finished=False)

    def pause(self, length: timedelta | None) -> None:
        """Pause for that long, or until resumed."""
        self._snooze = None if length is None else Snooze.of(length, self._now())
        self._change(mode="never" if length is None else None)

    def resume(self) -> None:
        self._snooze = None
        self._change(mode=None, finished=False, crashes=())

    def finish(self) -> None:
        """Note that the volunteer's last epoch is over, so that training is paused."""
        self._change(finished=True)

    def want_environment(self, is_wanted: bool) -> None:
        """Note whether the volunteer agrees to the set-up of the trainer's environment, which is not paused then."""
        self._change(wants_environment=is_wanted, setup_paused=False)

    def pause_setup(self, is_paused: bool) -> None:
        """Pause that set-up, or resume it."""
        self._change(setup_paused=is_paused)

    def crashed(self) -> None:
        """Count a crash of the trainer; a daemon that is restarted continues the count."""
        self._state = self._state.with_crash(self._now())

    def crashes(self, now: datetime) -> list[float]:
        """Return the seconds since each crash of the trainer, oldest first.

        They are never negative, even if the clock was set back.
        """
        return [max(0.0, (now - crash).total_seconds()) for crash in self._state.crashes]

    def save(self) -> None:
        """Save what was said; raise StateError if it cannot be saved.

        It holds for this daemon all the same. Any thread may call this.
        """
        with self._saving:
            state_file.save(self._path, self._state)

    def _change(self, **changes: object) -> None:
        snooze = self._snooze
        self._state = self._state.with_changes(
            snoozed_at=snooze.seen if snooze else None,
            snoozed_until=snooze.until if snooze else None,
            **changes,
        )


class KeptPreferences:
    """Preferences as the daemon holds them; it also keeps starting at login as they say."""

    def __init__(self, path: Path, autostart: Autostart, notice: Callable[[str], None]) -> None:
        self.current = Preferences()
        self.problem: PreferenceError | None = None
        """Error of the file."""
        self._path, self._autostart, self._notice = path, autostart, notice
        self._file = PreferencesFile(path)

    def read(self) -> Preferences | None:
        """Look into the file again; returns what held before if it has changed."""
        found = self._file.read_if_changed()
        if found is None:
            return None
        before, (self.current, self.problem) = self.current, found
        if self.problem is not None:
            self._notice(str(self.problem))
        self._keep_autostart()
        return before

    async def change(self, name: str, text: str) -> None:
        """Set one of them; PreferenceError lists what is allowed. Changes by hand in the meantime are kept."""
        aside = await asyncio.to_thread(change, self._path, lambda now: with_value(now, name, text))
        if aside is not None:
            self._notice(f"The preferences file had errors. The original is kept as {aside.name}.")

    def _keep_autostart(self) -> None:
        """Set or remove the start of this client at login, as the volunteer prefers."""
        try:
            if not self.current.start_at_login:
                self._autostart.disable()
            elif not self._autostart.is_enabled():
                self._autostart.enable()
        except AutostartError as error:
            self._notice(str(error))
