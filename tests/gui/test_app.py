"""The app opens with the page that is due, and handles further starts of itself."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from client.api.commands import LookAtRun
from client.api.questions import ShowPreferences
from client.api.snapshot import Snapshot
from gui.app import DesktopApp, Opening
from gui.first_run.steps import FirstRunStep
from gui.link.link import LinkState
from gui.offers import OfferDialog
from gui.settings import AppSettings
from gui.single import SingleApp
from tests.client.snapshots import FULL, IDLE
from tests.gui.first_run.candidates import EMBEDDED, PREFERENCES, looking_at
from tests.gui.first_run.hands import go_to, is_at, press, says
from tests.gui.stand_in_link import StandInLink
from tests.gui.tray.test_notifications import INSTALLING, UNINSTALLABLE


class OpenedApp:
    """An app that was opened, and what is seen of it."""

    def __init__(self, app: DesktopApp, single: SingleApp) -> None:
        self.app, self.single = app, single

    @property
    def seen(self) -> str:
        """The name of the page, or that of the first run; empty: nothing."""
        if self.app.first_run is not None and self.app.first_run.isVisible():
            return "first run"
        return (
            self.app.window.page.name if self.app.window is not None and self.app.window.isVisible() else ""
        )


class Starter:
    """Opens apps, which are gone at the end."""

    def __init__(self, qapp: QApplication, link: StandInLink, folder: Path) -> None:
        self._qapp, self.link, self.folder, self.settings = qapp, link, folder, AppSettings(folder)
        self._single = SingleApp(folder / "app")
        self.made: list[DesktopApp] = []

    def __call__(self, opening: Opening, snapshot: Snapshot = IDLE, *, done: bool = True) -> OpenedApp:
        self.settings.first_run_done = done
        app = DesktopApp(self._qapp, self.link, self.settings, self._single, opening)
        self.made.append(app)
        app.open()
        self.link.show(snapshot)
        return OpenedApp(app, self._single)


@pytest.fixture
def start(qapp: QApplication, link: StandInLink, tmp_path: Path) -> Iterator[Starter]:
    starter = Starter(qapp, link, tmp_path)
    yield starter
    for app in starter.made:
        for widget in (app.window, app.first_run, app.tray.menu):
            if widget is not None:
                widget.deleteLater()
        app.deleteLater()


@pytest.mark.parametrize(
    ("opening", "snapshot", "done", "seen"),
    [
        (Opening(), FULL, True, "now"),
        (Opening(page="log"), FULL, True, "log"),
        (Opening(), IDLE, True, "now"),
        (Opening(), IDLE, False, "first run"),
        (Opening(), FULL, False, "now"),
        (Opening(offer="embedded"), IDLE, True, "first run"),
        (Opening(offer="embedded"), FULL, True, "now"),
        (Opening(hidden=True), FULL, True, ""),
        (Opening(hidden=True), IDLE, False, ""),
    ],
)
def test_it_opens_with_what_is_due(
    start: Starter, opening: Opening, snapshot: Snapshot, done: bool, seen: str
) -> None:
    assert start(opening, snapshot, done=done).seen == seen


def test_a_run_that_another_start_offers_is_looked_at(start: Starter, qtbot: QtBot) -> None:
    opened = start(Opening())
    assert opened.seen == "now"
    opened.single.wanted.emit("now", "embedded")
    assert opened.seen == "first run"
    assert any(isinstance(request, LookAtRun) for request in start.link.asked)


ELSEWHERE = "idlebrush:join?run=https%3A%2F%2Ftrain.example.org%2Ffiles%2Frun.toml&key=wxyz"


def looked_at(start: Starter) -> list[str]:
    return [request.location for request in start.link.asked if isinstance(request, LookAtRun)]


def test_a_link_in_any_form_is_looked_at_in_the_one_that_it_is_written_in(start: Starter) -> None:
    start(Opening(offer=ELSEWHERE.replace(":", "://", 1)))
    assert looked_at(start) == [ELSEWHERE]


def test_the_link_of_the_joined_run_brings_the_window_up_with_a_notice(start: Starter) -> None:
    assert FULL.run is not None
    run = FULL.run.model_copy(update={"coordinator": "https://train.example.org", "fingerprint": "wxyz"})
    opened = start(Opening(hidden=True), FULL.model_copy(update={"run": run}))
    opened.single.wanted.emit("now", ELSEWHERE)
    assert opened.seen == "now"
    assert opened.app.window is not None
    assert says(opened.app.window, "This computer already trains Emoji, a starter set.")
    assert looked_at(start) == []


def test_another_run_is_looked_at_only_after_a_question(start: Starter, qtbot: QtBot) -> None:
    opened = start(Opening(hidden=True), FULL)
    opened.app.open_offer(ELSEWHERE)
    assert (opened.seen, looked_at(start)) == ("now", [])
    dialog = dialog_of(opened)
    press(dialog, "&Stay")
    assert looked_at(start) == []
    opened.app.open_offer(ELSEWHERE)
    dialog = dialog_of(opened)
    press(dialog, "&Look at the other run")
    assert (opened.seen, looked_at(start)) == ("first run", [ELSEWHERE])


def dialog_of(opened: OpenedApp) -> OfferDialog:
    """The one dialog about an offer that can be seen."""
    assert opened.app.window is not None
    (dialog,) = (each for each in opened.app.window.findChildren(OfferDialog) if each.isVisible())
    return dialog


def test_what_is_no_run_is_reported_beside_a_joined_one(start: Starter) -> None:
    opened = start(Opening(offer="idlebrush:leave"), FULL)
    assert says(dialog_of(opened), "is not a join link")


def test_what_is_no_run_is_reported_by_the_preview_where_none_is_joined(start: Starter) -> None:
    assert start(Opening(offer="idlebrush:leave")).seen == "first run"
    assert looked_at(start) == ["idlebrush:leave"]


def test_a_link_that_comes_before_the_daemons_first_answer_is_answered_then(
    qapp: QApplication, start: Starter
) -> None:
    single = SingleApp(start.folder / "app")
    app = DesktopApp(qapp, start.link, start.settings, single, Opening(hidden=True))
    start.made.append(app)
    opened = OpenedApp(app, single)
    app.open()
    app.open_offer(ELSEWHERE)
    assert opened.seen == ""
    start.link.show(IDLE)
    assert opened.seen == "first run"
    assert looked_at(start) == [ELSEWHERE]


def test_a_link_that_comes_at_a_sign_in_waits_until_that_is_over(start: Starter) -> None:
    opened = start(Opening(), IDLE)
    assert opened.app.window is not None
    opened.app.window.sign_in_wanted.emit()
    opened.app.open_offer(ELSEWHERE)
    assert looked_at(start) == []
    assert opened.app.first_run is not None
    opened.app.first_run.close()
    assert looked_at(start) == [ELSEWHERE]


def test_who_is_to_sign_in_to_the_joined_run_sees_its_preview_again(start: Starter) -> None:
    opened = start(Opening(), FULL)
    assert opened.app.window is not None
    opened.app.window.admission_wanted.emit()
    assert FULL.run is not None
    assert (opened.seen, looked_at(start)) == ("first run", [str(Path(FULL.run.folder) / "run.toml")])


@pytest.mark.parametrize(
    ("wanted", "step"),
    [
        ("run_wanted", FirstRunStep.RUN),
        ("sign_in_wanted", FirstRunStep.SIGN_IN),
        ("setup_wanted", FirstRunStep.SETUP),
    ],
)
def test_the_window_leads_to_the_screen_that_is_wanted(
    start: Starter, wanted: str, step: FirstRunStep
) -> None:
    opened = start(Opening(), IDLE)
    getattr(opened.app.window, wanted).emit()
    assert opened.app.first_run is not None
    assert is_at(opened.app.first_run, step)


def test_a_link_that_comes_at_the_consent_leads_back_to_the_preview(start: Starter) -> None:
    opened = start(Opening(offer="embedded"), IDLE)
    start.link.answers[ShowPreferences] = PREFERENCES
    start.link.show(looking_at(EMBEDDED))
    first_run = opened.app.first_run
    assert first_run is not None
    go_to(first_run, FirstRunStep.CONSENT)
    opened.app.open_offer(ELSEWHERE)
    assert is_at(first_run, FirstRunStep.RUN)
    assert looked_at(start)[-1] == ELSEWHERE


def test_who_sees_the_set_up_fail_is_not_notified_of_it(start: Starter, qtbot: QtBot) -> None:
    opened = start(Opening(offer="embedded"), IDLE)
    start.link.answers[ShowPreferences] = PREFERENCES
    start.link.show(looking_at(EMBEDDED))
    first_run = opened.app.first_run
    assert first_run is not None
    go_to(first_run, FirstRunStep.CONSENT)
    qtbot.waitUntil(first_run.isActiveWindow)
    announced: list[str] = []
    opened.app.tray.announcer.announced.connect(lambda news: announced.append(news.key))
    start.link.show(UNINSTALLABLE)
    assert announced == []
    first_run.close()
    start.link.show(INSTALLING)
    start.link.show(UNINSTALLABLE)
    assert announced == ["problem/setup"]


CLICKED = """
import sys
from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QFileOpenEvent
from gui.application import IdlebrushApplication
app = IdlebrushApplication([])
app.opened.connect(print)
QCoreApplication.sendEvent(app, QFileOpenEvent(QUrl(sys.argv[1])))
"""


def test_a_click_on_macos_reaches_the_application_object() -> None:
    command = [sys.executable, "-c", CLICKED, ELSEWHERE]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == f"{ELSEWHERE}\n"


ENDING = """
import sys
from PySide6.QtCore import QTimer
from gui.application import IdlebrushApplication, SystemSignals
app = IdlebrushApplication([])
SystemSignals(app)
app.aboutToQuit.connect(lambda: print("saved", flush=True))
QTimer.singleShot(0, lambda: print("ready", flush=True))
sys.exit(app.exec())
"""


@pytest.mark.posix
@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT])
def test_a_system_that_shuts_down_ends_the_app_in_order(asked: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", ENDING], stdout=subprocess.PIPE, text=True) as app:
        try:
            assert app.stdout is not None
            assert app.stdout.readline() == "ready\n"
            app.send_signal(asked)
            assert app.communicate(timeout=30)[0] == "saved\n"
        finally:
            app.kill()
    assert app.returncode == 0


UNLUCKY = """
import sys
import threading
import time
from pathlib import Path
from PySide6.QtCore import QMetaObject, Qt
from PySide6.QtWidgets import QApplication
from client.api.launch import DaemonProgram
from client.paths import Paths
from gui.app import Opening, run

