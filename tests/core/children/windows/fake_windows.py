"""Stand-ins of kernel32 and ntdll that keep jobs and processes in a table, and are called through ctypes."""

import ctypes
from collections.abc import Callable
from ctypes import c_uint64
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from core.children.windows.win32 import (
    JobObjectBasicAccountingInformation,
    JobObjectExtendedLimitInformation,
    Win32,
    process_id_list,
)

FIRST_HANDLE = 0x7FF6_0000_0004
"""A handle of more than 32 bits, as nothing keeps one below that."""
INVALID_HANDLE = ctypes.c_void_p(-1).value
ERROR_ACCESS_DENIED = 5
ERROR_INVALID_HANDLE = 6
ERROR_INVALID_PARAMETER = 87
ERROR_MORE_DATA = 234
STATUS_PROCESS_IS_TERMINATING = ctypes.c_int32(0xC000010A).value
WAIT_TIMEOUT = 0x102


class Function:
    """A function of a library: its arguments and result pass through ctypes as they are declared."""

    def __init__(self, body: Callable[..., Any]) -> None:
        self._body = body
        self.restype: Any = None
        self.argtypes: tuple[Any, ...] = ()

    def __call__(self, *arguments: Any) -> Any:
        assert len(arguments) == len(self.argtypes), "as many arguments as are declared"
        return ctypes.CFUNCTYPE(self.restype, *self.argtypes)(self._body)(*arguments)


@dataclass
class FakeProcess:
    """A process in the table."""

    pid: int
    suspensions: int = 1
    """It is started suspended."""
    ended: int | None = None
    """Exit status, once it has ended."""
    job: "FakeJob | None" = None
    kernel_ticks: int = 0
    user_ticks: int = 0
    is_foreign: bool = False
    """True if it is another user's."""
    is_unkillable: bool = False

    def is_running(self) -> bool:
        return self.ended is None and not self.suspensions


@dataclass
class FakeJob:
    """A job in the table."""

    flags: int = 0
    processes: list[FakeProcess] = field(default_factory=list)

    @property
    def active(self) -> list[FakeProcess]:
        return [process for process in self.processes if process.ended is None]

    def end(self, status: int) -> None:
        for process in self.active:
            if not process.is_unkillable:
                process.ended = status


class FakeSystem:
    """The table of jobs and processes, and the two libraries that change it."""

    def __init__(self) -> None:
        self.processes: dict[int, FakeProcess] = {}
        self.handles: dict[int, FakeProcess | FakeJob | Path] = {}
        """What each open handle belongs to."""
        self.refuses: set[str] = set()
        """Names of functions that fail."""
        self._numbers = count(FIRST_HANDLE, 4)
        self._error = 0
        self.kernel32 = _Kernel32(self)
        self.ntdll = _Ntdll(self)

    @property
    def win32(self) -> Win32:
        return Win32(self.kernel32, self.ntdll, lambda: self._error)

    def start(self, pid: int, **traits: Any) -> FakeProcess:
        self.processes[pid] = FakeProcess(pid, **traits)
        return self.processes[pid]

    def start_below(self, parent: FakeProcess, pid: int) -> FakeProcess:
        """Start a process as ``parent`` does: it belongs to the same job."""
        child = self.start(pid, suspensions=0, job=parent.job)
        if parent.job is not None:
            parent.job.processes.append(child)
        return child

    def fail(self, code: int) -> int:
        self._error = code
        return 0

    def open(self, thing: FakeProcess | FakeJob | Path) -> int:
        handle = next(self._numbers)
        self.handles[handle] = thing
        return handle

    def process(self, handle: int) -> FakeProcess:
        found = self.handles[handle]
        assert isinstance(found, FakeProcess)
        return found

    def job(self, handle: int) -> FakeJob:
        found = self.handles[handle]
        assert isinstance(found, FakeJob)
        return found


class _Library:
    def __init__(self, system: FakeSystem) -> None:
        self._system = system
        for name in dir(type(self)):
            if name[0].isupper():
                setattr(self, name, Function(self._unless_refused(name)))

    def _unless_refused(self, name: str) -> Callable[..., Any]:
        body = getattr(self, name)

        def call(*arguments: Any) -> Any:
            if name in self._system.refuses:
                return self._system.fail(ERROR_ACCESS_DENIED)
            return body(*arguments)

        return call


