"""Reads the user's session on Windows: the time since the last input, and the lock.

Tried under Wine, and with stand-ins for the libraries.
"""

import ctypes

from client.api.errors import SourceLost
from client.machine.activity.polling import PolledSource
from client.machine.activity.source import REMEDY
from client.machine.readings import Known, Reading, Unknown
from client.machine.windows.libraries import Libraries, reading_of, refusal


class LastInputInfo(ctypes.Structure):
    """LASTINPUTINFO of winuser.h."""

    _fields_ = (("size", ctypes.c_uint32), ("milliseconds", ctypes.c_uint32))


def open_last_input(libraries: Libraries) -> PolledSource:
    """Open the time of this session's last input; raise OSError if this is no Windows."""
    last_input = libraries.function(
        "user32", "GetLastInputInfo", ctypes.c_int32, ctypes.POINTER(LastInputInfo)
    )
    ticks = libraries.function("kernel32", "GetTickCount", ctypes.c_uint32)

    async def idle_seconds() -> float:
        info = LastInputInfo(size=ctypes.sizeof(LastInputInfo))
        if not last_input(ctypes.byref(info)):
            raise SourceLost("Windows does not report when keyboard and mouse were last used.", REMEDY)
        # Both count modulo 2 ** 32 milliseconds, which is less than 50 days.
        return int((ticks() - info.milliseconds) & 0xFFFFFFFF) / 1000

    return PolledSource("Windows last input", idle_seconds)


class SessionState(ctypes.Structure):
    """WTSINFOEX_LEVEL1_W of wtsapi32.h."""

    _fields_ = (
        ("session_id", ctypes.c_uint32),
        ("connect_state", ctypes.c_int32),
        ("flags", ctypes.c_int32),
        ("station_name", ctypes.c_uint16 * 33),
        ("user_name", ctypes.c_uint16 * 21),
        ("domain_name", ctypes.c_uint16 * 18),
        ("times", ctypes.c_int64 * 5),
        ("traffic", ctypes.c_uint32 * 6),
    )


class SessionInfo(ctypes.Structure):
    """WTSINFOEXW of wtsapi32.h, whose union has this one level."""

    _fields_ = (("level", ctypes.c_uint32), ("state", SessionState))


_CURRENT_SESSION, _SESSION_INFO_EX = 0xFFFFFFFF, 25
_LOCKED, _UNLOCKED = 0, 1
"""WTS_SESSIONSTATE_LOCK and WTS_SESSIONSTATE_UNLOCK; Windows 7 had them the other way round."""
_QUERY = "WTSQuerySessionInformationW"


def read_lock(libraries: Libraries) -> Reading[bool]:
    """Read whether the screen of this session is locked."""
    failing = "Windows does not report whether the screen is locked."
    return reading_of(failing, lambda: lock_of(_session_flags(libraries)))


def lock_of(flags: int) -> Reading[bool]:
    """Return what a session's flags say about its lock."""
    if flags not in (_LOCKED, _UNLOCKED):
        return Unknown(f"Windows does not know whether the screen is locked ({_QUERY}: {flags}).")
    return Known(flags == _LOCKED, "Windows session")


def _session_flags(libraries: Libraries) -> int:
    pointer, number = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_uint32)
    query = libraries.function(
        "wtsapi32", _QUERY, ctypes.c_int32, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int32, pointer, number
    )
    free = libraries.function("wtsapi32", "WTSFreeMemory", None, ctypes.c_void_p)
    answer, size = ctypes.c_void_p(), ctypes.c_uint32()
    if not query(None, _CURRENT_SESSION, _SESSION_INFO_EX, ctypes.byref(answer), ctypes.byref(size)):
        raise refusal(_QUERY, libraries.last_error())
    try:
        return _flags_in(answer.value, size.value)
    finally:
        free(answer)


def _flags_in(address: int | None, size: int) -> int:
    if not address or size < ctypes.sizeof(SessionInfo):
        raise OSError(f"{_QUERY} answers {size} bytes")
    info = SessionInfo.from_address(address)
    if info.level != 1:
        raise OSError(f"{_QUERY} answers level {info.level}")
    return int(info.state.flags)
