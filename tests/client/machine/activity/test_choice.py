"""The daemon chooses a source of activity and replaces a lost one, on real displays and without a desktop."""

import asyncio
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from client.machine.activity.choice import SourceCandidate, SourceChoice, choose
from client.machine.activity.polling import PolledSource
from client.machine.activity.watch import ActivityWatch
from client.machine.activity.x11 import X11Source
from client.machine.bus import Bus
from client.machine.readings import Known, Unknown
from client.machine.systems.linux import activity_candidates
from client.machine.systems.sources import system_sources
from tests.desktops.desktop import mock_service, move_mouse, wayland_compositor, x_server
from tests.waiting import DEADLINE, eventually

NO_BUS = "unix:path=/nowhere/bus"
OTHERS = ["display of the login", "screen saver service", "systemd-logind"]
WAYLAND = ["GNOME", "Wayland", *OTHERS]
X11 = ["X11", "GNOME", *OTHERS]
SYSTEMD = ("org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager")


def offered(environment: Mapping[str, str]) -> list[SourceCandidate]:
    return activity_candidates(environment, Bus(NO_BUS), Bus(NO_BUS))


@pytest.mark.parametrize(
    ("environment", "names"),
    [
        ({"DISPLAY": ":0"}, X11),
        ({"DISPLAY": ":0", "XDG_SESSION_TYPE": "x11"}, X11),
        ({"WAYLAND_DISPLAY": "wayland-0"}, WAYLAND),
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, WAYLAND),
        ({"XDG_SESSION_TYPE": "wayland", "DISPLAY": ":0"}, WAYLAND),
        ({}, ["GNOME", *OTHERS]),
    ],
)
def test_the_order_depends_on_the_session(environment: dict[str, str], names: list[str]) -> None:
    assert [candidate.name for candidate in offered(environment)] == names


@pytest.mark.parametrize(
    ("platform", "names"), [("linux", X11), ("darwin", ["macOS"]), ("win32", ["Windows"])]
)
def test_where_nothing_works_every_refusal_is_remembered(platform: str, names: list[str]) -> None:
    environment = {
        "DISPLAY": ":54321",
        "DBUS_SYSTEM_BUS_ADDRESS": NO_BUS,
        "DBUS_SESSION_BUS_ADDRESS": NO_BUS,
    }

    async def body() -> tuple[list[SourceCandidate], SourceChoice]:
        async with system_sources(environment, platform) as system:
            tried = list(system.activity())
            return tried, await choose(tried)

    tried, choice = asyncio.run(body())
    assert [candidate.name for candidate in tried] == names
    assert choice.source is None
    assert [refusal.partition(":")[0] for refusal in choice.refusals] == [
        candidate.name for candidate in tried
    ]


def test_a_wayland_session_takes_the_compositor_that_answers(tmp_path: Path) -> None:
    async def body(environment: Mapping[str, str]) -> None:
        choice = await choose(offered({**environment, "DISPLAY": ":54321"}))
        assert choice.source
        assert (choice.source.name, choice.source.is_event) == ("Wayland idle notifier", True)
        assert len(choice.refusals) == 1
        assert choice.refusals[0].startswith("GNOME: ")
        await choice.source.close()

    with wayland_compositor(tmp_path) as (environment, _):
        asyncio.run(body(environment))


@pytest.mark.parametrize(
    "own", [{}, {"DISPLAY": ":54321", "XAUTHORITY": "/gone"}], ids=["none", "of an old login"]
)
def test_a_daemon_that_is_older_than_the_login_finds_its_display(
    xvfb: str, session_bus: str, own: dict[str, str]
) -> None:
    async def body() -> str:
        session = Bus(session_bus)
        choice = await choose(activity_candidates(own, session, Bus(NO_BUS)))
        assert choice.source
        await choice.source.close()
        await session.close()
        return choice.source.name

    with mock_service(session_bus, *SYSTEMD) as systemd:
        systemd.add_property("Environment", f"<['LANG=C', 'DISPLAY={xvfb}', 'ODD']>")
        assert asyncio.run(body()) == "X11 IDLETIME counter"


def test_a_display_of_the_login_that_is_our_own_is_not_tried_again(session_bus: str) -> None:
    async def body() -> tuple[str, ...]:
        session = Bus(session_bus)
        refusals = (await choose(activity_candidates({"DISPLAY": ":54321"}, session, Bus(NO_BUS)))).refusals
        await session.close()
        return refusals

    with mock_service(session_bus, *SYSTEMD) as systemd:
        systemd.add_property("Environment", "<['DISPLAY=:54321']>")
        assert "display of the login: systemd knows of no other display." in asyncio.run(body())


def test_what_nobody_tells_is_unknown_and_counts_as_activity_at_once() -> None:
    async def body() -> None:
        watch = ActivityWatch(lambda: offered({"DISPLAY": ":54321"}))
        idle = await watch.idle()
        assert isinstance(idle, Unknown)
        assert "X11: The display :54321 does not answer." in idle.why
        await asyncio.wait_for(watch.until_active(), DEADLINE)
        assert not watch.is_event
        await watch.close()

    asyncio.run(body())


