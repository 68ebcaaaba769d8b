"""The page Now and a real daemon that trains a tiny run: epochs pass, the curve grows, and a button pauses it."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from client.api.launch import DaemonProgram
from client.api.snapshot import Activity
from gui.contribution.page import ContributionPage
from gui.leaderboard.page import LeaderboardPage
from gui.link.daemon_access import DaemonAccess
from gui.link.daemon_link import DaemonLink
from gui.now.page import NowPage
from gui.now.view import NowCommand
from gui.window.pages import AppPage
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import PATIENCE, VolunteerMachine, volunteer_at

MILLISECONDS = int(1000 * PATIENCE)


@pytest.fixture(scope="module")
def volunteer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VolunteerMachine]:
    """A volunteer whose computer trains regardless of its other load."""
    folder = tmp_path_factory.mktemp("v")
    with volunteer_at(folder / "home") as person:
        person.prefer(run_mode="always")
        person.start()
        person.join(write_tiny_run(folder / "run"))
        yield person


@pytest.fixture
def link(qapp: object, volunteer: VolunteerMachine) -> Iterator[DaemonLink]:
    made = DaemonLink(DaemonAccess.of(volunteer.paths, DaemonProgram()))
    made.start()
    yield made
    made.stop()


def shown(page: AppPage, link: DaemonLink, qtbot: QtBot) -> None:
    qtbot.addWidget(page)
    link.snapshot_changed.connect(page.show_snapshot)
    page.resize(860, 720)
    page.show()
    page.shown()


def test_epochs_pass_and_a_button_pauses_and_resumes(
    volunteer: VolunteerMachine, link: DaemonLink, qtbot: QtBot
) -> None:
    page = NowPage(link)
    shown(page, link, qtbot)
    qtbot.waitUntil(lambda: epoch(link) >= 2, timeout=MILLISECONDS)
    qtbot.waitUntil(lambda: len(page.curve.points) >= 1, timeout=MILLISECONDS)
    before = len(page.curve.points)
    qtbot.waitUntil(lambda: len(page.curve.points) > before, timeout=MILLISECONDS)
    press(page, NowCommand.PAUSE, qtbot)
    qtbot.waitUntil(page.hero.buttons[NowCommand.RESUME].isVisible, timeout=MILLISECONDS)
    assert volunteer.look().activity is Activity.PAUSED
    press(page, NowCommand.RESUME, qtbot)
    volunteer.wait_for(Activity.TRAINING, Activity.STARTING)


def test_what_was_given_is_on_the_page_of_the_contribution(
    volunteer: VolunteerMachine, link: DaemonLink, qtbot: QtBot
) -> None:
    volunteer.wait_until(
        lambda seen: bool(seen.contribution and seen.contribution.samples), "nothing is given"
    )
    page = ContributionPage(link)
    shown(page, link, qtbot)
    qtbot.waitUntil(page.chart.isVisible, timeout=MILLISECONDS)
    assert page.chart.chart.accessibleDescription()


def test_a_run_without_a_coordinator_has_no_leaderboard_and_the_page_says_so(
    volunteer: VolunteerMachine, link: DaemonLink, qtbot: QtBot
) -> None:
    page = LeaderboardPage(link)
    shown(page, link, qtbot)
    qtbot.waitUntil(
        lambda: page.empty.accessibleName() == "This run has no leaderboard", timeout=MILLISECONDS
    )


def epoch(link: DaemonLink) -> int:
    seen = link.snapshot
    return seen.progress.epoch if seen and seen.progress else 0


def press(page: NowPage, command: NowCommand, qtbot: QtBot) -> None:
    button = page.hero.buttons[command]
    qtbot.waitUntil(button.isVisible, timeout=MILLISECONDS)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
