"""The command without a verb, where no window can open: the status, and at login the daemon alone."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.api.commands import Quit
from client.api.connection import Connection
from client.api.errors import NoDaemon
from client.paths import HOME_VARIABLE, Paths
from tests.command_line import COMMAND
from tests.desktops.keyring_daemon import NO_BUS
from tests.waiting import wait_until


@pytest.fixture
def somewhere(tmp_path: Path) -> dict[str, str]:
    """An environment without a display, in which nobody has used Idlebrush yet."""
    return {**os.environ, **NO_BUS, HOME_VARIABLE: str(tmp_path / "home"), "QT_QPA_PLATFORM": ""}


def test_where_there_is_no_display_the_status_is_shown(somewhere: dict[str, str]) -> None:
    done = subprocess.run(COMMAND, env=somewhere, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (1, ""), "as `idlebrush status` ends where no daemon runs"
    assert "Idlebrush is not running" in done.stdout


def test_where_the_display_is_gone_it_says_so_and_the_status_is_shown(somewhere: dict[str, str]) -> None:
    gone = {**somewhere, "DISPLAY": ":4321"}
    done = subprocess.run(COMMAND, env=gone, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert "the display :4321 does not answer" in done.stderr
    assert "Idlebrush is not running" in done.stdout


@pytest.fixture
def at_login(somewhere: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([*COMMAND, "--background"], env=somewhere) as process:
        yield process
        process.kill()


def test_at_login_without_a_display_the_daemon_is_there_alone(
    at_login: subprocess.Popen[bytes], somewhere: dict[str, str]
) -> None:
    place = Paths.of_user(somewhere).socket

    def answers() -> bool:
        try:
            with Connection.open(place) as daemon:
                daemon.ask(Quit())
        except NoDaemon:
            return False
        return True

    wait_until(answers, "no daemon answers")
    assert at_login.wait(60) == 0
