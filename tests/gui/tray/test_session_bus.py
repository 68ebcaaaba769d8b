"""Calls over a real D-Bus that answers, hangs, goes, or never was; the event loop waits for none of it."""

import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from jeepney import Message, MessageType, message_bus
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.tray.host import HostTiming, TrayHost
from gui.tray.notifications import News
from gui.tray.session_bus import DesktopNotifications, SessionBus, TrayWatcher
from tests.desktops.desktop import MockService, Process, bus_daemon, mock_service, private_bus

Answers = list[Message | None]
ASK = message_bus.ListNames()


@pytest.fixture
def daemon(monkeypatch: pytest.MonkeyPatch) -> Iterator[Process]:
    with bus_daemon() as (address, process):
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        yield process
        process.send_signal(signal.SIGCONT)


@pytest.fixture
def bus(qapp: QApplication) -> Iterator[SessionBus]:
    made = SessionBus()
    yield made
    made.close()


def test_each_call_is_answered(bus: SessionBus, daemon: Process, qtbot: QtBot) -> None:
    answers: Answers = []
    for _ in range(3):
        bus.call(ASK, answers.append)
    qtbot.waitUntil(lambda: len(answers) == 3)
    assert {answer.header.message_type for answer in answers if answer} == {MessageType.method_return}


def test_a_bus_that_hangs_is_waited_for_by_nobody(bus: SessionBus, daemon: Process, qtbot: QtBot) -> None:
    answers: Answers = []
    daemon.send_signal(signal.SIGSTOP)
    bus.call(ASK, answers.append)
    assert answers == []

    daemon.send_signal(signal.SIGCONT)
    qtbot.waitUntil(lambda: bool(answers))
    assert answers[0] is not None


def test_what_was_not_answered_when_the_bus_goes_never_will_be(
    bus: SessionBus, daemon: Process, qtbot: QtBot
) -> None:
    answers: Answers = []
    bus.call(ASK, answers.append)
    qtbot.waitUntil(lambda: bool(answers))
    daemon.send_signal(signal.SIGSTOP)
    bus.call(ASK, answers.append)
    daemon.kill()
    qtbot.waitUntil(lambda: answers[1:] == [None])
    assert not bus.is_connected


def test_qt_which_waits_for_them_is_asked_for_a_tray_only_when_bus_and_watcher_answer(
    bus: SessionBus, daemon: Process, qtbot: QtBot
) -> None:
    daemon.send_signal(signal.SIGSTOP)
    looks: list[bool] = []

    def look() -> bool:
        looks.append(True)
        return True

    host = TrayHost(bus, watcher=TrayWatcher(bus, bus), is_there=look, timing=HostTiming(look=5, grace=50))
    with qtbot.waitSignal(host.changed) as change:
        host.start()
    assert (change.args, looks) == ([False], [])

    with qtbot.waitSignal(host.changed) as change:
        daemon.send_signal(signal.SIGCONT)
    assert change.args == [True]


_SERVICE = (
    "org.freedesktop.Notifications",
    "/org/freedesktop/Notifications",
    "org.freedesktop.Notifications",
)
NEWS = News("rank/ab", "Your best rank so far", "You are ranked 7.", "leaderboard")


@pytest.fixture
def bus_address(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with private_bus() as address:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        yield address


def service(bus_address: str, template: str | None) -> AbstractContextManager[MockService]:
    """Run a service that shows notifications, or, without a template, one that has no such methods."""
    return mock_service(bus_address, *_SERVICE, template=template)


@pytest.fixture
def desktop(bus_address: str) -> Iterator[MockService]:
    with service(bus_address, "notification_daemon") as made:
        yield made


@pytest.fixture
def notifications(qapp: QApplication) -> Iterator[DesktopNotifications]:
    bus = SessionBus()
    yield DesktopNotifications(bus, bus)
    bus.close()


def test_a_click_leads_to_the_page(
    notifications: DesktopNotifications, desktop: MockService, qtbot: QtBot
) -> None:
    notifications.show(NEWS, "Open")
    qtbot.waitUntil(lambda: bool(notifications._shown))
    desktop.emit("ActionInvoked", "us", "[<uint32 99>, <'default'>]")
    with qtbot.waitSignal(notifications.clicked) as heard:
        desktop.emit("ActionInvoked", "us", "[<uint32 1>, <'default'>]")
    assert heard.args == ["leaderboard"]


def test_what_was_closed_cannot_be_clicked(
    notifications: DesktopNotifications, desktop: MockService, qtbot: QtBot
) -> None:
    notifications.show(NEWS, "Open")
    qtbot.waitUntil(lambda: bool(notifications._shown))
    desktop.emit("NotificationClosed", "uu", "[<uint32 1>, <uint32 1>]")
    qtbot.waitUntil(lambda: not notifications._shown)


def test_what_nobody_shows_is_reported(
    notifications: DesktopNotifications, bus_address: str, qtbot: QtBot
) -> None:
    with service(bus_address, None), qtbot.waitSignal(notifications.undelivered) as heard:
        notifications.show(NEWS, "Open")
    assert heard.args == [NEWS]


def test_without_a_bus_the_error_comes_at_once(
    notifications: DesktopNotifications, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    for address in ("", "unix:path=/none", f"unix:path={tmp_path}", "nonsense"):
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        with qtbot.waitSignal(notifications.undelivered):
            notifications.show(NEWS, "Open")


def test_after_the_bus_is_gone_it_connects_again(
    notifications: DesktopNotifications, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    for _ in range(2):
        with private_bus() as address:
            monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
            with service(address, "notification_daemon"):
                notifications.show(NEWS, "Open")
                qtbot.waitUntil(lambda: bool(notifications._shown))
        qtbot.waitUntil(lambda: not notifications._bus.is_connected)
