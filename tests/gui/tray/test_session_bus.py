"""Calls over a real D-Bus that answers, hangs, goes, or never was; the event loop waits for none of it."""

import signal
from collections.abc import Iterator

import pytest
from jeepney import Message, MessageType, message_bus
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.tray.host import HostTiming, TrayHost
from gui.tray.session_bus import SessionBus
from gui.tray.watcher import Watcher
from tests.desktop import Process, bus_daemon

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

    host = TrayHost(bus, watcher=Watcher(bus, bus), is_there=look, timing=HostTiming(look=5, grace=50))
    with qtbot.waitSignal(host.changed) as told:
        host.start()
    assert (told.args, looks) == ([False], [])

    with qtbot.waitSignal(host.changed) as told:
        daemon.send_signal(signal.SIGCONT)
    assert told.args == [True]
