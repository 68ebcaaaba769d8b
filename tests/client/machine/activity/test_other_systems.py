"""Activity on macOS, with a stand-in for its library; the real one cannot run here."""

import asyncio
import ctypes
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from client.machine.activity.polling import open_macos


def test_macos_is_asked_for_any_input_of_the_session() -> None:
    seconds_since = Mock(return_value=12.5)
    source = open_macos(SimpleNamespace(CGEventSourceSecondsSinceLastEventType=seconds_since))
    assert asyncio.run(source.idle_seconds()) == 12.5
    seconds_since.assert_called_once_with(0, 0xFFFFFFFF)
    assert seconds_since.restype is ctypes.c_double, "otherwise ctypes takes the answer for an int"


def test_where_it_is_another_system_its_library_is_not_found() -> None:
    with pytest.raises(OSError, match="ApplicationServices"):
        open_macos()
