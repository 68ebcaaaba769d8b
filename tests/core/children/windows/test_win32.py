"""Structures have the layout of 64-bit Windows, and calls pass handles whole and errors with their code."""

import ctypes
from pathlib import Path

import pytest

from core.children.windows.win32 import (
    PROCESS_TERMINATE,
    IoCounters,
    JobObjectBasicAccountingInformation,
    JobObjectBasicLimitInformation,
    JobObjectExtendedLimitInformation,
    Win32,
    process_id_list,
)
from tests.core.children.windows.fake_windows import ERROR_ACCESS_DENIED, FIRST_HANDLE, FakeSystem


@pytest.mark.parametrize(
    ("structure", "size"),
    [
        (JobObjectBasicLimitInformation, 64),
        (IoCounters, 48),
        (JobObjectExtendedLimitInformation, 144),
        (JobObjectBasicAccountingInformation, 48),
        (process_id_list(1), 16),
        (process_id_list(64), 8 + 64 * 8),
    ],
)
def test_a_structure_has_the_size_of_64_bit_windows(structure: type[ctypes.Structure], size: int) -> None:
    assert ctypes.sizeof(structure) == size


@pytest.mark.parametrize(
    ("structure", "field", "offset"),
    [
        (JobObjectBasicLimitInformation, "LimitFlags", 16),
        (JobObjectBasicLimitInformation, "PriorityClass", 56),
        (JobObjectExtendedLimitInformation, "ProcessMemoryLimit", 112),
        (JobObjectBasicAccountingInformation, "ActiveProcesses", 40),
        (process_id_list(1), "ProcessIdList", 8),
    ],
)
def test_a_field_is_where_windows_has_it(structure: type[ctypes.Structure], field: str, offset: int) -> None:
    assert getattr(structure, field).offset == offset


def test_a_job_ends_with_its_handle_and_lets_nobody_out() -> None:
    system = FakeSystem()
    job = system.win32.create_job()
    assert job == FIRST_HANDLE, "a handle has 64 bits"
    breakaway = 0x0800 | 0x1000
    assert system.job(job).flags & 0x2000
    assert not system.job(job).flags & breakaway


def test_a_job_that_cannot_be_limited_is_closed_again() -> None:
    system = FakeSystem()
    system.refuses.add("SetInformationJobObject")
    with pytest.raises(OSError, match="SetInformationJobObject"):
        system.win32.create_job()
    assert not system.handles


@pytest.mark.parametrize("processes", [0, 1, 64, 65, 500])
def test_all_processes_of_a_job_are_listed_however_many_there_are(processes: int) -> None:
    system = FakeSystem()
    win32 = system.win32
    job = win32.create_job()
    for pid in range(4, 4 + 4 * processes, 4):
        system.start(pid)
        handle = win32.open_process(pid, PROCESS_TERMINATE)
        assert handle is not None
        win32.assign(job, handle)
    assert win32.process_ids(job) == list(range(4, 4 + 4 * processes, 4))
    assert win32.active_processes(job) == processes


def test_a_process_that_is_not_there_is_none_and_one_that_is_anothers_is_an_error() -> None:
    system = FakeSystem()
    system.start(8, is_foreign=True)
    assert system.win32.open_process(4, PROCESS_TERMINATE) is None
    with pytest.raises(OSError, match="OpenProcess") as caught:
        system.win32.open_process(8, PROCESS_TERMINATE)
    assert getattr(caught.value, "winerror", None) == ERROR_ACCESS_DENIED


def test_processor_time_is_that_of_kernel_and_program_in_seconds() -> None:
    system = FakeSystem()
    system.start(4, kernel_ticks=5_000_000, user_ticks=600 * 10_000_000)
    handle = system.win32.open_process(4, PROCESS_TERMINATE)
    assert handle is not None
    assert system.win32.cpu_seconds(handle) == pytest.approx(600.5)


def test_a_log_is_opened_for_appending_alone(tmp_path: Path) -> None:
    system = FakeSystem()
    handle = system.win32.open_appending(tmp_path / "log")
    assert system.handles[handle] == tmp_path / "log"
    with pytest.raises(OSError, match="CreateFile"):
        system.win32.open_appending(tmp_path)


@pytest.mark.skipif(hasattr(ctypes, "WinDLL"), reason="this is Windows")
def test_elsewhere_there_are_no_such_calls() -> None:
    with pytest.raises(OSError, match="kernel32"):
        Win32.of_system()
