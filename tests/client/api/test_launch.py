"""Starting a daemon, with real processes: it outlives who started it, there is one, and failures are explained."""

import os
import select
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from client.api.answers import Status
from client.api.commands import Quit
from client.api.connection import Connection
from client.api.endpoints.unix_socket import UnixEndpoint
from client.api.errors import DaemonFailed, DaemonSilent, NoDaemon
from client.api.launch import DaemonProgram, Launching, connect, detached, end_silent_daemon, ensure_daemon
from client.api.questions import GetStatus
from client.paths import HOME_VARIABLE, Paths
from client.service.channel.lock import DaemonLock
from core.children import processes
from tests.client.stand_ins.daemon import DEED, DaemonDeed
from tests.processes.process_tree import MARK
from tests.waiting import wait_until

MODULE = "tests.client.stand_ins.daemon"
ROOT = Path(__file__).parents[3]
FRONT_END = """
import os
from client.api.launch import DaemonProgram, ensure_daemon
from client.paths import Paths
ensure_daemon(Paths.of_user(), 60, program=DaemonProgram("{module}")).close()
print("connected", flush=True)
"""


@dataclass(frozen=True)
class LaunchHome:
    """A user's folders, and an environment that leads to them."""

    paths: Paths
    environment: dict[str, str]

    def program(self, deed: DaemonDeed = DaemonDeed.SERVE, module: str = MODULE) -> DaemonProgram:
        return DaemonProgram(module, {**self.environment, DEED: deed})

    def ensure(self, seconds: float = 60, deed: DaemonDeed = DaemonDeed.SERVE) -> Connection:
        return ensure_daemon(self.paths, seconds, program=self.program(deed))

    def daemons(self) -> set[int]:
        return {process.pid for process in processes.marked(MARK, self.environment[MARK])}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[LaunchHome]:
    environment = {
        **os.environ,
        HOME_VARIABLE: str(tmp_path / "home"),
        "PYTHONPATH": str(ROOT),
        MARK: uuid.uuid4().hex,
    }
    home = LaunchHome(Paths.of_user(environment), environment)
    yield home
    for pid in home.daemons():
        processes.kill(pid)


def pid_of(connection: Connection) -> int:
    answer = connection.ask(GetStatus())
    assert isinstance(answer, Status)
    return answer.snapshot.pid


def test_a_daemon_is_started_once_and_found_again(home: LaunchHome) -> None:
    with home.ensure() as first, home.ensure() as second:
        assert pid_of(first) == pid_of(second)
        assert home.daemons() == {pid_of(first)}


def test_it_belongs_to_no_terminal_and_holds_nothing_of_who_started_it(home: LaunchHome) -> None:
    with home.ensure() as connection:
        pid = pid_of(connection)
        files = {Path(f"/proc/{pid}/fd/{number}").readlink() for number in range(3)}
        assert files == {Path("/dev/null"), home.paths.log("daemon-start")}
        assert Path(f"/proc/{pid}/cwd").readlink() == Path("/")
        assert os.getsid(pid) == os.getpgid(pid) == pid


def test_it_outlives_the_terminal_of_who_started_it(home: LaunchHome) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", FRONT_END.format(module=MODULE)],
        env=home.environment,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as front_end:
        output, _ = front_end.communicate(timeout=60)
        assert output == "connected\n"
        with pytest.raises(ProcessLookupError):
            os.killpg(front_end.pid, signal.SIGHUP)  # nobody else is in that session
    (daemon,) = home.daemons()
    with Connection.open(home.paths.socket) as connection:
        assert pid_of(connection) == daemon


