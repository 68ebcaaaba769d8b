"""The preferences as a daemon has them: read again after each change, by hand too, and changed one by one."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from client.api.errors import AutostartError, PreferenceError
from client.autostart.interface import Autostart
from client.preferences.preferences import Preferences, with_value
from client.preferences.preferences_file import PreferencesFile, change


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
