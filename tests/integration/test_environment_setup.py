"""A daemon that is killed during a set-up leaves no process, and the next one goes on where that was."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from client.api.answers import Done
from client.api.environment import BeginSetup, EnvironmentView, PauseSetup, PlanSetup, ResumeSetup, SetupStage
from client.environment.places import EnvironmentPlaces, python_of
from core.children.processes import kill
from tests.client.environment.offered import OfferedPackages, offered_packages
from tests.volunteer import VolunteerMachine, volunteer_at
from tests.waiting import COSTLY, wait_until


@pytest.fixture
def offered(tmp_path: Path) -> Iterator[OfferedPackages]:
    with offered_packages(tmp_path / "served") as offered:
        yield offered


@pytest.fixture
def volunteer(tmp_path: Path, offered: OfferedPackages) -> Iterator[VolunteerMachine]:
    settings = {"packages": offered.source.model_dump()}
    with volunteer_at(tmp_path / "home", settings=settings) as volunteer:
        yield volunteer


def seen(volunteer: VolunteerMachine) -> EnvironmentView:
    view = volunteer.look().environment
    assert view is not None
    return view


def wait_for(volunteer: VolunteerMachine, words: str, **fields: object) -> EnvironmentView:
    """Wait until the view has these fields."""

    def is_so() -> bool:
        view = seen(volunteer)
        return all(getattr(view, name) == value for name, value in fields.items())

    volunteer.wait_until(lambda _: is_so(), words)
    return seen(volunteer)


def test_a_killed_daemon_goes_on_where_it_was(volunteer: VolunteerMachine, offered: OfferedPackages) -> None:
    volunteer.prefer(download="40 kB/s")
    volunteer.start()
    planned = volunteer.ask(PlanSetup())
    assert isinstance(planned, Done)
    assert planned.setup_plan is not None
    assert planned.setup_plan.download_bytes == offered.variant.size
    volunteer.ask(BeginSetup())
    volunteer.wait_until(lambda _: seen(volunteer).done > 20_000, "nothing arrives")
    assert volunteer.daemon is not None
    kill(volunteer.daemon.pid)
    volunteer.daemon.wait()
    wait_until(lambda: not volunteer.family(), f"it leaves {volunteer.family()}", every=COSTLY)
    part = next(EnvironmentPlaces(volunteer.paths.environment).root.rglob("*.part"))
    here = part.stat().st_size
    assert here > 0
    offered.server.asked.clear()
    volunteer.prefer(download="unlimited")
    volunteer.start()
    volunteer.wait_until(lambda _: seen(volunteer).stage is SetupStage.ON_TRIAL, "it is never in place")
    assert offered.server.asked[0] == (f"/{offered.torch}", f"bytes={here}-")
    assert python_of(EnvironmentPlaces(volunteer.paths.environment).current).exists()
    assert not list(volunteer.paths.environment.glob("wheels/*"))


def test_a_pause_outlives_the_daemon(volunteer: VolunteerMachine, offered: OfferedPackages) -> None:
    volunteer.prefer(download="40 kB/s")
    volunteer.start()
    volunteer.ask(BeginSetup())
    volunteer.wait_until(lambda _: seen(volunteer).done > 0, "nothing arrives")
    volunteer.ask(PauseSetup())
    wait_for(volunteer, "it does not pause", waiting="You paused it.")
    volunteer.quit()
    volunteer.prefer(download="unlimited")
    volunteer.start()
    view = wait_for(volunteer, "the pause is forgotten", waiting="You paused it.", is_paused=True)
    assert (view.is_wanted, view.is_working, view.stage) == (True, False, SetupStage.FETCHING)
    volunteer.ask(ResumeSetup())
    wait_for(volunteer, "it does not go on", stage=SetupStage.ON_TRIAL)
