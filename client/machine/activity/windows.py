"""User activity on Windows, by GetLastInputInfo. Not yet tried on a real Windows."""

import ctypes
from typing import Any

from client.api.errors import SourceLost
from client.machine.activity.polling import PolledSource
from client.machine.activity.source import REMEDY


class LastInputInfo(ctypes.Structure):
    """Windows' LASTINPUTINFO."""

    _fields_ = (("size", ctypes.c_uint32), ("milliseconds", ctypes.c_uint32))


def open_windows(user32: Any = None, kernel32: Any = None) -> PolledSource:
    """OSError where it is no Windows; the libraries: by default the system's."""
    user32 = user32 or ctypes.CDLL("user32.dll")
    kernel32 = kernel32 or ctypes.CDLL("kernel32.dll")

    async def idle_seconds() -> float:
        info = LastInputInfo(size=ctypes.sizeof(LastInputInfo))
        if not user32.GetLastInputInfo(ctypes.byref(info)):
            raise SourceLost("Windows does not tell when keyboard and mouse were last used.", REMEDY)
        # Both count modulo 2 ** 32 milliseconds, which is less than 50 days.
        return int((kernel32.GetTickCount() - info.milliseconds) & 0xFFFFFFFF) / 1000

    return PolledSource("Windows last input", idle_seconds)
