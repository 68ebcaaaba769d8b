"""Calls of the Windows API on processes and Job Objects, typed as winnt.h and processthreadsapi.h declare them.

Tried under Wine, and with stand-ins for the libraries. x64 and ARM64 Windows have one calling convention, so plain
ctypes libraries serve. Types are spelled by their size: `ctypes.wintypes` takes a DWORD for a C long, which has 8
bytes on other systems, where these structures are tested.
"""

import ctypes
from collections.abc import Callable
from ctypes import (
    POINTER,
    byref,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
    c_wchar_p,
    sizeof,
)
from pathlib import Path
from typing import Any

_BOOL, _DWORD, _HANDLE, _NTSTATUS = c_int, c_uint32, c_void_p, c_int32

PROCESS_TERMINATE = 0x0001
PROCESS_SET_QUOTA = 0x0100
PROCESS_SUSPEND_RESUME = 0x0800
PROCESS_QUERY_LIMITED_INFORMATION = 0x1000
SYNCHRONIZE = 0x0010_0000

CREATE_SUSPENDED = 0x0000_0004
DETACHED_PROCESS = 0x0000_0008
IDLE_PRIORITY_CLASS = 0x0000_0040
CREATE_NEW_PROCESS_GROUP = 0x0000_0200
BELOW_NORMAL_PRIORITY_CLASS = 0x0000_4000
CREATE_BREAKAWAY_FROM_JOB = 0x0100_0000
CREATE_NO_WINDOW = 0x0800_0000

_JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION = 0x0400
_JOB_OBJECT_LIMIT_BREAKAWAY_OK = 0x0800
_JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE = 0x2000
_BASIC_ACCOUNTING_INFORMATION = 1
_BASIC_PROCESS_ID_LIST = 3
_EXTENDED_LIMIT_INFORMATION = 9

_FILE_APPEND_DATA = 0x0004
_SHARE_ALL = 0x0007
"""FILE_SHARE_READ, FILE_SHARE_WRITE and FILE_SHARE_DELETE."""
_OPEN_ALWAYS = 4
_INVALID_HANDLE_VALUE = c_void_p(-1).value

_ERROR_INVALID_PARAMETER = 87
_ERROR_MORE_DATA = 234
_WAIT_OBJECT_0 = 0
_STATUS_PROCESS_IS_TERMINATING = 0xC000_010A - (1 << 32)
_SECONDS_PER_TICK = 1e-7
"""Unit of a FILETIME."""
_FIRST_LENGTH = 64
"""Process ids that the first list of a job's processes has room for."""


