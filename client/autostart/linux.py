"""Starts the client at login on Linux and the BSDs: an XDG autostart entry, which every desktop reads.

A systemd user unit would start without a screen too, but before the desktop's session, so that nothing could tell
whether the computer is in use. Tried with `desktop-file-validate` and GLib's launcher; not by logging in.
"""

import re
from collections.abc import Mapping
from configparser import Error as MalformedFile
from configparser import RawConfigParser
from pathlib import Path
from typing import Self

from client.autostart.interface import LoginCommand, in_words
from core.storage.files import write_atomically

_NAME = "idlebrush.desktop"
_GROUP = "Desktop Entry"
_QUOTED = re.compile(r"""[\s"'\\><~|&;$*?#()`]|^$""")
_IN_QUOTES = str.maketrans({letter: f"\\{letter}" for letter in '"`$\\'})
_IN_VALUES = str.maketrans({"\\": r"\\", "\n": r"\n", "\t": r"\t", "\r": r"\r"})


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
        off = values.get(_GROUP, "Hidden", fallback="false").lower() == "true"
        on = values.get(_GROUP, "X-GNOME-Autostart-enabled", fallback="true").lower() == "true"
        return values.get(_GROUP, "Exec", fallback="") == _exec(self._command) and on and not off


def _entry(command: LoginCommand) -> str:
    """Return the desktop entry; its TryExec lets desktops pass over it once the program is gone."""
    values = {
        "Type": "Application",
        "Version": "1.0",
        "Name": "Idlebrush",
        "Comment": "Trains a text-to-image transformer together with others while this computer is idle",
        "Exec": _exec(command),
        "TryExec": command.arguments[0].translate(_IN_VALUES),
        "Terminal": "false",
        "X-GNOME-Autostart-enabled": "true",
    }
    lines = "".join(f"{key}={value}\n" for key, value in values.items())
    return f"[{_GROUP}]\n{lines}"


def _exec(command: LoginCommand) -> str:
    return " ".join(map(_argument, _with_environment(command))).translate(_IN_VALUES)


def _with_environment(command: LoginCommand) -> tuple[str, ...]:
    if not command.environment:
        return command.arguments
    settings = (f"{name}={value}" for name, value in command.environment.items())
    return ("/usr/bin/env", *settings, *command.arguments)


def _argument(text: str) -> str:
    """Write an argument by the Desktop Entry Specification.

    In it, `%` begins a field code, and quotes keep words together.
    """
    text = text.replace("%", "%%")
    return '"' + text.translate(_IN_QUOTES) + '"' if _QUOTED.search(text) else text
