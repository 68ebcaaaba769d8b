"""One sentence describes the client's present activity."""

from datetime import timedelta

import pytest

from client.api.environment import EnvironmentView
from client.api.protocol import ProblemView
from client.api.snapshot import Activity, ReasonView, Snapshot, WaitReason
from gui.wording.activity import headline, rate, samples_rate
from tests.client.snapshots import FULL, IDLE, NOW
from tests.gui.setup import environments as known

IN_USE = ReasonView(code="in_use", text="You are using the computer.", pauses=False)
DISK = ReasonView(code="disk_full", text="Less than 2 GB is free on the disk.")
VIDEO = ReasonView(code="video", text="mpv keeps the screen on.", about="mpv")
HOURS = ReasonView(
    code="out_of_hours",
    text="Your training hours start at 18:00.",
    until=NOW + timedelta(hours=3, minutes=30),
)
SNOOZED = ReasonView(code="snoozed", text="You paused it until 15:30.")


def doing(activity: Activity, **changes: object) -> Snapshot:
    return FULL.model_copy(update={"activity": activity, **changes})


@pytest.mark.parametrize(
    ("snapshot", "sentence"),
    [
        (IDLE, "You have not joined a run yet"),
        (doing(Activity.OFF), "Off"),
        (doing(Activity.STARTING), "Starting to train"),
        (doing(Activity.TRAINING), "Training"),
        (doing(Activity.THROTTLED, reasons=(IN_USE,)), "Slowed to 50%: you are using the computer"),
        (doing(Activity.THROTTLED, reasons=()), "Slowed down"),
        (doing(Activity.PAUSED, reasons=(IN_USE, DISK)), "Paused: the disk is nearly full"),
        (doing(Activity.PAUSED, reasons=(VIDEO, DISK)), "Paused: mpv keeps the screen on"),
        (doing(Activity.PAUSED, reasons=(HOURS,)), "Paused: it is outside your training hours until 18:00"),
        (doing(Activity.PAUSED, reasons=()), "Paused"),
        (
            doing(Activity.PAUSED, reasons=(SNOOZED,), snoozed_until=NOW + timedelta(hours=1)),
            "Paused until 15:30",
        ),
        (doing(Activity.FINISHING), "Finishing this epoch, then pausing"),
        (
            doing(Activity.WAITING, headline=WaitReason.RESTART.headline),
            "Waiting: the trainer is being restarted",
        ),
        (doing(Activity.WAITING, headline="Waiting: it rains."), "Waiting: it rains"),
        (doing(Activity.ATTENTION, problem=None), "Something needs your attention"),
        (
            doing(Activity.ATTENTION, problem=ProblemView(code="rejected", what="No.", remedy="Sign in.")),
            "You are signed out",
        ),
        (doing(Activity.LEAVING), "Leaving the swarm"),
        (doing(Activity.COMPLETE), "This run is complete"),
    ],
)
def test_the_headline_says_what_and_why(snapshot: Snapshot, sentence: str) -> None:
    assert headline(snapshot, NOW) == sentence


@pytest.mark.parametrize(
    ("per_second", "text"),
    [
        (0.0, "0.0 samples/s"),
        (2.13, "2.1 samples/s"),
        (1234.5, "1,234.5 samples/s"),
        (0.5, "30.0 samples/min"),
        (0.01, "36.0 samples/h"),
    ],
)
def test_slow_computers_are_counted_by_longer_times(per_second: float, text: str) -> None:
    assert samples_rate(per_second) == text


def test_only_what_trains_has_a_rate() -> None:
    assert rate(doing(Activity.TRAINING)) == "2.1 samples/s"
    assert rate(doing(Activity.PAUSED)) == ""
    assert rate(IDLE) == ""


@pytest.mark.parametrize(
    ("activity", "environment", "sentence"),
    [
        (Activity.ATTENTION, known.OFFERED, "This computer cannot train yet"),
        (Activity.WAITING, known.FETCHING, "Waiting: the packages for training are being installed"),
        (Activity.WAITING, known.PAUSED, "Waiting: the download of the packages for training is paused"),
        (Activity.ATTENTION, known.READY, "Something needs your attention"),
    ],
)
def test_a_run_that_lacks_packages_says_so(
    activity: Activity, environment: EnvironmentView, sentence: str
) -> None:
    changes = {"activity": activity, "environment": environment, "problem": None}
    assert headline(FULL.model_copy(update=changes), NOW) == sentence
