"""The tray as a whole, in front of a stand-in for the daemon and for the host of the icon."""

from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QSystemTrayIcon
from pytestqt.qtbot import QtBot

from client.api.commands import Finish, Pause, Resume, SetPreference
from client.api.errors import RequestRefused
from client.api.snapshot import Activity, ReasonView
from gui.link.link import LinkState
from gui.settings import AppSettings
from gui.tray.host import HostTiming, TrayHost
from gui.tray.notifications import News
from gui.tray.session_bus import SessionBus
from gui.tray.tray import Tray, TrayActions
from gui.tray.view import SnoozeChoice
from tests.client.snapshots import FULL, NOW
from tests.gui.stand_in_link import StandInLink

TRAINING = FULL.model_copy(update={"activity": Activity.TRAINING, "reasons": (), "snoozed_until": None})
PAUSED = TRAINING.model_copy(
    update={"activity": Activity.PAUSED, "reasons": (ReasonView(code="paused", text="You paused it."),)}
)


class TraySurroundings:
    """The tray's surroundings: an app, and a panel that comes and goes."""

    def __init__(self, link: StandInLink, folder: Path, platform: str = "linux") -> None:
        self.link = link
        self.has_panel = True
        self.done: list[str] = []
        self.changes: list[bool] = []
        actions = TrayActions(
            self.done.append, lambda: self.done.append("toggle"), self._quit, sees_setup=lambda: False
        )
        host = TrayHost(is_there=lambda: self.has_panel, timing=HostTiming(look=5, grace=5))
        self.tray = Tray(link, AppSettings(folder), actions, host=host, now=self._now, platform=platform)
        self.tray.availability_changed.connect(self.changes.append)

    @property
    def icon(self) -> QSystemTrayIcon:
        assert self.tray.icon is not None
        return self.tray.icon

    def press(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        self.icon.activated.emit(reason)

    def _quit(self) -> None:
        self.done.append("quit")

    def _now(self) -> datetime:
        return NOW


@pytest.fixture
def desktop(link: StandInLink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TraySurroundings:
    """A desktop on which only the icon shows notifications."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/none")
    return TraySurroundings(link, tmp_path)


def pictured(icon: QIcon) -> bytes:
    image = icon.pixmap(32, 32).toImage()
    return bytes(image.constBits())


def test_the_icon_is_there_as_soon_as_a_host_is(desktop: TraySurroundings) -> None:
    assert desktop.tray.is_available
    assert desktop.icon.isVisible()
    assert desktop.icon.contextMenu() is desktop.tray.menu


def test_the_icon_goes_and_comes_with_its_host(desktop: TraySurroundings, qtbot: QtBot) -> None:
    desktop.has_panel = False
    qtbot.waitUntil(lambda: desktop.changes == [False])
    assert desktop.tray.icon is None
    assert not desktop.tray.is_available
    desktop.has_panel = True
    qtbot.waitUntil(lambda: desktop.changes == [False, True])
    assert desktop.icon.isVisible()


def test_it_shows_what_the_daemon_does(desktop: TraySurroundings) -> None:
    desktop.link.show(TRAINING)
    training = pictured(desktop.icon.icon())
    assert desktop.icon.toolTip() == "Idlebrush\nTraining\n2.1 samples/s"
    desktop.link.show(PAUSED)
    assert pictured(desktop.icon.icon()) != training
    assert desktop.icon.toolTip() == "Idlebrush\nPaused: you paused training"


def test_the_icon_is_drawn_again_for_another_face_alone(desktop: TraySurroundings) -> None:
    desktop.link.show(TRAINING)
    drawn = desktop.icon.icon().cacheKey()
    desktop.link.show(TRAINING.model_copy(update={"activity": Activity.FINISHING}))
    assert desktop.icon.icon().cacheKey() == drawn
    desktop.link.show(TRAINING, LinkState.SILENT)
    assert desktop.icon.icon().cacheKey() != drawn


def test_a_click_brings_the_window_up_or_hides_it(desktop: TraySurroundings) -> None:
    desktop.press(QSystemTrayIcon.ActivationReason.Trigger)
    desktop.press(QSystemTrayIcon.ActivationReason.Context)
    assert desktop.done == ["toggle"]


def test_a_middle_click_pauses_and_resumes(desktop: TraySurroundings) -> None:
    for snapshot in (TRAINING, PAUSED):
        desktop.link.show(snapshot)
        desktop.press(QSystemTrayIcon.ActivationReason.MiddleClick)
    desktop.link.show(None, LinkState.CONNECTING)
    desktop.press(QSystemTrayIcon.ActivationReason.MiddleClick)
    assert desktop.link.asked == [Pause(), Resume()]


def test_what_is_chosen_is_asked_of_the_daemon(desktop: TraySurroundings) -> None:
    desktop.link.show(TRAINING)
    menu = desktop.tray.menu
    menu.snoozed.emit(SnoozeChoice.QUARTER)
    menu.finish_chosen.emit(True)
    menu.finish_chosen.emit(False)
    menu.mode_chosen.emit("never")
    assert desktop.link.asked == [
        Pause(seconds=900),
        Finish(),
        Resume(),
        SetPreference(name="run-mode", value="never"),
    ]
    menu.page_chosen.emit("gallery")
    menu.quit_chosen.emit()
    assert desktop.done == ["gallery", "quit"]


@pytest.mark.parametrize("state", [LinkState.ABSENT, LinkState.SILENT, LinkState.OLD, LinkState.FAILED])
def test_without_a_daemon_the_command_gets_one(desktop: TraySurroundings, state: LinkState) -> None:
    desktop.link.show(None, state)
    desktop.press(QSystemTrayIcon.ActivationReason.MiddleClick)
    assert desktop.link.restarts == 1


def test_a_refusal_is_reported_and_the_menu_shows_what_holds(desktop: TraySurroundings) -> None:
    desktop.link.answers[SetPreference] = RequestRefused("some_code", "That cannot be.", "Try another.")
    desktop.link.show(TRAINING.model_copy(update={"run_mode": "preferences"}))
    chosen = next(action for action in desktop.tray.menu.findChildren(QAction) if action.text() == "&Always")
    chosen.trigger()
    assert desktop.link.asked == [SetPreference(name="run-mode", value="always")]
    assert not chosen.isChecked()
    desktop.icon.messageClicked.emit()
    assert desktop.done == ["now"], "there was a notification to click on"


def test_a_click_on_a_notification_opens_its_page(desktop: TraySurroundings) -> None:
    desktop.icon.messageClicked.emit()
    assert desktop.done == []
    desktop.tray.notify(News("rank/ab", "Your best rank so far", "You are ranked 7.", "leaderboard"))
    desktop.icon.messageClicked.emit()
    assert desktop.done == ["leaderboard"]


@pytest.mark.parametrize(("platform", "buses"), [("linux", 1), ("win32", 0), ("darwin", 0)])
def test_only_linux_has_notifications_by_dbus(
    link: StandInLink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, buses: int
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/none")
    desktop = TraySurroundings(link, tmp_path, platform)
    assert len(desktop.tray.findChildren(SessionBus)) == buses
    desktop.tray.notify(News("rank/ab", "Your best rank so far", "You are ranked 7.", "leaderboard"))
    desktop.icon.messageClicked.emit()
    assert desktop.done == ["leaderboard"]


@pytest.mark.parametrize(("platform", "done"), [("linux", ["toggle"]), ("win32", ["toggle"]), ("darwin", [])])
def test_a_click_on_the_icon_opens_the_app_where_it_does_not_open_the_menu(
    link: StandInLink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, done: list[str]
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/none")
    desktop = TraySurroundings(link, tmp_path, platform)
    desktop.press(QSystemTrayIcon.ActivationReason.Trigger)
    assert desktop.done == done
