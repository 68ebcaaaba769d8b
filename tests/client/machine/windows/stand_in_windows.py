"""Windows' system libraries as their documentation describes them, for readings that cannot be tried on Windows here.

Each function is called through ctypes with the types that its caller declares, so a handle that is cut to 32 bits, or
a structure of another layout, shows. Sizes and places in memory are those of the documentation, written out here.
"""

import ctypes
import struct
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

WINDOW, MONITOR, QUERY, COUNTER = 0x7FFA_0000_0001, 0x7FFA_0000_0002, 0x7FFA_0000_0003, 0x7FFA_0000_0004
TOKEN = 0x7FFA_0000_0005
"""Handles that do not fit into 32 bits."""
ITSELF = 2**64 - 1
"""The handle that means this process: -1, of all 64 bits."""
ACCESS_DENIED = 5
E_FAIL = 0x80004005
MORE_DATA = 0x800007D2
CHANGED_MODE = 0x80010106
FULL_HD = (0, 0, 1920, 1080)
_OK = 0
_EXPORTS = {
    "user32": (
        "GetLastInputInfo",
        "GetForegroundWindow",
        "GetWindowThreadProcessId",
        "GetWindowLongW",
        "GetClassNameW",
        "GetWindowRect",
        "MonitorFromWindow",
        "GetMonitorInfoW",
    ),
    "kernel32": ("GetTickCount", "GetCurrentProcess", "CloseHandle", "SetThreadExecutionState"),
    "advapi32": ("OpenProcessToken", "GetTokenInformation"),
    "wtsapi32": ("WTSQuerySessionInformationW", "WTSFreeMemory"),
    "shell32": ("SHQueryUserNotificationState",),
    "powrprof": ("CallNtPowerInformation",),
    "ole32": ("CoInitializeEx", "CoUninitialize", "CoCreateInstance"),
    "pdh": (
        "PdhOpenQueryW",
        "PdhAddEnglishCounterW",
        "PdhCollectQueryData",
        "PdhGetFormattedCounterArrayW",
        "PdhCloseQuery",
    ),
}
_BY_LAST_ERROR = {"GetLastInputInfo", "WTSQuerySessionInformationW"}.union(
    _EXPORTS["user32"], _EXPORTS["advapi32"]
)
"""Functions that return 0 where they fail, and leave the code for GetLastError."""


@dataclass(frozen=True)
class StandInWindow:
    """The window in use."""

    kind: str = "UnrealWindow"
    style: int = 0
    edges: tuple[int, int, int, int] = FULL_HD
    pid: int = 4242