class JobObjectBasicLimitInformation(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION of winnt.h."""

    _fields_ = [
        ("PerProcessUserTimeLimit", c_int64),
        ("PerJobUserTimeLimit", c_int64),
        ("LimitFlags", c_uint32),
        ("MinimumWorkingSetSize", c_size_t),
        ("MaximumWorkingSetSize", c_size_t),
        ("ActiveProcessLimit", c_uint32),
        ("Affinity", c_size_t),
        ("PriorityClass", c_uint32),
        ("SchedulingClass", c_uint32),
    ]


class IoCounters(ctypes.Structure):
    """IO_COUNTERS of winnt.h."""

    _fields_ = [
        ("ReadOperationCount", c_uint64),
        ("WriteOperationCount", c_uint64),
        ("OtherOperationCount", c_uint64),
        ("ReadTransferCount", c_uint64),
        ("WriteTransferCount", c_uint64),
        ("OtherTransferCount", c_uint64),
    ]


class JobObjectExtendedLimitInformation(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION of winnt.h."""

    _fields_ = [
        ("BasicLimitInformation", JobObjectBasicLimitInformation),
        ("IoInfo", IoCounters),
        ("ProcessMemoryLimit", c_size_t),
        ("JobMemoryLimit", c_size_t),
        ("PeakProcessMemoryUsed", c_size_t),
        ("PeakJobMemoryUsed", c_size_t),
    ]


class JobObjectBasicAccountingInformation(ctypes.Structure):
    """JOBOBJECT_BASIC_ACCOUNTING_INFORMATION of winnt.h."""

    _fields_ = [
        ("TotalUserTime", c_int64),
        ("TotalKernelTime", c_int64),
        ("ThisPeriodTotalUserTime", c_int64),
        ("ThisPeriodTotalKernelTime", c_int64),
        ("TotalPageFaultCount", c_uint32),
        ("TotalProcesses", c_uint32),
        ("ActiveProcesses", c_uint32),
        ("TotalTerminatedProcesses", c_uint32),
    ]


def process_id_list(length: int) -> type[ctypes.Structure]:
    """Return JOBOBJECT_BASIC_PROCESS_ID_LIST of winnt.h with room for a number of ids, ``length``."""

    class JobObjectBasicProcessIdList(ctypes.Structure):
        _fields_ = [
            ("NumberOfAssignedProcesses", c_uint32),
            ("NumberOfProcessIdsInList", c_uint32),
            ("ProcessIdList", c_size_t * length),
        ]

    return JobObjectBasicProcessIdList


_KERNEL32: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "CreateJobObjectW": (_HANDLE, (c_void_p, c_wchar_p)),
    "SetInformationJobObject": (_BOOL, (_HANDLE, c_int, c_void_p, _DWORD)),
    "QueryInformationJobObject": (_BOOL, (_HANDLE, c_int, c_void_p, _DWORD, POINTER(_DWORD))),
    "AssignProcessToJobObject": (_BOOL, (_HANDLE, _HANDLE)),
    "TerminateJobObject": (_BOOL, (_HANDLE, c_uint32)),
    "OpenProcess": (_HANDLE, (_DWORD, _BOOL, _DWORD)),
    "GetProcessTimes": (_BOOL, (_HANDLE, *4 * (POINTER(c_uint64),))),
    "WaitForSingleObject": (_DWORD, (_HANDLE, _DWORD)),
    "CreateFileW": (_HANDLE, (c_wchar_p, _DWORD, _DWORD, c_void_p, _DWORD, _DWORD, _HANDLE)),
    "CloseHandle": (_BOOL, (_HANDLE,)),
}
"""Result and arguments of each function; a FILETIME is two DWORDs, the lower first, and so a 64-bit number."""
_NTDLL: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "NtSuspendProcess": (_NTSTATUS, (_HANDLE,)),
    "NtResumeProcess": (_NTSTATUS, (_HANDLE,)),
}
"""The like of ntdll. Microsoft documents neither, but debuggers and process viewers have used them since 2001."""


