"""Full-screen applications of macOS, from lists of windows as macOS gives them, by stand-ins for its frameworks."""

import ctypes
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from client.machine.macos.full_screen import (
    Bounds,
    Display,
    ListedWindow,
    ScreenArea,
    judge_windows,
    read_full_screen,
)
from client.machine.readings import Known, Reading, Unknown
from tests.client.machine.macos.fake_frameworks import Heap, exported, fake_load

MAIN = Display(Bounds(0, 0, 1440, 900), True)
LEFT = Display(Bounds(-1920, -180, 1920, 1080), False)
NOTCHED = Display(Bounds(0, 0, 1710, 1107), True)
"""A MacBook whose camera housing takes 34 points at the top, in which no window of a full-screen application lies."""
BELOW_HOUSING = Bounds(0, 34, 1710, 1073)


def window(bounds: Bounds, owner: str = "Quake") -> ListedWindow:
    return ListedWindow(owner, bounds)


@pytest.mark.parametrize(
    ("windows", "displays", "filling"),
    [
        ([], [MAIN], None),
        ([], [], None),
        ([window(MAIN.bounds)], [], None),
        ([window(MAIN.bounds)], [MAIN], "Quake"),
        ([window(MAIN.bounds)], [LEFT, MAIN], "Quake"),
        ([window(LEFT.bounds, "VLC")], [MAIN, LEFT], "VLC"),
        ([window(LEFT.bounds, "VLC"), window(MAIN.bounds)], [MAIN, LEFT], "VLC"),
        ([window(Bounds(10, 10, 300, 200), "Notes"), window(MAIN.bounds)], [MAIN], "Quake"),
        ([window(Bounds(0, 0, 720, 900))], [MAIN], None),  # one half of a split screen
        ([window(Bounds(0, 0, 1440, 899))], [MAIN], None),
        (
            [window(Bounds(-1920, -180, 3360, 1080))],
            [MAIN, LEFT],
            None,
        ),  # over two displays, and filling neither
        (
            [window(Bounds(-1920, -155, 1920, 1055))],
            [MAIN, LEFT],
            None,
        ),  # no housing there: just a large window
        ([window(Bounds(0, 100, 1440, 800))], [MAIN], None),
        ([window(Bounds(0, 34, 1710, 1000))], [NOTCHED], None),  # the Dock is below
        ([window(Bounds(855, 34, 855, 1073))], [NOTCHED], None),
        ([window(BELOW_HOUSING, "Safari"), window(NOTCHED.bounds)], [NOTCHED], "Quake"),
    ],
)
def test_what_has_the_bounds_of_a_display_fills_it(
    windows: Sequence[ListedWindow], displays: Sequence[Display], filling: str | None
) -> None:
    assert judge_windows(windows, displays) == Known(filling, "macOS window list")


def test_below_a_camera_housing_a_large_window_may_be_a_full_screen_one() -> None:
    reading = judge_windows([window(BELOW_HOUSING, "Safari")], [LEFT, NOTCHED])
    assert isinstance(reading, Unknown)
    assert reading.why.startswith("macOS does not report whether Safari fills the screen")


def listed(owner: str | None, bounds: Bounds, layer: int = 0, alpha: float = 1.0) -> dict[str, Any]:
    """Entry of the window server's list."""
    entry = {
        "kCGWindowAlpha": alpha,
        "kCGWindowBounds": {
            "Height": float(bounds.height),
            "Width": bounds.width,
            "X": bounds.x,
            "Y": bounds.y,
        },
        "kCGWindowIsOnscreen": True,
        "kCGWindowLayer": layer,
        "kCGWindowMemoryUsage": 2288,
        "kCGWindowNumber": 77,
        "kCGWindowOwnerPID": 612,
        "kCGWindowSharingState": 1,
        "kCGWindowStoreType": 1,
    }
    return entry if owner is None else entry | {"kCGWindowOwnerName": owner}


MENU_BAR = listed("Window Server", Bounds(0, 0, 1440, 24), layer=24)
DOCK = listed("Dock", MAIN.bounds, layer=20)