class _Kernel32(_Library):
    """The functions of kernel32.dll, named and called as there."""

    def CreateJobObjectW(self, attributes: int | None, name: str | None) -> int:  # noqa: N802
        assert attributes is None, "the handle is not inherited"
        assert name is None, "no other process finds the job"
        return self._system.open(FakeJob())

    def SetInformationJobObject(self, job: int, kind: int, found: int, size: int) -> int:  # noqa: N802
        assert (kind, size) == (9, 144)
        limits = JobObjectExtendedLimitInformation.from_address(found)
        self._system.job(job).flags = limits.BasicLimitInformation.LimitFlags
        return 1

    def QueryInformationJobObject(  # noqa: N802
        self, job: int, kind: int, place: int, size: int, length: Any
    ) -> int:
        active = self._system.job(job).active
        if kind == 1:
            assert size == 48
            JobObjectBasicAccountingInformation.from_address(place).ActiveProcesses = len(active)
            return 1
        assert kind == 3
        room = (size - 8) // 8
        listed: Any = process_id_list(room).from_address(place)
        listed.NumberOfAssignedProcesses = len(active)
        listed.NumberOfProcessIdsInList = min(room, len(active))
        for place_in_list, process in enumerate(active[:room]):
            listed.ProcessIdList[place_in_list] = process.pid
        return 1 if len(active) <= room else self._system.fail(ERROR_MORE_DATA)

    def AssignProcessToJobObject(self, job: int, process: int) -> int:  # noqa: N802
        found = self._system.process(process)
        found.job = self._system.job(job)
        found.job.processes.append(found)
        return 1

    def TerminateJobObject(self, job: int, status: int) -> int:  # noqa: N802
        self._system.job(job).end(status)
        return 1

    def OpenProcess(self, access: int, inherit: int, pid: int) -> int:  # noqa: N802
        assert not inherit
        process = self._system.processes.get(pid)
        if process is None:
            return self._system.fail(ERROR_INVALID_PARAMETER)
        return self._system.fail(ERROR_ACCESS_DENIED) if process.is_foreign else self._system.open(process)

    def GetProcessTimes(self, process: int, created: Any, exited: Any, kernel: Any, user: Any) -> int:  # noqa: N802
        found = self._system.process(process)
        created[0], exited[0] = c_uint64(1 << 60), c_uint64(0)
        kernel[0], user[0] = c_uint64(found.kernel_ticks), c_uint64(found.user_ticks)
        return 1

    def WaitForSingleObject(self, process: int, milliseconds: int) -> int:  # noqa: N802
        assert milliseconds == 0
        return WAIT_TIMEOUT if self._system.process(process).ended is None else 0

    def CreateFileW(  # noqa: N802
        self, path: str, access: int, share: int, security: Any, how: int, flags: int, template: Any
    ) -> int | None:
        assert not access & 0x2, "with the right to write elsewhere, the system would not append"
        if Path(path).is_dir():
            self._system.fail(ERROR_ACCESS_DENIED)
            return INVALID_HANDLE
        return self._system.open(Path(path))

    def CloseHandle(self, handle: int) -> int:  # noqa: N802
        closed = self._system.handles.pop(handle, None)
        if closed is None:
            return self._system.fail(ERROR_INVALID_HANDLE)
        if isinstance(closed, FakeJob) and closed.flags & 0x2000:
            closed.end(0)
        return 1


class _Ntdll(_Library):
    """The functions of ntdll.dll."""

    def NtSuspendProcess(self, process: int) -> int:  # noqa: N802
        return self._count(process, 1)

    def NtResumeProcess(self, process: int) -> int:  # noqa: N802
        return self._count(process, -1)

    def _count(self, handle: int, step: int) -> int:
        process = self._system.process(handle)
        if process.ended is not None:
            return STATUS_PROCESS_IS_TERMINATING
        process.suspensions = max(0, process.suspensions + step)
        return 0
