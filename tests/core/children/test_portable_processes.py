"""What psutil tells of processes is what /proc would, as far as each goes; a guard sweeps by it."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from core.children import portable_processes
from core.children.processes import HeldMemory
from tests.waiting import wait_until

MEGABYTE = 1 << 20
PARENT = """
import subprocess, sys, time
held = bytes([1]) * (64 << 20)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def parent() -> Iterator[tuple[int, int]]:
    """Start a process that holds 64 MB and has started another; yield both ids."""
    process = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, env={**os.environ, "OUR_MARK": "this one"}
    )
    assert process.stdout
    child = int(process.stdout.readline())
    yield process.pid, child
    for pid in (child, process.pid):
        psutil.Process(pid).kill()
    process.communicate()


def test_a_family_descends_from_its_root_and_others_do_not(parent: tuple[int, int]) -> None:
    root, child = parent
    assert portable_processes.family(root) == [child]
    assert set(portable_processes.family(os.getpid())) >= {root, child}
    assert portable_processes.is_below(root, child) is True
    assert portable_processes.is_below(os.getpid(), child) is True
    assert portable_processes.is_below(child, root) is False
    assert portable_processes.is_below(root, root) is False


def test_a_process_that_is_not_there_is_nobodys() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert portable_processes.is_below(os.getpid(), gone.pid) is None
    assert portable_processes.family(gone.pid) == []
    assert portable_processes.cpu_seconds(gone.pid) == 0.0
    assert portable_processes.memory_held([gone.pid]) == HeldMemory(0, is_exact=False)


def test_a_list_has_names_and_parents() -> None:
    own = next(process for process in portable_processes.running() if process.pid == os.getpid())
    assert own.parent == os.getppid()
    assert own.name == psutil.Process().name()


def test_those_that_inherit_a_mark_are_found_by_it(parent: tuple[int, int]) -> None:
    found = {process.pid for process in portable_processes.marked("OUR_MARK", "this one")}
    assert found == set(parent)
    assert not portable_processes.marked("OUR_MARK", "this")


def test_memory_is_at_least_what_each_has_for_itself(parent: tuple[int, int]) -> None:
    held = portable_processes.memory_held(parent)
    assert not held.is_exact
    assert 64 * MEGABYTE < held.size < 160 * MEGABYTE


def test_processor_time_grows_as_a_process_computes() -> None:
    before = portable_processes.cpu_seconds(os.getpid())
    wait_until(
        lambda: sum(range(100_000)) > 0 and portable_processes.cpu_seconds(os.getpid()) > before,
        "it does not grow",
    )


ORPHANS = "(sleep 600 & sleep 600 & echo $!) ; exit 3"
"""Leaves processes whose parent has ended: only their session tells whose they are."""


@pytest.mark.skipif(os.name == "nt", reason="there are no guards")
def test_a_guard_without_adoption_sweeps_its_session() -> None:
    lifeline, guards_end = socket.socketpair()
    guard = subprocess.Popen(
        [
            *(sys.executable, "-m", "tests.core.children.stand_in_macos_guard"),
            *(str(guards_end.fileno()), "0", "sh", "-c", ORPHANS),
        ],
        stdout=subprocess.PIPE,
        pass_fds=(guards_end.fileno(),),
        start_new_session=True,
        cwd=Path(__file__).parents[3],
    )
    guards_end.close()
    assert guard.stdout
    orphan = int(guard.stdout.readline())
    assert int(lifeline.recv(16)) == 3
    assert guard.wait(20) == 3
    lifeline.close()
    guard.stdout.close()
    wait_until(lambda: not _is_running(orphan), "it is left")


def _is_running(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
