"""The content of the page My computers: states in words, from what the daemon shows."""

from datetime import timedelta

import pytest

from client.api.protocol import ProblemView
from client.api.remote.computers import ComputerReach, ComputerView
from client.api.remote.control import ControllerView, PairingStage, RemoteControlView
from gui.computers.view import (
    ComputerState,
    control_words,
    controller_words,
    other_state,
    own_state,
    pairing_end,
    share_of_day,
    time_left,
)
from tests.client.remote.known_computers import PAUSED, TRAINING, away, computer, control, own, pairing
from tests.client.snapshots import IDLE, NOW

pytestmark = pytest.mark.usefixtures("qapp")


def test_a_computer_that_trains() -> None:
    state = other_state(computer(), NOW)
    assert (state.name, state.headline, state.fault) == ("Desktop", "Training", "")
    assert state.details == (
        "Emoji, a starter set",
        "Epoch 35",
        "2.1 samples/s",
        "Trained for 7% of today",  # an hour of the 14.5 until now
    )
    assert (state.can_command, state.is_paused, state.can_snooze, state.run_mode) == (
        *(True, False, True),
        "preferences",
    )


def test_a_paused_computer_can_be_resumed() -> None:
    state = other_state(computer(snapshot=PAUSED), NOW)
    assert (state.headline, state.is_paused, state.can_command) == ("Paused: you paused training", True, True)


def test_a_computer_that_does_not_answer_says_since_when_and_why() -> None:
    state = other_state(away(), NOW)
    assert state == ComputerState(
        "Desktop",
        "Not reached since 11:30",
        ("Last seen 11:30: Training",),
        fault="Desktop cannot be reached at x. Check that it is on.",
    )


@pytest.mark.parametrize(
    ("view", "headline"),
    [
        (computer(snapshot=None), "Connecting…"),
        (computer().model_copy(update={"reach": ComputerReach.CONNECTING}), "Connecting…"),
        (computer(snapshot=IDLE), "You have not joined a run yet"),
    ],
)
def test_a_computer_without_a_state_offers_nothing(view: ComputerView, headline: str) -> None:
    state = other_state(view, NOW)
    assert (state.headline, state.can_command, state.can_snooze) == (headline, False, False)


def test_another_version_is_told_with_its_remedy() -> None:
    why = ProblemView(code="daemon_old", what="What.", remedy="Remedy.")
    state = other_state(away().model_copy(update={"why": why, "snapshot": None}), NOW)
    assert state.fault.startswith("Another version of Idlebrush is still running in the background. ")
    assert state.details == ()


def test_this_computer_is_named_as_such() -> None:
    assert own_state(own(control()), NOW).name == "Laptop (this computer)"
    assert own_state(TRAINING, NOW).name == "This computer"
    assert not own_state(None, NOW).can_command


@pytest.mark.parametrize(
    ("seconds", "hour", "share"), [(0, 12, 0.0), (3600, 2, 0.5), (7200, 1, 1.0), (5, 0, 1.0), (-1, 5, 0.0)]
)
def test_the_share_of_the_day(seconds: float, hour: int, share: float) -> None:
    assert share_of_day(seconds, NOW.replace(hour=hour, minute=0)) == pytest.approx(share)


def test_control_of_this_computer_in_words() -> None:
    assert control_words(RemoteControlView(name="x")).startswith("Off: ")
    assert control_words(None).startswith("Off: ")
    assert "no other computer is paired" in control_words(control())
    known = ControllerView(name="Tablet", fingerprint="ab", added=NOW)
    assert "pause and resume it" in control_words(control(known))
    problem = ProblemView(code="remote", what="The port 1 cannot be used.", remedy="Set another.")
    words = control_words(control().model_copy(update={"problem": problem}))
    assert words.endswith("The port 1 cannot be used. Set another.")
    assert controller_words(known) == "Tablet"
    connected = known.model_copy(update={"connected": "192.168.1.9"})
    assert controller_words(connected) == "Tablet, connected from 192.168.1.9"


@pytest.mark.parametrize(
    ("stage", "words"),
    [
        (PairingStage.PAIRED, "Tablet can control this computer from now on."),
        (PairingStage.VOID, "The code was wrong too often. No computer was paired."),
        (PairingStage.EXPIRED, "The code has expired. No computer was paired."),
        (PairingStage.CLOSED, "The code was withdrawn."),
    ],
)
def test_the_end_of_a_code(stage: PairingStage, words: str) -> None:
    assert pairing_end(pairing(stage, "Tablet")) == words


def test_the_time_that_a_code_has_left() -> None:
    code = pairing(expires=NOW + timedelta(seconds=100))
    assert time_left(code, NOW) == "Valid for 1 min 40 s"
    assert time_left(code, NOW + timedelta(hours=1)) == "Valid for 0 s"
    assert time_left(None, NOW) == ""
