"""Locks that keep Windows and macOS awake, by stand-ins for their libraries."""

import ctypes
from types import SimpleNamespace
from typing import Any

import pytest

from client.api.errors import WakeLockError
from client.machine.readings import Known
from client.machine.wake_lock.lock import NoWakeLock, wake_lock_of
from client.machine.wake_lock.macos import MacWakeLock
from client.machine.wake_lock.windows import WindowsWakeLock
from client.machine.windows.screen import read_awake
from tests.client.machine.macos.fake_frameworks import Heap, exported, fake_load
from tests.client.machine.windows.stand_in_windows import StandInWindows

NOT_PERMITTED = 0xE00002C1


def test_windows_requires_the_system_and_not_the_display() -> None:
    windows = StandInWindows()
    lock = WindowsWakeLock(windows)
    lock.hold()
    assert windows.execution_state == 1
    assert read_awake(windows) == Known((), "Windows power manager")
    lock.release()
    assert windows.execution_state == 0


@pytest.mark.parametrize(
    "windows",
    [
        StandInWindows(failing={"SetThreadExecutionState": 0}),
        StandInWindows(absent=frozenset({"SetThreadExecutionState"})),
    ],
)
def test_a_windows_that_refuses_gives_the_reason(windows: StandInWindows) -> None:
    with pytest.raises(WakeLockError, match="SetThreadExecutionState"):
        WindowsWakeLock(windows).hold()


class FakePower(SimpleNamespace):
    """IOKit's power assertions, which are counted."""

    def __init__(self, heap: Heap, refuses: int = 0) -> None:
        self.created: list[tuple[Any, ...]] = []
        self.released: list[int] = []
        self._heap, self._refuses = heap, refuses
        pointer, number = ctypes.c_void_p, ctypes.c_uint32
        super().__init__(
            IOPMAssertionCreateWithName=exported(
                self._create, ctypes.c_int32, pointer, number, pointer, ctypes.POINTER(number)
            ),
            IOPMAssertionRelease=exported(self._release, ctypes.c_int32, number),
        )

    def _create(self, kind: int, level: int, name: int, made: Any) -> int:
        self.created.append((self._heap.read(kind, "type"), level, self._heap.read(name, "name")))
        made[0] = 4711
        return ctypes.c_int32(self._refuses).value

    def _release(self, assertion: int) -> int:
        self.released.append(assertion)
        return 0


def test_macos_has_one_assertion_about_idle_sleep() -> None:
    heap = Heap()
    power = FakePower(heap)
    lock = MacWakeLock(fake_load(heap, IOKit=power))
    lock.hold()
    lock.hold()
    assert power.created == [("PreventUserIdleSystemSleep", 255, "Idlebrush: Training")]
    lock.release()
    lock.release()
    assert power.released == [4711]
    assert (heap.faults, heap.living) == ([], [])


def test_a_macos_that_refuses_gives_the_reason() -> None:
    heap = Heap()
    power = FakePower(heap, NOT_PERMITTED)
    lock = MacWakeLock(fake_load(heap, IOKit=power))
    with pytest.raises(WakeLockError, match="0xe00002c1"):
        lock.hold()
    lock.release()
    assert power.released == []
    with pytest.raises(WakeLockError, match="IOKit"):
        MacWakeLock(fake_load(heap)).hold()


@pytest.mark.parametrize("platform", ["win32", "darwin", "freebsd14"])
def test_a_system_whose_libraries_are_missing_says_so(platform: str) -> None:
    lock = wake_lock_of({}, platform)
    with pytest.raises(WakeLockError) as caught:
        lock.hold()
    assert caught.value.remedy
    assert isinstance(lock, NoWakeLock) is (platform == "freebsd14")


def test_a_macos_that_cannot_release_gives_the_reason_and_is_asked_again() -> None:
    heap = Heap()
    power = FakePower(heap)
    frameworks = fake_load(heap, IOKit=power)
    is_there = [True]

    def load(name: str) -> Any:
        if name == "IOKit" and not is_there[0]:
            raise OSError("IOKit is gone")
        return frameworks(name)

    lock = MacWakeLock(load)
    lock.hold()
    is_there[0] = False
    with pytest.raises(WakeLockError, match="IOKit is gone"):
        lock.release()
    is_there[0] = True
    lock.release()
    assert power.released == [4711]