@dataclass
class StandInWindows:
    """Libraries that answer by these attributes."""

    last_input: int = 1_000
    now: int = 61_000
    session_flags: int = 1
    session_level: int = 1
    session_bytes: int = 232
    elevation_type: int = 3
    is_elevated: bool = False
    window: StandInWindow | None = field(default_factory=StandInWindow)
    notification_state: int = 5
    execution_state: int = 0
    cost: int = 1
    zones: tuple[tuple[int, float], ...] = ((0, 3182.0),)
    """Status and tenths of kelvin of each thermal zone."""
    failing: dict[str, int] = field(default_factory=dict)
    """Codes of the functions that fail."""
    absent: frozenset[str] = frozenset()
    """Functions that this Windows lacks."""
    held: Counter[str] = field(default_factory=Counter)
    """Memory, objects, queries, tokens and openings of COM that were not given back yet."""
    com_thread: int = 0
    """Thread that COM was opened in."""
    _last_error: int = 0
    _alive: list[Any] = field(default_factory=list)

    def function(self, library: str, name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
        assert name in _EXPORTS[library], "another library has it"
        if name in self.absent:
            raise OSError(f"This Windows has no {name}")
        answer = self._failure_of(name) if name in self.failing else getattr(self, f"_{name}")
        typed: Callable[..., Any] = self._callable(result, arguments, answer)
        return typed

    def last_error(self) -> int:
        return self._last_error

    def _failure_of(self, name: str) -> Callable[..., int]:
        def fail(*_: Any) -> int:
            self._last_error = self.failing[name]
            return 0 if name in _BY_LAST_ERROR else self.failing[name]

        return fail

    def _callable(self, result: Any, arguments: tuple[Any, ...], answer: Callable[..., Any]) -> Any:
        made = ctypes.CFUNCTYPE(result, *arguments)(answer)
        self._alive.append(made)
        return made

    # --- the session ------------------------------------------------------------------------------------------------

    def _GetLastInputInfo(self, info: Any) -> int:  # noqa: N802 - this and what follows: names of Windows
        address = ctypes.cast(info, ctypes.c_void_p).value
        assert address
        assert read("<I", address) == 8, "Windows refuses other sizes"
        write("<I", address + 4, self.last_input)
        return 1

    def _GetTickCount(self) -> int:  # noqa: N802
        return self.now

    def _WTSQuerySessionInformationW(  # noqa: N802
        self, server: int | None, session: int, kind: int, answer: Any, size: Any
    ) -> int:
        assert (server, session, kind) == (None, 0xFFFFFFFF, 25)
        memory = ctypes.create_string_buffer(self.session_bytes)
        if self.session_bytes >= 20:
            struct.pack_into("<I4xIii", memory, 0, self.session_level, 1, 0, self.session_flags)
        self._alive.append(memory)
        self.held["memory"] += 1
        answer[0], size[0] = ctypes.addressof(memory), self.session_bytes
        return 1

    def _WTSFreeMemory(self, memory: int) -> None:  # noqa: N802
        assert memory
        self.held["memory"] -= 1

    # --- the user's rights ------------------------------------------------------------------------------------------

    def _GetCurrentProcess(self) -> int:  # noqa: N802
        return ITSELF

    def _OpenProcessToken(self, process: int, rights: int, token: Any) -> int:  # noqa: N802
        assert (process, rights) == (ITSELF, 8)
        self.held["tokens"] += 1
        token[0] = TOKEN
        return 1

    def _GetTokenInformation(  # noqa: N802
        self, token: int, kind: int, answer: int, size: int, needed: Any
    ) -> int:
        assert (token, size) == (TOKEN, 4)
        write("<I", answer, {18: self.elevation_type, 20: int(self.is_elevated)}[kind])
        needed[0] = 4
        return 1

    def _CloseHandle(self, handle: int) -> int:  # noqa: N802
        assert handle == TOKEN
        self.held["tokens"] -= 1
        return 1

    # --- the screen -------------------------------------------------------------------------------------------------

    def _GetForegroundWindow(self) -> int | None:  # noqa: N802
        return WINDOW if self.window else None

    def _GetWindowThreadProcessId(self, window: int, pid: Any) -> int:  # noqa: N802
        pid[0] = self._shown(window).pid
        return 77

    def _GetWindowLongW(self, window: int, which: int) -> int:  # noqa: N802
        assert which == -16
        return self._shown(window).style

    def _GetClassNameW(self, window: int, name: int, letters: int) -> int:  # noqa: N802
        kind = self._shown(window).kind
        assert len(kind) < letters
        ctypes.memmove(name, f"{kind}\0".encode("utf-16-le"), 2 * len(kind) + 2)
        return len(kind)

    def _GetWindowRect(self, window: int, rectangle: Any) -> int:  # noqa: N802
        write("<4i", ctypes.addressof(rectangle.contents), *self._shown(window).edges)
        return 1

    def _MonitorFromWindow(self, window: int, otherwise: int) -> int:  # noqa: N802
        assert (self._shown(window), otherwise) == (self.window, 2)
        return MONITOR

    def _GetMonitorInfoW(self, monitor: int, info: Any) -> int:  # noqa: N802
        address = ctypes.addressof(info.contents)
        assert monitor == MONITOR
        assert read("<I", address) == 40, "Windows refuses other sizes"
        left, top, right, bottom = FULL_HD
        write("<4i4iI", address + 4, *FULL_HD, left, top, right, bottom - 48, 1)
        return 1

    def _shown(self, window: int) -> StandInWindow:
        assert window == WINDOW, "the handle was cut"
        assert self.window
        return self.window

    def _SHQueryUserNotificationState(self, state: Any) -> int:  # noqa: N802
        state[0] = self.notification_state
        return _OK

    def _CallNtPowerInformation(  # noqa: N802
        self, level: int, given: int | None, given_size: int, answer: int, size: int
    ) -> int:
        assert (level, given, given_size, size) == (16, None, 0, 4)
        write("<I", answer, self.execution_state)
        return _OK

    def _SetThreadExecutionState(self, state: int) -> int:  # noqa: N802
        assert state & 0x80000000, "without ES_CONTINUOUS it lasts for a moment"
        before, self.execution_state = self.execution_state, state & 0x7FFFFFFF
        return before | 0x80000000

    # --- COM and the network ----------------------------------------------------------------------------------------

    def _CoInitializeEx(self, reserved: int | None, mode: int) -> int:  # noqa: N802
        assert (reserved, mode) == (None, 0)
        self.held["COM"] += 1
        self.com_thread = threading.get_ident()
        return _OK

    def _CoUninitialize(self) -> None:  # noqa: N802
        self.held["COM"] -= 1

    def _CoCreateInstance(  # noqa: N802
        self, kind: int, outer: int | None, context: int, interface: int, made: Any
    ) -> int:
        assert threading.get_ident() == self.com_thread, "COM was opened in another thread"
        assert (outer, context) == (None, 0x17)
        names = [UUID(bytes_le=ctypes.string_at(address, 16)) for address in (kind, interface)]
        assert str(names[0]).upper() == "DCB00C01-570F-4A9B-8D69-199FDBA5723B"
        assert str(names[1]).upper() == "DCB00008-570F-4A9B-8D69-199FDBA5723B"
        self.held["objects"] += 1
        made[0] = self._cost_manager()
        return _OK

    def _cost_manager(self) -> int:
        """Make an object: its memory begins with the address of its table, after which come its own values."""
        integer, pointer = ctypes.c_int32, ctypes.c_void_p
        release = self._callable(ctypes.c_uint32, (pointer,), self._release)
        get_cost = self._callable(integer, (pointer, pointer, pointer), self._get_cost)
        places = [None, None, *(ctypes.cast(each, pointer).value for each in (release, get_cost))]
        table = (pointer * 4)(*places)
        instance = (pointer * 2)(ctypes.addressof(table), 0xDEAD)
        self._alive += [table, instance]
        return ctypes.addressof(instance)

    def _release(self, instance: int) -> int:
        assert read("<Q", instance + 8) == 0xDEAD, "it was not given the object"
        self.held["objects"] -= 1
        return 0

    def _get_cost(self, instance: int, cost: int, destination: int | None) -> int:
        assert read("<Q", instance + 8) == 0xDEAD, "it was not given the object"
        assert destination is None
        write("<I", cost, self.cost)
        return self.failing.get("GetCost", _OK)

    # --- performance counters ---------------------------------------------------------------------------------------

    def _PdhOpenQueryW(self, source: int | None, data: int, query: Any) -> int:  # noqa: N802
        assert (source, data) == (None, 0)
        self.held["queries"] += 1
        query[0] = QUERY
        return _OK

    def _PdhAddEnglishCounterW(self, query: int, path: int, data: int, counter: Any) -> int:  # noqa: N802
        wanted = "\\Thermal Zone Information(*)\\High Precision Temperature\0".encode("utf-16-le")
        assert (query, data, ctypes.string_at(path, len(wanted))) == (QUERY, 0, wanted)
        counter[0] = COUNTER
        return _OK

    def _PdhCollectQueryData(self, query: int) -> int:  # noqa: N802
        assert query == QUERY
        return _OK

    def _PdhGetFormattedCounterArrayW(  # noqa: N802
        self, counter: int, form: int, size: Any, count: Any, items: int | None
    ) -> int:
        assert (counter, form) == (COUNTER, 0x8200)
        name = "\\_TZ.TZ00\0".encode("utf-16-le")
        needed = len(self.zones) * (24 + len(name))
        if size[0] < needed:
            size[0], count[0] = needed, len(self.zones)
            return MORE_DATA
        count[0] = len(self.zones)
        for place, (status, tenths) in enumerate(self.zones):
            assert items
            write("<QI4xd", items + 24 * place, items + 24 * len(self.zones), status, tenths)
        return _OK

    def _PdhCloseQuery(self, query: int) -> int:  # noqa: N802
        assert query == QUERY
        self.held["queries"] -= 1
        return _OK


def read(form: str, address: int) -> int:
    return int(struct.unpack(form, ctypes.string_at(address, struct.calcsize(form)))[0])


def write(form: str, address: int, *values: Any) -> None:
    ctypes.memmove(address, struct.pack(form, *values), struct.calcsize(form))
