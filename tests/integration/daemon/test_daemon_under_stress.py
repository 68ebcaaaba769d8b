"""The daemon where the system fails it: a disk that fills up or closes, files that are none, time that is not given.

It goes on, says what is wrong, and is as before once that is over; nothing that it keeps is ever half written.
"""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import psutil
import pytest

from client.api.commands import Pause, Resume, SetPreference
from client.api.connection import Connection
from client.api.errors import ClientError, DaemonSilent
from client.api.questions import GetStatus
from client.api.snapshot import Activity, Snapshot
from tests.client.full_disk import SmallDisk, mounted_at
from tests.integration.stand_in_learner import learner_settings
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import VolunteerMachine, volunteer_at
from tests.waiting import wait_until

MIB = 1 << 20
ALWAYS = {"run_mode": "always", "disk_free": "64 MiB"}


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_run(tmp_path_factory.mktemp("run"))


@pytest.fixture
def volunteer(tmp_path: Path) -> Iterator[VolunteerMachine]:
    with volunteer_at(tmp_path / "home", settings=learner_settings()) as person:
        person.prefer(**ALWAYS)
        yield person


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    folder = tmp_path / "d"  # a socket's path may have 107 bytes
    folder.mkdir()
    with mounted_at(folder, 128 * MIB) as disk:
        assert disk.mounted, "these tests need a disk that they can fill"
        yield disk


@pytest.fixture
def cramped(disk: SmallDisk) -> Iterator[VolunteerMachine]:
    """A volunteer all of whose files are on the small disk."""
    with volunteer_at(disk.folder / "h", settings=learner_settings()) as person:
        person.prefer(**ALWAYS)
        yield person


def training(person: VolunteerMachine, manifest: Path) -> psutil.Process:
    person.start()
    person.join(manifest)
    person.wait_until(lambda seen: samples(seen) > 0, "it gathers nothing")
    return person.trainer


def samples(seen: Snapshot) -> int:
    return seen.progress.samples if seen.progress else 0


def epoch(seen: Snapshot) -> int:
    return seen.progress.epoch if seen.progress else 0


def tells(word: str, seen: Snapshot) -> bool:
    return any(word in notice.text for notice in seen.notices)


def temporary(person: VolunteerMachine) -> list[Path]:
    """Return the temporary files that atomic writes have left; files of locks do not count."""
    hidden = (path for folder in (person.paths.data, person.paths.config) for path in folder.glob(".*"))
    return [path for path in hidden if path.suffix != ".lock"]


def saved(person: VolunteerMachine) -> dict[str, object]:
    found = json.loads(person.paths.state.read_text())
    assert isinstance(found, dict)
    return found


def test_a_full_disk_loses_nothing_that_was_saved_and_hinders_nothing(
    cramped: VolunteerMachine, disk: SmallDisk, manifest: Path
) -> None:
    training(cramped, manifest)
    before = saved(cramped), cramped.paths.preferences.read_text()
    with disk.full():
        cramped.ask(Pause(seconds=3600))
        assert cramped.look().snoozed_until is not None, "it holds although it cannot be saved"
        cramped.wait_until(partial(tells, "could not be saved: No space left"), "it does not say so")
        assert "could not be saved: No space left" in cramped.log("daemon")
        with pytest.raises(ClientError, match="preferences could not be saved"):
            cramped.ask(SetPreference(name="threads", value="1"))
        assert (saved(cramped), cramped.paths.preferences.read_text()) == before
        assert not temporary(cramped)
    cramped.ask(SetPreference(name="threads", value="1"))
    cramped.ask(Pause(seconds=1800))
    assert saved(cramped)["snoozed_until"]
    cramped.quit()
    with contextlib.closing(sqlite3.connect(cramped.paths.stats)) as database:
        assert database.execute("pragma integrity_check").fetchall() == [("ok",)]
    cramped.start()
    seen = cramped.wait_for(Activity.PAUSED)
    assert seen.contribution is not None
    assert seen.contribution.bytes_sent > 0


def test_a_daemon_that_starts_on_a_full_disk_answers_and_says_so(
    cramped: VolunteerMachine, disk: SmallDisk, manifest: Path
) -> None:
    training(cramped, manifest)
    cramped.quit()
    with disk.full():
        cramped.start()
        full = "Paused: less than 64 MiB is free on the disk."
        cramped.wait_until(lambda seen: seen.headline == full and seen.run is not None, "it does not say so")
        assert "Decision: pause. disk_full: less than 64 MiB is free" in cramped.log("daemon")
        cramped.quit()


