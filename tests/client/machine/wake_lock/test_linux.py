"""Linux is kept awake by a real D-Bus, whose services are played as systemd's and the desktops' code has them."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from client.api.errors import WakeLockError
from client.machine.bus import Bus
from client.machine.readings import Known
from client.machine.sensors.inhibitors import Inhibitors
from client.machine.wake_lock.linux import LinuxWakeLock
from client.machine.wake_lock.lock import KeptAwake
from tests.desktops.desktop import LOGIND_PROGRAM, MockService, mock_service, real_logind
from tests.waiting import wait_until

pytestmark = pytest.mark.posix

LOGIND = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")
GNOME = ("org.gnome.SessionManager", "/org/gnome/SessionManager", "org.gnome.SessionManager")
FREEDESKTOP = (
    "org.freedesktop.PowerManagement",
    "/org/freedesktop/PowerManagement/Inhibit",
    "org.freedesktop.PowerManagement.Inhibit",
)
SESSION_MANAGER, POWER_MANAGEMENT = "the desktop's session manager", "the desktop's power management"
ERROR = "raise dbus.exceptions.DBusException('{}', name='org.freedesktop.DBus.Error.{}')"
STRONG_LOCKS = (
    "[lock for lock in globals().get('inhibitors', []) if lock[0] == 'sleep' and lock[3] == 'block']"
)
SUSPEND_SINCE_257 = (
    f"if {STRONG_LOCKS}: {ERROR.format('Access denied due to active block inhibitor', 'AccessDenied')}"
)
INHIBIT_UP_TO_256 = f"""
import os
from gi.repository import GLib
if args[3] not in ('block', 'delay'):
    {ERROR.format("Invalid mode specification", "InvalidArgs")}
