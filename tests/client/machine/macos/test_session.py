"""The lock of a macOS session, from dictionaries as macOS gives them, by stand-ins for its frameworks."""

import ctypes
from types import SimpleNamespace
from typing import Any

import pytest

from client.machine.macos.core_foundation import Scalar
from client.machine.macos.session import judge_session, read_lock
from client.machine.readings import Known, Reading, Unknown
from tests.client.machine.macos.fake_frameworks import Heap, exported, fake_load

UNLOCKED = {
    "kCGSSessionAuditIDKey": 100003,
    "kCGSSessionGroupIDKey": 20,
    "kCGSSessionIDKey": 257,
    "kCGSSessionLongUserNameKey": "Ada Lovelace",
    "kCGSSessionOnConsoleKey": True,
    "kCGSSessionSystemSafeBoot": False,
    "kCGSSessionUserIDKey": 501,
    "kCGSSessionUserNameKey": "ada",
    "kCGSessionLoginDoneKey": True,
}
LOCKED = UNLOCKED | {"CGSSessionScreenIsLocked": True, "CGSSessionScreenLockedTime": 1763912345}
BEHIND = LOCKED | {"kCGSSessionOnConsoleKey": False}


@pytest.mark.parametrize(
    ("session", "locked"),
    [
        ({}, False),
        ({"CGSSessionScreenIsLocked": True}, True),
        ({"CGSSessionScreenIsLocked": 1}, True),
        ({"CGSSessionScreenIsLocked": False}, False),
        ({"kCGSSessionOnConsoleKey": True}, False),
        ({"kCGSSessionOnConsoleKey": True, "CGSSessionScreenIsLocked": True}, True),
        ({"kCGSSessionOnConsoleKey": False}, None),
        ({"kCGSSessionOnConsoleKey": 0}, None),
        ({"kCGSSessionOnConsoleKey": False, "CGSSessionScreenIsLocked": True}, None),
        (None, None),
    ],
)
def test_a_session_is_locked_by_its_entries(session: dict[str, Scalar] | None, locked: bool | None) -> None:
    reading = judge_session(session)
    assert (reading.value if isinstance(reading, Known) else None) is locked


@pytest.mark.parametrize(
    ("session", "reading"),
    [
        (UNLOCKED, Known(False, "macOS login session")),
        (LOCKED, Known(True, "macOS login session")),
    ],
)
def test_the_window_server_is_asked(heap: Heap, session: dict[str, Any], reading: Reading[bool]) -> None:
    assert read(heap, session) == reading


@pytest.mark.parametrize(
    ("session", "why"), [(BEHIND, "another user's session"), (None, "outside of a desktop session")]
)
def test_what_the_session_does_not_tell_is_unknown(
    heap: Heap, session: dict[str, Any] | None, why: str
) -> None:
    reading = read(heap, session)
    assert isinstance(reading, Unknown)
    assert why in reading.why


@pytest.mark.parametrize(
    ("frameworks", "why"),
    [
        ({}, "ApplicationServices.framework: no such file"),
        ({"ApplicationServices": SimpleNamespace()}, "this macOS has no CGSessionCopyCurrentDictionary"),
        ({"CoreFoundation": SimpleNamespace()}, "this macOS has no CFRelease"),
    ],
)
def test_a_system_that_lacks_something_is_unknown(heap: Heap, frameworks: dict[str, Any], why: str) -> None:
    reading = read_lock(fake_load(heap, **frameworks))
    assert reading == Unknown(f"macOS does not report whether the screen is locked: {why}.")


def test_another_system_is_unknown() -> None:
    assert isinstance(read_lock(), Unknown)


def read(heap: Heap, session: dict[str, Any] | None) -> Reading[bool]:
    copy = exported(lambda: None if session is None else heap.make(session), ctypes.c_void_p)
    quartz = SimpleNamespace(CGSessionCopyCurrentDictionary=copy)
    return read_lock(fake_load(heap, ApplicationServices=quartz))
