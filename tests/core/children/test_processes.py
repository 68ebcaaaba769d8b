"""The table of processes, read while processes come and go beside it."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from core.children import processes
from tests.waiting import DEADLINE, wait_until

pytestmark = pytest.mark.posix

MANY = 60
"""Processes that come and go."""
FORKING = "for i in 1 2 3; do (while :; do (:) & (: & wait); wait; done) & done; wait"
FOREVER = [sys.executable, "-c", "import time; time.sleep(600)"]


@contextmanager
def started(*command: str) -> Iterator[int]:
    """A process in a group of its own, which is ended with it."""
    process = subprocess.Popen(command, start_new_session=True)
    try:
        yield process.pid
    finally:
        os.killpg(process.pid, 9)
        process.wait()


def test_what_is_killed_ends_and_what_has_ended_is_no_error() -> None:
    with subprocess.Popen(FOREVER) as process:
        processes.kill(process.pid)
    assert process.returncode != 0
    processes.kill(process.pid)


def test_a_family_is_all_that_descends() -> None:
    with started("sh", "-c", "sleep 600 & (sleep 600 & wait) & wait") as root:
        wait_until(lambda: len(processes.family(root)) == 3, "it has started too few")
        found = processes.family(root)
        expected = {child.pid for child in psutil.Process(root).children(recursive=True)}
        assert len(expected) == 3
        assert set(found) == expected
        assert {process.pid for process in processes.below(root, processes.running())} == expected
        assert all(processes.is_below(root, pid) for pid in found)


def test_descent_follows_from_the_parents() -> None:
    with started(*FOREVER) as pid:
        assert processes.is_below(os.getpid(), pid)
        assert processes.is_below(os.getppid(), pid)


def test_others_are_no_descendants_and_what_is_not_there_is_neither() -> None:
    with started(*FOREVER) as pid, started(*FOREVER) as other:
        assert processes.is_below(other, pid) is False
        assert processes.is_below(pid, pid) is False
    assert processes.is_below(os.getpid(), pid) is None


def test_processes_that_come_and_go_are_no_problem() -> None:
    with started("nice", "-n", "19", "sh", "-c", FORKING) as root:  # it would starve whatever else runs
        seen, deadline = set[int](), time.monotonic() + DEADLINE
        while len(seen) <= MANY:
            assert time.monotonic() < deadline, "hardly anything comes and goes"
            found = processes.family(root)
            seen.update(found)
            processes.memory_held(found)
            processes.is_below(root, found[-1] if found else root)
        processes.below(root, processes.running())
        processes.marked("IDLEBRUSH_MARK", "nobody")


SHARING = """
import mmap, os
own = bytes([1]) * (100 << 20)
anyones = mmap.mmap(-1, 100 << 20)
anyones[:] = own
for _ in range(2):
    if os.fork() == 0:
        sum(anyones[:: mmap.PAGESIZE])
        break
