"""`uninstall` as typed: the daemon ends first, and data is kept unless it is asked for."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from client.account.credentials import Keep
from client.account.safekeeping import KeepNote
from client.admission.membership import entry_of
from client.admission.memberships import note_of
from client.api.commands import Quit
from client.joining.run_card import FILE as CARD
from client.joining.run_card import RunCard
from client.paths import HOME_VARIABLE, Paths
from client.service.channel.lock import has_open, is_held
from client.updates.kept import KeptUpdate
from client.verbs.uninstall import NOT_ALL_REMOVED, removal_of_distribution
from tests.client.listening_daemon import ListeningDaemon, listening
from tests.client.snapshots import FULL
from tests.client.stand_ins.daemon import DEED, DaemonDeed
from tests.command_line import COMMAND, idlebrush
from tests.desktops.keyring_daemon import NO_BUS
from tests.waiting import COSTLY, wait_until

ROOT = Path(__file__).parents[3]
APP = """
import sys
import time
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from gui.single import SingleApp
place, settings = map(Path, sys.argv[1:])
qt = QCoreApplication([])
single = SingleApp(place, qt)
single.end_wanted.connect(qt.quit)
assert single.claim("now")
print("open", flush=True)
qt.exec()
single.close()
time.sleep(0.5)
settings.write_text("written at its end")
"""
"""Stands in for the app: its single instance, and settings that it writes some time after another could be it."""


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


def test_a_distribution_is_removed_on_windows_where_there_was_one(paths: Paths) -> None:
    assert removal_of_distribution(paths, "win32") is None
    paths.distribution.mkdir(parents=True)
    assert removal_of_distribution(paths, "linux") is None
    remove = removal_of_distribution(paths, "win32")
    assert remove is not None
    with pytest.raises(OSError, match="no registry"):  # without wsl.exe there is none, and here no RunOnce
        remove()


def test_purging_removes_all(home: dict[str, str], paths: Paths) -> None:
    done = idlebrush("uninstall", "--purge", environment=home)
    assert done.returncode == 0, done.stderr
    assert "Idlebrush is not running." in done.stdout
    assert not any(folder.exists() for folder in (paths.config, paths.data, paths.logs, paths.runtime))


@pytest.mark.posix
def test_what_stays_in_a_keyring_that_is_away_is_named(home: dict[str, str], paths: Paths) -> None:
    run = "ab" * 32
    folder, note = paths.run(run), note_of(paths.memberships, run)
    for place in (folder, note.parent):
        place.mkdir(parents=True)
    card = RunCard(name="emoji", title="Emoji", digest=run, fingerprint="00", total_epochs=1)
    (folder / CARD).write_text(card.model_dump_json())
    note.write_text(KeepNote(keep=Keep.KEYRING, name="ada").model_dump_json())
    done = idlebrush("uninstall", "--purge", environment={**home, **NO_BUS})
    assert done.returncode == NOT_ALL_REMOVED
    assert f"The entry `{entry_of(run)}` is still in the keyring." in done.stderr
    assert not paths.data.exists()


@pytest.mark.posix
@pytest.mark.parametrize(
    "deed", [DaemonDeed.SWALLOW, pytest.param(DaemonDeed.SERVE, marks=pytest.mark.exhaustive)]
)
def test_a_daemon_that_hangs_is_ended_by_force(home: dict[str, str], paths: Paths, deed: DaemonDeed) -> None:
    """The one that is frozen after it has begun to serve is waited for: half a minute."""
    command = [sys.executable, "-m", "tests.client.stand_ins.daemon"]
    variables = {**home, "PYTHONPATH": str(ROOT), DEED: deed}
    with subprocess.Popen(command, env=variables) as daemon:
        try:
            place = paths.socket if deed is DaemonDeed.SERVE else paths.lock
            wait_until(lambda: place.exists() and is_held(paths.lock), "it never comes up")
            os.kill(daemon.pid, signal.SIGSTOP)
            done = idlebrush("uninstall", environment=home)
            assert daemon.wait(60) == -signal.SIGKILL
        finally:
            daemon.kill()
    assert (done.returncode, done.stderr) == (0, "")
    assert "ended by force" in done.stdout
    assert not paths.state.exists()


@pytest.mark.posix
def test_it_waits_for_an_update_and_ends_the_daemon_that_comes_of_it(
    home: dict[str, str], paths: Paths
) -> None:
    lock = paths.updates / "handover.lock"
    with KeptUpdate(paths.updates).alone():
        uninstalling = subprocess.Popen([*COMMAND, "uninstall"], env=home, stdin=subprocess.DEVNULL)
        wait_until(
            lambda: uninstalling.poll() is not None or has_open(uninstalling.pid, lock),
            "it does not look for updates",
            every=COSTLY,
        )
        assert uninstalling.poll() is None, "it has found no daemon between two of them"
        daemon = ListeningDaemon(paths, FULL)
        daemon.start()
    try:
        assert uninstalling.wait(60) == 0
        assert Quit in map(type, daemon.requests)
    finally:
        uninstalling.kill()
        daemon.end()
    assert not paths.updates.exists()


@pytest.mark.posix
def test_an_app_that_is_open_ends_before_its_settings_are_removed(home: dict[str, str], paths: Paths) -> None:
    pytest.importorskip("PySide6")
    with subprocess.Popen(
        [sys.executable, "-c", APP, str(paths.runtime / "app"), str(paths.config / "app.ini")],
        env={**home, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    ) as app:
        assert app.stdout is not None
        try:
            assert app.stdout.readline() == b"open\n"
            done = idlebrush("uninstall", "--purge", environment=home)
            assert app.wait(60) == 0
        finally:
            app.kill()
    assert done.returncode == 0, done.stderr
    assert not any(folder.exists() for folder in (paths.config, paths.data, paths.logs, paths.runtime))


def test_without_libraries_of_a_desktop_all_is_removed(
    home: dict[str, str], paths: Paths, tmp_path: Path
) -> None:
    """As on a computer without one, where Qt is installed and cannot be loaded."""
    (tmp_path / "PySide6").mkdir()
    (tmp_path / "PySide6" / "__init__.py").write_text(
        "raise ImportError('libglib-2.0.so.0: cannot open shared object file: No such file or directory')\n"
    )
    variables = {**home, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))}
    words = [*COMMAND, "uninstall", "--purge"]
    done = subprocess.run(
        words, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
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
