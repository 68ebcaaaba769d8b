"""The link with daemons that run as processes: absent, killed, hung, ended, broken, of another version."""

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import psutil
import pytest
from pytestqt.qtbot import QtBot

from client.api.answers import Done, Status
from client.api.commands import Join, Pause, Quit, Resume
from client.api.connection import line_of
from client.api.errors import ClientError, DaemonSilent, NoDaemon
from client.api.launch import DaemonProgram
from client.paths import Paths
from gui.link.daemon_access import DaemonAccess, Timing
from gui.link.daemon_link import DaemonLink
from gui.link.link import LinkState
from tests.client.stand_ins.daemon import DEED, DaemonDeed
from tests.processes.process_tree import command_line
from tests.waiting import wait_until

ROOT = Path(__file__).parents[3]
BRISK = Timing(quiet=0.3, sign_of_life=0.7, look=0.2, settle=0.1, start=60.0)


@dataclass
class Linked:
    """A link, its daemon's process, and all states that it has been in."""

    link: DaemonLink
    qtbot: QtBot
    states: list[LinkState] = field(default_factory=list)

    def reach(self, state: LinkState) -> None:
        self.qtbot.waitUntil(lambda: self.link.state is state)

    @property
    def daemon(self) -> psutil.Process:
        assert self.link.snapshot
        return psutil.Process(self.link.snapshot.pid)


Make = Callable[..., Linked]


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path)})


@pytest.fixture
def linked(paths: Paths, qtbot: QtBot) -> Iterator[Make]:
    made: list[Linked] = []
    environment = {**os.environ, "IDLEBRUSH_HOME": str(paths.config.parent), "PYTHONPATH": str(ROOT)}

    def make(deed: DaemonDeed = DaemonDeed.SERVE, timing: Timing = BRISK) -> Linked:
        program = DaemonProgram("tests.client.stand_ins.daemon", {**environment, DEED: deed.value})
        link = DaemonLink(DaemonAccess.of(paths, program), timing)
        one = Linked(link, qtbot)
        link.changed.connect(one.states.append)
        made.append(one)
        return one

    yield make
    for one in made:
        one.link.stop()
    for process in psutil.Process().children():
        if "tests.client.stand_ins.daemon" in command_line(process):
            process.kill()
            process.wait(10)


def test_a_daemon_is_started_where_there_is_none_and_its_snapshot_comes(linked: Make) -> None:
    one = linked()
    one.link.start()
    one.reach(LinkState.CONNECTED)
    assert one.states == [LinkState.STARTING, LinkState.CONNECTED]
    assert one.link.snapshot is not None
    assert one.link.snapshot.headline == "No run."


def test_a_request_is_answered_and_a_refusal_reported_to_whom_it_concerns(linked: Make, qtbot: QtBot) -> None:
    one = linked()
    one.link.start()
    one.reach(LinkState.CONNECTED)
    answers: list[Done | Status] = []
    errors: list[ClientError] = []
    one.link.refused.connect(errors.append)
    one.link.ask(Pause(), answers.append)
    one.link.ask(Join(folder="/nowhere"))
    qtbot.waitUntil(lambda: bool(answers and errors))
    assert isinstance(answers[0], Done)
    assert answers[0].text == "Pause"
    assert (errors[0].code, errors[0].what) == ("folder", "There is no run in that folder.")


@pytest.mark.parametrize(("busy", "seconds", "is_answered"), [(3, 60.0, True), (10_000, 0.3, False)])
def test_a_request_to_a_daemon_too_busy_to_be_connected_to_is_tried_until_its_time_is_over(
    paths: Paths, linked: Make, qtbot: QtBot, busy: int, seconds: float, is_answered: bool
) -> None:
    one = linked()
    one.link.start()
    one.reach(LinkState.CONNECTED)
    access = DaemonAccess.of(paths, DaemonProgram())
    left = iter(range(busy))

    def connect() -> socket.socket:
        if next(left, None) is not None:
            raise DaemonSilent
        return access.connect()

    other = DaemonLink(replace(access, connect=connect), replace(BRISK, answer=seconds, poll=0.01))
    ends: list[object] = []
    other.ask(Pause(), ends.append, ends.append)
    qtbot.waitUntil(lambda: bool(ends), timeout=60_000)
    assert [isinstance(end, Done) for end in ends] == [is_answered]


def test_a_daemon_that_was_killed_is_started_again(linked: Make) -> None:
    one = linked()
    one.link.start()
    one.reach(LinkState.CONNECTED)
    killed = one.daemon
    killed.kill()
    one.reach(LinkState.STARTING)
    one.reach(LinkState.CONNECTED)
    assert one.daemon.pid != killed.pid


def test_a_daemon_that_crashes_again_and_again_is_given_up(linked: Make) -> None:
    one = linked(timing=replace(BRISK, collapses=1))
    one.link.start()
    one.reach(LinkState.CONNECTED)
    one.daemon.kill()
    one.reach(LinkState.STARTING)
    one.reach(LinkState.CONNECTED)
    one.daemon.kill()
    one.reach(LinkState.ABSENT)
    one.link.restart_daemon()
    one.reach(LinkState.CONNECTED)


def test_a_daemon_that_has_ended_in_order_stays_ended_until_a_user_starts_one(
    linked: Make, qtbot: QtBot
) -> None:
    one = linked()
    one.link.start()
    one.reach(LinkState.CONNECTED)
    one.link.ask(Quit())
    one.reach(LinkState.ABSENT)
    one.states.clear()
    qtbot.wait(int(2_000 * BRISK.look))
    assert one.states == []
    other = linked()
    other.link.start()
    one.reach(LinkState.CONNECTED)


