"""Handles of real processes: they are stopped and woken as long as they live, and then nobody is."""

import subprocess
import sys
import time
from collections.abc import Iterator

import psutil
import pytest

from core.children.handles import Handles
from tests.waiting import wait_until

Process = subprocess.Popen[bytes]


@pytest.fixture
def process() -> Iterator[Process]:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as started:
        yield started
        started.kill()


@pytest.fixture
def handles() -> Iterator[Handles]:
    made = Handles()
    yield made
    made.close()


def open_files() -> int:
    return psutil.Process().num_fds()


def test_a_process_that_is_held_is_stopped_and_woken(process: Process, handles: Handles) -> None:
    handles.take(process.pid)
    handles.stop(process.pid)
    wait_until(lambda: psutil.Process(process.pid).status() == psutil.STATUS_STOPPED, "it goes on")
    handles.go_on(process.pid)
    wait_until(lambda: psutil.Process(process.pid).status() == psutil.STATUS_SLEEPING, "it stays stopped")


def test_one_that_is_not_held_is_not(process: Process, handles: Handles) -> None:
    handles.stop(process.pid)
    handles.take(process.pid)
    handles.drop(process.pid)
    handles.stop(process.pid)
    time.sleep(0.2)
    assert psutil.Process(process.pid).status() != psutil.STATUS_STOPPED


def test_one_that_has_ended_is_let_go_at_the_next_call(process: Process, handles: Handles) -> None:
    before = open_files()
    handles.take(process.pid)
    process.kill()
    process.wait()
    handles.go_on(process.pid)
    assert process.pid not in handles.pids
    assert open_files() == before


def test_those_that_have_ended_are_let_go_together(process: Process, handles: Handles) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ending:
        handles.take(ending.pid)
        handles.take(process.pid)
    handles.drop_ended()
    assert list(handles.pids) == [process.pid]


def test_one_that_is_not_there_cannot_be_taken(process: Process, handles: Handles) -> None:
    process.kill()
    process.wait()
    handles.take(process.pid)
    assert not handles.pids


def test_to_take_one_again_opens_nothing(process: Process, handles: Handles) -> None:
    handles.take(process.pid)
    before = open_files()
    handles.take(process.pid)
    assert open_files() == before


def test_closing_lets_go_of_all(process: Process) -> None:
    before = open_files()
    handles = Handles()
    handles.take(process.pid)
    assert open_files() == before + 1
    handles.close()
    assert open_files() == before
