"""The window says on every page but Now that packages for training are missing, and what can be done."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from client.api.environment import EnvironmentView, ResumeSetup
from client.api.snapshot import Snapshot
from gui.link.link import LinkState
from gui.settings import AppSettings
from gui.window.trouble import TroubleAction, action_words, setup_trouble
from gui.window.window import MainWindow
from tests.client.snapshots import FULL, IDLE
from tests.gui.first_run.hands import press, says
from tests.gui.setup import environments as known
from tests.gui.stand_in_link import StandInLink


def at(environment: EnvironmentView | None, snapshot: Snapshot = FULL) -> Snapshot:
    return snapshot.model_copy(update={"environment": environment})


@pytest.mark.parametrize(
    ("environment", "help_", "is_passing"),
    [
        (known.UNKNOWN, TroubleAction.SET_UP, False),
        (known.OFFERED, TroubleAction.SET_UP, False),
        (known.FETCHING, TroubleAction.NONE, True),
        (known.WAITING, TroubleAction.NONE, True),
        (known.PAUSED, TroubleAction.RESUME_SETUP, False),
        (known.RETRYING, TroubleAction.NONE, True),
        (known.FAILED, TroubleAction.SET_UP, False),
    ],
)
def test_missing_packages_have_words_and_the_button_that_helps(
    environment: EnvironmentView, help_: TroubleAction, is_passing: bool
) -> None:
    problem = setup_trouble(at(environment))
    assert problem is not None
    assert problem.text
    assert (problem.help, problem.is_passing) == (help_, is_passing)
    assert bool(action_words(problem.help)) is (help_ is not TroubleAction.NONE)


@pytest.mark.parametrize("snapshot", [None, FULL, at(known.READY), at(known.UNKNOWN, IDLE)])
def test_nothing_is_reported_where_nothing_is_missing_or_nothing_is_to_be_trained(
    snapshot: Snapshot | None,
) -> None:
    assert setup_trouble(snapshot) is None


@pytest.fixture
def window(qtbot: QtBot, link: StandInLink, tmp_path: Path) -> MainWindow:
    shown = MainWindow(link, AppSettings(tmp_path))
    qtbot.addWidget(shown)
    with qtbot.waitExposed(shown):
        shown.show()
    shown.show_page("log")
    return shown


def test_the_window_asks_to_have_them_installed(window: MainWindow, link: StandInLink, qtbot: QtBot) -> None:
    link.show(at(known.OFFERED))
    with qtbot.waitSignal(window.setup_wanted):
        press(window, "Install them")
    link.show(at(known.PAUSED))
    press(window, "Continue the download")
    assert link.asked[-1] == ResumeSetup()
    link.show(at(known.READY))
    assert not says(window, "packages for training")


def test_the_page_now_shows_the_installation_itself(
    window: MainWindow, link: StandInLink, qtbot: QtBot
) -> None:
    link.show(at(known.FETCHING))
    assert says(window, "The packages for training are being installed")
    window.show_page("now")
    assert not says(window, "The packages for training are being installed")
    assert says(window, "Downloading the packages for training")
    assert says(window, "210.0 MB of 700.0 MB")
    link.show(at(known.READY))
    assert not says(window, "Downloading the packages for training")
    link.show(at(known.FALLBACK))
    qtbot.waitUntil(lambda: says(window, "This computer trains on its processor, not on its GPU"))


def test_a_daemon_that_is_gone_hides_it(window: MainWindow, link: StandInLink) -> None:
    link.show(at(known.OFFERED))
    link.show(None, LinkState.ABSENT)
    assert not says(window, "This computer cannot train yet")
