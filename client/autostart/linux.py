"""Starts the client at login on Linux and the BSDs: an XDG autostart entry, which every desktop reads.

A systemd user unit would start without a screen too, but before the desktop's session, so that nothing could tell
whether the computer is in use. Tried with `desktop-file-validate` and GLib's launcher; not by logging in.
"""

from collections.abc import Mapping
from configparser import Error as MalformedFile
from configparser import RawConfigParser
from pathlib import Path
from typing import Self

from client.autostart.interface import LoginCommand, in_words
from core.desktop_entry import GROUP, desktop_entry, escaped, exec_value
from core.storage.files import write_atomically

_NAME = "idlebrush.desktop"


class DesktopEntry:
    """The entry in the volunteer's own autostart folder."""

    def __init__(self, folder: Path, command: LoginCommand) -> None:
        self.path = folder / _NAME
        self._command = command

    @classmethod
    def of_user(cls, command: LoginCommand, environment: Mapping[str, str], home: Path) -> Self:
        config = environment.get("XDG_CONFIG_HOME", "")
        return cls((Path(config) if Path(config).is_absolute() else home / ".config") / "autostart", command)

    def enable(self) -> None:
        with in_words(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path, _entry(self._command).encode(errors="surrogateescape"))

    def disable(self) -> None:
        with in_words(self.path):
            self.path.unlink(missing_ok=True)

    def is_enabled(self) -> bool:
        """Return true if the entry exists, has this command, and is not turned off by the volunteer or a desktop."""
        values = RawConfigParser(strict=False)
        try:
            with in_words(self.path):
                values.read_string(
                    self.path.read_text("utf-8", "surrogateescape") if self.path.exists() else ""
                )
        except MalformedFile:
            return False
        off = values.get(GROUP, "Hidden", fallback="false").lower() == "true"
        on = values.get(GROUP, "X-GNOME-Autostart-enabled", fallback="true").lower() == "true"
        return values.get(GROUP, "Exec", fallback="") == _exec(self._command) and on and not off


def _entry(command: LoginCommand) -> str:
    """Return the desktop entry; its TryExec lets desktops pass over it once the program is gone."""
    return desktop_entry(
        {
            "Type": "Application",
            "Version": "1.0",
            "Name": "Idlebrush",
            "Comment": "Trains a text-to-image transformer together with others while this computer is idle",
            "Exec": _exec(command),
            "TryExec": escaped(command.arguments[0]),
            "Terminal": "false",
            "X-GNOME-Autostart-enabled": "true",
        }
    )


def _exec(command: LoginCommand) -> str:
    return exec_value(command.arguments, command.environment)
