"""The guard with real processes: it passes on the status, and ends by its command, its pipe, or a signal."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from core.children import processes
from core.children.guard import CANNOT_START

SLEEP = ["sleep", "600"]
BUSY = "echo $$; while :; do :; done"


class Guarded:
    """A guard around a command, and the supervisor's end of its pipe."""

    def __init__(self, *command: str, priority: str = "0") -> None:
        read_end, self.lifeline = os.pipe()
        self.guard = subprocess.Popen(
            [sys.executable, "-m", "core.children.guard", str(read_end), priority, *command],
            stdout=subprocess.PIPE,
            pass_fds=(read_end,),
            start_new_session=True,
            text=True,
        )
        os.close(read_end)

    def line(self) -> str:
        assert self.guard.stdout
        return self.guard.stdout.readline().strip()

    def status(self) -> int:
        return self.guard.wait(timeout=20)

    def end(self) -> None:
        self.guard.kill()
        self.guard.wait()
        assert self.guard.stdout
        self.guard.stdout.close()
        os.close(self.lifeline)


Guard = Callable[..., Guarded]


@pytest.fixture
def guard() -> Iterator[Guard]:
    started: list[Guarded] = []

    def start(*command: str, priority: str = "0") -> Guarded:
        started.append(Guarded(*command, priority=priority))
        return started[-1]

    yield start
    for guarded in started:
        guarded.end()


def _alive(pid: int) -> bool:
    return any(process.pid == pid for process in processes.running())


@pytest.mark.parametrize(
    ("script", "status"),
    [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137), ("kill -SEGV $$", 139), ("kill -TERM $$", 143)],
)
def test_the_status_is_that_of_the_command(guard: Guard, script: str, status: int) -> None:
    assert guard("sh", "-c", script).status() == status


def test_a_command_that_does_not_exist_has_a_status_of_its_own(guard: Guard) -> None:
    assert guard("no-such-command").status() == CANNOT_START


@pytest.mark.parametrize(
    ("priority", "expected"),
    [
        ("idle", (os.SCHED_IDLE, 19, "idle")),
        ("0", (os.SCHED_OTHER, os.nice(0), "none")),
        ("5", (os.SCHED_OTHER, os.nice(0) + 5, "none")),
    ],
)
def test_the_command_and_what_it_starts_run_at_the_priority_asked_for(
    guard: Guard, priority: str, expected: tuple[int, int, str]
) -> None:
    tell = (
        "import os, psutil; disk = psutil.Process().ionice().ioclass.name.rpartition('_')[2].lower();"
        "print(os.sched_getscheduler(0), os.nice(0), disk)"
    )
    guarded = guard("sh", "-c", f'{sys.executable} -c "{tell}"; true', priority=priority)
    assert guarded.line() == " ".join(map(str, expected))


def test_beside_a_busy_program_of_the_user_an_idle_command_gets_next_to_nothing(guard: Guard) -> None:
    idle, user = (int(guard("sh", "-c", BUSY, priority=priority).line()) for priority in ("idle", "0"))
    for pid in (idle, user):
        os.sched_setaffinity(pid, {min(os.sched_getaffinity(0))})
    before = _cpu_seconds(idle), _cpu_seconds(user)
    deadline = time.monotonic() + 60
    while _cpu_seconds(user) < before[1] + 2:
        assert time.monotonic() < deadline, "the user's program hardly ran"
        time.sleep(0.1)
    assert _cpu_seconds(idle) - before[0] < 0.2 * (_cpu_seconds(user) - before[1])


def _cpu_seconds(pid: int) -> float:
    return psutil.Process(pid).cpu_times().user


def test_the_end_of_the_pipe_ends_the_command(guard: Guard) -> None:
    guarded = guard("sh", "-c", "echo $$; exec sleep 600")
    command = int(guarded.line())
    os.dup2(os.open(os.devnull, os.O_WRONLY), guarded.lifeline)
    assert guarded.status() == 128 + signal.SIGKILL
    assert not _alive(command)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_the_guard_ends_the_command(guard: Guard, number: signal.Signals) -> None:
    guarded = guard("sh", "-c", "echo $$; exec sleep 600")
    command = int(guarded.line())
    guarded.guard.send_signal(number)
    assert guarded.status() == 128 + signal.SIGKILL
    assert not _alive(command)


def test_a_frozen_stray_in_a_session_of_its_own_ends_with_the_command(guard: Guard) -> None:
    guarded = guard("sh", "-c", "setsid --fork sh -c 'echo $$; exec sleep 600'; exec sleep 600")
    stray = int(guarded.line())
    os.kill(stray, signal.SIGSTOP)
    os.dup2(os.open(os.devnull, os.O_WRONLY), guarded.lifeline)
    guarded.status()
    assert not _alive(stray)


def test_orphans_that_outlive_the_command_are_ended(guard: Guard) -> None:
    guarded = guard("sh", "-c", "sleep 600 & echo $!; exit 3")
    assert guarded.status() == 3
    assert not _alive(int(guarded.line()))


def test_below_knows_all_generations() -> None:
    parents = {1: 0, 2: 1, 3: 2, 4: 3, 5: 1, 6: 9}
    table = [processes.Process(pid, parent, session=1) for pid, parent in parents.items()]
    assert {process.pid for process in processes.below(2, table)} == {3, 4}
    assert {process.pid for process in processes.below(6, table)} == set()


def test_this_process_and_its_mark_are_found(tmp_path: Path) -> None:
    mark = tmp_path.name
    with subprocess.Popen(SLEEP, env={**os.environ, "IDLEBRUSH_MARK": mark}) as child:
        found = processes.marked("IDLEBRUSH_MARK", mark)
        child.kill()
    assert [(process.pid, process.parent) for process in found] == [(child.pid, os.getpid())]
