"""The two parts of the gallery: the run's pictures first, the volunteer's own when they are looked at."""

from pathlib import Path

from PySide6.QtWidgets import QRadioButton
from pytestqt.qtbot import QtBot

from client.api.commands import KeepFrames
from gui.gallery.page import GalleryPage
from tests.client.snapshots import FULL, IDLE
from tests.gui.gallery.pictures_on_disk import write_frames
from tests.gui.stand_in_link import StandInLink


def test_one_part_is_shown_and_both_know_the_daemon(qtbot: QtBot, link: StandInLink, tmp_path: Path) -> None:
    page = GalleryPage(link)
    qtbot.addWidget(page)
    write_frames(tmp_path, ("red heart",), (10,))
    link.show(None)
    page.show_snapshot(FULL.model_copy(update={"timelapse": str(tmp_path)}))
    page.show()
    page.shown()
    assert link.asked == [KeepFrames()]
    assert page.run.isVisible()
    run, own = page.choice.findChildren(QRadioButton)
    own.click()
    assert page.own.isVisible()
    assert page.own.form.draw.isEnabled()
    page.show_snapshot(None)
    assert not page.own.form.draw.isEnabled()
    run.click()
    assert page.run.isVisible()
    assert not page.own.isVisible()


def test_either_part_leads_to_a_run(qtbot: QtBot, link: StandInLink) -> None:
    page = GalleryPage(link)
    qtbot.addWidget(page)
    page.show_snapshot(IDLE)
    for empty in (page.run.empty, page.own.empty):
        with qtbot.waitSignal(page.run_wanted):
            empty.button.click()
