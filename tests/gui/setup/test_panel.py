"""The card of the trainer's environment with real widgets, linked to a stand-in."""

from itertools import count

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from client.api.environment import (
    BeginSetup,
    CancelSetup,
    EnvironmentView,
    PauseSetup,
    PlanSetup,
    RestartIntoFirmware,
    RestartWindows,
    ResumeSetup,
    SetupRequest,
    TurnOnWsl,
    UpdateWsl,
)
from client.api.errors import SetupError
from gui.setup.commands import SetupCommand
from gui.setup.panel import SetupPanel
from gui.widgets.progress import ProgressBar
from tests.client.snapshots import NOW
from tests.gui.first_run.hands import button, focused, press, says
from tests.gui.first_run.stand_ins import browser
from tests.gui.setup import environments as known
from tests.gui.setup.environments import changed
from tests.gui.stand_in_link import StandInLink


@pytest.fixture
def panel(qtbot: QtBot, link: StandInLink) -> SetupPanel:
    seconds = count()
    shown = SetupPanel(link, now=lambda: NOW, seconds=lambda: float(next(seconds)))
    qtbot.addWidget(shown)
    shown.show_environment(known.UNKNOWN)
    with qtbot.waitExposed(shown):
        shown.show()
    return shown


@pytest.mark.parametrize(
    ("view", "text", "asked"),
    [
        (known.UNKNOWN, "Find the packages", PlanSetup()),
        (known.OFFERED, "Download and install", BeginSetup()),
        (known.FETCHING, "Pause the download", PauseSetup()),
        (known.PAUSED, "Continue the download", ResumeSetup()),
        (known.RETRYING, "Try again", BeginSetup()),
        (known.FAILED, "Try again", BeginSetup()),
        (known.TURNED_OFF, "Turn on WSL", TurnOnWsl()),
        (known.FIRMWARE, "Try again", BeginSetup()),
        (known.OLD_WSL, "Check again", BeginSetup()),
        (changed(known.FAILED, is_wanted=False), "Try again", PlanSetup()),
    ],
)
def test_each_button_tells_the_daemon(
    panel: SetupPanel, link: StandInLink, view: EnvironmentView, text: str, asked: SetupRequest
) -> None:
    panel.show_environment(view)
    press(panel, text)
    assert link.asked == [asked]


def test_progress_shows_file_bytes_and_the_time_left(panel: SetupPanel) -> None:
    for step in range(5):
        panel.show_environment(changed(known.FETCHING, done=10_000_000 * step))
    assert says(panel, "40.0 MB of 700.0 MB, about 1 min 6 s left")
    assert says(panel, known.FETCHING.package)
    (bar,) = [bar for bar in panel.findChildren(ProgressBar) if bar.isVisible()]
    assert bar.accessibleName() == "Progress of the installation"
    assert bar.value() / bar.maximum() == pytest.approx(40 / 700, abs=0.001)


def test_a_failure_is_shown_with_its_remedy_and_keeps_the_focus(panel: SetupPanel) -> None:
    panel.show_environment(known.FAILED)
    assert says(panel, "The disk is full. Free some space.")
    again = button(panel, "Try again")
    again.setFocus()
    panel.show_environment(changed(known.FAILED, done=1))
    assert focused() is button(panel, "Try again")


def test_what_the_daemon_refuses_is_shown_until_something_changes(
    panel: SetupPanel, link: StandInLink
) -> None:
    panel.show_environment(known.OFFERED)
    link.answers[BeginSetup] = SetupError("The list has expired.", "Update Idlebrush.")
    press(panel, "Download and install")
    panel.show_environment(known.OFFERED)
    assert says(panel, "The list has expired. Update Idlebrush.")
    panel.show_environment(known.FETCHING)
    assert not says(panel, "The list has expired.")


@pytest.mark.parametrize(("answer", "is_cancelled"), [("Cancel it", True), ("Continue", False)])
def test_a_download_is_cancelled_only_after_a_question(
    panel: SetupPanel, link: StandInLink, answer: str, is_cancelled: bool
) -> None:
    panel.show_environment(known.FETCHING)
    press(panel, "Cancel")
    assert link.asked == []
    question = panel.findChild(QMessageBox)
    assert question is not None
    press(question, answer)
    assert (CancelSetup() in link.asked) is is_cancelled


def test_where_windows_does_not_restart_it_says_so_beside_the_button(
    panel: SetupPanel, link: StandInLink
) -> None:
    panel.show_environment(known.RESTART)
    link.answers[RestartWindows] = SetupError("Windows does not restart: status 5.", "Use the Start menu.")
    press(panel, "Restart the computer")
    question = panel.findChild(QMessageBox)
    assert question is not None
    press(question, "Restart now")
    assert says(panel, "Windows does not restart: status 5. Use the Start menu.")
    assert button(panel, "Restart the computer").isVisible()


@pytest.mark.parametrize(("answer", "restarts"), [("Restart now", True), ("Not now", False)])
def test_the_computer_restarts_only_after_a_question(
    panel: SetupPanel, link: StandInLink, answer: str, restarts: bool
) -> None:
    panel.show_environment(known.RESTART)
    assert says(panel, "The computer has to restart")
    press(panel, "Restart the computer")
    assert link.asked == []
    question = panel.findChild(QMessageBox)
    assert question is not None
    assert "Save your work first" in question.informativeText()
    press(question, answer)
    assert (RestartWindows() in link.asked) is restarts