@pytest.mark.parametrize(
    ("windows", "filling"),
    [
        ([], None),
        ([MENU_BAR, DOCK, listed("Quake", MAIN.bounds)], "Quake"),
        ([listed(None, MAIN.bounds)], "an application"),
        ([MENU_BAR, DOCK, listed("Finder", MAIN.bounds)], None),
        ([listed("Window Server", MAIN.bounds), listed("WindowManager", MAIN.bounds)], None),
        ([listed("Screen ruler", MAIN.bounds, layer=101)], None),
        ([listed("Magnet", MAIN.bounds, alpha=0.0)], None),
        ([{"kCGWindowLayer": 0, "kCGWindowOwnerName": "Odd", "kCGWindowBounds": {}}], None),
        ([{"kCGWindowLayer": 0, "kCGWindowOwnerName": "Odd", "kCGWindowBounds": "0 0 1440 900"}], None),
        ([{}, "odd"], None),
    ],
)
def test_the_window_server_is_asked(heap: Heap, windows: list[Any], filling: str | None) -> None:
    assert read(heap, windows) == Known(filling, "macOS window list")


def test_outside_of_a_session_it_is_unknown(heap: Heap) -> None:
    reading = read(heap, None)
    assert isinstance(reading, Unknown)
    assert "outside of a desktop session" in reading.why


def test_displays_that_are_refused_are_unknown(heap: Heap) -> None:
    reading = read(heap, [listed("Quake", MAIN.bounds)], error=1001)
    assert isinstance(reading, Unknown)
    assert "(CGError 1001)" in reading.why


def test_another_system_is_unknown() -> None:
    assert isinstance(read_full_screen(), Unknown)


def read(heap: Heap, windows: list[Any] | None, error: int = 0) -> Reading[str | None]:
    quartz = FakeQuartz(heap, windows, [LEFT, MAIN], error)
    return read_full_screen(fake_load(heap, ApplicationServices=quartz))


class FakeQuartz(SimpleNamespace):
    """The window server's functions of the framework ApplicationServices."""

    def __init__(
        self, heap: Heap, windows: list[Any] | None, displays: Sequence[Display], error: int
    ) -> None:
        self._heap, self._windows, self._displays, self._error = heap, windows, displays, error
        u32, pointer, integers = ctypes.c_uint32, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint32)
        super().__init__(
            CGWindowListCopyWindowInfo=exported(self._copy, pointer, u32, u32),
            CGRectMakeWithDictionaryRepresentation=exported(
                self._convert, ctypes.c_bool, pointer, ctypes.POINTER(ctypes.c_double)
            ),
            CGGetActiveDisplayList=exported(self._list, ctypes.c_int32, u32, integers, integers),
            CGDisplayBounds=ReturnsRectangle(lambda number: self._displays[number & 0xFF].bounds),
            CGDisplayIsBuiltin=exported(lambda number: self._displays[number & 0xFF].is_built_in, u32, u32),
        )

    def _copy(self, option: int, relative_to: int) -> int | None:
        assert (option, relative_to) == (17, 0)
        return None if self._windows is None else self._heap.make(self._windows)

    def _convert(self, described: int | None, target: Any) -> bool:
        entries = self._heap.read(described, "CGRectMakeWithDictionaryRepresentation")
        if not isinstance(entries, dict):
            return False
        numbers = {
            self._heap.read(key, "a key"): self._heap.read(at, "a side") for key, at in entries.items()
        }
        if numbers.keys() != {"X", "Y", "Width", "Height"}:
            return False
        for index, name in enumerate(("X", "Y", "Width", "Height")):
            target[index] = numbers[name]
        return True

    def _list(self, most: int, found: Any, count: Any) -> int:
        assert most >= len(self._displays)
        for index in range(len(self._displays)):
            found[index] = 0xF0000000 | index
        count[0] = len(self._displays)
        return self._error


class ReturnsRectangle:
    """A function with a structure as its result, which ctypes cannot make of Python's."""

    restype: Any = ctypes.c_int
    argtypes: Any = ()

    def __init__(self, function: Any) -> None:
        self._function = function

    def __call__(self, number: int) -> ScreenArea:
        assert self.restype is ScreenArea
        assert list(self.argtypes) == [ctypes.c_uint32]
        bounds: Bounds = self._function(number)
        return ScreenArea(bounds.x, bounds.y, bounds.width, bounds.height)
