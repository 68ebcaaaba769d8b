"""Widgets that do not fit side by side are stacked, and none exceeds its maximum width."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.layouts import PageColumn, PageHead, Pair


def block(width: int, height: int = 40) -> QWidget:
    made = QWidget()
    made.setMinimumSize(width, height)
    return made


@pytest.mark.parametrize(("width", "side_by_side"), [(900, True), (500, False)])
def test_a_pair_stands_side_by_side_where_there_is_room(qtbot: QtBot, width: int, side_by_side: bool) -> None:
    first, second = block(100), block(100)
    pair = Pair(first, second)
    qtbot.addWidget(pair)
    pair.resize(width, 300)
    pair.show()
    qtbot.waitUntil(lambda: (first.y() == second.y()) is side_by_side)
    assert (first.x() < second.x()) is side_by_side


def test_a_pair_is_mirrored_with_the_language(qtbot: QtBot) -> None:
    first, second = block(100), block(100)
    pair = Pair(first, second)
    qtbot.addWidget(pair)
    pair.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    pair.resize(900, 300)
    pair.show()
    assert first.x() > second.x()


def test_a_head_is_never_wider_than_its_widest_part_has_to_be(qtbot: QtBot) -> None:
    head = PageHead(block(150), block(200), block(260))
    qtbot.addWidget(head)
    assert head.minimumSizeHint().width() == 260


def test_a_column_keeps_to_a_width_that_can_be_read(qtbot: QtBot) -> None:
    column = PageColumn()
    qtbot.addWidget(column)
    content = block(100)
    column.body.addWidget(content)
    column.resize(2000, 400)
    column.show()
    assert content.width() < 1200
    left = content.mapTo(column, content.rect().topLeft()).x()
    assert abs(left - (2000 - left - content.width())) <= column.verticalScrollBar().sizeHint().width()
