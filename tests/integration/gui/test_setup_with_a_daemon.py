"""The screen of the installation and a real daemon: agreed to, held, continued, and in place, by keys alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from client.api.environment import SetupStage
from client.api.launch import DaemonProgram
from core.signing import SigningKey
from gui.first_run.steps import FirstRunStep
from gui.first_run.wizard import FirstRun
from gui.link.daemon_access import DaemonAccess
from gui.link.daemon_link import DaemonLink
from gui.settings import AppSettings
from tests.client.environment.offered import OfferedPackages, offered_packages
from tests.client.environment.packages import lock_of
from tests.gui.first_run.hands import press, sayings, says
from tests.volunteer import PATIENCE, VolunteerMachine, volunteer_at

MILLISECONDS = int(1000 * PATIENCE)


@pytest.fixture
def offered(tmp_path: Path) -> Iterator[OfferedPackages]:
    with offered_packages(tmp_path / "served") as offered:
        yield offered


@pytest.fixture
def volunteer(tmp_path: Path, offered: OfferedPackages) -> Iterator[VolunteerMachine]:
    """A volunteer who has installed the app alone, and whose line is slow enough to watch."""
    with volunteer_at(tmp_path / "home", settings={"packages": offered.source.model_dump()}) as person:
        person.prefer(download="20 kB/s")
        person.start()
        yield person


@pytest.fixture
def link(qapp: object, volunteer: VolunteerMachine) -> Iterator[DaemonLink]:
    made = DaemonLink(DaemonAccess.of(volunteer.paths, DaemonProgram()))
    made.start()
    yield made
    made.stop()


def shown_alone(link: DaemonLink, tmp_path: Path, qtbot: QtBot) -> FirstRun:
    """The screen by itself, as the window opens it."""
    qtbot.waitUntil(lambda: link.snapshot is not None, timeout=MILLISECONDS)
    shown = FirstRun(link, AppSettings(tmp_path), route=(FirstRunStep.SETUP,))
    qtbot.addWidget(shown)
    with qtbot.waitExposed(shown):
        shown.show()
    return shown


def wait_to_read(screen: FirstRun, text: str, qtbot: QtBot) -> None:
    def is_there() -> None:
        assert says(screen, text), sayings(screen)

    qtbot.waitUntil(is_there, timeout=MILLISECONDS)


def test_packages_are_installed_after_consent_and_a_pause(
    volunteer: VolunteerMachine, link: DaemonLink, tmp_path: Path, qtbot: QtBot
) -> None:
    screen = shown_alone(link, tmp_path, qtbot)
    wait_to_read(screen, "kB, once", qtbot)
    environment = volunteer.look().environment
    assert environment is not None
    assert not environment.is_wanted, "it began without consent"
    press(screen, "Download and install")
    wait_to_read(screen, "Downloading the packages for training", qtbot)
    wait_to_read(screen, "kB of", qtbot)
    press(screen, "Pause the download")
    wait_to_read(screen, "You have paused the download", qtbot)
    volunteer.prefer(download="unlimited")
    press(screen, "Continue the download")
    wait_to_read(screen, "This computer is ready to train", qtbot)
    environment = volunteer.look().environment
    assert environment is not None
    assert (environment.stage, environment.is_usable) == (SetupStage.ON_TRIAL, True)
    with qtbot.waitSignal(screen.finished) as finished:
        QTest.keyClick(screen.frame.foot.primary, Qt.Key.Key_Return)
    assert finished.args == [True]


def test_a_list_by_another_key_is_refused_and_trying_again_is_no_consent(
    qtbot: QtBot, volunteer: VolunteerMachine, offered: OfferedPackages, link: DaemonLink, tmp_path: Path
) -> None:
    offered.offer(lock_of(offered.variant), SigningKey.generate())
    screen = shown_alone(link, tmp_path, qtbot)
    wait_to_read(screen, "What training needs could not be installed", qtbot)
    offered.offer(lock_of(offered.variant))
    press(screen, "Try again")
    wait_to_read(screen, "kB, once", qtbot)
    environment = volunteer.look().environment
    assert environment is not None
    assert not environment.is_wanted
