"""The run's prompts through the epochs, as a person looks at them."""

from pathlib import Path

import pytest
from PIL import Image, ImageSequence
from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from client.api.answers import Done
from client.api.commands import KeepFrames
from client.api.errors import CoordinatorAway
from client.api.snapshot import Snapshot
from core.generation.frame_texts import texts_packet
from core.generation.records import frame_file
from gui.gallery.decoding import PictureCache
from gui.gallery.run_pictures import RunPictures
from gui.gallery.saving import SaveDialog
from tests.client.snapshots import FULL, IDLE
from tests.gui.first_run.hands import press
from tests.gui.first_run.stand_ins import browser
from tests.gui.gallery.pictures_on_disk import COLOURS, colour_of, write_frames
from tests.gui.stand_in_link import StandInLink

PROMPTS = ("red heart", "blue cat", "green sun")


@pytest.fixture
def page(qtbot: QtBot, link: StandInLink) -> RunPictures:
    page = RunPictures(link, PictureCache(), rest=0)
    qtbot.addWidget(page)
    link.show(None)
    page.resize(800, 600)
    page.show()
    return page


def with_frames(folder: Path, *epochs: int, epoch: int = 40) -> Snapshot:
    """A daemon that has drawn those."""
    write_frames(folder, PROMPTS, epochs)
    return later(folder, epoch)


def later(folder: Path, epoch: int) -> Snapshot:
    """A run that has drawn nothing more by that epoch."""
    assert FULL.progress is not None
    progress = FULL.progress.model_copy(update={"epoch": epoch})
    return FULL.model_copy(update={"timelapse": str(folder), "progress": progress})


def shown(page: RunPictures) -> list[str]:
    return [colour_of(tile.button.image) for tile in page.tiles]


def colours(place: int) -> list[str]:
    """Return the colours of the pictures in the frame at that index of the epochs."""
    return [COLOURS[(place + number) % len(COLOURS)] for number in range(len(PROMPTS))]


def test_the_newest_frame_is_shown_and_the_slider_goes_back(
    qtbot: QtBot, page: RunPictures, tmp_path: Path
) -> None:
    page.show_snapshot(with_frames(tmp_path, 10, 20, 30))
    qtbot.waitUntil(lambda: shown(page) == colours(2))
    assert [tile.button.accessibleName() for tile in page.tiles] == list(PROMPTS)
    qtbot.keyClick(page.bar.slider, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: shown(page) == colours(1))
    assert page.bar.slider.accessibleDescription() == "Epoch 20"


def test_a_frame_that_comes_is_shown_to_who_looks_at_the_newest(
    qtbot: QtBot, page: RunPictures, tmp_path: Path
) -> None:
    page.show_snapshot(with_frames(tmp_path, 10, 20))
    qtbot.waitUntil(lambda: shown(page) == colours(1))
    page.show_snapshot(with_frames(tmp_path, 10, 20, 30, epoch=41))
    qtbot.waitUntil(lambda: shown(page) == colours(2))


def test_the_frames_are_played_to_the_end_and_from_the_start_again(
    qtbot: QtBot, page: RunPictures, tmp_path: Path
) -> None:
    page.show_snapshot(with_frames(tmp_path, 10, 20))
    qtbot.waitUntil(lambda: shown(page) == colours(1))
    play = page.bar.button
    assert play.accessibleName() == "Play the time-lapse"
    qtbot.mouseClick(play, Qt.MouseButton.LeftButton)
    assert page.bar.place == 0
    assert play.accessibleName() == "Pause the time-lapse"
    qtbot.waitUntil(lambda: page.bar.place == 1)
    qtbot.waitUntil(lambda: not page.bar.is_playing)


def test_one_prompt_can_be_followed_alone(qtbot: QtBot, page: RunPictures, tmp_path: Path) -> None:
    page.show_snapshot(with_frames(tmp_path, 10, 20))
    qtbot.waitUntil(lambda: shown(page) == colours(1))
    page.tiles[0].button.click()
    assert page.viewer.isVisible()
    qtbot.keyClick(page.viewer.next, Qt.Key.Key_Right)
    assert page.viewer.canvas.accessibleName() == PROMPTS[1]
    assert colour_of(page.viewer.canvas.image) == colours(1)[1]
    qtbot.keyClick(page.bar.slider, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: colour_of(page.viewer.canvas.image) == colours(0)[1])
    qtbot.keyClick(page.viewer.next, Qt.Key.Key_Escape)
    assert not page.viewer.isVisible()
    assert page.tiles[1].button.isVisible()


