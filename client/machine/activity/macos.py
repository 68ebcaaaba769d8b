"""User activity on macOS, by Quartz's event sources. Not yet tried on a real Mac."""

import ctypes
from typing import Any

from client.machine.activity.polling import PolledSource

_FRAMEWORK = "/System/Library/Frameworks/ApplicationServices.framework/ApplicationServices"
_COMBINED_SESSION_STATE = 0
_ANY_INPUT_EVENT = 0xFFFFFFFF


def open_macos(library: Any = None) -> PolledSource:
    """OSError where it is no macOS; `library`: that framework, by default the system's."""
    quartz = library or ctypes.CDLL(_FRAMEWORK)
    seconds_since = quartz.CGEventSourceSecondsSinceLastEventType
    seconds_since.restype = ctypes.c_double
    seconds_since.argtypes = (ctypes.c_int32, ctypes.c_uint32)

    async def idle_seconds() -> float:
        return float(seconds_since(_COMBINED_SESSION_STATE, _ANY_INPUT_EVENT))

    return PolledSource("macOS event source", idle_seconds)
