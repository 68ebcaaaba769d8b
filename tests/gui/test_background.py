"""Work on threads, in turns of the event loop, and files that are written whole."""

import gc
import resource
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QThreadPool, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from gui.background import Background, EventLoopTurns, copy_file, write_file


def test_work_is_done_on_another_thread_and_reported_on_the_event_loop(qtbot: QtBot) -> None:
    owner = QObject()
    results: list[tuple[int, int]] = []
    background = Background(owner)
    background.run(threading.get_ident, lambda worker: results.append((worker, threading.get_ident())))
    assert background.is_busy
    assert not results
    qtbot.waitUntil(lambda: bool(results))
    (worker, deliverer), here = results[0], threading.get_ident()
    assert deliverer == here != worker
    assert not background.is_busy


@pytest.mark.parametrize("error", [FileNotFoundError("gone"), ValueError("none of ours")])
def test_what_goes_wrong_is_reported_instead(qtbot: QtBot, error: OSError | ValueError) -> None:
    owner = QObject()
    results: list[object] = []
    failures: list[OSError | ValueError] = []

    def work() -> None:
        raise error

    Background(owner).run(work, results.append, failures.append)
    qtbot.waitUntil(lambda: bool(failures))
    assert failures == [error]
    assert not results


def test_no_result_comes_to_who_is_gone(qtbot: QtBot) -> None:
    results: list[int] = []
    going = threading.Event()

    def work() -> int:
        going.wait(20)
        return 1

    owner = QObject()
    Background(owner).run(work, results.append)
    with qtbot.waitSignal(owner.destroyed):
        owner.deleteLater()
    going.set()
    assert QThreadPool.globalInstance().waitForDone(20_000)
    qtbot.wait(1)
    assert not results


def test_no_qt_object_ends_on_another_thread_although_its_owner_is_gone(qtbot: QtBot) -> None:
    going = threading.Event()
    ends: list[int] = []
    before = {id(each) for each in gc.get_objects()}
    owner = QObject()
    Background(owner).run(partial(going.wait, 20), print)
    for each in gc.get_objects():
        if isinstance(each, QObject) and id(each) not in before:
            weakref.finalize(each, lambda: ends.append(threading.get_ident()))
    del each
    with qtbot.waitSignal(owner.destroyed):
        owner.deleteLater()
    del owner
    going.set()
    assert QThreadPool.globalInstance().waitForDone(20_000)
    qtbot.wait(1)
    assert ends
    assert set(ends) == {threading.get_ident()}


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
    turns = EventLoopTurns(owner)
    turns.begin(long(done, "work"))
    QTimer.singleShot(0, owner, lambda: done.append("click"))
    assert turns.is_working
    qtbot.waitUntil(lambda: not turns.is_working)
    assert done.count("work") == 4
    assert done[0] == "work", "the first steps are made at once"
    assert done.index("click") < 4


def test_another_work_takes_the_place_of_the_one_under_way(qtbot: QtBot) -> None:
    owner, done = QObject(), list[str]()
    turns = EventLoopTurns(owner)
    turns.begin(long(done, "first"))
    turns.begin(long(done, "second"))
    qtbot.waitUntil(lambda: done.count("second") == 4)
    assert done.count("first") == 1


def test_it_ends_with_its_owner(qtbot: QtBot) -> None:
    owner, done = QObject(), list[str]()
    EventLoopTurns(owner).begin(long(done, "work"))
    delete(owner)
    after: list[None] = []
    QTimer.singleShot(30, lambda: after.append(None))
    qtbot.waitUntil(lambda: bool(after))
    assert done == ["work"]


BOUND = 4_096


@contextmanager
def little_room() -> Iterator[None]:
    """No file can grow beyond a few kilobytes, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (BOUND, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_written_over(tmp_path: Path) -> None:
    write_file(tmp_path / "given.csv", b"samples\n1\n")
    write_file(tmp_path / "given.csv", b"samples\n2\n")
    assert (tmp_path / "given.csv").read_text() == "samples\n2\n"
    assert names(tmp_path) == ["given.csv"]


def test_what_a_full_disk_cannot_take_leaves_what_was_there(tmp_path: Path) -> None:
    drawn, kept = tmp_path / "drawn.png", tmp_path / "kept.png"
    drawn.write_bytes(b"x" * 10 * BOUND)
    kept.write_bytes(b"before")
    with little_room(), pytest.raises(OSError, match=r"\w"):
        copy_file(drawn, kept)
    assert kept.read_bytes() == b"before"
    assert names(tmp_path) == ["drawn.png", "kept.png"]


def test_a_file_that_cannot_be_written_says_why(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"\w"):
        write_file(tmp_path / "nowhere" / "given.csv", b"samples\n")


def test_a_file_can_be_copied_onto_itself(tmp_path: Path) -> None:
    (tmp_path / "drawn.png").write_bytes(b"x")
    copy_file(tmp_path / "drawn.png", tmp_path / "drawn.png")
    assert (tmp_path / "drawn.png").read_bytes() == b"x"
