"""Asking for pictures, watching them being drawn, and what is done with them, as a person does it."""

from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from client.api.commands import CancelGeneration, Generate
from client.api.errors import ClientError
from client.api.snapshot import DrawingStage, GenerationView, NoticeView, Snapshot
from core.messages.pictures import GenerationRequest
from gui.gallery.decoding import PictureCache
from gui.gallery.own_pictures import OwnPictures
from gui.gallery.saving import SaveDialog
from gui.wording import amounts
from tests.client.snapshots import FULL, IDLE
from tests.gui.first_run.hands import press
from tests.gui.first_run.stand_ins import browser
from tests.gui.gallery.pictures_on_disk import COLOURS, NOW, colour_of, write_gallery
from tests.gui.stand_in_link import StandInLink

SEED = 1234
HEART = GenerationRequest(prompt="red heart", count=16, best=4, seed=7, temperature=0.8)
CAT = GenerationRequest(prompt="blue cat", count=2, seed=2)


@pytest.fixture
def page(qtbot: QtBot, link: StandInLink) -> OwnPictures:
    page = OwnPictures(link, PictureCache(), lambda: SEED, lambda: NOW)
    qtbot.addWidget(page)
    page.resize(800, 600)
    page.show()
    page.activateWindow()
    return page


def seen(gallery: Path, *drawn: GenerationView, notices: tuple[NoticeView, ...] = ()) -> Snapshot:
    """Return the snapshot of a daemon that draws those pictures."""
    return FULL.model_copy(update={"gallery": str(gallery), "generations": drawn, "notices": notices})


def drawn(name: str, progress: float = 0.25, stage: DrawingStage = DrawingStage.DRAWING) -> GenerationView:
    return GenerationView(id=name, prompt="red heart", count=16, progress=progress, text="", stage=stage)


def prompts(page: OwnPictures) -> list[str]:
    """Return the prompts of the albums shown, from top to bottom."""
    cards = sorted(page.cards.values(), key=lambda card: card.y())
    return [card.album.request.prompt for card in cards]


def saving(page: OwnPictures) -> SaveDialog:
    """The dialog that asks where to."""
    dialog = page.large.findChild(SaveDialog)
    assert isinstance(dialog, SaveDialog)
    return dialog


def test_words_and_return_ask_for_sixteen_and_keep_four(
    qtbot: QtBot, page: OwnPictures, link: StandInLink, tmp_path: Path
) -> None:
    page.show_snapshot(seen(tmp_path))
    qtbot.keyClicks(page.form.prompt, "red heart")
    qtbot.keyClick(page.form.prompt, Qt.Key.Key_Return)
    wanted = GenerationRequest(prompt="red heart", count=16, best=4, seed=SEED)
    assert link.asked == [Generate(wanted=wanted)]


def test_all_that_can_be_chosen_is_asked_for(
    qtbot: QtBot, page: OwnPictures, link: StandInLink, tmp_path: Path
) -> None:
    page.show_snapshot(seen(tmp_path))
    form = page.form
    assert not form.seed.isVisible()
    form.more.click()
    assert form.seed.isVisible()
    qtbot.keyClicks(form.prompt, "cat")
    for field, value in ((form.count, 8), (form.best, 2), (form.top_k, 64), (form.seed, 0)):
        field.setValue(value)
    form.temperature.setValue(0.7)
    form.draw.click()
    wanted = GenerationRequest(prompt="cat", count=8, best=2, temperature=0.7, top_k=64, seed=0)
    assert link.asked == [Generate(wanted=wanted)]


def test_no_more_can_be_kept_than_are_drawn(page: OwnPictures) -> None:
    page.form.count.setValue(3)
    assert page.form.best.value() == 3


@pytest.mark.parametrize("words", ["", "!?"])
def test_what_cannot_be_drawn_is_reported_in_place(
    page: OwnPictures, link: StandInLink, tmp_path: Path, words: str
) -> None:
    page.show_snapshot(seen(tmp_path))
    page.form.prompt.setText(words)
    page.form.draw.click()
    assert page.banner.isVisible()
    assert not link.asked


