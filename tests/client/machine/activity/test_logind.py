"""The idle hint and the lock of a session of systemd-logind, played by python-dbusmock's template of it."""

import asyncio
import os
import time
from collections.abc import Iterator, Mapping

import pytest

from client.api.errors import SourceLost
from client.machine.activity.logind import open_logind
from client.machine.activity.screen_saver import SCREEN_SAVER, read_lock
from client.machine.bus import Bus
from client.machine.readings import Known, Reading, Unknown
from tests.desktops.desktop import MockService, mock_service

LOGIND = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")
GNOME = ("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver", "org.gnome.ScreenSaver")
SESSION = "/org/freedesktop/login1/session/c1"
INSIDE = {"XDG_SESSION_ID": "c1"}


@pytest.fixture
def session(system_bus: str) -> Iterator[MockService]:
    with mock_service(system_bus, *LOGIND, template="logind") as logind:
        uid = str(os.getuid())
        # The template's own fails: it adds a text and a number.
        logind.add_method("GetUser", "u", "o", "ret = '/org/freedesktop/login1/user/' + str(args[0])")
        logind.control("AddSession", "c1", "seat0", f"uint32 {uid}", "volunteer", "true")
        user = logind.at(f"/org/freedesktop/login1/user/{uid}", "org.freedesktop.login1.User")
        user.set_property("Display", f"<('c1', objectpath '{SESSION}')>")
        yield logind.at(SESSION, "org.freedesktop.login1.Session")


def idle(system: str, environment: Mapping[str, str]) -> float:
    async def body() -> float:
        bus = Bus(system)
        source = await open_logind(bus, environment)
        seconds = await source.idle_seconds()
        await bus.close()
        return seconds

    return asyncio.run(body())


def lock(session: str, system: str) -> Reading[bool]:
    async def body() -> Reading[bool]:
        buses = Bus(session), Bus(system)
        reading = await read_lock(*buses, INSIDE)
        for bus in buses:
            await bus.close()
        return reading

    return asyncio.run(body())


@pytest.mark.parametrize("environment", [INSIDE, {}], ids=["inside the session", "outside of it"])
def test_an_idle_session_tells_since_when(
    system_bus: str, session: MockService, environment: dict[str, str]
) -> None:
    since = int((time.monotonic() - 60) * 1e6)
    session.set_property("IdleHint", "<true>")
    session.set_property("IdleSinceHintMonotonic", f"<uint64 {since}>")
    assert idle(system_bus, environment) >= 60


def test_a_session_without_the_hint_is_in_use(system_bus: str, session: MockService) -> None:
    assert idle(system_bus, INSIDE) == 0


def test_an_unknown_session_is_no_source(system_bus: str, session: MockService) -> None:
    with pytest.raises(SourceLost):
        idle(system_bus, {"XDG_SESSION_ID": "c9"})


def test_without_logind_nothing_opens(system_bus: str) -> None:
    with pytest.raises(SourceLost, match="login1"):
        idle(system_bus, {})


@pytest.mark.parametrize("locked", [True, False])
def test_logind_tells_of_the_lock(
    session_bus: str, system_bus: str, session: MockService, locked: bool
) -> None:
    session.set_property("LockedHint", f"<{str(locked).lower()}>")
    assert lock(session_bus, system_bus) == Known(locked, "systemd-logind")


@pytest.mark.parametrize(
    ("service", "name"), [(SCREEN_SAVER, "screen saver service"), (GNOME, "GNOME screen saver")]
)
def test_a_screen_saver_tells_of_a_lock_that_logind_does_not_know(
    session_bus: str, system_bus: str, session: MockService, service: tuple[str, str, str], name: str
) -> None:
    session.set_property("LockedHint", "<false>")
    with mock_service(session_bus, *service) as saver:
        saver.add_method("GetActive", "", "b", "ret = True")
        assert lock(session_bus, system_bus) == Known(True, name)


def test_a_lock_that_nobody_tells_of_is_unknown(session_bus: str, system_bus: str) -> None:
    assert isinstance(lock(session_bus, system_bus), Unknown)
