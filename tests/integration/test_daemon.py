"""The daemon with real trainers of a tiny run on a virtual display: it yields, comes back, and leaves nothing."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import psutil
import pytest

from client.api.requests import Finish, Pause, Resume, SetPreference
from client.api.snapshot import Activity, Snapshot
from tests.desktop import move_mouse, press_key, virtual_display
from tests.tiny_run import write_tiny_run
from tests.volunteer import Volunteer, volunteer
from tests.waiting import wait_until

IDLE_SOON = "3s"


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_run(tmp_path_factory.mktemp("run"), target_batch_size=4096)


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    with virtual_display() as name:
        yield name


@pytest.fixture
def somebody(tmp_path: Path, display: str) -> Iterator[Volunteer]:
    """Whose computer counts as idle after three seconds, however busy this machine is otherwise."""
    with volunteer(tmp_path / "home", environment={"DISPLAY": display}) as person:
        person.prefer(idle_minutes=IDLE_SOON, other_cpu_load="off")
        yield person


def training(person: Volunteer, manifest: Path) -> psutil.Process:
    person.start()
    person.join(manifest)
    person.wait_for(Activity.TRAINING)
    return person.trainer


def is_stopped(process: psutil.Process) -> bool:
    return process.status() == psutil.STATUS_STOPPED


def test_it_trains_while_nobody_is_there_and_yields_to_a_key_and_to_the_mouse(
    somebody: Volunteer, manifest: Path, display: str
) -> None:
    trainer = training(somebody, manifest)
    deeds: list[Callable[[], None]] = [lambda: press_key(display), lambda: move_mouse(display, 30, 40)]
    for deed in deeds:
        deed()
        wait_until(lambda: is_stopped(trainer), "the trainer goes on computing")
        seen = somebody.look()
        assert seen.activity is Activity.PAUSED
        assert seen.headline == "Paused: you are using the computer."
        assert "in_use" in [reason.code for reason in seen.reasons]
        somebody.wait_for(Activity.TRAINING)
        wait_until(lambda: not is_stopped(trainer), "the trainer stays stopped")
    assert somebody.trainer == trainer, "it stayed in memory"
    somebody.quit()
    assert not somebody.family()


def test_a_short_pause_keeps_what_was_gathered(somebody: Volunteer, manifest: Path) -> None:
    training(somebody, manifest)
    somebody.wait_until(lambda seen: samples(seen) > 0, "it gathers nothing")
    somebody.ask(Pause(seconds=60))
    before = samples(somebody.wait_for(Activity.PAUSED))
    somebody.ask(Resume())
    somebody.wait_until(lambda seen: samples(seen) > before, "it begins anew")
    assert somebody.look().progress is not None


def samples(seen: Snapshot) -> int:
    return seen.progress.samples if seen.progress else 0


def test_a_long_pause_leaves_in_order_and_it_comes_back_later(somebody: Volunteer, manifest: Path) -> None:
    somebody.prefer(idle_minutes=IDLE_SOON, other_cpu_load="off", leave_in_memory="0")
    trainer = training(somebody, manifest)
    somebody.ask(Pause(seconds=600))
    wait_until(lambda: not trainer.is_running(), "it stays in memory", 60)
    assert somebody.look().activity is Activity.PAUSED
    somebody.ask(Resume())
    somebody.wait_for(Activity.TRAINING)
    assert somebody.trainer != trainer
    assert somebody.look().trainer is not None


def test_a_snooze_outlives_the_daemon(somebody: Volunteer, manifest: Path) -> None:
    training(somebody, manifest)
    somebody.ask(Pause(seconds=3600))
    until = somebody.look().snoozed_until
    somebody.quit()
    somebody.start()
    seen = somebody.wait_for(Activity.PAUSED)
    assert seen.snoozed_until == until
    assert seen.run is not None
    assert seen.run.title == "A tiny run"


def test_finishing_ends_after_the_epoch_until_resumed(somebody: Volunteer, tmp_path: Path) -> None:
    trainer = training(somebody, write_tiny_run(tmp_path / "run", target_batch_size=64))
    somebody.ask(Finish())
    wait_until(lambda: not trainer.is_running(), "it goes on", 60)
    seen = somebody.wait_for(Activity.PAUSED)
    assert seen.headline == "Paused: the epoch that you wanted to finish is over."
    assert seen.contribution is not None
    assert seen.contribution.epochs >= 1
    somebody.ask(Resume())
    somebody.wait_for(Activity.TRAINING)


def test_preferences_hold_at_once_however_they_are_changed(somebody: Volunteer, manifest: Path) -> None:
    trainer = training(somebody, manifest)
    somebody.ask(SetPreference(name="run-mode", value="never"))
    wait_until(lambda: not trainer.is_running(), "it goes on", 60)
    assert somebody.wait_for(Activity.PAUSED).headline == "Paused: you chose never to train."
    somebody.prefer(idle_minutes=IDLE_SOON, other_cpu_load="off", share_of_time="50%")
    somebody.wait_for(Activity.TRAINING, Activity.THROTTLED)
    budget = somebody.look().budget
    assert budget is not None
    assert budget.share == 0.5


@pytest.mark.parametrize("state", ["training", "frozen"])
def test_a_killed_daemon_leaves_nothing(somebody: Volunteer, manifest: Path, state: str) -> None:
    trainer = training(somebody, manifest)
    if state == "frozen":
        somebody.ask(Pause(seconds=600))
        wait_until(lambda: is_stopped(trainer), "it goes on")
    assert somebody.daemon is not None
    assert len(somebody.family()) > 3
    somebody.daemon.kill()
    somebody.daemon.wait()
    wait_until(lambda: not somebody.family(), "processes are left")
    somebody.start()
    assert somebody.wait_for(Activity.PAUSED, Activity.STARTING, Activity.TRAINING).run is not None


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_trainer_that_dies_is_started_again(
    somebody: Volunteer, manifest: Path, number: signal.Signals
) -> None:
    trainer = training(somebody, manifest)
    trainer.send_signal(number)
    somebody.wait_until(
        lambda seen: seen.activity is Activity.TRAINING and bool(seen.trainer and seen.trainer.restarts),
        "it is not started again",
    )
    assert somebody.trainer.pid != trainer.pid
    assert any("unexpectedly" in notice.text for notice in somebody.look().notices)


def test_a_trainer_that_hangs_is_started_again(somebody: Volunteer, manifest: Path) -> None:
    somebody.told["silence"] = 6.0
    trainer = training(somebody, manifest)
    trainer.send_signal(signal.SIGSTOP)  # behind the daemon's back
    somebody.wait_until(
        lambda seen: seen.activity is Activity.TRAINING and bool(seen.trainer and seen.trainer.restarts),
        "it is not started again",
    )
    assert not trainer.is_running()


def test_a_second_daemon_says_where_the_first_is(somebody: Volunteer) -> None:
    somebody.start()
    assert somebody.daemon is not None
    second = subprocess.run(
        [sys.executable, "-m", "client.daemon"],
        env={**os.environ, "IDLEBRUSH_HOME": str(somebody.home)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert second.returncode == 3
    assert f"process {somebody.daemon.pid}" in second.stderr
    assert str(somebody.paths.socket) in second.stderr
    assert somebody.answers()


def test_state_files_that_are_broken_are_set_aside_and_said(somebody: Volunteer) -> None:
    somebody.paths.prepare()
    somebody.paths.state.write_bytes(b'{"version": 1, "run_fo')
    somebody.paths.stats.write_bytes(b"this is no database" * 100)
    somebody.paths.preferences.write_text("idle-minutes = \"soon\"\nrun-mode = 'never'\n")
    somebody.start()
    assert somebody.look().activity is Activity.OFF
    for word in ("state.json", "set aside", "idle-minutes", "contribution.sqlite"):
        somebody.wait_until(partial(tells, word), f"{word} is not told of")
    assert list(somebody.paths.data.glob("state.json.set-aside-*"))


def tells(word: str, seen: Snapshot) -> bool:
    return any(word in notice.text for notice in seen.notices)