def test_folders_that_become_read_only_are_reported_and_hold_up_nothing(
    volunteer: VolunteerMachine, manifest: Path
) -> None:
    trainer = training(volunteer, manifest)
    with read_only(volunteer.paths.data), read_only(volunteer.paths.config):
        volunteer.ask(Pause(seconds=3600))
        volunteer.wait_until(
            partial(tells, "could not be saved: Read-only file system"), "it does not say so"
        )
        assert volunteer.look().activity is Activity.PAUSED
        assert "Read-only file system" in volunteer.log("daemon")
        assert "Decision: pause. snoozed" in volunteer.log("daemon")
        with pytest.raises(ClientError, match="preferences could not be saved"):
            volunteer.ask(SetPreference(name="threads", value="1"))
        volunteer.ask(Resume())
        volunteer.wait_for(Activity.TRAINING)
    volunteer.ask(SetPreference(name="threads", value="1"))
    assert volunteer.trainer == trainer
    volunteer.quit()


@contextlib.contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Make the folder read-only, for root too; files that are open for writing remain writable."""
    subprocess.run(["mount", "--bind", folder, folder], check=True)
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def test_a_daemon_that_was_stopped_itself_does_not_take_its_trainer_for_hung(
    volunteer: VolunteerMachine, manifest: Path
) -> None:
    volunteer.settings["silence"] = 4.0
    trainer = training(volunteer, manifest)
    assert volunteer.daemon is not None
    volunteer.daemon.send_signal(signal.SIGSTOP)
    with pytest.raises(DaemonSilent), Connection.open(volunteer.paths.socket) as connection:
        connection.ask(GetStatus(), 6.0)
    volunteer.daemon.send_signal(signal.SIGCONT)
    before = samples(volunteer.look())
    volunteer.wait_until(lambda seen: samples(seen) > before + 20, "it does not go on")
    assert volunteer.trainer == trainer


ODD: dict[str, Callable[[Path], object]] = {
    "nothing": lambda path: path.touch(),
    "noise": lambda path: path.write_bytes(os.urandom(4096)),
    "a folder": lambda path: path.mkdir(),
    "itself": lambda path: path.symlink_to(path),
    "endless": lambda path: path.symlink_to("/dev/zero"),
    "a pipe": os.mkfifo,
    "too much": lambda path: path.write_text("# a comment\n" * 100_000),
    "nonsense": lambda path: path.write_text('threads = "many"\nrun-mode = 7\n[section]\nx = {}\n'),
}


def test_whatever_takes_the_place_of_the_preferences_is_reported_and_taken_for_none(
    volunteer: VolunteerMachine, manifest: Path
) -> None:
    trainer = training(volunteer, manifest)
    path = volunteer.paths.preferences
    for kind, make in ODD.items():
        path.unlink()
        make(path)
        volunteer.ask(Resume())  # so that it looks at once
        volunteer.wait_until(lambda seen: seen.activity is Activity.PAUSED, f"{kind} is not noticed")
        problem = volunteer.look().problem
        assert (problem is None) == (kind == "nothing"), kind
        if kind == "a folder":
            path.rmdir()
        else:
            path.unlink()
        volunteer.prefer(**ALWAYS)
        volunteer.ask(Resume())
        volunteer.wait_for(Activity.TRAINING)
        assert volunteer.look().problem is None
    assert volunteer.trainer == trainer


def test_a_socket_that_a_program_removed_is_made_again(volunteer: VolunteerMachine, manifest: Path) -> None:
    trainer = training(volunteer, manifest)
    volunteer.paths.socket.unlink()
    wait_until(volunteer.answers, "nobody can reach it any more")
    assert volunteer.trainer == trainer


def test_a_very_long_value_in_the_preferences_keeps_nobody_from_seeing_and_pausing(
    tmp_path: Path, manifest: Path
) -> None:
    with volunteer_at(tmp_path / "home", settings=learner_settings()) as person:
        person.paths.prepare()
        person.paths.preferences.write_text(f'threads = "{"9" * 40_000}"\n')
        person.start()
        person.wait_until(lambda seen: seen.problem is not None, "it does not tell what is wrong")
        person.join(manifest)
        person.ask(Pause(seconds=60))
        assert person.look().snoozed_until is not None
        person.quit()
