"""The whole first run by the keyboard alone, on a desktop without a screen, to a real daemon that trains."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from client.api.candidate import CandidateStage
from client.api.snapshot import Activity, Snapshot
from core.run.join_link import JoinLink
from core.run.manifest import RunManifest
from tests.client.run_server import serving
from tests.hub_server import CLIENT_ID, HubServer, running_hub
from tests.integration.front_end import begun
from tests.integration.stand_in_learner import told
from tests.keyring_daemon import NO_BUS, keyring_daemon
from tests.tiny_run import write_tiny_run
from tests.tray_host import Desk, Kind, desk
from tests.volunteer import Volunteer, volunteer
from tests.waiting import COSTLY, wait_until

_GREETING = "Welcome to Idlebrush"
_QUESTION = "Leave the setup for now?"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A desk without any panel, where everything shown has to be reachable without one."""
    with desk(Kind.EMBEDDED, tmp_path_factory.mktemp("d")) as made:
        yield made


@pytest.fixture
def hub() -> Iterator[HubServer]:
    with running_hub() as hub:
        yield hub


@pytest.fixture
def somebody(place: Desk, hub: HubServer, tmp_path: Path) -> Iterator[Volunteer]:
    """A volunteer who has just installed the app; the daemon trains by a stand-in."""
    with keyring_daemon(tmp_path / "keys", place.environment["DISPLAY"]) as keyring:
        environment = {
            **keyring.environment,
            **place.environment,
            "DBUS_SESSION_BUS_ADDRESS": keyring.environment["DBUS_SESSION_BUS_ADDRESS"],
            "QT_QPA_PLATFORM": "xcb",
            "HF_ENDPOINT": hub.address,
            "IDLEBRUSH_OAUTH_CLIENT_ID": CLIENT_ID,
        }
        with volunteer(tmp_path / "home", environment=environment, told=told()) as person:
            person.start()
            yield person


@contextmanager
def greeted(place: Desk, person: Volunteer, *words: str) -> Iterator["subprocess.Popen[str]"]:
    """The app, once its first screen has the keyboard."""
    with begun(person, *words) as app:
        wait_until(lambda: place.takes_keys(_GREETING), "nobody is greeted", every=COSTLY)
        yield app


def see(person: Volunteer, stage: CandidateStage) -> Snapshot:
    def is_there(seen: Snapshot) -> bool:
        return seen.candidate is not None and seen.candidate.stage is stage

    person.wait_until(is_there, f"the run is never {stage}")
    return person.look()


def let_app_hear() -> None:
    """Wait until the app shows what the daemon has told this test, up to a fifth of a second earlier."""
    time.sleep(1.0)


def test_from_the_greeting_to_a_run_that_trains(
    place: Desk, somebody: Volunteer, hub: HubServer, tmp_path: Path
) -> None:
    manifest = RunManifest.load(write_tiny_run(tmp_path / "served"))
    with serving(tmp_path / "served") as server, greeted(place, somebody):
        place.press("Return")  # the greeting
        sign_in(place, somebody, hub)
        let_app_hear()
        place.press("Return")  # the focus was led to the way on
        choose(place, somebody, str(JoinLink(server.address(), manifest.fingerprint)))
        place.press("Tab", "Tab", "Return")  # back and on
        always(place, somebody)
        seen = agree(place, somebody)
        assert seen.run is not None
        assert seen.run.digest == manifest.training_digest
        somebody.wait_for(Activity.TRAINING)
        let_app_hear()  # until then the focus is on the button that cancels
        place.press("Return")
        wait_until(lambda: place.takes_keys("Idlebrush"), "the window does not come up", every=COSTLY)
        assert _GREETING not in place.windows()


def sign_in(place: Desk, person: Volunteer, hub: HubServer) -> None:
    """Sign in with the code that the screen shows, which is entered elsewhere."""
    place.press("Return")
    person.wait_until(lambda seen: seen.sign_in is not None, "no code is shown")
    waiting = person.look().sign_in
    assert waiting is not None
    hub.approve(waiting.code, "mirela")
    person.wait_until(lambda seen: seen.account is not None, "nobody is signed in")
    account = person.look().account
    assert account is not None
    assert account.name == "mirela"
    assert "keyring" in account.kept


def choose(place: Desk, person: Volunteer, link: str) -> None:
    """Choose a run by a link, and measure it on this machine for a moment."""
    place.press("space", "Right", "Tab")  # from the first card to the field of the second
    place.type(link)
    place.press("Return")
    person.wait_until(
        lambda seen: seen.candidate is not None and seen.candidate.title == "A tiny run",
        "it is not looked at",
    )
    see(person, CandidateStage.READY)
    let_app_hear()
    place.press("Tab", "Tab", "space")  # past the button beside the field to that which measures
    person.wait_until(lambda seen: bool(seen.candidate and seen.candidate.progress), "nothing is measured")
    let_app_hear()
    place.press("space")  # the focus was led to the button that ends it
    see(person, CandidateStage.READY)
    let_app_hear()


def always(place: Desk, person: Volunteer) -> None:
    """Select the first mode, and try again while the page has not heard from the daemon yet."""

    def is_chosen() -> bool:
        place.press("Down")
        return person.look().run_mode == "always"

    wait_until(is_chosen, "the preference is not changed", every=COSTLY)


def agree(place: Desk, person: Volunteer) -> Snapshot:
    """Continue from the preferences, and consent by the box and the button."""
    place.press("Tab", "Tab", "Tab", "Tab", "Return")
    assert person.look().run is None, "it was joined without consent"
    place.press("space", "Tab", "Tab", "Return")
    return see(person, CandidateStage.JOINED)


def test_the_run_that_comes_with_the_app_is_offered_and_trained(place: Desk, tmp_path: Path) -> None:
    """The run is trained by a real trainer."""
    environment = {**NO_BUS, **place.environment, "QT_QPA_PLATFORM": "xcb"}
    with volunteer(tmp_path / "home", environment=environment) as person:
        person.start()
        with greeted(place, person, "demo"):
            see(person, CandidateStage.READY)
            let_app_hear()
            place.press("Return", "Tab", "Tab", "Return")  # the greeting; no sign-in
            place.press("Tab", "Tab", "Tab", "Return")  # past measuring and back
            always(place, person)
            agree(place, person)
            person.wait_until(lambda seen: bool(seen.progress and seen.progress.epoch), "nothing is learned")


def test_it_may_be_left_and_comes_no_more(place: Desk, somebody: Volunteer) -> None:
    with greeted(place, somebody):
        place.press("Escape")
        answer(place, "Escape")  # to stay
        wait_until(lambda: place.takes_keys(_GREETING), "the first run is left", every=COSTLY)
        place.press("Escape")
        answer(place, "Tab", "space")
        wait_until(lambda: place.takes_keys("Idlebrush"), "the window does not come up", every=COSTLY)
    with begun(somebody):
        wait_until(lambda: place.takes_keys("Idlebrush"), "the window does not come up", every=COSTLY)
        assert _GREETING not in place.windows()


def answer(place: Desk, *keys: str) -> None:
    """The question whether to leave."""
    wait_until(lambda: place.takes_keys(_QUESTION), "nobody asks", every=COSTLY)
    place.press(*keys)
    wait_until(lambda: _QUESTION not in place.windows(), "the question stays", every=COSTLY)