@pytest.mark.parametrize(
    ("view", "text", "scheme", "page"),
    [
        (known.OLD_WINDOWS, "Open Windows Update", "ms-settings", "ms-settings:windowsupdate"),
        (known.LITTLE_DISK, "Open the storage settings", "ms-settings", "ms-settings:storagesense"),
        (known.FIRMWARE, "How to turn it on", "https", "https://aka.ms/enablevirtualization"),
        (known.OLD_WSL, "Open NVIDIA’s driver page", "https", "https://www.nvidia.com/drivers"),
    ],
)
def test_a_step_that_is_taken_elsewhere_opens_its_page(
    panel: SetupPanel, link: StandInLink, view: EnvironmentView, text: str, scheme: str, page: str
) -> None:
    panel.show_environment(view)
    with browser(scheme) as opened:
        press(panel, text)
    assert opened == [page]
    assert link.asked == []


def test_a_page_that_cannot_be_opened_is_named(panel: SetupPanel) -> None:
    """Without a display there is nothing to open it with."""
    panel.show_environment(known.OLD_WINDOWS)
    press(panel, "Open Windows Update")
    assert says(panel, "The page could not be opened")
    assert says(panel, "ms-settings:windowsupdate")
    assert button(panel, "Try again").isVisible()


@pytest.mark.parametrize(
    ("view", "opens", "yes", "request_"),
    [
        (known.FIRMWARE, "Restart into the firmware’s settings", "Restart now", RestartIntoFirmware()),
        (known.OLD_WSL, "Update WSL", "Update now", UpdateWsl()),
    ],
)
@pytest.mark.parametrize("agrees", [True, False])
def test_what_ends_other_programs_is_done_only_after_a_question(
    panel: SetupPanel,
    link: StandInLink,
    view: EnvironmentView,
    opens: str,
    yes: str,
    request_: SetupRequest,
    agrees: bool,
) -> None:
    panel.show_environment(view)
    press(panel, opens)
    assert link.asked == []
    question = panel.findChild(QMessageBox)
    assert question is not None
    assert "an administrator to agree" in question.informativeText()
    press(question, yes if agrees else "Not now")
    assert link.asked == ([request_] if agrees else [])


def test_a_firmware_without_such_a_restart_is_told_beside_the_page_that_explains_it(
    panel: SetupPanel, link: StandInLink
) -> None:
    panel.show_environment(known.FIRMWARE)
    link.answers[RestartIntoFirmware] = SetupError("The firmware does not offer that.", "Press the key.")
    opens = button(panel, "Restart into the firmware’s settings")
    opens.setFocus()
    press(panel, "Restart into the firmware’s settings")
    question = panel.findChild(QMessageBox)
    assert question is not None
    press(question, "Restart now")
    assert says(panel, "The computer does not restart")
    assert says(panel, "The firmware does not offer that. Press the key.")
    assert button(panel, "Restart into the firmware’s settings") is opens, "its buttons were made anew"
    assert button(panel, "How to turn it on").isVisible()
    assert button(panel, "Try again").isVisible()


def test_an_update_of_wsl_that_failed_is_told_although_the_state_changes_with_it(
    panel: SetupPanel, link: StandInLink
) -> None:
    panel.show_environment(known.OLD_WSL)
    link.answers[UpdateWsl] = SetupError("It wrote: “Update failed”.", "Run `wsl --update` in a terminal.")
    press(panel, "Update WSL")
    question = panel.findChild(QMessageBox)
    assert question is not None
    press(question, "Update now")
    panel.show_environment(known.UPDATING)
    panel.show_environment(known.OLD_WSL)
    assert says(panel, "WSL was not updated")
    assert says(panel, "It wrote: “Update failed”.")
    press(panel, "Check again")
    assert not says(panel, "WSL was not updated")


def test_advice_comes_and_goes_and_keeps_the_focus_of_its_buttons(panel: SetupPanel) -> None:
    panel.show_environment(known.OLD_WSL)
    assert says(panel, "This computer is ready to train")
    driver = button(panel, "Open NVIDIA’s driver page")
    driver.setFocus()
    panel.show_environment(changed(known.OLD_WSL, why="Another reason."))
    assert focused() is driver
    panel.show_environment(known.warned(known.READY, known.WARNINGS[3]))
    assert not says(panel, "The WSL that came with Windows")
    assert says(panel, "NVIDIA’s driver is too old")
    panel.show_environment(known.READY)
    assert not says(panel, "NVIDIA’s driver is too old")


def test_keys_stay_on_the_buttons_while_the_download_is_held_and_goes_on(panel: SetupPanel) -> None:
    panel.show_environment(known.FETCHING)
    button(panel, "Pause the download").setFocus()
    panel.show_environment(known.PAUSED)
    assert focused() is button(panel, "Continue the download")
    QTest.keyClick(focused(), Qt.Key.Key_Tab)
    assert focused() is button(panel, "Cancel")


def test_it_says_why_it_waits_and_that_the_processor_trains(panel: SetupPanel) -> None:
    panel.show_environment(known.WAITING)
    assert says(panel, "The download waits: the network connection is metered")
    panel.show_environment(known.FALLBACK)
    assert says(panel, "This computer trains on its processor, not on its GPU")
    assert says(panel, known.GPU)


def test_it_is_hidden_where_no_environment_is_needed(panel: SetupPanel) -> None:
    panel.show_environment(None)
    assert not panel.isVisible()


def test_an_action_that_has_its_button_elsewhere_has_none_here(qtbot: QtBot, link: StandInLink) -> None:
    shown = SetupPanel(link, left_out=(SetupCommand.BEGIN,))
    qtbot.addWidget(shown)
    shown.show_environment(known.OFFERED)
    shown.show()
    assert not shown.buttons[SetupCommand.BEGIN].isVisible()
