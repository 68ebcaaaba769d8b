"""Whether the app's windows can come up here: a display, and the system's libraries that Qt needs for it."""

import ctypes
import sys
from collections.abc import Callable, Mapping

from client.api.errors import DisplayError

_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
}
"""What every window on Linux needs, and the package of Debian and Ubuntu that has it."""
_X11_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}


def has_display(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether windows that are opened here come up before somebody."""
    if platform in ("darwin", "win32"):
        return "SSH_CONNECTION" not in environment
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def check_libraries(
    environment: Mapping[str, str],
    platform: str = sys.platform,
    load: Callable[[str], object] = ctypes.CDLL,
) -> None:
    """DisplayError where Qt lacks a library: asked before, for without one it ends the process without a word."""
    if platform != "linux":
        return
    needed = _LIBRARIES | ({} if environment.get("WAYLAND_DISPLAY") else _X11_LIBRARIES)
    if missing := [package for name, package in needed.items() if not _loads(name, load)]:
        raise DisplayError(
            "The app's window cannot be opened: libraries of the desktop are missing.",
            f"Install them: sudo apt install {' '.join(missing)}",
        )


def _loads(name: str, load: Callable[[str], object]) -> bool:
    try:
        load(name)
    except OSError:
        return False
    return True