def test_what_the_daemon_refuses_is_reported_in_place(
    page: OwnPictures, link: StandInLink, tmp_path: Path
) -> None:
    link.answers[Generate] = ClientError("There is no trained model yet.", "Let it train.")
    page.show_snapshot(seen(tmp_path))
    page.form.prompt.setText("red heart")
    page.form.draw.click()
    assert page.banner.isVisible()
    assert page.form.prompt.text() == "red heart"


def test_requests_are_watched_and_called_off(page: OwnPictures, link: StandInLink, tmp_path: Path) -> None:
    page.show_snapshot(seen(tmp_path, drawn("one"), drawn("two", 0.0, DrawingStage.WAITING)))
    one, two = page.queue.rows["one"], page.queue.rows["two"]
    assert one.bar.value() / one.bar.maximum() == pytest.approx(0.25)
    two.cancel.click()
    assert link.asked == [CancelGeneration(generation="two")]
    page.show_snapshot(seen(tmp_path, drawn("one", 0.5), drawn("two", 0.0, DrawingStage.CANCELLING)))
    assert one.bar.value() / one.bar.maximum() == pytest.approx(0.5)
    assert not two.cancel.isEnabled()
    page.show_snapshot(seen(tmp_path, drawn("one", 0.9)))
    assert list(page.queue.rows) == ["one"]


@pytest.mark.parametrize("stage", DrawingStage)
def test_every_stage_has_words(page: OwnPictures, tmp_path: Path, stage: DrawingStage) -> None:
    page.show_snapshot(seen(tmp_path, drawn("one", stage=stage)))
    assert page.queue.isVisible()


def test_what_was_drawn_appears_first(qtbot: QtBot, page: OwnPictures, tmp_path: Path) -> None:
    page.show_snapshot(seen(write_gallery(tmp_path, HEART, kept=4), drawn("album-1")))
    qtbot.waitUntil(lambda: prompts(page) == ["red heart"])
    page.show_snapshot(seen(write_gallery(tmp_path, HEART, CAT, kept=2)))
    qtbot.waitUntil(lambda: prompts(page) == ["blue cat", "red heart"])
    tiles = page.cards["album-1"].tiles
    qtbot.waitUntil(lambda: [colour_of(tile.button.image) for tile in tiles] == list(COLOURS[:2]))
    assert not page.banner.isVisible()
    assert not page.empty.isVisible()


def test_what_failed_is_reported_with_its_reason_and_what_was_called_off_is_not(
    qtbot: QtBot, page: OwnPictures, tmp_path: Path
) -> None:
    page.show_snapshot(seen(tmp_path, drawn("one"), drawn("two")))
    page.queue.rows["two"].cancel.click()
    page.show_snapshot(seen(tmp_path, drawn("one")))
    why = NoticeView(time=NOW, text="The pictures of “red heart” failed: no memory.")
    page.show_snapshot(seen(tmp_path, notices=(why,)))
    qtbot.waitUntil(page.banner.isVisible)
    assert page.banner.accessibleDescription() == why.text


def test_of_many_albums_the_newest_are_shown_and_older_ones_when_asked_for(
    qtbot: QtBot, page: OwnPictures, tmp_path: Path
) -> None:
    requests = [CAT.model_copy(update={"prompt": f"cat {number}"}) for number in range(15)]
    page.show_snapshot(seen(write_gallery(tmp_path, *requests, kept=1)))
    qtbot.waitUntil(lambda: len(page.cards) == 12)
    assert "album-14" in page.cards
    page.older.click()
    qtbot.waitUntil(lambda: len(page.cards) == 15)
    assert not page.older.isVisible()


