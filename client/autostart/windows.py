"""Start at login on Windows: a value of the user's Run key. Tried with a stand-in for the registry only.

What was turned off in the Task Manager is kept elsewhere and not seen here. The key carries no environment:
IDLEBRUSH_HOME has to be set for the whole account.
"""

import subprocess
import sys
from pathlib import Path
from typing import Protocol

from client.autostart.interface import LoginCommand, in_words

_NAME = "Idlebrush"
_KEY = r"Software\Microsoft\Windows\CurrentVersion\Run"
_PLACE = Path(f"HKEY_CURRENT_USER\\{_KEY}")


class RunKey(Protocol):
    """The values of the key; raises OSError."""

    def read(self, name: str) -> str | None: ...

    def write(self, name: str, command: str) -> None: ...

    def delete(self, name: str) -> None:
        """Delete the value of that name; one that is not there is no error."""


class RunValue:
    """The value, a command line, under our name."""

    def __init__(self, key: RunKey, command: LoginCommand) -> None:
        self._key = key
        self._command = command

    def enable(self) -> None:
        with in_words(_PLACE):
            self._key.write(_NAME, self._line)

    def disable(self) -> None:
        with in_words(_PLACE):
            self._key.delete(_NAME)

    def is_enabled(self) -> bool:
        with in_words(_PLACE):
            return self._key.read(_NAME) == self._line

    @property
    def _line(self) -> str:
        return subprocess.list2cmdline(self._command.arguments)


if sys.platform == "win32":
    import winreg

    class Registry:
        """The real key."""

        def read(self, name: str) -> str | None:
            try:
                with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _KEY) as key:
                    return str(winreg.QueryValueEx(key, name)[0])
            except FileNotFoundError:
                return None

        def write(self, name: str, command: str) -> None:
            with winreg.CreateKey(winreg.HKEY_CURRENT_USER, _KEY) as key:
                winreg.SetValueEx(key, name, 0, winreg.REG_SZ, command)

        def delete(self, name: str) -> None:
            try:
                with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _KEY, access=winreg.KEY_SET_VALUE) as key:
                    winreg.DeleteValue(key, name)
            except FileNotFoundError:
                pass