def test_a_daemon_that_hangs_is_noticed_and_one_that_goes_on_is_welcome(linked: Make) -> None:
    one = linked()
    one.link.start()
    one.reach(LinkState.CONNECTED)
    daemon = one.daemon
    daemon.suspend()
    one.reach(LinkState.SILENT)
    assert one.link.snapshot is not None, "what it last said is still shown"
    daemon.resume()
    one.reach(LinkState.CONNECTED)
    assert one.daemon.pid == daemon.pid


def test_a_daemon_that_hangs_is_ended_by_force_when_the_volunteer_restarts_it(linked: Make) -> None:
    one = linked()
    one.link.start()
    one.reach(LinkState.CONNECTED)
    hung = one.daemon
    hung.suspend()
    one.reach(LinkState.SILENT)
    one.link.restart_daemon()
    one.reach(LinkState.CONNECTED)
    assert one.daemon.pid != hung.pid
    wait_until(lambda: not hung.is_running() or hung.status() == psutil.STATUS_ZOMBIE, "it is still there")


def test_a_daemon_that_cannot_start_is_reported_with_its_words(
    linked: Make, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="gui")
    one = linked(DaemonDeed.FAIL)
    one.link.start()
    one.reach(LinkState.FAILED)
    assert one.link.error is not None
    assert "The disk is full." in one.link.error.what
    assert "Daemon: CONNECTING -> STARTING." in caplog.text
    assert "Daemon: STARTING -> FAILED: " in caplog.text
    assert "The disk is full." in caplog.text


def test_a_daemon_that_never_listens_is_given_up_after_a_while(linked: Make) -> None:
    one = linked(DaemonDeed.SWALLOW, replace(BRISK, start=1.0))
    one.link.start()
    one.reach(LinkState.FAILED)
    assert one.link.error is not None
    assert one.link.error.code == "daemon_silent"


def test_after_one_that_could_not_start_another_is_noticed(linked: Make) -> None:
    one, other = linked(DaemonDeed.FAIL), linked()
    one.link.start()
    one.reach(LinkState.FAILED)
    other.link.start()
    one.reach(LinkState.CONNECTED)


@contextmanager
def speaking(path: Path, words: bytes) -> Iterator[list[bytes]]:
    """Something that answers whatever it is asked with those words; yields what it is asked."""
    listening = socket.socket(socket.AF_UNIX)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    listening.bind(str(path))
    listening.listen()
    asked: list[bytes] = []

    def answer() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with connection:
                asked.append(connection.recv(65_536))
                connection.sendall(words)

    thread = threading.Thread(target=answer)
    thread.start()
    try:
        yield asked
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()
        path.unlink()


@pytest.mark.posix
@pytest.mark.parametrize(
    "words", [b'{"type":"snapshot","id":1,"news":2}\n', b"220 mail.example ESMTP\n", b"\xff\n"]
)
def test_one_of_another_version_is_recognised(linked: Make, paths: Paths, words: bytes) -> None:
    one = linked()
    with speaking(paths.socket, words):
        one.link.start()
        one.reach(LinkState.OLD)


@pytest.mark.posix
def test_one_of_another_version_is_asked_to_end_when_the_volunteer_restarts_it(
    linked: Make, paths: Paths, qtbot: QtBot
) -> None:
    one = linked()
    with speaking(paths.socket, b'{"type":"snapshot","id":1,"news":2}\n') as asked:
        one.link.start()
        one.reach(LinkState.OLD)
        one.link.restart_daemon()
        qtbot.waitUntil(lambda: line_of(Quit(), 1) in asked)


@pytest.mark.parametrize("deed", [DaemonDeed.SERVE, DaemonDeed.LINGER])
def test_another_daemon_is_started_once_one_has_ended_that_the_volunteer_restarts(
    linked: Make, qtbot: QtBot, deed: DaemonDeed
) -> None:
    one = linked(deed)
    one.link.start()
    one.reach(LinkState.CONNECTED)
    before = one.daemon
    one.link.restart_daemon()
    qtbot.waitUntil(lambda: one.link.snapshot is not None and one.link.snapshot.pid != before.pid)
    one.reach(LinkState.CONNECTED)
    wait_until(
        lambda: not before.is_running() or before.status() == psutil.STATUS_ZOMBIE, "it is still there"
    )


def test_a_request_that_a_daemon_does_not_answer_in_time_has_failed(linked: Make, qtbot: QtBot) -> None:
    one = linked(timing=replace(BRISK, answer=0.3))
    one.link.start()
    one.reach(LinkState.CONNECTED)
    one.daemon.suspend()
    errors: list[ClientError] = []
    one.link.ask(Pause(), failed=errors.append)
    qtbot.waitUntil(lambda: bool(errors))
    assert isinstance(errors[0], DaemonSilent)


def test_a_request_while_no_daemon_is_there_fails_later_and_not_at_once(linked: Make, qtbot: QtBot) -> None:
    one = linked()
    errors: list[ClientError] = []
    one.link.ask(Resume(), failed=errors.append)
    assert errors == []
    qtbot.waitUntil(lambda: bool(errors))
    assert isinstance(errors[0], NoDaemon)


def test_letting_go_leaves_the_daemon_running(linked: Make) -> None:
    one = linked()
    one.link.start()
    one.reach(LinkState.CONNECTED)
    daemon = one.daemon
    one.link.stop()
    assert daemon.status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_STOPPED)
    daemon.send_signal(signal.SIGTERM)
