"""The display of the user's present login, for a daemon that was started before it or outlived an earlier one."""

from collections.abc import Mapping

from client.api.errors import DisplayError
from client.machine.bus import Bus

_MANAGER = ("org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager")
_NAMES = ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_SESSION_TYPE", "XDG_SESSION_ID")


async def login_environment(session: Bus, environment: Mapping[str, str]) -> Mapping[str, str]:
    """`environment` with the display that desktops tell systemd at login; DisplayError if it is no other one."""
    told = dict(setting.partition("=")[::2] for setting in await session.get(*_MANAGER, "Environment"))
    display = {name: told[name] for name in _NAMES if name in told}
    own = {name: environment[name] for name in _NAMES if name in environment}
    if not display or display == own:
        raise DisplayError(
            "systemd knows of no other display.", "Start the client from within your desktop session."
        )
    return {**{name: value for name, value in environment.items() if name not in _NAMES}, **display}