class Win32:
    """The calls, each of which raises OSError with Windows' error code as ``winerror`` if it fails."""

    def __init__(self, kernel32: Any, ntdll: Any, last_error: Callable[[], int]) -> None:
        """Declare the functions of the libraries.

        Args:
            kernel32: The library kernel32.dll.
            ntdll: The library ntdll.dll.
            last_error: Returns the error code of the last call of ``kernel32`` that failed.
        """
        self._kernel32, self._ntdll, self._last_error = kernel32, ntdll, last_error
        for library, functions in ((kernel32, _KERNEL32), (ntdll, _NTDLL)):
            for name, (result, arguments) in functions.items():
                function = getattr(library, name)
                function.restype, function.argtypes = result, arguments

    @classmethod
    def of_system(cls) -> "Win32":
        """Load the libraries; raises OSError on other systems than Windows."""
        kernel32 = ctypes.CDLL("kernel32.dll", use_last_error=True)
        return cls(kernel32, ctypes.CDLL("ntdll.dll"), getattr(ctypes, "get_last_error"))  # noqa: B009

    def create_job(self, *, may_leave: bool = False) -> int:
        """Return the handle of a new Job Object, which no child process inherits.

        Its processes end with the last handle of it. An error that a process does not handle ends that process
        instead of opening a dialogue.

        Args:
            may_leave: True if processes that are started with CREATE_BREAKAWAY_FROM_JOB are outside the job.
        """
        job = self._handle(self._kernel32.CreateJobObjectW(None, None), "CreateJobObject")
        limits = JobObjectExtendedLimitInformation()
        limits.BasicLimitInformation.LimitFlags = (
            _JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
            | _JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
            | (_JOB_OBJECT_LIMIT_BREAKAWAY_OK if may_leave else 0)
        )
        done = self._kernel32.SetInformationJobObject(
            job, _EXTENDED_LIMIT_INFORMATION, byref(limits), sizeof(limits)
        )
        if not done:
            error = self._failed("SetInformationJobObject")
            self.close(job)
            raise error
        return job

    def assign(self, job: int, process: int) -> None:
        """Put the process with the handle ``process`` into the job with the handle ``job``, for good."""
        self._check(self._kernel32.AssignProcessToJobObject(job, process), "AssignProcessToJobObject")

    def terminate_job(self, job: int, status: int) -> None:
        """End all processes of a job at once; those that run have the exit status ``status`` then."""
        self._check(self._kernel32.TerminateJobObject(job, status), "TerminateJobObject")

    def active_processes(self, job: int) -> int:
        """Return the number of the job's processes that have not ended."""
        accounting = JobObjectBasicAccountingInformation()
        self._check(self._query(job, _BASIC_ACCOUNTING_INFORMATION, accounting), "QueryInformationJobObject")
        return int(accounting.ActiveProcesses)

    def process_ids(self, job: int) -> list[int]:
        """Return the process ids of the job's processes that have not ended."""
        length = _FIRST_LENGTH
        while True:
            found = process_id_list(length)()
            if self._query(job, _BASIC_PROCESS_ID_LIST, found):
                return list(found.ProcessIdList[: found.NumberOfProcessIdsInList])
            if self._last_error() != _ERROR_MORE_DATA:
                raise self._failed("QueryInformationJobObject")
            length = max(2 * length, found.NumberOfAssignedProcesses)

    def open_process(self, pid: int, access: int) -> int | None:
        """Return a handle of the process ``pid`` with the rights ``access``; None if there is no such process."""
        handle = self._kernel32.OpenProcess(access, False, pid)
        if not handle and self._last_error() == _ERROR_INVALID_PARAMETER:
            return None
        return self._handle(handle, "OpenProcess")

    def suspend(self, process: int) -> bool:
        """Stop all threads of a process until `resume`; return false if it has ended. Calls are counted.

        Raises OSError, without an error code, if the system refuses it.
        """
        return self._has_done(self._ntdll.NtSuspendProcess(process), "NtSuspendProcess")

    def resume(self, process: int) -> bool:
        """Undo one `suspend`, or the suspended start of a process; return false if it has ended.

        Raises OSError, without an error code, if the system refuses it.
        """
        return self._has_done(self._ntdll.NtResumeProcess(process), "NtResumeProcess")

    def has_ended(self, process: int) -> bool:
        """Return true if a process, whose handle has the right ``SYNCHRONIZE``, has ended."""
        return bool(self._kernel32.WaitForSingleObject(process, 0) == _WAIT_OBJECT_0)

    def cpu_seconds(self, process: int) -> float:
        """Return the processor time in seconds that a process has used so far."""
        created, exited, kernel, user = (c_uint64() for _ in range(4))
        done = self._kernel32.GetProcessTimes(
            process, byref(created), byref(exited), byref(kernel), byref(user)
        )
        self._check(done, "GetProcessTimes")
        return (kernel.value + user.value) * _SECONDS_PER_TICK

    def open_appending(self, path: Path) -> int:
        """Return the handle of the file ``path``, which is made if need be.

        Each write is appended, and other programs may rename the file meanwhile.
        """
        handle = self._kernel32.CreateFileW(
            str(path), _FILE_APPEND_DATA | SYNCHRONIZE, _SHARE_ALL, None, _OPEN_ALWAYS, 0, None
        )
        return self._handle(None if handle == _INVALID_HANDLE_VALUE else handle, "CreateFile")

    def close(self, handle: int) -> None:
        """Close a handle."""
        self._check(self._kernel32.CloseHandle(handle), "CloseHandle")

    def _query(self, job: int, kind: int, found: ctypes.Structure) -> bool:
        return bool(self._kernel32.QueryInformationJobObject(job, kind, byref(found), sizeof(found), None))

    def _handle(self, handle: int | None, call: str) -> int:
        if not handle:
            raise self._failed(call)
        return handle

    def _check(self, done: int, call: str) -> None:
        if not done:
            raise self._failed(call)

    def _has_done(self, status: int, call: str) -> bool:
        if status == _STATUS_PROCESS_IS_TERMINATING:
            return False
        if status < 0:
            raise OSError(f"{call} failed with the status 0x{status & 0xFFFF_FFFF:08X}.")
        return True

    def _failed(self, call: str) -> OSError:
        code = self._last_error()
        error = OSError(f"{call} failed with the error {code} of Windows.")
        setattr(error, "winerror", code)  # noqa: B010 - an attribute of Windows' errors alone
        return error
