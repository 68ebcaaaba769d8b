"""The whole first run by the keyboard alone, on a desktop without a screen, to a real daemon that trains."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from client.api.candidate import CandidateStage
from client.api.snapshot import Activity, Snapshot
from core.run.join_link import JoinLink
from core.run.manifest import RunManifest
from tests.client.run_server import serving
from tests.desktops.hands import Hands
from tests.desktops.keyring_daemon import NO_BUS, keyring_daemon
from tests.desktops.screen_reader import reading
from tests.desktops.tray_host import TrayDesk, TrayKind, desk
from tests.hub.hub_server import CLIENT_ID, HubServer, running_hub
from tests.integration.front_end import begun
from tests.integration.stand_in_learner import learner_settings
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import VolunteerMachine, volunteer_at
from tests.waiting import COSTLY, wait_until

_GREETING = "Welcome to Idlebrush"
_QUESTION = "Leave the setup for now?"
_FIRST_SAMPLES_SECONDS = 240.0  # at the lowest priority, beside other work
_BEGIN = "Get started"
_SIGN_IN = "Get a code"
_NO_ACCOUNT = "Skip"
_CONSENT = "I agree that this computer trains this run as described above."
_END = "Open Idlebrush"
"""Texts of the setup, by which a screen reader names its parts."""
_APP = {"QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TrayDesk]:
    """A desk without any panel, where everything shown has to be reachable without one."""
    with desk(TrayKind.EMBEDDED, tmp_path_factory.mktemp("d")) as made:
        yield made


@pytest.fixture
def hub() -> Iterator[HubServer]:
    with running_hub() as hub:
        yield hub


@pytest.fixture
def volunteer(place: TrayDesk, hub: HubServer, tmp_path: Path) -> Iterator[VolunteerMachine]:
    """A volunteer who has just installed the app; the daemon trains by a stand-in."""
    with keyring_daemon(tmp_path / "keys", place.environment["DISPLAY"]) as keyring:
        environment = {
            **keyring.environment,
            **place.environment,
            "DBUS_SESSION_BUS_ADDRESS": keyring.environment["DBUS_SESSION_BUS_ADDRESS"],
            **_APP,
            "HF_ENDPOINT": hub.address,
            "IDLEBRUSH_OAUTH_CLIENT_ID": CLIENT_ID,
        }
        with volunteer_at(tmp_path / "home", environment=environment, settings=learner_settings()) as person:
            person.start()
            yield person


@contextmanager
def greeted(place: TrayDesk, person: VolunteerMachine, *words: str) -> Iterator[Hands]:
    """A user at the app's first screen, once it has the keyboard."""
    bus = person.environment["DBUS_SESSION_BUS_ADDRESS"]
    with reading(bus) as reader, begun(person, *words):
        wait_until(lambda: place.takes_keys(_GREETING), "nobody is greeted", every=COSTLY)
        yield Hands(place, reader)


def see(person: VolunteerMachine, stage: CandidateStage) -> Snapshot:
    def is_there(seen: Snapshot) -> bool:
        return seen.candidate is not None and seen.candidate.stage is stage

    person.wait_until(is_there, f"the run is never {stage}")
    return person.look()


def test_from_the_greeting_to_a_run_that_trains(
    place: TrayDesk, volunteer: VolunteerMachine, hub: HubServer, tmp_path: Path
) -> None:
    manifest = RunManifest.load(write_tiny_run(tmp_path / "served"))
    with serving(tmp_path / "served") as server, greeted(place, volunteer) as hands:
        hands.press(_BEGIN, "Return")
        sign_in(hands, volunteer, hub)
        hands.press("Next", "Return")  # the focus was led to the way on
        choose(hands, volunteer, str(JoinLink(server.address(), manifest.fingerprint)))
        hands.choose("Next")
        always(hands, volunteer)
        seen = agree(hands, volunteer)
        assert seen.run is not None
        assert seen.run.digest == manifest.training_digest
        volunteer.wait_for(Activity.TRAINING)
        hands.press(_END, "Return")
        wait_until(lambda: place.takes_keys("Idlebrush"), "the window does not come up", every=COSTLY)
        assert _GREETING not in place.windows()


