"""Readings of Windows, with stand-ins for its libraries; the rules that they follow, as tables."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from threading import get_ident
from typing import Any

import pytest

from client.api.errors import SourceLost
from client.machine.readings import Known, Reading, Unknown
from client.machine.windows.libraries import SystemLibraries
from client.machine.windows.network import metered_by, read_metered
from client.machine.windows.rights import read_administers
from client.machine.windows.screen import FrontWindow, awake_of, full_screen, read_awake, read_full_screen
from client.machine.windows.session import lock_of, open_last_input, read_lock
from client.machine.windows.temperature import read_temperature, temperature_of
from tests.client.machine.windows.stand_in_windows import (
    ACCESS_DENIED,
    CHANGED_MODE,
    E_FAIL,
    FULL_HD,
    StandInWindow,
    StandInWindows,
)

CAPTION, MAXIMIZED = 0x00C00000, 0x01000000
NOT_PRESENT, BUSY, DIRECT3D, PRESENTATION, ACCEPTS, QUIET, STORE_APP = range(1, 8)
SCREEN, ZONE = "Windows desktop", "hottest thermal zone of the firmware"


@pytest.mark.parametrize(
    ("last_input", "now", "idle"),
    [
        (1_000, 1_000, 0.0),
        (1_000, 4_500, 3.5),
        (0xFFFFFF00, 0x100, 0.512),  # the counter began again after 49.7 days
        (0x7FFFFFFF, 0x80000000 + 999, 1.0),  # the upper half is not negative
    ],
)
def test_the_idle_time_counts_from_the_last_input(last_input: int, now: int, idle: float) -> None:
    source = open_last_input(StandInWindows(last_input=last_input, now=now))
    assert asyncio.run(source.idle_seconds()) == idle


def test_a_windows_that_does_not_report_the_last_input_is_a_source_lost() -> None:
    source = open_last_input(StandInWindows(failing={"GetLastInputInfo": ACCESS_DENIED}))
    with pytest.raises(SourceLost):
        asyncio.run(source.idle_seconds())


@pytest.mark.posix
def test_where_it_is_another_system_no_library_is_found() -> None:
    with pytest.raises(OSError, match="user32"):
        open_last_input(SystemLibraries())


@pytest.mark.parametrize(
    ("flags", "expected"), [(0, True), (1, False), (-1, None), (2, None)]
)  # WTS_SESSIONSTATE_UNKNOWN is 0xFFFFFFFF
def test_the_flags_of_a_session_show_its_lock(flags: int, expected: bool | None) -> None:
    windows = StandInWindows(session_flags=flags)
    assert read_lock(windows) == lock_of(flags)
    assert windows.held.total() == 0
    if expected is None:
        assert lock_of(flags) == Unknown(
            f"Windows does not know whether the screen is locked (WTSQuerySessionInformationW: {flags})."
        )
    else:
        assert lock_of(flags) == Known(expected, "Windows session")


@pytest.mark.parametrize(
    ("windows", "words"),
    [
        (StandInWindows(session_bytes=16), "WTSQuerySessionInformationW answers 16 bytes."),
        (StandInWindows(session_level=2), "WTSQuerySessionInformationW answers level 2."),
    ],
)
def test_an_answer_about_the_session_of_another_layout_is_not_believed(
    windows: StandInWindows, words: str
) -> None:
    assert read_lock(windows) == Unknown(f"Windows does not report whether the screen is locked. {words}")
    assert windows.held.total() == 0


STANDARD, FULL, LIMITED = 1, 2, 3


@pytest.mark.parametrize(
    ("elevation_type", "is_elevated", "administers"),
    [
        (LIMITED, False, True),  # an administrator who has to agree
        (FULL, True, True),  # one who has
        (STANDARD, True, True),  # User Account Control is turned off, or this is the account Administrator
        (STANDARD, False, False),
    ],
)
def test_the_token_shows_whether_this_user_may_administer_the_computer(
    elevation_type: int, is_elevated: bool, administers: bool
) -> None:
    windows = StandInWindows(elevation_type=elevation_type, is_elevated=is_elevated)
    assert read_administers(windows) == Known(administers, "Windows access token")
    assert windows.held.total() == 0


GAME = FrontWindow("UnrealWindow", 0, FULL_HD, FULL_HD, 7)


@pytest.mark.parametrize(
    ("state", "window", "expected"),
    [
        (BUSY, GAME, "Game"),
        (ACCEPTS, GAME, "Game"),
        (DIRECT3D, GAME, "Game"),
        (DIRECT3D, None, "an application"),
        (DIRECT3D, replace(GAME, edges=(0, 0, 800, 600)), "an application"),
        (NOT_PRESENT, GAME, None),  # a screen saver, or the lock screen
        (ACCEPTS, None, None),
        (BUSY, None, None),  # what fills another screen is not in use
        (PRESENTATION, None, None),
        (QUIET, None, None),
        (STORE_APP, None, None),
        (ACCEPTS, replace(GAME, kind="Progman"), None),
        (ACCEPTS, replace(GAME, kind="WorkerW"), None),
        (ACCEPTS, replace(GAME, edges=(0, 0, 1920, 1032)), None),  # above the task bar
        (ACCEPTS, replace(GAME, edges=(1, 1, 1919, 1079)), "Game"),  # rounded by Windows' scaling
        (ACCEPTS, replace(GAME, edges=(2, 0, 1920, 1080)), None),
        (ACCEPTS, replace(GAME, edges=(-8, -8, 1928, 1088), style=CAPTION | MAXIMIZED), None),
        (ACCEPTS, replace(GAME, edges=(-8, -8, 1928, 1088), style=MAXIMIZED), "Game"),
        (ACCEPTS, replace(GAME, style=CAPTION), "Game"),
        (ACCEPTS, replace(GAME, edges=(-1920, 0, 0, 1080), monitor=(-1920, 0, 0, 1080)), "Game"),
        (ACCEPTS, replace(GAME, edges=(0, 0, 1920, 1080), monitor=(1920, 0, 3840, 1080)), None),
    ],
)
def test_an_application_fills_the_screen_if_it_is_in_use_and_covers_its_monitor(
    state: int, window: FrontWindow | None, expected: str | None
) -> None:
    assert full_screen(state, window, {7: "Game.exe"}.__getitem__) == expected


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (StandInWindow(), "Game"),
        (StandInWindow(kind="Progman"), None),
        (StandInWindow(edges=(100, 100, 900, 700)), None),
        (None, None),
    ],
)
def test_the_window_in_use_is_asked_for(shown: StandInWindow | None, expected: str | None) -> None:
    reading = read_full_screen(StandInWindows(window=shown), {4242: "Game.exe"}.__getitem__)
    assert reading == Known(expected, SCREEN)


def test_nothing_is_asked_about_the_window_of_a_lock_screen() -> None:
    windows = StandInWindows(notification_state=NOT_PRESENT, failing={"GetWindowRect": ACCESS_DENIED})
    assert read_full_screen(windows) == Known(None, SCREEN)


@pytest.mark.parametrize(
    ("state", "expected"), [(0, ()), (1, ()), (2, ("an application",)), (3, ("an application",)), (4, ())]
)
def test_what_keeps_the_screen_on_has_no_name(state: int, expected: tuple[str, ...]) -> None:
    assert read_awake(StandInWindows(execution_state=state)) == awake_of(state)
    assert awake_of(state) == Known(expected, "Windows power manager")


@pytest.mark.parametrize(
    ("cost", "expected"),
    [
        (0x0, None),
        (0x1, False),
        (0x2, True),  # fixed: a plan with a limit
        (0x4, True),  # variable: paid by the byte
        (0x20001, False),  # the provider is congested
        (0x20000, None),
        (0x10001, True),  # over the limit
        (0x40001, True),  # roaming
        (0x80001, True),  # near the limit
        (0x40000, True),
        (0xF0002, True),
    ],
)
def test_costs_of_a_connection(cost: int, expected: bool | None) -> None:
    windows = StandInWindows(cost=cost)
    assert read_metered(windows) == metered_by(cost)
    assert windows.held.total() == 0
    if expected is None:
        assert isinstance(metered_by(cost), Unknown)
    else:
        assert metered_by(cost) == Known(expected, "Windows Network List Manager")


def test_com_that_another_opened_is_used_and_left_open() -> None:
    windows = StandInWindows(cost=2, failing={"CoInitializeEx": CHANGED_MODE}, com_thread=get_ident())
    assert read_metered(windows) == Known(True, "Windows Network List Manager")
    assert windows.held["COM"] == 0, "it was closed by who did not open it"


@pytest.mark.parametrize(
    ("tenths", "celsius"),
    [
        ((3182.0,), 45.0),
        ((3182.0, 3532.0, 2982.0), 80.0),
        ((0.0, 3182.0), 45.0),
        ((3182.0, 9999.0), 45.0),
        ((2732.0, 2982.0), 25.0),  # a zone without a sensor
        ((2732.0,), None),
        ((0.0,), None),
        ((), None),
    ],
)
def test_the_hottest_zone_with_a_plausible_temperature_counts(
    tenths: tuple[float, ...], celsius: float | None
) -> None:
    reading = temperature_of(tenths)
    if celsius is None:
        assert reading == Unknown(
            f"Windows shows {len(tenths)} thermal zones, none with a plausible temperature."
        )
    else:
        assert isinstance(reading, Known)
        assert reading.value == pytest.approx(celsius)
        assert reading.source == ZONE


@pytest.mark.parametrize("zones", [((0, 3182.0), (0xC0000BBA, 3900.0)), ((1, 3182.0),)])
def test_zones_without_valid_data_are_left_out(zones: tuple[tuple[int, float], ...]) -> None:
    windows = StandInWindows(zones=zones)
    reading = read_temperature(windows)
    assert isinstance(reading, Known)
    assert reading.value == pytest.approx(45.0)
    assert windows.held.total() == 0


READERS: dict[Callable[..., Reading[Any]], dict[str, int]] = {
    read_lock: {"WTSQuerySessionInformationW": ACCESS_DENIED},
    read_administers: {"OpenProcessToken": ACCESS_DENIED, "GetTokenInformation": ACCESS_DENIED},
    read_full_screen: {
        "SHQueryUserNotificationState": E_FAIL,
        "GetWindowThreadProcessId": 1400,
        "GetClassNameW": 1400,
        "GetWindowRect": 1400,
        "GetMonitorInfoW": 1461,
    },
    read_awake: {"CallNtPowerInformation": 0xC0000022},
    read_metered: {
        "CoInitializeEx": E_FAIL,
        "CoCreateInstance": 0x80040154,
        "GetCost": 0x80070490,
    },
    read_temperature: {
        "PdhOpenQueryW": 0xC0000BBB,
        "PdhAddEnglishCounterW": 0xC0000BB8,
        "PdhCollectQueryData": 0x800007D5,
        "PdhGetFormattedCounterArrayW": 0xC0000BC6,
    },
}


@pytest.mark.parametrize(
    ("read", "function", "code"),
    [(read, *failure) for read, failures in READERS.items() for failure in failures.items()],
)
def test_what_windows_refuses_is_unknown_with_its_code(
    read: Callable[[StandInWindows], Reading[Any]], function: str, code: int
) -> None:
    windows = StandInWindows(failing={function: code})
    reading = read(windows)
    assert isinstance(reading, Unknown)
    assert function in reading.why
    assert reading.why.endswith(f" answers 0x{code:08X}.")
    assert windows.held.total() == 0


@pytest.mark.parametrize("read", READERS)
def test_a_windows_that_lacks_a_function_is_unknown(read: Callable[..., Reading[Any]]) -> None:
    for function in READERS[read].keys() - {"GetCost"}:
        windows = StandInWindows(absent=frozenset({function}))
        reading = read(windows)
        assert isinstance(reading, Unknown)
        assert reading.why.endswith(f" This Windows has no {function}.")
        assert windows.held.total() == 0


@pytest.mark.posix
@pytest.mark.parametrize("read", READERS)
def test_on_another_system_every_reading_is_unknown(read: Callable[..., Reading[Any]]) -> None:
    assert isinstance(read(SystemLibraries()), Unknown)
