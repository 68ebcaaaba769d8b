"""`uninstall` as typed: the daemon ends first, and data is kept unless it is asked for."""

import os
import pty
import subprocess
from pathlib import Path

import pytest

from client.api.commands import Quit
from client.paths import HOME_VARIABLE, Paths
from tests.client.listening_daemon import listening
from tests.client.snapshots import FULL
from tests.command_line import COMMAND, idlebrush


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    place = {HOME_VARIABLE: str(tmp_path / "files"), "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    return {**os.environ, **place, "COLUMNS": "80"}


@pytest.fixture
def paths(home: dict[str, str]) -> Paths:
    paths = Paths.of_user(home)
    paths.prepare()
    paths.stats.write_text("contribution")
    paths.state.write_text("{}")
    return paths


def test_the_daemon_ends_and_the_contribution_stays(home: dict[str, str], paths: Paths) -> None:
    with listening(paths, FULL) as daemon:
        done = idlebrush("uninstall", environment=home)
        assert Quit in map(type, daemon.requests)
    assert done.returncode == 0, done.stderr
    assert f"are kept in {paths.data}" in done.stdout
    assert [file.name for file in paths.data.iterdir()] == ["contribution.sqlite"]


def test_purging_removes_all(home: dict[str, str], paths: Paths) -> None:
    done = idlebrush("uninstall", "--purge", environment=home)
    assert done.returncode == 0, done.stderr
    assert "Idlebrush is not running." in done.stdout
    assert not any(folder.exists() for folder in (paths.config, paths.data, paths.logs, paths.runtime))


@pytest.mark.posix
@pytest.mark.parametrize(("answer", "stays"), [(b"\n", True), (b"y\n", False)])
def test_a_terminal_asks(home: dict[str, str], paths: Paths, answer: bytes, stays: bool) -> None:
    ours, theirs = pty.openpty()
    try:
        os.write(ours, answer)
        done = subprocess.run(
            [*COMMAND, "uninstall"], stdin=theirs, env=home, check=True, capture_output=True, text=True
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert f"in {paths.data} too?" in done.stdout.replace("\n", " ").replace("  ", " ")
    assert paths.stats.exists() is stays
