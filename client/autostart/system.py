"""Picks how this system starts programs at login."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from client.autostart.interface import Autostart, LoginCommand
from client.autostart.linux import DesktopEntry
from client.autostart.macos import LaunchAgent
from client.autostart.null import NoAutostart


def autostart(
    command: LoginCommand,
    environment: Mapping[str, str] = os.environ,
    home: Path | None = None,
    platform: str = sys.platform,
) -> Autostart:
    """Of the user whose home that is; None: of this process's user."""
    home = home or Path.home()
    if platform.startswith(("linux", "freebsd", "openbsd", "netbsd")):
        return DesktopEntry.of_user(command, environment, home)
    if platform == "darwin":
        return LaunchAgent.of_user(command, home)
    if sys.platform == "win32":
        from client.autostart.windows import Registry, RunValue

        return RunValue(Registry(), command)
    return NoAutostart()