def test_front_ends_that_start_it_at_the_same_time_meet_at_one(home: LaunchHome) -> None:
    command = [sys.executable, "-c", FRONT_END.format(module=MODULE)]
    front_ends = [
        subprocess.Popen(command, env=home.environment, stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    assert [front_end.communicate(timeout=90)[0] for front_end in front_ends] == ["connected\n"] * 4
    with Connection.open(home.paths.socket) as connection:
        survivor = pid_of(connection)
        for loser in home.daemons() - {survivor}:
            wait_for_end(loser)
        assert home.daemons() == {survivor}


def wait_for_end(pid: int) -> None:
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    ended, _, _ = select.select([watched], [], [], 30)
    os.close(watched)
    assert ended, f"process {pid} goes on"


def test_it_is_started_again_after_it_was_killed(home: LaunchHome) -> None:
    with home.ensure() as connection:
        first = pid_of(connection)
        os.kill(first, signal.SIGKILL)
        with pytest.raises(NoDaemon, match="has ended"):
            connection.ask(GetStatus())
    with home.ensure() as connection:
        assert pid_of(connection) != first


def test_a_front_end_that_stays_collects_the_daemon_that_it_started(home: LaunchHome) -> None:
    with home.ensure() as connection:
        pid = pid_of(connection)
        connection.ask(Quit())
    for thread in threading.enumerate():
        if thread.name == "daemon's end":
            thread.join(30)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_daemon_that_fails_at_once_says_why(home: LaunchHome) -> None:
    with pytest.raises(DaemonFailed, match=r"The disk is full\. Delete something\.") as caught:
        home.ensure(deed=DaemonDeed.FAIL)
    assert str(home.paths.log("daemon-start")) in caught.value.remedy


def test_a_daemon_that_cannot_even_start_says_so(home: LaunchHome) -> None:
    with pytest.raises(DaemonFailed, match="No module named"):
        ensure_daemon(home.paths, 60, program=home.program(module="client.no_such_daemon"))


def test_a_daemon_that_never_listens_is_not_waited_for_for_ever(home: LaunchHome) -> None:
    with pytest.raises(DaemonSilent):
        home.ensure(seconds=1.5, deed=DaemonDeed.SWALLOW)


def test_another_that_holds_the_lock_but_never_listens_is_not_waited_for_for_ever(home: LaunchHome) -> None:
    home.paths.prepare()
    with DaemonLock(home.paths.lock, home.paths.socket), pytest.raises(DaemonSilent):
        home.ensure(seconds=1.5)


def test_it_is_started_again_once_one_that_is_ending_has_let_go(home: LaunchHome) -> None:
    home.paths.prepare()
    with ThreadPoolExecutor(1) as front_end:
        with DaemonLock(home.paths.lock, home.paths.socket):
            connecting = front_end.submit(home.ensure)
            log = home.paths.log("daemon-start")
            wait_until(lambda: log.exists() and "runs already" in log.read_text(), "none is started")
        with connecting.result(60) as connection:
            assert pid_of(connection) != os.getpid()


def test_a_frozen_daemon_is_silent_and_no_other_is_started(home: LaunchHome) -> None:
    with home.ensure() as connection:
        pid = pid_of(connection)
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(DaemonSilent, match=f"end process {pid} "):
        home.ensure(seconds=0.3)
    assert home.daemons() == {pid}


def test_a_front_end_that_never_waits_brings_it_up_step_by_step(home: LaunchHome) -> None:
    launching = Launching(home.paths, program=home.program())

    def reached() -> bool:
        try:
            connect(home.paths, 0.2).close()
        except NoDaemon:
            launching.step()
            return False
        return True

    wait_until(reached, "it never listens")
    (daemon,) = home.daemons()
    with Connection.open(home.paths.socket) as connection:
        assert pid_of(connection) == daemon


def test_a_front_end_that_never_waits_learns_why_it_fails(home: LaunchHome) -> None:
    launching = Launching(home.paths, program=home.program(DaemonDeed.FAIL))

    def failed() -> bool:
        try:
            launching.step()
        except DaemonFailed as error:
            return "The disk is full." in error.what
        return False

    wait_until(failed, "it is never reported")


def test_a_front_end_learns_that_there_is_no_room_for_a_daemon(home: LaunchHome) -> None:
    home.paths.logs.parent.mkdir()
    home.paths.logs.write_text("this is no folder")
    with pytest.raises(DaemonFailed, match="cannot be started: File exists") as refusal:
        Launching(home.paths, program=home.program()).step()
    assert str(home.paths.logs) in refusal.value.remedy


def test_where_nobody_holds_the_lock_nobody_is_silent(home: LaunchHome) -> None:
    home.paths.prepare()
    with UnixEndpoint(home.paths.socket).listen() as full:
        full.listen(0)
        with UnixEndpoint(home.paths.socket).connect(1):
            with pytest.raises(NoDaemon):
                connect(home.paths, 0.05)
            with DaemonLock(home.paths.lock, home.paths.socket), pytest.raises(DaemonSilent):
                connect(home.paths, 0.05)


def test_a_daemon_that_hangs_is_ended_and_another_started(home: LaunchHome) -> None:
    with home.ensure() as connection:
        pid = pid_of(connection)
    os.kill(pid, signal.SIGSTOP)
    assert end_silent_daemon(home.paths)
    with home.ensure() as connection:
        assert pid_of(connection) != pid


def test_nobody_is_ended_but_the_daemon(home: LaunchHome) -> None:
    home.paths.prepare()
    assert not end_silent_daemon(home.paths)
    home.paths.lock.write_text(f"{os.getpid()}\n")
    assert not end_silent_daemon(home.paths), "nobody holds the lock"


@pytest.mark.posix
@pytest.mark.parametrize("number", ["", f"{os.getpid()}\n"], ids=["missing", "another's"])
def test_a_daemon_that_did_not_come_to_write_its_number_is_ended(home: LaunchHome, number: str) -> None:
    """It was stopped just after it had taken the lock, or the disk was full."""
    with home.ensure() as connection:
        pid = pid_of(connection)
    os.kill(pid, signal.SIGSTOP)
    home.paths.lock.write_text(number)
    assert end_silent_daemon(home.paths)
    wait_until(lambda: pid not in home.daemons(), "the daemon goes on")


def test_what_outlives_this_process_is_detached_in_the_way_of_its_system() -> None:
    assert (
        detached(platform="linux")
        == detached(leaves_job=True, platform="linux")
        == {"start_new_session": True}
    )
    assert detached(platform="win32") == {"creationflags": 0x208}
    assert detached(leaves_job=True, platform="win32") == {"creationflags": 0x0100_0208}