def test_frames_of_the_coordinator_take_the_place_of_those_here(
    qtbot: QtBot, page: RunPictures, link: StandInLink, tmp_path: Path
) -> None:
    all_frames = write_frames(tmp_path / "all", PROMPTS, (10, 20, 30))
    link.answers[KeepFrames] = Done(id=0, about=str(all_frames))
    page.show_snapshot(with_frames(tmp_path, 10))
    qtbot.waitUntil(lambda: page.bar.slider.maximum() == 2)
    assert KeepFrames() in link.asked


def test_frames_that_the_coordinator_gets_are_fetched_while_a_user_looks(
    qtbot: QtBot, page: RunPictures, link: StandInLink, tmp_path: Path
) -> None:
    link.answers[KeepFrames] = Done(id=0, about=str(write_frames(tmp_path / "all", PROMPTS, (10,))))
    page.show_snapshot(with_frames(tmp_path, epoch=40))
    qtbot.waitUntil(page.bar.slider.isVisible)
    write_frames(tmp_path / "all", PROMPTS, (10, 20))
    before = link.asked.count(KeepFrames())
    page.show_snapshot(later(tmp_path, epoch=41))
    qtbot.waitUntil(lambda: link.asked.count(KeepFrames()) > before)
    qtbot.waitUntil(lambda: page.bar.slider.maximum() == 1)


def test_that_the_coordinator_is_away_is_reported_once(
    qtbot: QtBot, page: RunPictures, link: StandInLink, tmp_path: Path
) -> None:
    link.answers[KeepFrames] = CoordinatorAway("It does not answer.", "Try later.")
    page.show_snapshot(with_frames(tmp_path, 10, epoch=40))
    dismiss = page.banner.findChild(QAbstractButton, "dismiss")
    assert isinstance(dismiss, QAbstractButton)
    dismiss.click()
    page.show_snapshot(later(tmp_path, epoch=41))
    qtbot.waitUntil(lambda: link.asked.count(KeepFrames()) == 2)
    assert not page.banner.isVisible()


def test_a_coordinator_that_is_away_is_reported_and_asked_again(
    qtbot: QtBot, page: RunPictures, link: StandInLink, tmp_path: Path
) -> None:
    link.answers[KeepFrames] = CoordinatorAway("It does not answer.", "Try later.")
    page.show_snapshot(with_frames(tmp_path, 10, 20))
    assert page.banner.isVisible()
    qtbot.waitUntil(lambda: shown(page) == colours(1))
    link.answers[KeepFrames] = Done(id=0, about=str(tmp_path))
    page.banner.button.click()
    assert not page.banner.isVisible()


def test_an_index_that_cannot_be_read_is_reported(qtbot: QtBot, page: RunPictures, tmp_path: Path) -> None:
    (tmp_path / "index.json").write_text("[]")
    page.show_snapshot(FULL.model_copy(update={"timelapse": str(tmp_path)}))
    qtbot.waitUntil(page.banner.isVisible)


def test_without_a_run_one_can_be_chosen(qtbot: QtBot, page: RunPictures, tmp_path: Path) -> None:
    page.show_snapshot(with_frames(tmp_path, 10, 20))
    qtbot.waitUntil(lambda: bool(shown(page)))
    page.show_snapshot(IDLE)
    assert page.empty.isVisible()
    with qtbot.waitSignal(page.run_wanted):
        page.empty.button.click()


def test_without_a_daemon_the_pictures_stay(qtbot: QtBot, page: RunPictures, tmp_path: Path) -> None:
    page.show_snapshot(with_frames(tmp_path, 10, 20))
    qtbot.waitUntil(lambda: shown(page) == colours(1))
    page.show_snapshot(None)
    assert page.tiles[0].button.isVisible()


def test_the_folder_of_the_pictures_is_opened(page: RunPictures, qtbot: QtBot, tmp_path: Path) -> None:
    page.show_snapshot(with_frames(tmp_path, 10))
    qtbot.waitUntil(lambda: shown(page) == colours(0))
    with browser("file") as opened:
        press(page, "Open the folder")
    assert opened == [QUrl.fromLocalFile(str(tmp_path)).toString()]


def saving(page: RunPictures) -> SaveDialog:
    """Press the button, and return the dialog that asks where to."""
    page.save.click()
    return page.findChildren(SaveDialog)[-1]  # those that were used are deleted a little later


