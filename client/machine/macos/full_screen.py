"""Finds the application that fills a screen of macOS, such as a game, by the window server's list of windows.

Prototypes and constants are those of CGWindow.h, CGDirectDisplay.h, CGDisplayConfiguration.h and CGGeometry.h in the
macOS SDK, for 64-bit systems. Bounds and owners of windows need no permission of the user's. Their titles would, and
are not read. No Mac has run this yet.
"""

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from client.machine.macos.core_foundation import (
    CoreFoundation,
    LoadFramework,
    Prototypes,
    Reference,
    declare,
    framework,
)
from client.machine.readings import Known, Reading, Unknown

_ON_SCREEN_ONLY, _EXCLUDE_DESKTOP, _NULL_WINDOW = 1 << 0, 1 << 4, 0
_LAYER, _ALPHA, _OWNER, _BOUNDS = "kCGWindowLayer", "kCGWindowAlpha", "kCGWindowOwnerName", "kCGWindowBounds"
"""Names of the header's keys, which are their values, too."""
_ORDINARY = 0
"""Layer of applications' windows (kCGNormalWindowLevel); menus, panels and the desktop are on others."""
_OF_THE_DESKTOP = frozenset({"Dock", "Finder", "Window Server", "WindowManager", "loginwindow"})
"""Owners whose windows may cover a display without being an application in use."""
_MOST_DISPLAYS = 32
_HOUSING = 0.06
"""Share of a display's height that the camera housing takes at most; on notebooks since 2021, 0.03 to 0.04."""
_SOURCE = "macOS window list"
_NO_SESSION = Unknown("The client was started outside of a desktop session, so it cannot see its windows.")


class ScreenArea(ctypes.Structure):
    """CGRect of CGGeometry.h: an origin and a size, in points, which are doubles on 64-bit systems."""

    _fields_ = tuple((name, ctypes.c_double) for name in ("x", "y", "width", "height"))


_UINT32 = ctypes.c_uint32
_UINT32_POINTER = ctypes.POINTER(_UINT32)
_PROTOTYPES: Prototypes = {
    "CGWindowListCopyWindowInfo": (ctypes.c_void_p, _UINT32, _UINT32),
    "CGRectMakeWithDictionaryRepresentation": (ctypes.c_bool, ctypes.c_void_p, ctypes.POINTER(ScreenArea)),
    "CGGetActiveDisplayList": (ctypes.c_int32, _UINT32, _UINT32_POINTER, _UINT32_POINTER),
    "CGDisplayBounds": (ScreenArea, _UINT32),
    "CGDisplayIsBuiltin": (_UINT32, _UINT32),
}


@dataclass(frozen=True)
class Bounds:
    """A rectangle in points, from the upper left corner of the main display."""

    x: int
    y: int
    width: int
    height: int

    @property
    def bottom(self) -> int:
        return self.y + self.height


@dataclass(frozen=True)
class ListedWindow:
    """A visible window of an application."""

    owner: str
    bounds: Bounds


@dataclass(frozen=True)
class Display:
    bounds: Bounds
    is_built_in: bool


def read_full_screen(load: LoadFramework = framework) -> Reading[str | None]:
    """Return the name of the application that fills a screen; blocks while the window server answers.

    `load` gives the frameworks CoreFoundation and ApplicationServices.
    """
    try:
        core = CoreFoundation(load("CoreFoundation"))
        quartz = declare(load("ApplicationServices"), _PROTOTYPES)
        windows = _windows(core, quartz)
        return _NO_SESSION if windows is None else judge_windows(windows, _displays(quartz))
    except OSError as error:
        return Unknown(f"macOS does not report whether an application fills the screen: {error}.")


def judge_windows(windows: Sequence[ListedWindow], displays: Sequence[Display]) -> Reading[str | None]:
    """Return the owner of a window that fills a display; the foremost, if there are several.

    On a notebook with a camera housing, macOS puts a full-screen window below the housing, where a merely large one
    has the same bounds. So that is unknown.

    Args:
        windows: From front to back.
        displays: Those that are in use.
    """
    filled = [display.bounds for display in displays]
    filling = next((window for window in windows if window.bounds in filled), None)
    if filling:
        return Known(filling.owner, _SOURCE)
    built_in = [display.bounds for display in displays if display.is_built_in]
    for window in windows:
        if any(_reaches_housing(window.bounds, display) for display in built_in):
            return Unknown(
                f"macOS does not report whether {window.owner} fills the screen or leaves room for the menu bar. "
                "Name your games as exclusive applications."
            )
    return Known(None, _SOURCE)


def _reaches_housing(window: Bounds, display: Bounds) -> bool:
    """Return true if a window leaves free only a strip at the top, no higher than a camera housing."""
    is_below = 0 < window.y - display.y <= display.height * _HOUSING
    return is_below and (window.x, window.width, window.bottom) == (display.x, display.width, display.bottom)


_Quartz = Mapping[str, Callable[..., Any]]


def _windows(core: CoreFoundation, quartz: _Quartz) -> list[ListedWindow] | None:
    """Return the windows of applications from front to back; None: this process belongs to no session."""
    copy = quartz["CGWindowListCopyWindowInfo"]
    with (
        core.keys(_LAYER, _ALPHA, _OWNER, _BOUNDS) as keys,
        core.owned(copy(_ON_SCREEN_ONLY | _EXCLUDE_DESKTOP, _NULL_WINDOW)) as found,
    ):
        if found is None:
            return None
        windows = [_window(core, quartz, item, keys) for item in core.items(found)]
    return [window for window in windows if window]


def _window(
    core: CoreFoundation, quartz: _Quartz, item: Reference, keys: Mapping[str, Reference]
) -> ListedWindow | None:
    """Return a window; None for one that is invisible, or not an application's."""
    fields = core.fields(item, keys)
    owner = str(fields.get(_OWNER, "an application"))
    if fields.get(_LAYER) != _ORDINARY or fields.get(_ALPHA) == 0 or owner in _OF_THE_DESKTOP:
        return None
    described, found = core.entry(item, keys[_BOUNDS]), ScreenArea()
    if not described or not quartz["CGRectMakeWithDictionaryRepresentation"](described, ctypes.byref(found)):
        return None
    return ListedWindow(owner, _bounds(found))


def _displays(quartz: _Quartz) -> list[Display]:
    """Return the displays in use; raise OSError if the window server refuses."""
    found, count = (_UINT32 * _MOST_DISPLAYS)(), _UINT32()
    error = quartz["CGGetActiveDisplayList"](_MOST_DISPLAYS, found, ctypes.byref(count))
    if error:
        raise OSError(f"the displays cannot be listed (CGError {error})")
    return [_display(quartz, number) for number in found[: count.value]]


def _display(quartz: _Quartz, number: int) -> Display:
    return Display(_bounds(quartz["CGDisplayBounds"](number)), bool(quartz["CGDisplayIsBuiltin"](number)))


def _bounds(rectangle: ScreenArea) -> Bounds:
    return Bounds(*map(round, (rectangle.x, rectangle.y, rectangle.width, rectangle.height)))
