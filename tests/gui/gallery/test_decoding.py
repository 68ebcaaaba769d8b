"""Files become pictures that are cut, bounded, cached, and decoded outside the event loop."""

from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QRect, QSize
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from gui.background import Background
from gui.gallery.decoding import PictureCache, boxes, decode, decode_sheet
from tests.gui.gallery.pictures_on_disk import COLOURS, SIDE, colour_of, square, write_frames


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    file = tmp_path / "picture.png"
    square(COLOURS[1]).save(str(file))
    return file


@pytest.mark.parametrize(
    ("size", "columns", "count", "last"),
    [
        (QSize(256, 192), 4, 12, QRect(192, 128, 64, 64)),
        (QSize(256, 192), 4, 10, QRect(64, 128, 64, 64)),
        (QSize(64, 64), 1, 1, QRect(0, 0, 64, 64)),
    ],
)
def test_sheets_are_cut_row_by_row(size: QSize, columns: int, count: int, last: QRect) -> None:
    found = boxes(size, columns, count)
    assert len(found) == count
    assert found[-1] == last


def test_a_frame_holds_a_picture_for_each_prompt(tmp_path: Path) -> None:
    folder = write_frames(tmp_path, ("a", "b", "c"), (10,))
    tiles = decode_sheet(next(folder.glob("*.webp")), 2, 3)
    assert [colour_of(tile) for tile in tiles] == list(COLOURS[:3])


def test_what_is_no_picture_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "picture.png"
    file.write_bytes(b"GIF89a, or so")
    with pytest.raises(ValueError, match="cannot be read"):
        decode(file)


def test_a_picture_that_is_too_large_is_not_decoded(picture: Path) -> None:
    assert colour_of(decode(picture, SIDE * SIDE)) == COLOURS[1]
    with pytest.raises(ValueError, match="more pixels"):
        decode(picture, SIDE * SIDE - 1)


def test_a_picture_comes_later_at_first_and_at_once_then(qtbot: QtBot, picture: Path) -> None:
    owner, pictures = QObject(), PictureCache()
    background = Background(owner)
    came: list[QImage] = []
    pictures.fetch(picture, background, came.append)
    assert not came
    qtbot.waitUntil(lambda: len(came) == 1)
    pictures.fetch(picture, background, came.append)
    assert [colour_of(image) for image in came] == [COLOURS[1]] * 2
    assert not background.is_busy


def test_few_pictures_are_kept(qtbot: QtBot, tmp_path: Path) -> None:
    owner, pictures = QObject(), PictureCache(kept=2 * SIDE * SIDE * 4)
    background = Background(owner)
    came: list[QImage] = []
    files = [tmp_path / f"{number}.png" for number in range(3)]
    for number, file in enumerate(files):
        square(COLOURS[number]).save(str(file))
        pictures.fetch(file, background, came.append)
        qtbot.waitUntil(lambda: not background.is_busy)
    pictures.fetch(files[2], background, came.append)
    assert len(came) == 4, "the newest is kept"
    pictures.fetch(files[0], background, came.append)
    assert len(came) == 4, "the oldest has to be decoded again"
    qtbot.waitUntil(lambda: len(came) == 5)
