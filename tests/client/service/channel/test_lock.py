"""A user has one daemon: the lock is its holder's for life, and says who that is."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from client.api.errors import AlreadyRunning, ControlError
from client.service.channel.lock import DaemonLock
from core.storage import file_lock
from tests.client.full_disk import SmallDisk

HOLDER = """
import sys
from pathlib import Path
from client.service.channel.lock import DaemonLock

lock = DaemonLock(Path(sys.argv[1]), Path("/run/control"))
lock.acquire()
print("holds", flush=True)
sys.stdin.read()
"""


@contextmanager
def held_elsewhere(path: Path) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "holds\n"
        yield holder


@pytest.fixture
def lock(tmp_path: Path) -> Iterator[DaemonLock]:
    lock = DaemonLock(tmp_path / "daemon.lock", Path("/run/control"))
    yield lock
    lock.release()


def test_the_second_is_reported_where_the_first_is(tmp_path: Path, lock: DaemonLock) -> None:
    with held_elsewhere(tmp_path / "daemon.lock") as holder:
        with pytest.raises(AlreadyRunning, match=f"process {holder.pid}, which listens at /run/control"):
            lock.acquire()
        with pytest.raises(AlreadyRunning, match=f"process {holder.pid},"):
            lock.acquire()


def test_who_asks_for_an_instant_keeps_nobody_from_taking_it(tmp_path: Path, lock: DaemonLock) -> None:
    path = tmp_path / "daemon.lock"
    path.touch()
    with path.open("r+") as file:
        file_lock.lock(file.fileno())
        asking = threading.Timer(0.1, file.close)
        asking.start()
        lock.acquire()
        asking.join()


def test_a_holder_that_is_killed_lets_go(tmp_path: Path, lock: DaemonLock) -> None:
    with held_elsewhere(tmp_path / "daemon.lock") as holder:
        holder.kill()
        holder.wait()
        lock.acquire()
    assert (tmp_path / "daemon.lock").read_text() == f"{os.getpid()}\n"


def test_whatever_the_file_holds_counts_for_nothing(tmp_path: Path, lock: DaemonLock) -> None:
    (tmp_path / "daemon.lock").write_bytes(b"1\n" + b"\xff" * 1000)
    with lock:
        assert (tmp_path / "daemon.lock").read_text() == f"{os.getpid()}\n"


def test_a_holder_whose_number_is_not_written_yet_is_named_as_such(tmp_path: Path, lock: DaemonLock) -> None:
    with held_elsewhere(tmp_path / "daemon.lock"):
        (tmp_path / "daemon.lock").write_bytes(b"")
        with pytest.raises(AlreadyRunning, match="has just started"):
            lock.acquire()


def test_a_full_disk_keeps_nobody_from_taking_it(small_disk: SmallDisk) -> None:
    lock = DaemonLock(small_disk.folder / "daemon.lock", Path("/run/control"))
    (small_disk.folder / "daemon.lock").touch()
    with small_disk.full(), lock:
        other = DaemonLock(small_disk.folder / "daemon.lock", Path("/run/control"))
        with pytest.raises(AlreadyRunning):
            other.acquire()


def test_it_can_be_taken_again_once_released(tmp_path: Path) -> None:
    for _ in range(3):
        with DaemonLock(tmp_path / "daemon.lock", Path("/run/control")):
            pass


def test_programs_that_the_holder_starts_do_not_keep_it(tmp_path: Path, lock: DaemonLock) -> None:
    first = DaemonLock(tmp_path / "daemon.lock", Path("/run/control"))
    first.acquire()
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, close_fds=False):
        first.release()
        lock.acquire()


def test_of_many_at_once_one_gets_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path / "daemon.lock")]
    several = [
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        for _ in range(6)
    ]
    printed = [process.stdout.readline() for process in several if process.stdout]
    for process in several:
        process.communicate()
    assert sorted(printed) == [""] * 5 + ["holds\n"]


def test_a_lock_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    with pytest.raises(ControlError, match="nowhere"):
        DaemonLock(tmp_path / "nowhere" / "daemon.lock", Path("/run/control")).acquire()