os.write(1, b"ready\\n")  # in one piece: print without buffers writes the end of the line by itself
import time; time.sleep(600)
"""


@pytest.mark.skipif(
    not Path("/proc/self/smaps_rollup").exists(), reason="this kernel tells no proportional sizes (PSS)"
)
def test_memory_that_processes_share_counts_once() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SHARING], stdout=subprocess.PIPE, start_new_session=True, text=True
    )
    try:
        assert process.stdout
        assert [process.stdout.readline() for _ in range(3)] == ["ready\n"] * 3
        held = processes.memory_held([process.pid, *processes.family(process.pid)])
        assert held.is_exact, held
        assert 200 << 20 < held.size < 260 << 20, held
    finally:
        os.killpg(process.pid, 9)
        process.communicate()


def test_the_memory_of_what_has_ended_is_none() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    while psutil.Process(gone.pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    assert processes.memory_held([gone.pid]) == processes.HeldMemory(0, is_exact=True)
    gone.wait()
    assert processes.memory_held([gone.pid]) == processes.HeldMemory(0, is_exact=True)


def test_where_the_kernel_has_no_proportional_sizes_the_most_that_it_may_be_is_reported(
    tmp_path: Path,
) -> None:
    for pid, pages in {1: "500 300 100", 2: "500 200 150"}.items():
        (tmp_path / str(pid)).mkdir()
        (tmp_path / str(pid) / "statm").write_text(f"{pages} 0 0 0 0\n")
    held = processes.memory_held([1, 2, 3], tmp_path)
    assert held == processes.HeldMemory((200 + 50 + 150) * os.sysconf("SC_PAGE_SIZE"), is_exact=False)


BUSY = "import os; os.sched_setaffinity(0, {{{processor}}})\nwhile True: pass"


def test_whoever_shares_a_processor_waits_for_it_and_whoever_sleeps_does_not() -> None:
    busy = [sys.executable, "-c", BUSY.format(processor=min(os.sched_getaffinity(0)))]
    waits = processes.Starvation()
    with started(*busy) as one, started(*busy), started(*FOREVER) as sleeper:
        wait_until(lambda: psutil.Process(sleeper).status() == psutil.STATUS_SLEEPING, "it does not sleep")
        before = waits.seconds(one), waits.seconds(sleeper)  # which waited to start
        wait_until(lambda: waits.seconds(one) > before[0] + 0.5, "it does not wait")
        assert waits.seconds(sleeper) < before[1] + 0.5
    assert waits.seconds(one) == 0.0


def seconds_run(pid: int) -> float:
    """Seconds for which the process has had a processor."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


THREE_BUSY = "import os; os.fork() and os.fork(); " + BUSY


def test_a_wait_counts_while_it_lasts() -> None:
    """At the lowest priority of a session, a program may get no processor for seconds."""
    waits, late, between = processes.Starvation(), 0.0, 0.0
    with started(sys.executable, "-c", THREE_BUSY.format(processor=min(os.sched_getaffinity(0)))) as one:
        wait_until(lambda: waits.seconds(one) > 0.1, "it does not wait")
        os.sched_setscheduler(one, os.SCHED_IDLE, os.sched_param(0))
        began, before, passed = time.monotonic(), waits.seconds(one) + seconds_run(one), 0.0
        while passed < 2.0:
            time.sleep(0.05)
            now = time.monotonic() - began
            between, passed = max(between, now - passed), now
            late = max(late, passed - (waits.seconds(one) + seconds_run(one) - before))
    assert late < between + 0.2, "a wait of a second is counted only once it is over"


@pytest.mark.parametrize(
    ("stats", "expected"),
    [
        pytest.param({30: "(python) S 20 20 20 0"}, True, id="its child"),
        pytest.param({30: "(python) S 25 25 25 0", 25: "(sh) S 20 20 20 0"}, True, id="its grandchild"),
        pytest.param({30: "(python) S 1 30 30 0", 1: "(init) S 0 1 1 0"}, False, id="another's"),
        pytest.param({30: "(python) S 0 0 0 0"}, False, id="of another namespace"),
        pytest.param({30: "(python) X 0 -1 -1 0"}, None, id="being collected"),
        pytest.param({}, None, id="gone"),
        pytest.param({30: "(python) S 25 25 25 0"}, False, id="below one that may not be seen"),
    ],
)
def test_who_is_below_whom(tmp_path: Path, stats: dict[int, str], expected: bool | None) -> None:
    for pid, stat in stats.items():
        (tmp_path / str(pid)).mkdir()
        (tmp_path / str(pid) / "stat").write_text(f"{pid} {stat} rest")
    assert processes.is_below(20, 30, tmp_path) is expected


def test_a_process_at_its_exec_is_noticed(tmp_path: Path) -> None:
    again = tmp_path / "again"
    again.write_text('#!/bin/sh\nexec "$0"\n')
    again.chmod(0o755)
    with started(str(again)):
        wait_until(processes.any_at_exec, "no exec is seen", every=0.0)
    with started("/usr/bin/env", "-i", *FOREVER):  # no variables, and yet an environment
        wait_until(lambda: not processes.any_at_exec(), "there is one for ever")
