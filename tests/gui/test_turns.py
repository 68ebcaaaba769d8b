"""Work in turns: the event loop is served between them, and the latest work counts."""

import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from gui.turns import Turns


@pytest.fixture(autouse=True)
def application(qapp: QApplication) -> None:
    """Timers need one."""


def long(done: list[str], name: str, steps: int = 4) -> Iterator[None]:
    """Each step takes longer than a turn may."""
    for _ in range(steps):
        time.sleep(0.01)
        done.append(name)
        yield


def test_the_event_loop_is_served_between_two_turns(qtbot: QtBot) -> None:
    owner, done = QObject(), list[str]()
    Turns(owner).begin(long(done, "work"))
    QTimer.singleShot(0, owner, lambda: done.append("click"))
    qtbot.waitUntil(lambda: done.count("work") == 4)
    assert done[0] == "work", "the first steps are made at once"
    assert done.index("click") < 4


def test_another_work_takes_the_place_of_the_one_under_way(qtbot: QtBot) -> None:
    owner, done = QObject(), list[str]()
    turns = Turns(owner)
    turns.begin(long(done, "first"))
    turns.begin(long(done, "second"))
    qtbot.waitUntil(lambda: done.count("second") == 4)
    assert done.count("first") == 1


def test_it_ends_with_its_owner(qtbot: QtBot) -> None:
    owner, done = QObject(), list[str]()
    Turns(owner).begin(long(done, "work"))
    delete(owner)
    after: list[None] = []
    QTimer.singleShot(30, lambda: after.append(None))
    qtbot.waitUntil(lambda: bool(after))
    assert done == ["work"]
