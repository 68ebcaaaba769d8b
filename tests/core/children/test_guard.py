"""The guard with real processes: it passes on the status, and ends by its command, its lifeline, or a signal."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from core.children import processes
from core.children.descendants import CANNOT_START
from tests.waiting import wait_until

SLEEP = ["sleep", "600"]
TELL_FOLDER = "echo $TMPDIR; exec sleep 600"
BUSY = "echo $$; while :; do :; done"


class Guarded:
    """A guard around a command, and the supervisor's end of its lifeline."""

    def __init__(self, *command: str, priority: str = "0") -> None:
        self.lifeline, guards_end = socket.socketpair()
        self.guard = subprocess.Popen(
            [sys.executable, "-m", "core.children.guard", str(guards_end.fileno()), priority, *command],
            stdout=subprocess.PIPE,
            pass_fds=(guards_end.fileno(),),
            start_new_session=True,
            text=True,
        )
        guards_end.close()

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
        self.lifeline.close()


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
def test_the_status_is_that_of_the_command_and_written_to_the_lifeline(
    guard: Guard, script: str, status: int
) -> None:
    guarded = guard("sh", "-c", script)
    assert int(guarded.lifeline.recv(16)) == status
    assert guarded.status() == status


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
    program = (
        "import os, psutil; disk = psutil.Process().ionice().ioclass.name.rpartition('_')[2].lower();"
        "print(os.sched_getscheduler(0), os.nice(0), disk)"
    )
    guarded = guard("sh", "-c", f'{sys.executable} -c "{program}"; true', priority=priority)
    assert guarded.line() == " ".join(map(str, expected))


def test_beside_a_busy_program_of_the_user_an_idle_command_gets_next_to_nothing(guard: Guard) -> None:
    idle, user = (int(guard("sh", "-c", BUSY, priority=priority).line()) for priority in ("idle", "0"))
    for pid in (idle, user):
        os.sched_setaffinity(pid, {min(os.sched_getaffinity(0))})
    before = _cpu_seconds(idle), _cpu_seconds(user)
    deadline = time.monotonic() + 240  # two seconds of the processor, at the lowest share of it
    while _cpu_seconds(user) < before[1] + 2:
        assert time.monotonic() < deadline, "the user's program hardly ran"
        time.sleep(0.1)
    assert _cpu_seconds(idle) - before[0] < 0.2 * (_cpu_seconds(user) - before[1])


def _cpu_seconds(pid: int) -> float:
    return psutil.Process(pid).cpu_times().user


def test_the_end_of_the_lifeline_ends_the_command(guard: Guard) -> None:
    guarded = guard("sh", "-c", "echo $$; exec sleep 600")
    command = int(guarded.line())
    guarded.lifeline.close()
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
    guarded.lifeline.close()
    guarded.status()
    assert not _alive(stray)


def test_orphans_that_outlive_the_command_are_ended(guard: Guard) -> None:
    guarded = guard("sh", "-c", "sleep 600 & echo $!; exit 3")
    assert guarded.status() == 3
    assert not _alive(int(guarded.line()))


def test_the_folder_of_a_killed_guard_is_removed_at_the_next_start_and_that_of_a_living_one_is_not(
    guard: Guard,
) -> None:
    killed, living = guard("sh", "-c", TELL_FOLDER), guard("sh", "-c", TELL_FOLDER)
    left_behind, in_use = Path(killed.line()), Path(living.line())
    killed.guard.kill()
    killed.status()
    (left_behind / "socket").touch()
    guard("true").status()
    assert not left_behind.exists()
    assert in_use.exists()


def test_a_folder_that_is_not_a_guards_is_left_alone(guard: Guard, tmp_path: Path) -> None:
    other = Path(tempfile.mkdtemp(prefix="idlebrush-"))
    link = other.with_name("idlebrush-1-link")
    link.symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "file").touch()
    guard("true").status()
    assert (tmp_path / "file").exists()
    assert link.is_symlink()
    assert other.exists()
    link.unlink()
    other.rmdir()


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


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="This system has no /dev/shm.")
def test_it_removes_what_its_processes_shared_and_nothing_of_one_that_has_the_id_now(guard: Guard) -> None:
    """Ids come again within minutes on a busy machine: torch ends a process whose shared memory is gone."""
    orphan = "echo > /dev/shm/torch_$$_1_test; echo $$"
    guarded = guard("sh", "-c", f"(sh -c '{orphan}' &); exec sleep 600")
    pid = int(guarded.line())
    wait_until(lambda: not _alive(pid), "it is not reaped")
    own, others = (Path(f"/dev/shm/torch_{pid}_{number}_test") for number in (1, 2))
    assert own.exists()
    time.sleep(0.1)  # times of files are of the kernel's last tick
    others.touch()
    guarded.lifeline.close()
    guarded.status()
    try:
        assert not own.exists()
        assert others.exists()
    finally:
        others.unlink()