def test_a_source_that_opens_with_nonsense_is_passed_over() -> None:
    async def garbled() -> X11Source:
        raise struct.error("unpack requires a buffer of 8 bytes")

    async def idle_seconds() -> float:
        return 5.0

    async def sound() -> PolledSource:
        return PolledSource("a clock", idle_seconds)

    choice = asyncio.run(choose([SourceCandidate("X11", garbled), SourceCandidate("clock", sound)]))
    assert choice.source
    assert choice.source.name == "a clock"
    assert "sent an invalid answer" in choice.refusals[0]


def test_a_source_that_answers_nonsense_counts_as_activity() -> None:
    async def idle_seconds() -> float:
        raise TypeError("int() argument must be a string")

    async def open_it() -> PolledSource:
        return PolledSource("a hint", idle_seconds)

    async def body() -> None:
        watch = ActivityWatch(lambda: [SourceCandidate("hint", open_it)])
        await asyncio.wait_for(watch.until_active(), DEADLINE)
        assert not watch.has_source
        watch = ActivityWatch(lambda: [SourceCandidate("hint", open_it)])
        idle = await watch.idle()
        assert isinstance(idle, Unknown)
        assert "sent an invalid answer" in idle.why

    asyncio.run(body())


def test_a_lost_display_wakes_who_waits_and_the_next_one_is_found_later() -> None:
    now = 0.0

    async def body(first: str, server: subprocess.Popen[str], second: str) -> None:
        nonlocal now
        displays = [first]
        watch = ActivityWatch(lambda: offered({"DISPLAY": displays[-1]}), clock=lambda: now)
        assert isinstance(await watch.idle(), Known)
        assert watch.is_event
        waiting = asyncio.create_task(watch.until_active())
        await asyncio.sleep(0.05)
        server.terminate()
        await asyncio.wait_for(waiting, DEADLINE)
        displays.append(second)
        assert isinstance(await watch.idle(), Unknown)
        now += 60
        found = await watch.idle()
        assert isinstance(found, Known)
        assert found.source == "X11 IDLETIME counter"
        await watch.close()

    with x_server() as (first, server), x_server() as (second, _):
        asyncio.run(body(first, server, second))


def test_while_nothing_works_it_is_searched_for_now_and_then_only() -> None:
    now = 0.0
    searches = 0

    def none() -> list[SourceCandidate]:
        nonlocal searches
        searches += 1
        return []

    async def body() -> None:
        nonlocal now
        watch = ActivityWatch(none, clock=lambda: now)
        while now < 90:
            assert isinstance(await watch.idle(), Unknown)
            now += 1
        assert searches == 3

    asyncio.run(body())


def test_a_desktop_that_comes_up_later_replaces_what_has_to_be_polled(xvfb: str) -> None:
    now = 0.0

    async def idle_seconds() -> float:
        return 5.0

    async def hint() -> PolledSource:
        return PolledSource("a hint", idle_seconds)

    async def body() -> None:
        nonlocal now
        display = ":54321"
        last = SourceCandidate("hint", hint)
        watch = ActivityWatch(lambda: [offered({"DISPLAY": display})[0], last], clock=lambda: now)
        assert await watch.idle() == Known(5.0, "a hint")
        display = xvfb
        assert await watch.idle() == Known(5.0, "a hint"), "it is not searched for all the time"
        now += 600
        found = await watch.idle()
        assert isinstance(found, Known)
        assert found.source == "X11 IDLETIME counter"
        assert watch.refusals == ()
        await watch.close()

    asyncio.run(body())


def test_reading_and_waiting_share_a_source_when_both_find_it_lost() -> None:
    async def body(display: str, server: subprocess.Popen[str]) -> None:
        opened: list[X11Source] = []

        async def open_it() -> X11Source:
            opened.append(await X11Source.open({"DISPLAY": display}))
            return opened[-1]

        watch = ActivityWatch(lambda: [SourceCandidate("X11", open_it)])
        first, second = await asyncio.gather(watch.idle(), watch.idle())
        assert isinstance(first, Known)
        assert isinstance(second, Known)
        waiting = [asyncio.create_task(watch.until_active()) for _ in range(2)]
        await eventually(lambda: opened[0].alarms == 2, "nothing waits")
        await asyncio.to_thread(move_mouse, display, 9, 9)
        await asyncio.wait_for(asyncio.gather(*waiting), DEADLINE)
        assert len(opened) == 1
        server.terminate()
        while isinstance(await watch.idle(), Known):
            await asyncio.sleep(0.02)
        await watch.close()

    with x_server() as (display, server):
        asyncio.run(body(display, server))


def test_a_polled_source_reports_no_events() -> None:
    async def idle_seconds() -> float:
        return 5.0

    async def open_it() -> PolledSource:
        return PolledSource("a clock", idle_seconds)

    async def body() -> None:
        watch = ActivityWatch(lambda: [SourceCandidate("clock", open_it)])
        assert await watch.idle() == Known(5.0, "a clock")
        assert not watch.is_event

    asyncio.run(body())
