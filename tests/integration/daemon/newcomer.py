"""A volunteer whose daemon never ran, on a virtual display, and how tests have them train."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from client.api.commands import Resume
from client.api.snapshot import Activity
from tests.volunteer import VolunteerMachine, volunteer_at

IDLE_SOON = {"idle_minutes": "3s", "other_cpu_load": "off"}


@contextmanager
def newcomer(folder: Path, display: str, **settings: Any) -> Iterator[VolunteerMachine]:
    """A volunteer whose daemon never ran; it counts as idle soon, however busy this machine is."""
    with volunteer_at(folder / "home", environment={"DISPLAY": display}, settings=settings) as person:
        person.prefer(**IDLE_SOON)
        yield person


def training(person: VolunteerMachine, manifest: Path) -> psutil.Process:
    """The process that trains, whatever the test before has left of daemon and trainer."""
    person.prefer(**IDLE_SOON)
    if person.daemon is None or person.daemon.poll() is not None:
        person.start()
    if person.look().run is None:
        person.join(manifest)
    person.ask(Resume())
    person.wait_for(Activity.TRAINING)
    return person.trainer


def is_stopped(process: psutil.Process) -> bool:
    return process.status() == psutil.STATUS_STOPPED
