"""The app makes way for the one of the daemon's version, once, and only if that is another one."""

from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from client.api.snapshot import Snapshot
from client.api.updates import UpdateStage, UpdateView
from gui.app import DesktopApp, Opening
from gui.link.link import LinkState
from gui.settings import AppSettings
from gui.single import SingleApp
from gui.updates.restart import VersionWatch, start_successor, successor
from tests.client.snapshots import FULL
from tests.client.updates.installed_trees import tiny_tree, tiny_trees
from tests.gui.stand_in_link import StandInLink

pytestmark = pytest.mark.posix


@pytest.fixture
def program(tmp_path: Path) -> str:
    trees = tiny_trees(tmp_path / "app", "0.1.0", "0.2.0")
    trees.use("0.2.0")
    return str(trees.program)


def daemon_of(version: str, program: str, stage: UpdateStage = UpdateStage.ON_TRIAL) -> Snapshot:
    view = UpdateView(stage=stage, version="0.2.0", program=program)
    return FULL.model_copy(update={"version": version, "update": view})


def watched(link: StandInLink, running: str = "0.1.0") -> tuple[VersionWatch, list[str]]:
    wanted: list[str] = []
    watch = VersionWatch(link, running)
    watch.restart_wanted.connect(wanted.append)
    return watch, wanted


def test_the_app_starts_again_after_an_update(link: StandInLink, program: str) -> None:
    _watch, wanted = watched(link)
    link.show(daemon_of("0.1.0", program))
    assert wanted == []
    link.show(daemon_of("0.2.0", program, UpdateStage.HANDING_OVER))
    assert wanted == []
    link.show(daemon_of("0.2.0", program))
    link.show(daemon_of("0.2.0", program))
    assert wanted == [program]


def test_an_app_of_the_version_in_use_stays(link: StandInLink, program: str) -> None:
    _watch, wanted = watched(link, "0.2.0")
    link.show(daemon_of("0.1.0", program))  # a daemon that somebody started by hand
    assert wanted == []


def test_a_daemon_that_it_does_not_understand_is_of_another_version(
    link: StandInLink, program: str, qtbot: QtBot
) -> None:
    watch, wanted = watched(link)
    watch.waiting.setInterval(10)
    link.show(daemon_of("0.1.0", program, UpdateStage.HANDING_OVER))
    link.show(None, LinkState.OLD)
    qtbot.waitUntil(lambda: wanted == [program])


@pytest.mark.parametrize("place", ["", "/nowhere/current/bin/idlebrush"])
def test_there_is_no_successor_without_a_tree(place: str) -> None:
    assert successor(place, "0.1.0") == ""


def test_a_successor_that_cannot_be_started_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    start_successor(str(tmp_path / "gone"), ())
    assert "cannot be started again" in caplog.text


def test_the_app_is_replaced_by_the_one_of_the_other_version(
    qapp: QApplication, link: StandInLink, tmp_path: Path, qtbot: QtBot
) -> None:
    trees, started = tiny_trees(tmp_path / "app", "0.1.0"), tmp_path / "started"
    tiny_tree(trees.tree("99.0"), "99.0", f'echo "$@" > {started}')
    trees.use("99.0")
    app = DesktopApp(qapp, link, AppSettings(tmp_path), SingleApp(tmp_path / "single"), Opening(hidden=True))
    try:
        QTimer.singleShot(0, app, lambda: link.show(daemon_of("99.0", str(trees.program))))
        QTimer.singleShot(10_000, app, qapp.quit)
        qapp.exec()
        app.replace()
        qtbot.waitUntil(started.exists)
        qtbot.waitUntil(lambda: started.read_text() == "--background\n")
    finally:
        app.tray.menu.deleteLater()
        app.deleteLater()
