"""The screen that has the trainer's packages downloaded: agreed to by a key, and left out where nothing is needed."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from client.api.candidate import CandidateStage
from client.api.environment import BeginSetup, EnvironmentView, PlanSetup
from client.api.snapshot import Snapshot
from gui.first_run.steps import FirstRunStep
from gui.first_run.wizard import FirstRun
from gui.link.link import LinkState
from gui.settings import AppSettings
from tests.gui.first_run.candidates import EMBEDDED, looking_at
from tests.gui.first_run.hands import button, focused, go_to, is_at, press, says
from tests.gui.setup import environments as known
from tests.gui.stand_in_link import StandInLink


def with_environment(
    environment: EnvironmentView | None, stage: CandidateStage = CandidateStage.JOINED
) -> Snapshot:
    return looking_at(EMBEDDED, stage=stage).model_copy(update={"environment": environment})


@pytest.fixture
def at_setup(first_run: FirstRun, link: StandInLink) -> FirstRun:
    """The first run at that screen, with a run that was joined."""
    link.show(with_environment(known.UNKNOWN))
    go_to(first_run, FirstRunStep.SETUP)
    return first_run


def test_joining_leads_to_it_where_packages_are_missing(first_run: FirstRun, link: StandInLink) -> None:
    link.show(with_environment(known.UNKNOWN))
    go_to(first_run, FirstRunStep.CONSENT)
    assert says(first_run, "Step 5 of 6: Agree")
    assert says(first_run, "You have joined the run")
    assert says(first_run, "one more download is needed")
    press(first_run, "Next")
    assert is_at(first_run, FirstRunStep.SETUP)
    assert says(first_run, "Step 6 of 6: Install")


@pytest.mark.parametrize("environment", [None, known.READY])
def test_it_is_left_out_where_none_are(
    first_run: FirstRun, link: StandInLink, qtbot: QtBot, environment: EnvironmentView | None
) -> None:
    link.show(with_environment(environment))
    go_to(first_run, FirstRunStep.CONSENT)
    assert says(first_run, "Step 5 of 5: Agree")
    with qtbot.waitSignal(first_run.finished) as finished:
        press(first_run, "Open Idlebrush")
    assert finished.args == [True]


def test_all_of_it_goes_by_keys_alone(at_setup: FirstRun, link: StandInLink, qtbot: QtBot) -> None:
    assert PlanSetup() in link.asked
    link.show(with_environment(known.PLANNING))
    assert not button(at_setup, "Download and install").isEnabled()
    link.show(with_environment(known.OFFERED))
    assert says(at_setup, "700.0 MB, once")
    assert BeginSetup() not in link.asked
    assert focused() is button(at_setup, "Download and install")
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    assert BeginSetup() in link.asked
    link.show(with_environment(known.FETCHING))
    assert says(at_setup, "The installation continues in the background.")
    assert focused() is button(at_setup, "Open Idlebrush")
    while focused() is not button(at_setup, "Pause the download"):
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
    link.show(with_environment(known.READY))
    assert says(at_setup, "This computer is ready to train")
    with qtbot.waitSignal(at_setup.finished) as finished:
        press(at_setup, "Open Idlebrush")
    assert finished.args == [True]


def test_it_can_be_put_off(at_setup: FirstRun, link: StandInLink, qtbot: QtBot) -> None:
    link.show(with_environment(known.OFFERED))
    with qtbot.waitSignal(at_setup.finished) as finished:
        press(at_setup, "Not now")
    assert finished.args == [True]
    assert BeginSetup() not in link.asked


def test_escape_leaves_it_without_a_question(at_setup: FirstRun, qtbot: QtBot) -> None:
    with qtbot.waitSignal(at_setup.finished) as finished:
        QTest.keyClick(at_setup, Qt.Key.Key_Escape)
    assert finished.args == [True]


def test_a_failure_can_be_tried_again_or_left(at_setup: FirstRun, link: StandInLink) -> None:
    link.show(with_environment(known.FAILED))
    assert says(at_setup, "The disk is full. Free some space.")
    assert button(at_setup, "Open Idlebrush").isEnabled()
    press(at_setup, "Try again")
    assert link.asked[-1] == BeginSetup()


def test_a_daemon_that_has_come_back_is_asked_for_the_plan(at_setup: FirstRun, link: StandInLink) -> None:
    link.show(None, LinkState.ABSENT)
    assert not button(at_setup, "Download and install").isEnabled()
    before = link.asked.count(PlanSetup())
    link.show(with_environment(known.UNKNOWN))
    assert link.asked.count(PlanSetup()) == before + 1


def test_the_window_opens_it_alone(qtbot: QtBot, link: StandInLink, settings: AppSettings) -> None:
    link.show(with_environment(known.FAILED))
    shown = FirstRun(link, settings, route=(FirstRunStep.SETUP,))
    qtbot.addWidget(shown)
    shown.show()
    assert shown.windowTitle() == "Packages for training"
    assert not says(shown, "Step 1 of")
    press(shown, "Try again")
    assert link.asked[-1] == BeginSetup()


def test_the_speed_is_not_measured_without_packages(first_run: FirstRun, link: StandInLink) -> None:
    link.show(with_environment(known.READY, CandidateStage.READY))
    go_to(first_run, FirstRunStep.RUN)
    assert button(first_run, "Measure the speed").isVisible()
    link.show(with_environment(known.UNKNOWN, CandidateStage.READY))
    assert not says(first_run, "Measure the speed")