def sign_in(hands: Hands, person: VolunteerMachine, hub: HubServer) -> None:
    """Sign in with the code that the screen shows, which is entered elsewhere."""
    hands.press(_SIGN_IN, "Return")
    person.wait_until(lambda seen: seen.sign_in is not None, "no code is shown")
    waiting = person.look().sign_in
    assert waiting is not None
    hub.approve(waiting.code, "mirela")
    person.wait_until(lambda seen: seen.account is not None, "nobody is signed in")
    account = person.look().account
    assert account is not None
    assert account.name == "mirela"
    assert "keyring" in account.kept


def choose(hands: Hands, person: VolunteerMachine, link: str) -> None:
    """Choose a run by a link, and measure it on this machine for a moment."""
    hands.press("On this computer", "space", "Down")
    hands.press("From a link", "Tab")
    hands.wait_at("Link to the run")
    hands.desk.type(link)
    hands.desk.press("Return")
    see(person, CandidateStage.READY)
    hands.go_to("Measure the speed")
    hands.desk.press("space")
    person.wait_until(lambda seen: bool(seen.candidate and seen.candidate.progress), "nothing is measured")
    hands.press("Stop measuring", "space")  # the focus was led to the button that ends it
    see(person, CandidateStage.READY)


def always(hands: Hands, person: VolunteerMachine) -> None:
    """Choose to train always, the mode below the first."""
    hands.press("While I am away", "Down")
    hands.wait_at("Always")
    person.wait_until(lambda seen: seen.run_mode == "always", "the preference is not changed")


def agree(hands: Hands, person: VolunteerMachine) -> Snapshot:
    """Continue from the preferences, and consent by the box and the button."""
    hands.choose("Next")
    hands.wait_at(_CONSENT)
    assert person.look().run is None, "it was joined without consent"
    hands.desk.press("space")
    hands.choose("Start training")
    return see(person, CandidateStage.JOINED)


def test_the_run_that_comes_with_the_app_is_offered_and_trained(place: TrayDesk, tmp_path: Path) -> None:
    """The run is trained by a real trainer."""
    environment = {**NO_BUS, **place.environment, **_APP}
    with volunteer_at(tmp_path / "home", environment=environment) as person:
        person.start()
        with greeted(place, person, "demo") as hands:
            see(person, CandidateStage.READY)
            hands.press(_BEGIN, "Return")
            hands.choose(_NO_ACCOUNT)
            hands.choose("Next")
            always(hands, person)
            agree(hands, person)
            person.wait_until(
                lambda seen: bool(seen.progress and seen.progress.samples),
                "nothing is trained on",
                _FIRST_SAMPLES_SECONDS,
            )


def test_it_may_be_left_and_comes_no_more(place: TrayDesk, volunteer: VolunteerMachine) -> None:
    with greeted(place, volunteer):
        place.press("Escape")
        answer(place, "Escape")  # to stay
        wait_until(lambda: place.takes_keys(_GREETING), "the first run is left", every=COSTLY)
        place.press("Escape")
        answer(place, "Tab", "space")
        wait_until(lambda: place.takes_keys("Idlebrush"), "the window does not come up", every=COSTLY)
    with begun(volunteer):
        wait_until(lambda: place.takes_keys("Idlebrush"), "the window does not come up", every=COSTLY)
        assert _GREETING not in place.windows()


def answer(place: TrayDesk, *keys: str) -> None:
    """The question whether to leave."""
    wait_until(lambda: place.takes_keys(_QUESTION), "nobody asks", every=COSTLY)
    place.press(*keys)
    wait_until(lambda: _QUESTION not in place.windows(), "the question stays", every=COSTLY)
