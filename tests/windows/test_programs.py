"""Daemon, command line, tasks and sign-in as real processes on Windows: under Wine, by ``make test-windows``."""

import json
import os
import subprocess
import sys

import psutil
import pytest

from client.api.questions import GetStatus
from tests.hub.hub_server import HubServer
from tests.waiting import wait_until
from tests.windows.windows_user import WindowsUser

pytestmark = pytest.mark.skipif(sys.platform != "win32", reason="make test-windows runs it under Wine")


def test_a_front_end_starts_the_daemon_and_is_answered(user: WindowsUser) -> None:
    with user.daemon() as connection:
        answer = connection.ask(GetStatus())
        assert answer.snapshot.pid != os.getpid()  # type: ignore[union-attr]
    assert "Daemon" in user.paths.log("daemon").read_text(encoding="utf-8")


def test_a_second_daemon_gives_way(user: WindowsUser) -> None:
    with user.daemon():
        second = subprocess.run(
            [sys.executable, "-P", "-m", "client.daemon"],
            env=user.environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert second.returncode != 0
    assert "A daemon of yours runs already" in second.stderr


def test_a_killed_daemon_is_followed_by_another(user: WindowsUser) -> None:
    with user.daemon() as connection:
        killed = connection.ask(GetStatus()).snapshot.pid  # type: ignore[union-attr]
    psutil.Process(killed).kill()
    wait_until(lambda: not psutil.pid_exists(killed), "it goes on")
    with user.daemon() as connection:
        assert connection.ask(GetStatus()).snapshot.pid != killed  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        (("status",), "no run was joined"),
        (("prefs", "show"), "idle-minutes"),
        (("doctor",), "The daemon runs as process"),
        (("whoami",), "You are not signed in"),
        (("--version",), "idlebrush "),
        (("logs", "--daemon"), "started as process"),
    ],
    ids=str,
)
def test_a_verb_answers(user: WindowsUser, verb: tuple[str, ...], words: str) -> None:
    with user.daemon():
        done = user.idlebrush(*verb)
    assert words in done.stdout, done.stderr


def test_joining_without_the_packages_for_training_says_where_they_come_from(user: WindowsUser) -> None:
    with user.daemon():
        done = user.idlebrush("join", "embedded", "--yes")
        assert (done.returncode, "needs packages that are not installed yet" in done.stdout) == (2, True)
        assert "Install Idlebrush from one of its packages" in done.stderr
        assert "no run was joined" in user.idlebrush("status").stdout


def test_a_preference_that_is_set_is_kept(user: WindowsUser) -> None:
    with user.daemon():
        assert user.idlebrush("prefs", "set", "idle-minutes", "7").returncode == 0
    user.idlebrush("quit")
    shown = user.idlebrush("prefs", "show")
    assert "7 min" in shown.stdout, shown.stderr


@pytest.mark.parametrize(("place", "words"), [("file", "in a file"), ("keyring", "keyring")])
def test_signing_in_lasts_until_signing_out(
    user: WindowsUser, hub: HubServer, place: str, words: str
) -> None:
    token = hub.add_token("anna")
    with user.daemon():
        done = user.idlebrush("login", "--token-stdin", "--keep", place, types=f"{token}\n")
        assert done.returncode == 0, done.stderr
        assert "You are signed in as anna." in done.stdout
        assert words in done.stdout
        shown = json.loads(user.idlebrush("whoami", "--json").stdout)
        assert (shown["signed_in"], shown["name"]) == (True, "anna")
        assert user.idlebrush("logout").returncode == 0
        assert "You are not signed in" in user.idlebrush("whoami").stdout
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in user.paths.logs.iterdir()]
    assert all(token not in text for text in texts)


def test_tasks_do_not_outlive_a_killed_daemon(user: WindowsUser, hub: HubServer) -> None:
    with user.daemon() as connection:
        daemon = psutil.Process(connection.ask(GetStatus()).snapshot.pid)  # type: ignore[union-attr]
        # A sign-in by code waits for its user, in a task.
        login = subprocess.Popen(
            [sys.executable, "-m", "client.cli", "login", "--keep", "session"],
            env=user.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(lambda: bool(daemon.children()), "no task was started")
        (task,) = daemon.children()
        daemon.kill()
        wait_until(lambda: not psutil.pid_exists(task.pid), "the task goes on")
        login.kill()
        login.wait()