def test_of_many_pictures_the_first_are_shown_and_others_when_asked_for(
    qtbot: QtBot, page: OwnPictures, tmp_path: Path
) -> None:
    many = GenerationRequest(prompt="cat", count=20)
    page.show_snapshot(seen(write_gallery(tmp_path, many)))
    qtbot.waitUntil(lambda: bool(page.cards))
    card = page.cards["album-0"]
    assert len(card.tiles) == 12
    card.more.click()
    assert len(card.tiles) == 20
    assert not card.more.isVisible()


def test_a_picture_is_looked_at_large_by_keys(qtbot: QtBot, page: OwnPictures, tmp_path: Path) -> None:
    page.show_snapshot(seen(write_gallery(tmp_path, HEART, kept=3)))
    qtbot.waitUntil(lambda: bool(page.cards))
    page.cards["album-0"].tiles[1].button.click()
    large = page.large
    qtbot.waitUntil(lambda: colour_of(large.canvas.image) == COLOURS[1])
    qtbot.keyClick(large.save, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: colour_of(large.canvas.image) == COLOURS[2])
    assert not large.next.isEnabled()
    qtbot.keyClick(large.save, Qt.Key.Key_Left)
    qtbot.keyClick(large.save, Qt.Key.Key_Left)
    assert large.canvas.accessibleName() == "red heart, picture 1 of 3"
    assert not large.previous.isEnabled()
    qtbot.keyClick(large.save, Qt.Key.Key_Escape)
    assert not large.isVisible()


def test_a_picture_is_copied_found_in_its_folder_and_saved(
    qtbot: QtBot, page: OwnPictures, tmp_path: Path
) -> None:
    page.show_snapshot(seen(write_gallery(tmp_path / "gallery", HEART, kept=3)))
    qtbot.waitUntil(lambda: bool(page.cards))
    page.cards["album-0"].tiles[2].button.click()
    qtbot.waitUntil(page.large.copy.isEnabled)
    page.large.copy.click()
    with browser("file") as opened:
        press(page.large, "Open folder")
    assert page.large.album is not None
    assert opened == [QUrl.fromLocalFile(str(page.large.album.folder)).toString()]
    assert colour_of(QGuiApplication.clipboard().image()) == COLOURS[2]
    page.large.copy_seed.click()
    first, *rest = QGuiApplication.clipboard().text().splitlines()
    assert first == "red heart"
    assert {"Seed: 7", "Number: 3 of 16"} <= set(rest)
    page.large.save.click()
    dialog = saving(page)
    assert Path(dialog.selectedFiles()[0]).name == "red heart 7-3.png"
    dialog.setDirectory(str(tmp_path))
    dialog.selectFile(str(tmp_path / "mine.png"))
    dialog.accept()
    qtbot.waitUntil((tmp_path / "mine.png").exists)
    qtbot.waitUntil(lambda: page.banner.accessibleDescription() == str(tmp_path / "mine.png"))
    assert page.large.picture is not None
    assert (tmp_path / "mine.png").read_bytes() == page.large.picture.file.read_bytes()


def test_a_folder_that_takes_nothing_is_reported(qtbot: QtBot, page: OwnPictures, tmp_path: Path) -> None:
    page.show_snapshot(seen(write_gallery(tmp_path, HEART, kept=1)))
    qtbot.waitUntil(lambda: bool(page.cards))
    page.cards["album-0"].tiles[0].button.click()
    page.large.save.click()
    dialog = saving(page)
    with qtbot.waitSignal(dialog.failed):
        dialog.fileSelected.emit(str(tmp_path / "nowhere" / "mine.png"))
    assert page.banner.isVisible()


def test_the_same_can_be_asked_for_again(
    qtbot: QtBot, page: OwnPictures, link: StandInLink, tmp_path: Path
) -> None:
    page.show_snapshot(seen(write_gallery(tmp_path, HEART, kept=4)))
    qtbot.waitUntil(lambda: bool(page.cards))
    page.cards["album-0"].again.emit()
    page.form.draw.click()
    assert link.asked == [Generate(wanted=HEART)]


