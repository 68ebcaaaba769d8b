"""Picks how this system starts programs at login."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from client.api.errors import AutostartError
from client.autostart.interface import Autostart, LoginCommand
from client.autostart.linux import DesktopEntry
from client.autostart.macos import LaunchAgent


class NoAutostart:
    def enable(self) -> None:
        raise AutostartError(
            "Idlebrush does not support starting at login on this system.",
            "Configure your desktop session to run `idlebrush --background`.",
        )

    def disable(self) -> None:
        """Do nothing: starting at login is never on here."""

    def is_enabled(self) -> bool:
        return False


def autostart(
    command: LoginCommand,
    environment: Mapping[str, str] = os.environ,
    home: Path | None = None,
    platform: str = sys.platform,
) -> Autostart:
    """Return what starts ``command`` at login for the user with that ``home``; None: this process's user."""
    home = home or Path.home()
    if platform.startswith(("linux", "freebsd", "openbsd", "netbsd")):
        return DesktopEntry.of_user(command, environment, home)
    if platform == "darwin":
        return LaunchAgent.of_user(command, home)
    if sys.platform == "win32":
        from client.autostart.windows import Registry, RunValue

        return RunValue(Registry(), command)
    return NoAutostart()
