"""Start at login on macOS: a launch agent of the volunteer's. Its file was checked; no Mac has read it yet.

What the volunteer turned off in the system's settings is kept by launchd elsewhere and not seen here.
"""

import plistlib
from pathlib import Path
from typing import Self
from xml.parsers.expat import ExpatError

from client.autostart.interface import LoginCommand, in_words
from core.storage.files import write_atomically

LABEL = "org.idlebrush.daemon"
_WHAT = ("RunAtLoad", "ProgramArguments", "EnvironmentVariables")
"""Keys that decide if an agent is the one that was meant."""


class LaunchAgent:
    """The agent's file, which launchd reads at the next login."""

    def __init__(self, folder: Path, command: LoginCommand) -> None:
        self.path = folder / f"{LABEL}.plist"
        self._command = command

    @classmethod
    def of_user(cls, command: LoginCommand, home: Path) -> Self:
        return cls(home / "Library" / "LaunchAgents", command)

    def enable(self) -> None:
        with in_words(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path, plistlib.dumps(_agent(self._command)))

    def disable(self) -> None:
        with in_words(self.path):
            self.path.unlink(missing_ok=True)

    def is_enabled(self) -> bool:
        try:
            with in_words(self.path):
                agent = plistlib.loads(self.path.read_bytes()) if self.path.exists() else {}
        except (plistlib.InvalidFileException, ExpatError):
            return False
        if not isinstance(agent, dict) or agent.get("Disabled"):
            return False
        return all(agent.get(key) == _agent(self._command)[key] for key in _WHAT)


def _agent(command: LoginCommand) -> dict[str, object]:
    """Return the agent.

    It is for interactive sessions only, and gets what macOS gives to apps; trainers lower themselves.
    """
    return {
        "Label": LABEL,
        "ProgramArguments": list(command.arguments),
        "EnvironmentVariables": dict(command.environment),
        "RunAtLoad": True,
        "ProcessType": "Interactive",
        "LimitLoadToSessionType": "Aqua",
    }