def test_the_same_can_be_asked_for_again_from_a_large_picture(
    qtbot: QtBot, page: OwnPictures, link: StandInLink, tmp_path: Path
) -> None:
    page.show_snapshot(seen(write_gallery(tmp_path, HEART, kept=4)))
    qtbot.waitUntil(lambda: bool(page.cards))
    page.cards["album-0"].tiles[1].button.click()
    (again,) = (each for each in page.large.findChildren(QPushButton) if each.text() == "Draw again…")
    again.click()
    page.form.draw.click()
    assert link.asked == [Generate(wanted=HEART)]


def test_albums_go_with_the_gallery(qtbot: QtBot, page: OwnPictures, tmp_path: Path) -> None:
    page.show_snapshot(seen(write_gallery(tmp_path, HEART, CAT, kept=1)))
    qtbot.waitUntil(lambda: len(page.cards) == 2)
    page.show_snapshot(FULL.model_copy(update={"gallery": ""}))
    assert not page.cards
    assert page.empty.isVisible()


def test_the_age_of_an_album_is_right_whenever_the_page_is_shown(
    qtbot: QtBot, link: StandInLink, tmp_path: Path
) -> None:
    times = [NOW]
    page = OwnPictures(link, PictureCache(), lambda: SEED, lambda: times[-1])
    qtbot.addWidget(page)
    page.show_snapshot(seen(write_gallery(tmp_path, HEART, kept=1)))
    qtbot.waitUntil(lambda: bool(page.cards))

    def says(text: str) -> bool:
        return any(text in label.text() for label in page.cards["album-0"].findChildren(QLabel))

    tomorrow = NOW + timedelta(days=1)
    assert not says(amounts.moment(NOW, tomorrow))
    times.append(tomorrow)
    page.shown()
    assert says(amounts.moment(NOW, tomorrow))


def test_the_keyboard_goes_in_reading_order(qtbot: QtBot, page: OwnPictures, tmp_path: Path) -> None:
    page.show_snapshot(seen(write_gallery(tmp_path, HEART, kept=2)))
    qtbot.waitUntil(lambda: bool(page.cards))
    page.show_snapshot(seen(tmp_path, drawn("album-1")))
    page.show_snapshot(seen(write_gallery(tmp_path, HEART, CAT, kept=1), drawn("other")))
    qtbot.waitUntil(lambda: prompts(page) == ["blue cat", "red heart"])
    newest, oldest = page.cards["album-1"], page.cards["album-0"]
    qtbot.waitUntil(newest.isVisible)  # Qt shows what joins a layout in a later turn
    form = page.form
    expected = [form.prompt, form.draw, form.count, form.best, form.more, page.queue.rows["other"].cancel]
    expected += [
        newest.refill,
        newest.tiles[0].button,
        oldest.refill,
        *(tile.button for tile in oldest.tiles),
    ]
    form.prompt.setFocus()
    for stop in expected:
        assert QApplication.focusWidget() is stop
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)


def test_a_gallery_that_cannot_be_read_is_reported(qtbot: QtBot, page: OwnPictures, tmp_path: Path) -> None:
    (tmp_path / "index.json").write_text("{}x")
    page.show_snapshot(seen(tmp_path))
    qtbot.waitUntil(page.banner.isVisible)


def test_without_a_run_or_a_daemon_nothing_can_be_asked_for(
    qtbot: QtBot, page: OwnPictures, link: StandInLink
) -> None:
    for snapshot in (IDLE, None):
        page.show_snapshot(snapshot)
        page.form.prompt.setText("red heart")
        qtbot.keyClick(page.form.prompt, Qt.Key.Key_Return)
        assert not page.form.draw.isEnabled()
    assert not link.asked
    with qtbot.waitSignal(page.run_wanted):
        page.empty.button.click()
