"""Pictures in columns: as many as find room, and larger where all can be seen."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.gallery.tiles import GridLayout, Tile, TileScroll


def filled(grid: GridLayout, count: int) -> list[Tile]:
    tiles = [Tile(f"picture {number}") for number in range(count)]
    for tile in tiles:
        grid.addWidget(tile)
    return tiles


@pytest.mark.parametrize(
    ("width", "room", "columns"),
    [
        (1000, QSize(), 9),
        (1000, QSize(1000, 100), 9),
        (1000, QSize(1000, 520), 4),
        (430, QSize(), 4),
        (50, QSize(), 2),
    ],
)
def test_columns_fill_the_width(qtbot: QtBot, width: int, room: QSize, columns: int) -> None:
    sheet = QWidget()
    qtbot.addWidget(sheet)
    grid = GridLayout(sheet, least=100, spacing=10)
    filled(grid, 8)
    grid.set_room(room)
    assert grid.columns(width) == columns


@pytest.mark.parametrize("direction", Qt.LayoutDirection)
def test_tiles_are_squares_side_by_side_from_the_leading_edge(
    qtbot: QtBot, direction: Qt.LayoutDirection
) -> None:
    sheet = QWidget()
    qtbot.addWidget(sheet)
    sheet.setLayoutDirection(direction)
    tiles = filled(GridLayout(sheet, least=100, spacing=10), 5)
    sheet.resize(430, 400)
    sheet.show()
    assert {(tile.button.width(), tile.button.height()) for tile in tiles} == {(100, 100)}
    lefts = [tile.x() for tile in tiles]
    rows = [0, 110, 220, 330]
    assert lefts == ([*rows, 0] if direction is not Qt.LayoutDirection.RightToLeft else [*rows[::-1], 330])
    assert tiles[4].y() == 110


def test_names_find_room_beneath(qtbot: QtBot) -> None:
    short, long = Tile("a", "cat"), Tile("b", "thumbs up, medium skin tone, and more than fits on a line")
    for tile in (short, long):
        qtbot.addWidget(tile)
    assert 100 < short.heightForWidth(100) < long.heightForWidth(100)


def test_all_pictures_are_seen_where_they_can_be(qtbot: QtBot) -> None:
    scroll = TileScroll(100)
    qtbot.addWidget(scroll)
    tiles = filled(scroll.grid, 6)
    scroll.resize(800, 600)
    scroll.show()
    assert tiles[0].width() > 200
    assert not scroll.verticalScrollBar().isVisible()
    scroll.resize(300, 200)
    qtbot.waitUntil(lambda: tiles[0].width() < 200)
    qtbot.waitUntil(scroll.verticalScrollBar().isVisible)
