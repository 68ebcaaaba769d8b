"""Activity on macOS and Windows, with stand-ins for their libraries; the real ones cannot run here."""

import asyncio
import ctypes
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from client.api.errors import SourceLost
from client.machine.activity.polling import LastInputInfo, open_macos, open_windows


def test_macos_is_asked_for_any_input_of_the_session() -> None:
    seconds_since = Mock(return_value=12.5)
    source = open_macos(SimpleNamespace(CGEventSourceSecondsSinceLastEventType=seconds_since))
    assert asyncio.run(source.idle_seconds()) == 12.5
    seconds_since.assert_called_once_with(0, 0xFFFFFFFF)
    assert seconds_since.restype is ctypes.c_double, "otherwise ctypes takes the answer for an int"


@pytest.mark.parametrize(
    ("last_input", "now", "idle"),
    [
        (1_000, 1_000, 0.0),
        (1_000, 4_500, 3.5),
        (0xFFFFFF00, 0x100, 0.512),  # the counter began again after 49.7 days
        (0x7FFFFFFF, -0x80000000 + 999, 1.0),  # ctypes takes the upper half for negative
    ],
)
def test_windows_counts_from_the_last_input(last_input: int, now: int, idle: float) -> None:
    source = open_windows(_user32(last_input), SimpleNamespace(GetTickCount=lambda: now))
    assert asyncio.run(source.idle_seconds()) == idle


def test_a_windows_that_does_not_tell_is_a_source_lost() -> None:
    user32 = SimpleNamespace(GetLastInputInfo=lambda pointer: 0)
    with pytest.raises(SourceLost):
        asyncio.run(open_windows(user32, SimpleNamespace(GetTickCount=lambda: 0)).idle_seconds())


def test_where_it_is_another_system_its_library_is_not_found() -> None:
    for opening in (open_macos, open_windows):
        with pytest.raises(OSError, match=r"ApplicationServices|user32"):
            opening()


def _user32(last_input: int) -> Any:
    def get_last_input_info(pointer: Any) -> int:
        info = ctypes.cast(pointer, ctypes.POINTER(LastInputInfo)).contents
        assert info.size == 8, "Windows refuses other sizes"
        info.milliseconds = last_input
        return 1

    return SimpleNamespace(GetLastInputInfo=get_last_input_info)
