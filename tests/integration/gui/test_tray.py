"""The app in real panels: what a person does with its icon, and a daemon that trains sees of it."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.api.commands import Resume
from client.api.snapshot import Activity
from tests.desktops.tray_host import TrayDesk, TrayKind, desk
from tests.integration.front_end import begun, idlebrush
from tests.integration.stand_in_learner import learner_settings
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import PATIENCE, VolunteerMachine, volunteer_at
from tests.waiting import COSTLY, wait_until

App = subprocess.Popen[str]


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module", params=TrayKind, ids=lambda kind: kind.value)
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TrayDesk]:
    with desk(request.param, tmp_path_factory.mktemp("d")) as made:
        yield made


@pytest.fixture(scope="module")
def volunteer(
    place: TrayDesk, manifest: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[VolunteerMachine]:
    """A volunteer whose daemon keeps running from test to test, as users' daemons do."""
    environment = {**place.environment, "QT_QPA_PLATFORM": "xcb"}
    with volunteer_at(
        tmp_path_factory.mktemp("v") / "home", environment=environment, settings=learner_settings()
    ) as person:
        person.prefer(run_mode="always")
        person.start()
        person.join(manifest)
        yield person


@pytest.fixture(scope="module")
def app(place: TrayDesk, volunteer: VolunteerMachine) -> Iterator[App]:
    """The app, which is visible in the tray alone."""
    with place.panel(), begun(volunteer, "--background") as process:
        place.wait_for_icon()
        yield process


@pytest.fixture(autouse=True)
def training(volunteer: VolunteerMachine) -> None:
    """Whatever the test before has left."""
    volunteer.ask(Resume())
    volunteer.wait_for(Activity.TRAINING)


def test_training_is_paused_and_resumed_from_the_menu(
    place: TrayDesk, volunteer: VolunteerMachine, app: App
) -> None:
    training = place.icon()
    place.choose("p")
    seen = volunteer.wait_for(Activity.PAUSED)
    assert [reason.code for reason in seen.reasons] == ["paused"]
    wait_until(lambda: place.icon() != training, "the icon looks as before", every=COSTLY)
    place.choose("r")
    volunteer.wait_for(Activity.TRAINING)
    wait_until(lambda: place.icon() == training, "the icon stays as it was", every=COSTLY)


def test_it_is_snoozed_for_a_quarter_of_an_hour(
    place: TrayDesk, volunteer: VolunteerMachine, app: App
) -> None:
    training = place.icon()
    place.choose("s", "Return")
    seen = volunteer.wait_for(Activity.PAUSED)
    assert seen.snoozed_until is not None
    wait_until(lambda: place.icon() != training, "the app does not hear of it", every=COSTLY)
    place.choose("r")
    volunteer.wait_for(Activity.TRAINING)


def test_a_click_brings_the_window_up_and_another_hides_it(
    place: TrayDesk, volunteer: VolunteerMachine, app: App
) -> None:
    place.click_icon(x=8)
    wait_until(lambda: place.takes_keys("Idlebrush"), "no window comes up", every=COSTLY)
    place.click_icon(x=18)
    wait_until(lambda: "Idlebrush" not in place.windows(), "the window stays", every=COSTLY)


def test_a_middle_click_pauses(place: TrayDesk, volunteer: VolunteerMachine, app: App) -> None:
    place.click_icon(2)
    volunteer.wait_for(Activity.PAUSED)


def test_another_start_brings_the_window_up(place: TrayDesk, volunteer: VolunteerMachine, app: App) -> None:
    assert "Idlebrush" not in place.windows()
    assert idlebrush(volunteer).returncode == 0
    wait_until(lambda: place.takes_keys("Idlebrush"), "no window comes up", every=COSTLY)


def test_quitting_asks_and_stops_training(place: TrayDesk, volunteer: VolunteerMachine, app: App) -> None:
    place.choose("q")
    wait_until(lambda: place.takes_keys("Quit Idlebrush"), "nobody asks", every=COSTLY)

    def is_answered() -> bool:
        if place.takes_keys("Quit Idlebrush"):  # which it is said to do a moment before it does
            place.press("alt+s")
        return app.poll() is not None

    wait_until(is_answered, "the app stays", every=COSTLY)
    assert app.returncode == 0
    log = volunteer.paths.log("app").read_text()
    expected = (
        "App started as process",
        "It draws on xcb.",
        "Daemon: CONNECTING -> CONNECTED.",
        "App ended with",
    )
    assert [words for words in expected if words not in log] == []
    assert volunteer.daemon is not None
    assert volunteer.daemon.wait(PATIENCE) == 0
