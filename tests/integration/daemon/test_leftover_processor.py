"""A trainer at the lowest priority, as volunteers have it, trains with what other programs leave of the processor."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from client.api.snapshot import Activity, Snapshot
from client.service.trainer.launching import ChildModules
from core.children.priority import lower_session
from core.children.processes import Starvation
from tests.desktops.desktop import move_mouse, press_key, virtual_display
from tests.integration.daemon.lowered_trainer import lowered_settings
from tests.integration.daemon.newcomer import is_stopped, newcomer, training
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import VolunteerMachine, volunteer_at
from tests.waiting import wait_until

YIELDS_WITHIN = 2.0
"""Seconds from the volunteer's input to a daemon that has paused; on a quiet machine it takes 0.012 s."""
COMPUTES_AT_MOST = 0.25
"""Seconds of the processor that a trainer may still take once it was stopped."""


SILENCE = 8.0
"""Seconds without a sign of life after which a trainer counts as hung, unless it starves."""


@pytest.fixture
def display() -> Iterator[str]:
    with virtual_display() as name:
        yield name


def test_it_trains_while_nobody_is_there_and_yields_to_a_key_and_to_the_mouse(
    tmp_path: Path, display: str
) -> None:
    assert ChildModules().is_idle, "which has the guard start it at that priority"
    run = write_tiny_run(tmp_path / "run", target_batch_size=4096)
    with newcomer(tmp_path, display, **lowered_settings()) as person:
        trainer = training(person, run)
        wait_until(lambda: os.sched_getscheduler(trainer.pid) == os.SCHED_IDLE, "it gathers nothing")
        yields(person, trainer, display)
        person.quit()
        assert not person.family()


def yields(volunteer: VolunteerMachine, trainer: psutil.Process, display: str) -> None:
    deeds: list[Callable[[], None]] = [lambda: press_key(display), lambda: move_mouse(display, 30, 40)]
    for deed in deeds:
        deed()
        wait_until(lambda: volunteer.look().activity is Activity.PAUSED, "it goes on", YIELDS_WITHIN)
        computed, seen = computed_by(trainer), volunteer.look()
        assert seen.headline == "Paused: you are using the computer."
        assert "in_use" in [reason.code for reason in seen.reasons]
        # Beside others it may get no processor for a while, not even to be stopped; until then it computes nothing.
        wait_until(lambda: is_stopped_during_use(trainer, display), "the trainer is not stopped")
        assert computed_by(trainer) - computed < COMPUTES_AT_MOST
        volunteer.wait_for(Activity.TRAINING)
        wait_until(lambda: not is_stopped(trainer), "the trainer stays stopped")
    assert volunteer.trainer == trainer, "it stayed in memory"


def is_stopped_during_use(trainer: psutil.Process, display: str) -> bool:
    """Return whether it is stopped; a further key keeps the computer from counting as idle before it is."""
    press_key(display)
    return is_stopped(trainer)


def computed_by(process: psutil.Process) -> float:
    """Return the seconds of the processor that a process has taken."""
    times = process.cpu_times()
    return float(times.user + times.system)


@contextmanager
def core_taken(process: psutil.Process) -> Iterator[None]:
    """Programs of ordinary priority that compute without end on the one core that the process may use meanwhile.

    It is one core since other tests run beside this one. At the end the process, its children and its session get the
    ordinary priority, as those tests may leave them no more of the processor than the programs did.
    """
    core = max(os.sched_getaffinity(0))
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    for pid in (process.pid, *(program.pid for program in busy)):
        os.sched_setaffinity(pid, {core})
    try:
        yield
    finally:
        for program in busy:
            program.kill()
            program.wait()
        for thread in threads_of(process):
            with suppress(ProcessLookupError):  # it has ended since
                os.sched_setaffinity(thread, os.sched_getaffinity(0))
                os.sched_setscheduler(thread, os.SCHED_OTHER, os.sched_param(0))
                os.setpriority(os.PRIO_PROCESS, thread, 0)
        lower_session(Path(f"/proc/{process.pid}/autogroup"), 0)


def threads_of(process: psutil.Process) -> list[int]:
    """Return the numbers of all threads of a process and of its children; the system schedules each by itself."""
    family = [process, *process.children(recursive=True)]
    return [thread.id for member in family for thread in member.threads()]


@pytest.mark.exhaustive
def test_a_trainer_that_starves_is_not_taken_for_hung(tmp_path: Path) -> None:
    with volunteer_at(tmp_path / "home", settings=lowered_settings(silence=SILENCE)) as person:
        person.prefer(run_mode="always", disk_free="64 MiB")
        person.start()
        person.join(write_tiny_run(tmp_path / "run"))
        person.wait_until(lambda seen: samples(seen) > 0, "it gathers nothing")
        trainer, waits = person.trainer, Starvation()
        starved = waits.seconds(trainer.pid)
        with core_taken(trainer):
            wait_until(lambda: waits.seconds(trainer.pid) > starved + 3 * SILENCE, "it does not starve")
        before = epoch(person.look())
        # The first epoch may be of samples from before; another needs steps, a commit and reports since.
        person.wait_until(lambda seen: epoch(seen) >= before + 2, "it does not go on")
        assert person.trainer == trainer


def samples(seen: Snapshot) -> int:
    return seen.progress.samples if seen.progress else 0


def epoch(seen: Snapshot) -> int:
    return seen.progress.epoch if seen.progress else 0
