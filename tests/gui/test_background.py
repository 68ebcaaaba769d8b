"""Work beside the event loop: told on it, in so many words, and to nobody who is gone."""

import threading

import pytest
from PySide6.QtCore import QObject, QThreadPool
from pytestqt.qtbot import QtBot

from gui.background import Background


def test_work_is_done_on_another_thread_and_told_on_the_event_loop(qtbot: QtBot) -> None:
    owner = QObject()
    told: list[tuple[int, int]] = []
    background = Background(owner)
    background.run(threading.get_ident, lambda worker: told.append((worker, threading.get_ident())))
    assert background.is_busy
    assert not told
    qtbot.waitUntil(lambda: bool(told))
    (worker, teller), here = told[0], threading.get_ident()
    assert teller == here != worker
    assert not background.is_busy


@pytest.mark.parametrize("error", [FileNotFoundError("gone"), ValueError("none of ours")])
def test_what_goes_wrong_is_told_instead(qtbot: QtBot, error: OSError | ValueError) -> None:
    owner = QObject()
    told: list[object] = []
    failures: list[OSError | ValueError] = []

    def work() -> None:
        raise error

    Background(owner).run(work, told.append, failures.append)
    qtbot.waitUntil(lambda: bool(failures))
    assert failures == [error]
    assert not told


def test_nobody_is_told_who_is_gone(qtbot: QtBot) -> None:
    told: list[int] = []
    going = threading.Event()

    def work() -> int:
        going.wait(20)
        return 1

    owner = QObject()
    Background(owner).run(work, told.append)
    with qtbot.waitSignal(owner.destroyed):
        owner.deleteLater()
    going.set()
    assert QThreadPool.globalInstance().waitForDone(20_000)
    qtbot.wait(1)
    assert not told
