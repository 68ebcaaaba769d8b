"""Tab and screen readers go through a page as one reads it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.widgets.accessibility import follow_layout
from gui.widgets.cards import Card
from gui.widgets.layouts import PageColumn


def stops(window: QWidget, qtbot: QtBot, most: int) -> list[str]:
    """The texts of what has the focus, from Tab to Tab."""
    seen = []
    for _ in range(most):
        qtbot.keyClick(window.focusWidget() or window, Qt.Key.Key_Tab)
        focused = window.focusWidget()
        assert isinstance(focused, QPushButton)
        seen.append(focused.text())
    return seen


def read_out(widget: QWidget) -> list[str]:
    """The names of what is in it, as screen readers are told of them."""
    tree = QAccessible.queryAccessibleInterface(widget)
    assert tree is not None
    parts = [tree.child(place) for place in range(tree.childCount())]
    return [part.text(QAccessible.Text.Name) for part in parts if part is not None]


def test_screen_readers_read_as_others_do(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    last, first, second = (QLabel(text, window) for text in ("last", "first", "second"))
    row = QHBoxLayout()
    row.addWidget(first)
    row.addWidget(second)
    column = QVBoxLayout(window)
    column.addLayout(row)
    column.addWidget(last)
    follow_layout(window)
    assert read_out(window) == ["first", "second", "last"]


def test_tab_follows_the_layout_and_not_the_order_of_making(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    last, second, first = (QPushButton(name, window) for name in ("last", "second", "first"))
    row = QHBoxLayout()
    row.addWidget(first)
    row.addWidget(second)
    column = PageColumn(window)
    column.body.addLayout(row)
    card = Card("between")
    card.body.addWidget(QPushButton("third"))
    column.body.addWidget(card)
    column.body.addWidget(last)
    whole = QVBoxLayout(window)
    whole.addWidget(column)
    follow_layout(window)
    window.show()
    qtbot.waitActive(window)
    first.setFocus()
    assert stops(window, qtbot, 3) == ["second", "third", "last"]


def test_what_is_added_later_takes_its_place(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    for name in ("first", "last"):
        column.addWidget(QPushButton(name))
    column.insertWidget(1, QPushButton("between"))
    follow_layout(window)
    window.show()
    first = window.findChild(QPushButton)
    assert first is not None
    first.setFocus()
    assert stops(window, qtbot, 2) == ["between", "last"]
