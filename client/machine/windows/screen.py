"""Reads what is on the screen on Windows: the application that fills it, and whether one keeps it on.

Tried under Wine, and with stand-ins for the libraries.
"""

import ctypes
from collections.abc import Callable
from ctypes import byref, c_int32, c_uint32, c_void_p
from dataclasses import dataclass

from client.machine.processes import AN_APPLICATION, program_of
from client.machine.readings import Known, Reading
from client.machine.windows.libraries import Libraries, reading_of, refusal, succeed

_NOT_PRESENT, _DIRECT3D = 1, 3
"""QUNS_NOT_PRESENT and QUNS_RUNNING_D3D_FULL_SCREEN of shellapi.h."""
_DESKTOP = ("Progman", "WorkerW", "#32769")
"""Classes of the windows of the desktop itself, which fill every screen."""
_STYLE = -16
"""GWL_STYLE of winuser.h."""
_CAPTION, _MAXIMIZED = 0x00C00000, 0x01000000
_NEAREST_MONITOR = 2
_ROUNDED = 1
"""Pixels by which Windows may round the edges that it reports to a program that knows no scaled screens."""


class Rectangle(ctypes.Structure):
    """RECT of windef.h."""

    _fields_ = (("left", c_int32), ("top", c_int32), ("right", c_int32), ("bottom", c_int32))


class MonitorInfo(ctypes.Structure):
    """MONITORINFO of winuser.h."""

    _fields_ = (("size", c_uint32), ("whole", Rectangle), ("work", Rectangle), ("flags", c_uint32))


Edges = tuple[int, int, int, int]
"""Left, top, right and bottom of a window or a monitor, in pixels."""


@dataclass(frozen=True)
class FrontWindow:
    """The window in use."""

    kind: str
    """Name of its class."""
    style: int
    edges: Edges
    monitor: Edges
    """Edges of the monitor that has most of it."""
    pid: int

    @property
    def fills_monitor(self) -> bool:
        """True for a window over all of its monitor.

        The desktop does not count, nor does a maximised window with its title bar: it reaches over the edges of the
        monitor where the task bar hides itself.
        """
        is_maximized = self.style & _MAXIMIZED and self.style & _CAPTION == _CAPTION
        if self.kind in _DESKTOP or is_maximized:
            return False
        left, top, right, bottom = (
            window - monitor for window, monitor in zip(self.edges, self.monitor, strict=True)
        )
        return max(left, top) <= _ROUNDED and min(right, bottom) >= -_ROUNDED


def read_full_screen(libraries: Libraries, program: Callable[[int], str] = program_of) -> Reading[str | None]:
    """Return the name of the application that fills the screen; `program`: names a process by its id."""

    def ask() -> Reading[str | None]:
        state = _notification_state(libraries)
        window = None if state == _NOT_PRESENT else _front_window(libraries)
        return Known(full_screen(state, window, program), "Windows desktop")

    return reading_of("Windows does not report whether an application fills the screen.", ask)


def full_screen(state: int, window: FrontWindow | None, program: Callable[[int], str]) -> str | None:
    """Return the application that fills the screen.

    Args:
        state: State of the user as the shell reports it (QUERY_USER_NOTIFICATION_STATE).
        window: Window in use, if there is one.
        program: Names a process by its id.
    """
    # The lock screen and a screen saver fill the screen as well, and neither is an application in use.
    if state == _NOT_PRESENT:
        return None
    if window is not None and window.fills_monitor:
        return program(window.pid).removesuffix(".exe")
    return AN_APPLICATION if state == _DIRECT3D else None


def _notification_state(libraries: Libraries) -> int:
    name = "SHQueryUserNotificationState"
    query, state = libraries.function("shell32", name, c_int32, ctypes.POINTER(c_int32)), c_int32()
    succeed(name, query(byref(state)))
    return state.value


def _front_window(libraries: Libraries) -> FrontWindow | None:
    window = libraries.function("user32", "GetForegroundWindow", c_void_p)()
    if not window:
        return None
    pid = c_uint32()
    thread_of = libraries.function(
        "user32", "GetWindowThreadProcessId", c_uint32, c_void_p, ctypes.POINTER(c_uint32)
    )
    if not thread_of(window, byref(pid)):
        raise refusal("GetWindowThreadProcessId", libraries.last_error())
    style = libraries.function("user32", "GetWindowLongW", c_int32, c_void_p, c_int32)(window, _STYLE)
    return FrontWindow(
        _kind(libraries, window), style, _edges(libraries, window), _monitor(libraries, window), pid.value
    )


def _kind(libraries: Libraries, window: int) -> str:
    name = ctypes.create_string_buffer(2 * 257)
    class_name = libraries.function("user32", "GetClassNameW", c_int32, c_void_p, c_void_p, c_int32)
    letters = class_name(window, name, 257)
    if not letters:
        raise refusal("GetClassNameW", libraries.last_error())
    return name.raw[: 2 * letters].decode("utf-16-le", "replace")


def _edges(libraries: Libraries, window: int) -> Edges:
    rectangle = Rectangle()
    ask = libraries.function("user32", "GetWindowRect", c_int32, c_void_p, ctypes.POINTER(Rectangle))
    if not ask(window, byref(rectangle)):
        raise refusal("GetWindowRect", libraries.last_error())
    return _edges_of(rectangle)


def _monitor(libraries: Libraries, window: int) -> Edges:
    of_window = libraries.function("user32", "MonitorFromWindow", c_void_p, c_void_p, c_uint32)
    ask = libraries.function("user32", "GetMonitorInfoW", c_int32, c_void_p, ctypes.POINTER(MonitorInfo))
    info = MonitorInfo(size=ctypes.sizeof(MonitorInfo))
    if not ask(of_window(window, _NEAREST_MONITOR), byref(info)):
        raise refusal("GetMonitorInfoW", libraries.last_error())
    return _edges_of(info.whole)


def _edges_of(rectangle: Rectangle) -> Edges:
    return rectangle.left, rectangle.top, rectangle.right, rectangle.bottom


_EXECUTION_STATE = 16
"""SystemExecutionState of POWER_INFORMATION_LEVEL (winnt.h)."""
_DISPLAY_REQUIRED = 2
"""ES_DISPLAY_REQUIRED of winnt.h."""


def read_awake(libraries: Libraries) -> Reading[tuple[str, ...]]:
    """Return the applications that keep the screen on: Windows reports that there is one, and not which."""
    name, state = "CallNtPowerInformation", c_uint32()

    def ask() -> Reading[tuple[str, ...]]:
        inform = libraries.function(
            "powrprof", name, c_int32, c_int32, c_void_p, c_uint32, c_void_p, c_uint32
        )
        succeed(name, inform(_EXECUTION_STATE, None, 0, byref(state), ctypes.sizeof(state)))
        return awake_of(state.value)

    return reading_of("Windows does not report whether an application keeps the screen on.", ask)


def awake_of(state: int) -> Reading[tuple[str, ...]]:
    """Return the applications, which have no names, by the flags of the system's execution state."""
    return Known((AN_APPLICATION,) if state & _DISPLAY_REQUIRED else (), "Windows power manager")
