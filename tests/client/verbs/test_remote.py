"""`remote ...` as typed, with a real control channel before it."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.api.answers import Done
from client.api.commands import Pause, Resume, SetPreference
from client.api.errors import RemoteError, StateError
from client.api.remote.computers import AddComputer, OrderComputer, RemoteOrder, RemoveComputer, ShowComputers
from client.api.remote.control import ControllerView, OpenPairing, PairingStage, RemoveController
from client.paths import HOME_VARIABLE, Paths
from client.verbs.remote.report import listed
from tests.client.listening_daemon import ListeningDaemon, listening
from tests.client.remote.known_computers import away, computer, control, own, pairing
from tests.client.snapshots import NOW
from tests.command_line import idlebrush

TABLET = ControllerView(name="Tablet", fingerprint="ab-cd", added=NOW, connected="192.168.1.9")


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, HOME_VARIABLE: str(tmp_path), "COLUMNS": "100"}


@pytest.fixture
def daemon(home: dict[str, str]) -> Iterator[ListeningDaemon]:
    code = pairing(PairingStage.PAIRED, "Tablet")
    with listening(Paths.of_user(home), own(control(TABLET, code=code))) as daemon:
        daemon.answers[ShowComputers] = Done(id=0, computers=(computer("Desktop"), away("Study")))
        daemon.answers[OpenPairing] = Done(id=0, about="ABCD-2345")
        yield daemon


def test_pairing_shows_code_and_addresses_and_who_was_paired(
    daemon: ListeningDaemon, home: dict[str, str]
) -> None:
    done = idlebrush("remote", "pair", environment=home)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Code: ABCD-2345\n")
    assert (
        "idlebrush remote add 192.168.1.7:47320\nOther addresses of this computer: [fd00::7]:47320"
        in done.stdout
    )
    assert done.stdout.endswith("The computer Tablet can control this one from now on.\n")


@pytest.mark.parametrize(
    ("stage", "words"),
    [(PairingStage.VOID, "was wrong too often"), (PairingStage.EXPIRED, "is no longer valid")],
)
def test_a_code_that_pairs_no_computer_ends_with_a_status(
    daemon: ListeningDaemon, home: dict[str, str], stage: PairingStage, words: str
) -> None:
    daemon.show(own(control(code=pairing(stage))))
    done = idlebrush("remote", "pair", environment=home)
    assert done.returncode == 2
    assert f"The code {words}, and no computer was paired." in done.stderr


def test_the_code_of_another_computer_is_read_from_standard_input(
    daemon: ListeningDaemon, home: dict[str, str]
) -> None:
    done = idlebrush(
        "remote", "add", "192.168.1.8", "--name", "Desktop", environment=home, types="abcd-2345\n"
    )
    assert done.returncode == 0, done.stderr
    (request,) = daemon.requests
    assert isinstance(request, AddComputer)
    assert (request.address, request.name) == ("192.168.1.8", "Desktop")
    assert request.code.get_secret_value() == "abcd-2345"
    assert "abcd" not in f"{done.stdout}{done.stderr}"


def test_both_sides_are_listed(daemon: ListeningDaemon, home: dict[str, str]) -> None:
    lines = idlebrush("remote", "list", environment=home).stdout.splitlines()
    assert lines == [
        "Desktop at 192.168.1.8:47320 can be controlled from here.",
        "  key ab-cd",
        "Study at 192.168.1.8:47320 can be controlled from here.",
        "  key ab-cd",
        "Tablet may control this computer, connected from 192.168.1.9.",
        "  key ab-cd",
    ]
    document = json.loads(idlebrush("remote", "list", "--json", environment=home).stdout)
    assert [item["name"] for item in document["computers"]] == ["Desktop", "Study"]
    assert [item["name"] for item in document["controllers"]] == ["Tablet"]


def test_without_pairings_the_list_says_how_to_begin() -> None:
    assert "`idlebrush remote pair`" in next(listed(control(), ()))
    off = control(TABLET).model_copy(update={"is_on": False})
    assert "Remote control of this computer is off." in list(listed(off, ()))[-1]


def test_the_state_of_another_computer(daemon: ListeningDaemon, home: dict[str, str]) -> None:
    done = idlebrush("remote", "status", "desktop", environment=home)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Desktop at 192.168.1.8:47320\n")
    assert "Epoch 35, 2.1 samples/s" in done.stdout
    assert (
        json.loads(idlebrush("remote", "status", "Desktop", "--json", environment=home).stdout)["name"]
        == "Desktop"
    )


def test_a_computer_that_is_away_has_a_status_of_its_own(
    daemon: ListeningDaemon, home: dict[str, str]
) -> None:
    done = idlebrush("remote", "status", "Study", environment=home)
    assert done.returncode == 1
    assert "Not reached since" in done.stdout
    assert "Check that it is on." in " ".join(done.stdout.split())
    assert "As of" in done.stdout
    assert "no paired computer" in idlebrush("remote", "status", "Attic", environment=home).stderr


def test_what_was_known_hours_ago_is_no_answer_while_the_computer_is_tried_again(
    daemon: ListeningDaemon, home: dict[str, str]
) -> None:
    old = away("Study").model_copy(update={"is_being_tried": True})
    daemon.earlier[ShowComputers] = [Done(id=0, computers=(old,))] * 2
    daemon.answers[ShowComputers] = Done(id=0, computers=(computer("Study"),))
    done = idlebrush("remote", "status", "Study", environment=home)
    assert done.returncode == 0, done.stdout
    assert "Epoch 35" in done.stdout


@pytest.mark.parametrize(
    ("words", "order", "printed"),
    [
        (("pause", "Desktop"), Pause(), "Paused."),
        (("pause", "Desktop", "--for", "15m"), Pause(seconds=900), "Paused."),
        (("resume", "Desktop"), Resume(), "Resumed."),
        (
            ("mode", "Desktop", "always"),
            SetPreference(name="run-mode", value="always"),
            "run-mode is always.",
        ),
        (
            ("set", "Desktop", "upload", "5 Mbit/s"),
            SetPreference(name="upload", value="5 Mbit/s"),
            "upload is 5 Mbit/s.",
        ),
    ],
)
def test_orders(
    daemon: ListeningDaemon, home: dict[str, str], words: tuple[str, ...], order: RemoteOrder, printed: str
) -> None:
    done = idlebrush("remote", *words, environment=home)
    assert done.stdout == f"{printed}\n", done.stderr
    assert [request.model_copy(update={"id": 0}) for request in daemon.requests] == [
        OrderComputer(name="Desktop", order=order)
    ]


@pytest.mark.parametrize("words", [("pause", "Desktop", "--for", "ages"), ("mode", "Desktop", "maybe")])
def test_nonsense_is_refused(daemon: ListeningDaemon, home: dict[str, str], words: tuple[str, ...]) -> None:
    assert idlebrush("remote", *words, environment=home).returncode == 2
    assert daemon.requests == []


def test_removing_concerns_both_sides(daemon: ListeningDaemon, home: dict[str, str]) -> None:
    assert idlebrush("remote", "remove", "Desktop", environment=home).returncode == 0
    assert [type(request) for request in daemon.requests] == [RemoveComputer, RemoveController]


def test_a_side_that_could_not_be_removed_is_reported(daemon: ListeningDaemon, home: dict[str, str]) -> None:
    daemon.answers[RemoveComputer] = Done(id=0, text="Desktop is removed.")
    daemon.earlier[RemoveController] = [StateError("remote.json could not be saved.", "Free some space.")]
    done = idlebrush("remote", "remove", "Desktop", environment=home)
    assert (done.returncode != 0, done.stdout) == (True, "Desktop is removed.\n")
    assert "could not be saved" in done.stderr


def test_a_name_that_only_one_side_knows_is_no_failure(daemon: ListeningDaemon, home: dict[str, str]) -> None:
    unknown = RemoteError("There is no such computer.", "Look at the list.")
    daemon.earlier[RemoveComputer] = [unknown, unknown]
    daemon.earlier[RemoveController] = [Done(id=0, text="Tablet is removed."), unknown]
    done = idlebrush("remote", "remove", "Tablet", environment=home)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Tablet is removed.\n", "")
    assert "no such computer" in idlebrush("remote", "remove", "Attic", environment=home).stderr


def test_control_is_turned_on_and_off(daemon: ListeningDaemon, home: dict[str, str]) -> None:
    assert idlebrush("remote", "on", environment=home).stdout == "remote-control is on.\n"
    assert idlebrush("remote", "off", environment=home).stdout == "remote-control is off.\n"
    assert [request.model_copy(update={"id": 0}) for request in daemon.requests] == [
        SetPreference(name="remote-control", value="on"),
        SetPreference(name="remote-control", value="off"),
    ]


def test_the_status_names_who_is_connected(daemon: ListeningDaemon, home: dict[str, str]) -> None:
    assert "Connected by remote control: Tablet" in idlebrush("status", environment=home).stdout
