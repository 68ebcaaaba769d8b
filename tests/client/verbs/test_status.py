"""`status`, `pause`, `resume`, `finish` and `quit` as typed, with a real control channel before them."""

import json
import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest

from client.api.commands import Finish, Pause, Quit, Resume
from client.api.protocol import Request
from client.api.snapshot import Snapshot
from client.paths import HOME_VARIABLE, Paths
from client.service.channel.lock import DaemonLock
from tests.client.listening_daemon import ListeningDaemon, listening
from tests.client.snapshots import FULL, IDLE
from tests.command_line import COMMAND, idlebrush
from tests.waiting import wait_until


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, HOME_VARIABLE: str(tmp_path), "COLUMNS": "80"}


@pytest.fixture
def daemon(home: dict[str, str]) -> Iterator[ListeningDaemon]:
    with listening(Paths.of_user(home), FULL) as daemon:
        yield daemon


@pytest.mark.usefixtures("daemon")
def test_the_status_is_shown(home: dict[str, str]) -> None:
    done = idlebrush("status", environment=home)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"● {FULL.headline}")


@pytest.mark.usefixtures("daemon")
def test_without_a_verb_the_status_is_shown(home: dict[str, str]) -> None:
    assert idlebrush(environment=home).stdout == idlebrush("status", environment=home).stdout


@pytest.mark.usefixtures("daemon")
def test_programs_get_the_whole_snapshot(home: dict[str, str]) -> None:
    assert Snapshot.model_validate_json(idlebrush("status", "--json", environment=home).stdout) == FULL


def test_watching_shows_each_change_until_the_daemon_ends(
    daemon: ListeningDaemon, home: dict[str, str]
) -> None:
    watching = subprocess.Popen(
        [*COMMAND, "status", "--watch", "--json"], stdout=subprocess.PIPE, text=True, env=home
    )
    with watching:
        assert watching.stdout
        assert json.loads(watching.stdout.readline())["headline"] == FULL.headline
        daemon.show(IDLE)
        assert json.loads(watching.stdout.readline())["headline"] == IDLE.headline
        daemon.end()
        assert watching.stdout.readline() == "null\n"
    assert watching.returncode == 1


def test_watching_in_a_terminal_draws_each_change_and_ctrl_c_ends_it_well(
    daemon: ListeningDaemon, home: dict[str, str]
) -> None:
    terminal, end = pty.openpty()
    own = {**home, "TERM": "xterm-256color", "LINES": "40"}
    with subprocess.Popen(
        [*COMMAND, "status", "--watch"], stdin=end, stdout=end, stderr=end, env=own, start_new_session=True
    ) as watching:
        os.close(end)
        try:
            _read_until(terminal, FULL.headline)
            daemon.show(IDLE)
            _read_until(terminal, IDLE.headline)
            watching.send_signal(signal.SIGINT)
            assert watching.wait(60) == 0
        finally:
            watching.kill()
            os.close(terminal)


def _read_until(terminal: int, words: str) -> None:
    text = ""
    deadline = time.monotonic() + 60
    while words not in text:
        assert time.monotonic() < deadline, text
        if select.select([terminal], [], [], 1.0)[0]:
            text += os.read(terminal, 65_536).decode(errors="replace")


@pytest.mark.parametrize(
    ("arguments", "request_type", "words"),
    [
        (("pause",), Pause, "Paused."),
        (("pause", "--for", "15m"), Pause, "Paused for 15 min 00 s."),
        (("resume",), Resume, "your preferences decide again"),
        (("finish",), Finish, "Finishing the current epoch"),
        (("quit",), Quit, "leaves the swarm"),
    ],
)
def test_the_daemon_gets_the_request(
    arguments: tuple[str, ...],
    request_type: type[Request],
    words: str,
    daemon: ListeningDaemon,
    home: dict[str, str],
) -> None:
    done = idlebrush(*arguments, environment=home)
    assert done.returncode == 0, done.stderr
    assert words in done.stdout
    assert isinstance(daemon.requests[-1], request_type)


@pytest.mark.parametrize("verb", ["pause", "resume", "finish", "leave"])
def test_without_a_run_nothing_is_steered_and_no_daemon_is_started(verb: str, home: dict[str, str]) -> None:
    done = idlebrush(verb, environment=home)
    assert done.returncode == 2
    assert done.stderr == "idlebrush: No run was joined.\nJoin one with `idlebrush join`.\n"
    assert not Paths.of_user(home).lock.exists()


@pytest.mark.usefixtures("daemon")
def test_quit_returns_once_the_daemon_is_gone(home: dict[str, str]) -> None:
    assert idlebrush("quit", environment=home).returncode == 0
    assert not Paths.of_user(home).socket.exists()
    assert "not running" in idlebrush("quit", environment=home).stdout


@pytest.mark.usefixtures("daemon")
def test_quit_waits_for_the_lock_of_a_daemon_that_listens_no_more(home: dict[str, str]) -> None:
    paths = Paths.of_user(home)
    with ThreadPoolExecutor(1) as front_end:
        with DaemonLock(paths.lock, paths.socket):
            quitting = front_end.submit(idlebrush, "quit", environment=home)
            wait_until(lambda: not paths.socket.exists(), "the daemon goes on listening")
            assert wait({quitting}, timeout=0.5).not_done
        assert quitting.result(60).returncode == 0


def test_a_pause_lasts_as_long_as_was_asked_for(daemon: ListeningDaemon, home: dict[str, str]) -> None:
    idlebrush("pause", "--for", "1h30m", environment=home)
    request = daemon.requests[-1]
    assert isinstance(request, Pause)
    assert request.seconds == pytest.approx(5400, abs=1)


def test_a_pause_for_nonsense_is_refused(daemon: ListeningDaemon, home: dict[str, str]) -> None:
    done = idlebrush("pause", "--for", "ages", environment=home)
    assert done.returncode == 2
    assert "'ages' is not a time to pause for" in done.stderr
    assert not daemon.requests


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("status",), 1, "Idlebrush is not running"),
        (("status", "--json"), 1, "null"),
        (("status", "--watch"), 1, "Idlebrush is not running"),
        ((), 1, "Idlebrush is not running"),
        (("quit",), 0, "Idlebrush is not running"),
    ],
)
def test_without_a_daemon_none_is_started_to_look_or_to_end(
    arguments: tuple[str, ...], status: int, words: str, home: dict[str, str]
) -> None:
    done = idlebrush(*arguments, environment=home)
    assert done.returncode == status, done.stderr
    assert words in done.stdout
    assert not Paths.of_user(home).lock.exists()