@pytest.mark.parametrize("suffix", [".webp", ".gif", ".png"])
def test_all_frames_are_saved_as_one_moving_picture(
    qtbot: QtBot, page: RunPictures, tmp_path: Path, suffix: str
) -> None:
    page.show_snapshot(with_frames(tmp_path / "frames", 10, 20, 30))
    qtbot.waitUntil(lambda: shown(page) == colours(2))
    dialog = saving(page)
    assert Path(dialog.selectedFiles()[0]).name == "Time-lapse to epoch 30.webp"
    dialog.setDirectory(str(tmp_path))
    dialog.selectNameFilter(f"Pictures (*{suffix})")
    dialog.filterSelected.emit(f"Pictures (*{suffix})")
    dialog.selectFile("mine")
    dialog.accept()
    assert not page.save.isEnabled()
    file = tmp_path / f"mine{suffix}"
    qtbot.waitUntil(lambda: page.banner.accessibleDescription() == str(file))
    assert page.save.isEnabled()
    with Image.open(file) as moving:
        assert sum(1 for _ in ImageSequence.Iterator(moving)) == 3


def test_a_moving_picture_that_cannot_be_saved_is_reported(
    qtbot: QtBot, page: RunPictures, tmp_path: Path
) -> None:
    page.show_snapshot(with_frames(tmp_path / "frames", 10))
    qtbot.waitUntil(lambda: shown(page) == colours(0))
    dialog = saving(page)
    with qtbot.waitSignal(dialog.failed):
        dialog.fileSelected.emit(str(tmp_path / "nowhere" / "mine.webp"))
    assert page.banner.accessibleName() == "The moving picture could not be saved"
    dialog = saving(page)
    with qtbot.waitSignal(dialog.failed):
        dialog.fileSelected.emit(str(tmp_path / "mine.mp4"))
    assert not (tmp_path / "mine.mp4").exists()


def test_without_frames_nothing_can_be_saved(page: RunPictures, tmp_path: Path) -> None:
    page.show_snapshot(with_frames(tmp_path))
    assert not page.save.isVisible()


HOSTILE_TEXTS = (
    " grows <b>bold</b><img src='file:///etc/passwd'>&amp;",
    " قال الرجل مرحبا\nсегодня 今日",
    "w" * 500,
)


def with_texts(folder: Path, *epochs: int) -> Snapshot:
    """A daemon whose run of text has those frames."""
    folder.mkdir(exist_ok=True)
    snapshot = with_frames(folder, *epochs)
    for epoch in epochs:
        written = [f" {epoch}{text}" for text in HOSTILE_TEXTS]
        Image.new("RGB", (96, 64)).save(folder / frame_file(epoch), "WEBP", xmp=texts_packet(written))
    return snapshot


def test_texts_are_shown_as_text_that_can_be_selected_and_is_never_read_as_marks(
    qtbot: QtBot, page: RunPictures, tmp_path: Path
) -> None:
    page.show_snapshot(with_texts(tmp_path, 10, 20))
    qtbot.waitUntil(page.texts.isVisible)
    expected = "\n\n".join(f"{name} 20{text}" for name, text in zip(PROMPTS, HOSTILE_TEXTS, strict=True))
    assert page.texts.toPlainText() == expected
    assert page.texts.document().characterCount() == len(expected) + 1, "no mark became anything else"
    flags = page.texts.textInteractionFlags()
    assert flags & Qt.TextInteractionFlag.TextSelectableByKeyboard
    assert not flags & (Qt.TextInteractionFlag.TextEditable | Qt.TextInteractionFlag.LinksAccessibleByMouse)
    assert page.texts.horizontalScrollBar().maximum() == 0, "a line of any length is broken"
    assert page.texts.accessibleName()
    qtbot.keyClick(page.bar.slider, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: "red heart 10" in page.texts.toPlainText())
    assert page.save.isVisible(), "the moving picture has the cards"


def test_pictures_follow_texts_of_another_run(qtbot: QtBot, page: RunPictures, tmp_path: Path) -> None:
    page.show_snapshot(with_texts(tmp_path / "texts", 10))
    qtbot.waitUntil(page.texts.isVisible)
    assert FULL.run is not None
    other = FULL.run.model_copy(update={"digest": "cd" * 32})
    page.show_snapshot(with_frames(tmp_path / "pictures", 10).model_copy(update={"run": other}))
    qtbot.waitUntil(lambda: shown(page) == colours(0))
    assert not page.texts.isVisible()
