"""Applications that keep the screen of macOS on, from lists as macOS gives them, by stand-ins for its frameworks."""

import ctypes
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from client.machine.macos.core_foundation import Scalar
from client.machine.macos.sensors import CPU_CELSIUS, METERED, keeping_screen_on, read_awake
from client.machine.readings import Known, Reading, Unknown
from client.preferences.preferences import Preferences, field_named
from tests.client.machine.macos.fake_frameworks import Heap, exported, fake_load

SCREEN, OLD_SCREEN, SYSTEM = (
    "PreventUserIdleDisplaySleep",
    "NoDisplaySleepAssertion",
    "PreventUserIdleSystemSleep",
)


def assertion(kind: str, process: str, name: str = "Video Wake Lock", level: int = 255) -> dict[str, Any]:
    return {
        "AssertLevel": level,
        "AssertName": name,
        "AssertPID": 612,
        "AssertType": kind,
        "AssertionId": 33554,
        "AssertionTrueType": SCREEN,
        "GlobalUniqueID": 1 << 40,
        "Process Name": process,
    }


@pytest.mark.parametrize(
    ("assertions", "names"),
    [
        ([], ()),
        ([assertion(SCREEN, "Google Chrome")], ("Google Chrome",)),
        ([assertion(OLD_SCREEN, "VLC")], ("VLC",)),
        ([assertion(SYSTEM, "coreaudiod")], ()),
        ([assertion("UserIsActive", "WindowServer")], ()),
        ([assertion(SCREEN, "VLC", level=0)], ()),
        (
            [assertion(SCREEN, "VLC"), assertion(SCREEN, "IINA"), assertion(OLD_SCREEN, "VLC")],
            ("IINA", "VLC"),
        ),
        ([assertion(SCREEN, "", "Playing")], ("Playing",)),
        ([{"AssertType": SCREEN, "AssertLevel": 255}], ("an application",)),
        ([{"AssertType": SCREEN}, {"AssertLevel": 255}, {}], ()),
    ],
)
def test_assertions_about_the_screen_count(
    assertions: Sequence[Mapping[str, Scalar]], names: tuple[str, ...]
) -> None:
    assert keeping_screen_on(assertions) == names


@pytest.mark.parametrize(
    ("by_process", "names"),
    [
        (None, ()),
        (
            {
                612: [assertion(SCREEN, "VLC"), assertion(SYSTEM, "VLC")],
                88: [assertion("UserIsActive", "WindowServer")],
            },
            ("VLC",),
        ),
        ({612: "odd", 613: [], 614: ["odd"]}, ()),
    ],
)
def test_power_management_is_asked(
    heap: Heap, by_process: dict[int, Any] | None, names: tuple[str, ...]
) -> None:
    assert read(heap, by_process) == Known(names, "macOS power assertions")


@pytest.mark.parametrize("by_process", [None, {612: [assertion(SCREEN, "VLC")]}])
def test_a_refusal_is_unknown(heap: Heap, by_process: dict[int, Any] | None) -> None:
    reading = read(heap, by_process, refused=-536870199)
    assert isinstance(reading, Unknown)
    assert "(IOReturn 0xe00002c9)" in reading.why


def test_another_system_is_unknown() -> None:
    assert isinstance(read_awake(), Unknown)


@pytest.mark.parametrize("preference", ["upload", "download", "monthly-quota"])
def test_what_macos_does_not_report_has_preferences_instead(preference: str) -> None:
    assert field_named(preference) in Preferences.model_fields
    assert preference in METERED.why
    assert CPU_CELSIUS.why.endswith(".")


def read(heap: Heap, by_process: dict[int, Any] | None, refused: int = 0) -> Reading[tuple[str, ...]]:
    """Read what is listed; None: powerd has nothing, and leaves the pointer as it is."""

    def copy(found: Any) -> int:
        if by_process is not None:
            found[0] = heap.make(by_process)
        return refused

    exported_copy = exported(copy, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))
    return read_awake(fake_load(heap, IOKit=SimpleNamespace(IOPMCopyAssertionsByProcess=exported_copy)))