def close():
    while True:
        time.sleep(0.2)
        if app := QApplication.instance():
            QMetaObject.invokeMethod(app, "closeAllWindows", Qt.ConnectionType.QueuedConnection)

threading.Thread(target=close, daemon=True).start()
paths = Paths.of_user({"IDLEBRUSH_HOME": sys.argv[1]})
sys.exit(run(paths, DaemonProgram(), Opening()))
"""
"""Starts the app, and closes each window that it shows."""


def test_an_app_that_cannot_start_says_why_and_ends(tmp_path: Path) -> None:
    command = [sys.executable, "-c", UNLUCKY, str(tmp_path / "gone")]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1, ended.stderr
    assert "app.lock cannot be written. Free some disk space" in ended.stderr


def test_another_start_brings_up_its_page(start: Starter) -> None:
    opened = start(Opening(hidden=True), FULL)
    opened.single.wanted.emit("gallery", "")
    assert opened.seen == "gallery"


def test_who_starts_it_after_login_is_greeted_where_that_is_due(start: Starter) -> None:
    opened = start(Opening(hidden=True), done=False)
    opened.single.wanted.emit("now", "")
    assert opened.seen == "first run"


def test_a_click_on_the_icon_brings_the_window_up_and_another_hides_it(start: Starter, qtbot: QtBot) -> None:
    opened = start(Opening(hidden=True), FULL)
    opened.app.toggle()
    window = opened.app.window
    assert window is not None
    qtbot.waitUntil(window.isActiveWindow)
    opened.app.toggle()
    assert opened.seen == ""


def test_however_it_ends_the_window_is_found_where_it_was(start: Starter, qapp: QApplication) -> None:
    opened = start(Opening(), FULL)
    assert opened.app.window is not None
    opened.app.window.resize(820, 610)
    qapp.aboutToQuit.emit()
    again = AppSettings(start.folder)
    assert again.geometry == opened.app.window.saveGeometry()
    assert start.link.state is LinkState.ABSENT, "the app lets go of the daemon"