globals().setdefault('inhibitors', [])
read, write = os.pipe()
lock = (*map(str, args), 1000, 123456)
inhibitors.append(lock)
GLib.unix_fd_add_full(GLib.PRIORITY_HIGH, read, GLib.IO_HUP, lambda *_, lock=lock: inhibitors.remove(lock))
GLib.idle_add(os.close, write)
ret = write
"""
INHIBIT_SESSION = "self.held = [*getattr(self, 'held', []), args]; ret = dbus.UInt32(len(self.held))"
RELEASE_SESSION = "self.held[int(args[0]) - 1] = None"


def lock_on(system: str, session: str, display: str = ":0") -> LinuxWakeLock:
    buses = {"DBUS_SYSTEM_BUS_ADDRESS": system, "DBUS_SESSION_BUS_ADDRESS": session}
    return LinuxWakeLock({**buses, "DISPLAY": display})


@contextmanager
def logind_since_257(system: str) -> Iterator[MockService]:
    """A logind whose strong locks bind their owner, who is also the one who asks for sleep here."""
    with mock_service(system, *LOGIND, template="logind") as logind:
        logind.add_method("Suspend", "b", "", SUSPEND_SINCE_257)
        yield logind


@contextmanager
def logind_up_to_256(system: str) -> Iterator[MockService]:
    """A logind that knows no weak locks, and whose strong ones do not bind their owner."""
    with mock_service(system, *LOGIND, template="logind") as logind:
        logind.add_method("Inhibit", "ssss", "h", INHIBIT_UP_TO_256)
        logind.add_method("Suspend", "b", "", "")
        yield logind


@contextmanager
def gnome_session(session: str) -> Iterator[MockService]:
    with mock_service(session, *GNOME) as gnome:
        gnome.add_method("Inhibit", "susu", "u", INHIBIT_SESSION)
        gnome.add_method("Uninhibit", "u", "", RELEASE_SESSION)
        flags = "ret = any(map(lambda one, flag=int(args[0]): one and int(one[3]) & flag, self.held))"
        gnome.add_method("IsInhibited", "u", "b", flags)
        yield gnome


@contextmanager
def freedesktop_power(session: str) -> Iterator[MockService]:
    with mock_service(session, *FREEDESKTOP) as power:
        power.add_method("Inhibit", "ss", "u", INHIBIT_SESSION)
        power.add_method("UnInhibit", "u", "", RELEASE_SESSION)
        power.add_method("HasInhibit", "", "b", "ret = any(getattr(self, 'held', []))")
        yield power


def locks(logind: MockService) -> str:
    return logind.call("ListInhibitors").strip()


@pytest.mark.parametrize(("version", "mode"), [(logind_since_257, "block-weak"), (logind_up_to_256, "block")])
def test_logind_lists_a_lock_that_does_not_bind_its_owner(
    system_bus: str, session_bus: str, version: object, mode: str
) -> None:
    assert callable(version)
    with version(system_bus) as logind:
        files, lock = len(os.listdir("/proc/self/fd")), lock_on(system_bus, session_bus, display="")  # noqa: PTH208
        assert lock.hold() == KeptAwake("logind")
        assert lock.hold() == KeptAwake("logind")
        assert locks(logind).count(f"('sleep', 'Idlebrush', 'Training', '{mode}'") == 1
        logind.call("Suspend", "false")  # is not refused
        lock.release()
        lock.release()
        wait_until(lambda: "Idlebrush" not in locks(logind), "the lock is not released")
        assert len(os.listdir("/proc/self/fd")) == files  # noqa: PTH208


@pytest.mark.skipif(
    not LOGIND_PROGRAM.exists() or os.geteuid() != 0 or shutil.which("unshare") is None,
    reason="needs systemd-logind, and root to run another one",
)
def test_systemds_own_logind_gives_the_lock_in_the_mode_of_its_version(
    system_bus: str, session_bus: str
) -> None:
    version = subprocess.run([LOGIND_PROGRAM, "--version"], capture_output=True, text=True, check=True)
    mode = "block-weak" if int(version.stdout.split()[1].partition(".")[0]) >= 257 else "block"
    with real_logind(system_bus) as logind:
        lock = lock_on(system_bus, session_bus, display="")
        assert lock.hold() == KeptAwake("logind")
        assert locks(logind).count(f"('sleep', 'Idlebrush', 'Training', '{mode}'") == 1
        lock.release()
        wait_until(lambda: "Idlebrush" not in locks(logind), "the lock is not released")


def test_gnome_does_not_suspend_by_itself_and_may_turn_the_screen_off(
    system_bus: str, session_bus: str
) -> None:
    with logind_since_257(system_bus), gnome_session(session_bus) as gnome:
        lock = lock_on(system_bus, session_bus)
        assert lock.hold() == KeptAwake(f"{SESSION_MANAGER} and logind")
        assert lock.hold() == KeptAwake(f"{SESSION_MANAGER} and logind")
        assert gnome.calls("Inhibit") == 1
        assert "true" in gnome.call("IsInhibited", "4")
        assert "false" in gnome.call("IsInhibited", "8")
        lock.release()
        assert "false" in gnome.call("IsInhibited", "4")


def test_a_desktop_that_was_started_again_is_asked_again(system_bus: str, session_bus: str) -> None:
    lock = lock_on(system_bus, session_bus)
    with freedesktop_power(session_bus) as power:
        assert lock.hold() == KeptAwake(POWER_MANAGEMENT)  # without logind
        assert "true" in power.call("HasInhibit")
    with freedesktop_power(session_bus) as power:
        assert "false" in power.call("HasInhibit")
        assert lock.hold() == KeptAwake(POWER_MANAGEMENT)
        assert "true" in power.call("HasInhibit")
        lock.release()
        assert "false" in power.call("HasInhibit")


def test_logind_alone_is_no_promise_where_there_is_a_desktop(system_bus: str, session_bus: str) -> None:
    with logind_since_257(system_bus):
        lock = lock_on(system_bus, session_bus)
        assert lock.hold() == KeptAwake("logind", is_sure=False)
        lock.release()
        with mock_service(session_bus, *GNOME) as gnome:
            gnome.add_method("Inhibit", "susu", "u", ERROR.format("No", "AccessDenied"))
            assert lock.hold() == KeptAwake("logind", is_sure=False)
            lock.release()


def test_our_lock_is_not_taken_for_that_of_a_video_player(system_bus: str, session_bus: str) -> None:
    async def awake() -> object:
        buses = Bus(system_bus), Bus(session_bus)
        try:
            return await Inhibitors(*buses).read()
        finally:
            for bus in buses:
                await bus.close()

    with logind_since_257(system_bus) as logind:
        lock = lock_on(system_bus, session_bus)
        lock.hold()
        assert asyncio.run(awake()) == Known((), "logind")
        # Desktops repeat locks of others under their names, and for the screen as well.
        listed = [("sleep:idle", name, "Training", "block", 1000, 1) for name in ("Idlebrush", "mpv")]
        logind.add_method("ListInhibitors", "", "a(ssssuu)", f"ret = {listed!r}")
        assert asyncio.run(awake()) == Known(("mpv",), "logind")
        lock.release()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (ERROR.format("Permission denied", "AccessDenied"), "D-Bus answers: Permission denied"),
        ("ret = 'a text'", "logind sent no lock"),
    ],
)
def test_a_logind_that_refuses_gives_the_reason(
    system_bus: str, session_bus: str, code: str, words: str
) -> None:
    with mock_service(system_bus, *LOGIND) as logind:
        logind.add_method("Inhibit", "ssss", "s", code)
        with pytest.raises(WakeLockError, match=words):
            lock_on(system_bus, session_bus).hold()


@pytest.mark.parametrize("bus", ["unix:path=/nowhere", "nonsense"])
def test_without_a_bus_there_is_no_lock(bus: str) -> None:
    with pytest.raises(WakeLockError, match="may put the system to sleep"):
        lock_on(bus, bus).hold()
