"""Notifications over a real D-Bus, by a service that python-dbusmock plays."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.tray.bubbles import Bubbles
from gui.tray.notifications import News
from gui.tray.session_bus import SessionBus
from tests.desktop import MockService, mock_service, private_bus

_SERVICE = (
    "org.freedesktop.Notifications",
    "/org/freedesktop/Notifications",
    "org.freedesktop.Notifications",
)
NEWS = News("rank/ab", "Your best rank so far", "You are at rank 7.", "leaderboard")


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with private_bus() as address:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        yield address


def service(bus: str, template: str | None) -> AbstractContextManager[MockService]:
    """That shows notifications, or that knows none without a template."""
    return mock_service(bus, *_SERVICE, template=template)


@pytest.fixture
def desktop(bus: str) -> Iterator[MockService]:
    with service(bus, "notification_daemon") as made:
        yield made


@pytest.fixture
def bubbles(qapp: QApplication) -> Iterator[Bubbles]:
    bus = SessionBus()
    yield Bubbles(bus, bus)
    bus.close()


def test_a_click_leads_to_the_page(bubbles: Bubbles, desktop: MockService, qtbot: QtBot) -> None:
    bubbles.show(NEWS, "Open")
    qtbot.waitUntil(lambda: bool(bubbles._shown))
    desktop.emit("ActionInvoked", "us", "[<uint32 99>, <'default'>]")
    with qtbot.waitSignal(bubbles.clicked) as heard:
        desktop.emit("ActionInvoked", "us", "[<uint32 1>, <'default'>]")
    assert heard.args == ["leaderboard"]


def test_what_was_closed_cannot_be_clicked(bubbles: Bubbles, desktop: MockService, qtbot: QtBot) -> None:
    bubbles.show(NEWS, "Open")
    qtbot.waitUntil(lambda: bool(bubbles._shown))
    desktop.emit("NotificationClosed", "uu", "[<uint32 1>, <uint32 1>]")
    qtbot.waitUntil(lambda: not bubbles._shown)


def test_what_nobody_shows_is_told(bubbles: Bubbles, bus: str, qtbot: QtBot) -> None:
    with service(bus, None), qtbot.waitSignal(bubbles.undelivered) as heard:
        bubbles.show(NEWS, "Open")
    assert heard.args == [NEWS]


def test_without_a_bus_it_is_told_at_once(
    bubbles: Bubbles, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    for address in ("", "unix:path=/none", f"unix:path={tmp_path}", "nonsense"):
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        with qtbot.waitSignal(bubbles.undelivered):
            bubbles.show(NEWS, "Open")


def test_after_the_bus_is_gone_it_connects_anew(
    bubbles: Bubbles, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    for _ in range(2):
        with private_bus() as address:
            monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
            with service(address, "notification_daemon"):
                bubbles.show(NEWS, "Open")
                qtbot.waitUntil(lambda: bool(bubbles._shown))
        qtbot.waitUntil(lambda: not bubbles._bus.is_connected)
