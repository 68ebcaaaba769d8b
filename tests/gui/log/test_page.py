"""The page Log with real files: what is written appears, is filtered, shown in full, copied."""

from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from client.api.snapshot import NoticeView, Snapshot
from gui.log.page import LogPage
from tests.client.snapshots import FULL, NOW
from tests.gui.first_run.stand_ins import browser
from tests.gui.stand_in_link import StandInLink

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


@pytest.fixture
def page(qtbot: QtBot, link: StandInLink) -> LogPage:
    page = LogPage(link)
    qtbot.addWidget(page)
    page.resize(760, 520)
    page.show()
    return page


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "daemon.log"


def write(log: Path, first: int, last: int) -> None:
    with log.open("a") as file:
        for number in range(first, last):
            file.write(f"2026-03-01T14:30:00.250Z {LEVELS[number % 4]} core: Line {number}.\n")


def of(folder: Path, *texts: str) -> Snapshot:
    notices = tuple(NoticeView(time=NOW + timedelta(minutes=n), text=text) for n, text in enumerate(texts))
    return FULL.model_copy(update={"logs": str(folder), "notices": notices})


def open_log(qtbot: QtBot, page: LogPage, log: Path) -> None:
    """Choose the file, and wait until what is in it is shown."""
    page.show_snapshot(of(log.parent))
    qtbot.waitUntil(lambda: page.tools.files.findText(log.name) > 0)
    page.tools.files.setCurrentText(log.name)
    qtbot.waitUntil(lambda: page.model.held > 0)


def texts(page: LogPage) -> list[str]:
    return [page.model.line(row).text for row in range(page.model.rowCount())]


def test_notices_are_shown_first(page: LogPage, tmp_path: Path) -> None:
    page.show_snapshot(of(tmp_path, "Joined the swarm."))
    page.show_snapshot(of(tmp_path, "Joined the swarm.", "Memory ran out."))
    assert texts(page) == ["Joined the swarm.", "Memory ran out."]


def test_a_file_is_followed_as_it_is_written(qtbot: QtBot, page: LogPage, log: Path) -> None:
    write(log, 0, 200)
    open_log(qtbot, page, log)
    qtbot.waitUntil(lambda: page.model.held == 200)
    bar = page.view.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0 and bar.value() == bar.maximum())
    write(log, 200, 210)
    qtbot.waitUntil(lambda: page.model.held == 210)
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())


def test_who_scrolls_away_from_the_end_stays_there(qtbot: QtBot, page: LogPage, log: Path) -> None:
    write(log, 0, 200)
    open_log(qtbot, page, log)
    bar = page.view.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0 and bar.value() == bar.maximum())
    bar.triggerAction(bar.SliderAction.SliderToMinimum)
    assert not page.tools.follow.isChecked()
    write(log, 200, 210)
    qtbot.waitUntil(lambda: page.model.held == 210)
    assert bar.value() == 0
    page.tools.follow.click()
    assert bar.value() == bar.maximum()


def test_lines_are_found_by_level_and_by_words(qtbot: QtBot, page: LogPage, log: Path) -> None:
    write(log, 0, 8)
    open_log(qtbot, page, log)
    page.tools.levels.setCurrentIndex(2)
    assert texts(page) == ["Line 2.", "Line 3.", "Line 6.", "Line 7."]
    qtbot.keyClicks(page.tools.search, "line 6.")
    qtbot.waitUntil(lambda: texts(page) == ["Line 6."])
    qtbot.keyClicks(page.tools.search, " nowhere")
    qtbot.waitUntil(page.empty.isVisible)
    assert not page.copy.isEnabled()


def test_selected_lines_are_shown_in_full_and_copied(qtbot: QtBot, page: LogPage, log: Path) -> None:
    write(log, 0, 8)
    open_log(qtbot, page, log)
    assert not page.detail.isVisible()
    selection = page.view.selectionModel()
    for row in (3, 1):
        selection.select(page.model.index(row), QItemSelectionModel.SelectionFlag.Select)
    assert [line[-7:] for line in page.detail.toPlainText().splitlines()] == ["Line 1.", "Line 3."]
    qtbot.keyClick(page.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == page.detail.toPlainText() + "\n"
    page.view.clearSelection()
    page.copy.click()
    assert len(QGuiApplication.clipboard().text().splitlines()) == 8


def test_another_file_can_be_chosen_and_comes_again(qtbot: QtBot, page: LogPage, log: Path) -> None:
    write(log, 0, 8)
    write(log.with_name("trainer.log"), 0, 3)
    open_log(qtbot, page, log)
    page.tools.files.setCurrentText("trainer.log")
    qtbot.waitUntil(lambda: page.model.held == 3)
    write(log.with_name("generator.log"), 0, 1)
    page.shown()
    qtbot.waitUntil(lambda: page.tools.files.findText("generator.log") > 0)
    assert page.tools.files.currentText() == "trainer.log"
    page.tools.files.setCurrentText("daemon.log")
    qtbot.waitUntil(lambda: page.model.held == 8)


def test_a_log_that_cannot_be_read_is_reported(qtbot: QtBot, page: LogPage, log: Path) -> None:
    write(log, 0, 8)
    open_log(qtbot, page, log)
    log.unlink()
    log.mkdir()
    qtbot.waitUntil(page.banner.isVisible)
    log.rmdir()
    write(log, 0, 9)
    qtbot.waitUntil(lambda: not page.banner.isVisible())


def test_nothing_is_read_while_nobody_looks(qtbot: QtBot, page: LogPage, log: Path) -> None:
    write(log, 0, 8)
    open_log(qtbot, page, log)
    page.hide()
    write(log, 8, 12)
    assert not page.follower.is_awake
    page.show()
    qtbot.waitUntil(lambda: page.model.held == 12)


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_levels_stand_at_the_leading_edge(
    qtbot: QtBot, page: LogPage, log: Path, direction: Qt.LayoutDirection
) -> None:
    page.setLayoutDirection(direction)
    write(log, 0, 4)
    open_log(qtbot, page, log)
    row = page.view.visualRect(page.model.index(3))
    painted = page.view.viewport().grab(row).toImage()
    left, right = (painted.copy(x, 0, 28, row.height()) for x in (8, row.width() - 36))
    leading, trailing = (left, right) if direction is Qt.LayoutDirection.LeftToRight else (right, left)
    assert shades(leading) > 1
    assert shades(trailing) == 1


def shades(image: QImage) -> int:
    return len({image.pixel(x, y) for x in range(image.width()) for y in range(image.height())})


def test_the_folder_of_the_logs_is_opened(page: LogPage, tmp_path: Path) -> None:
    page.show_snapshot(of(tmp_path))
    with browser("file") as opened:
        page.open.click()
    assert opened == [QUrl.fromLocalFile(str(tmp_path)).toString()]
