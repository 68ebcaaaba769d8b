"""Finds out if the app's windows can open here: Qt needs a display and libraries of the system."""

import ctypes
import socket
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from client.api.errors import DisplayError

_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
}
"""Libraries that every window on Linux needs, with their package in Debian and Ubuntu."""
_XCB = "libxcb.so.1"
_X11_LIBRARIES = {
    _XCB: "libxcb1",
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
    """Return true if windows that are opened here appear in front of a user."""
    if platform in ("darwin", "win32"):
        return "SSH_CONNECTION" not in environment
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def check_libraries(
    environment: Mapping[str, str],
    platform: str = sys.platform,
    load: Callable[[str], object] = ctypes.CDLL,
) -> None:
    """Raise DisplayError if Qt lacks a library.

    It is asked before Qt is loaded, for without one Qt ends the process without a message.
    """
    if platform != "linux":
        return
    needed = _LIBRARIES | ({} if environment.get("WAYLAND_DISPLAY") else _X11_LIBRARIES)
    if missing := [package for name, package in needed.items() if not _loads(name, load)]:
        raise DisplayError(
            "The app's window cannot be opened, because libraries of the desktop are missing.",
            f"Install them: sudo apt install {' '.join(missing)}",
        )


def check_display(environment: Mapping[str, str], platform: str = sys.platform) -> None:
    """Raise DisplayError if no display answers, as once a login is over: Qt would end the process by a crash."""
    if platform in ("darwin", "win32") or environment.get("QT_QPA_PLATFORM"):
        return
    wayland, x11 = environment.get("WAYLAND_DISPLAY", ""), environment.get("DISPLAY", "")
    folder = Path(environment.get("XDG_RUNTIME_DIR", "/"))
    if (wayland and _compositor_answers(folder / wayland)) or (x11 and _x_server_answers(x11)):
        return
    raise DisplayError(
        f"The app's window cannot be opened, because the display {wayland or x11} does not answer.",
        "Check DISPLAY and WAYLAND_DISPLAY, and that you may use that display.",
    )


def _compositor_answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as asking:
        try:
            asking.connect(str(path))
        except OSError:
            return False
    return True


def _x_server_answers(display: str) -> bool:
    """Return true if the X server admits this user; the library that Qt uses asks it."""
    try:
        xcb = ctypes.CDLL(_XCB)
    except OSError:
        return False
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(display.encode(), None))
    is_in_error = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not is_in_error


def _loads(name: str, load: Callable[[str], object]) -> bool:
    try:
        load(name)
    except OSError:
        return False
    return True
