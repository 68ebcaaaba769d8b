"""A user of the keyboard sees where it is."""

import os
import subprocess
import sys

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QHideEvent, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

from gui.design.theme import Theme
from gui.widgets.buttons import QuietButton

ENDING = """
from PySide6.QtWidgets import QApplication, QDialog, QVBoxLayout
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from gui.design.focus import _Ring
from gui.design.theme import Theme
from gui.widgets.buttons import QuietButton
app = QApplication([])
Theme(app, "light").apply(app)
dialog = QDialog()
column = QVBoxLayout(dialog)
for name in ("First", "Second"):
    column.addWidget(QuietButton(name))
dialog.show()
dialog.activateWindow()
QTest.qWait(50)
QTest.keyClick(dialog, Qt.Key.Key_Tab)
dialog.focusNextChild()
assert dialog.findChild(_Ring)
"""


@pytest.fixture
def page(theme: Theme, qtbot: QtBot) -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    for part in (QuietButton("First"), QuietButton("Second"), QLineEdit()):
        column.addWidget(part)
    qtbot.addWidget(page)
    with qtbot.waitActive(page):
        page.show()
        page.activateWindow()
    return page


def test_a_ring_lies_around_what_tab_has_reached(page: QWidget, qtbot: QtBot) -> None:
    second = page.findChildren(QuietButton)[1]
    while not second.hasFocus():
        qtbot.keyClick(page.focusWidget() or page, Qt.Key.Key_Tab)

    (ring,) = rings(page)
    assert ring.geometry().contains(second.geometry())
    assert ring.width() > second.width()


def test_it_goes_on_with_the_focus_that_a_key_has_moved(page: QWidget, qtbot: QtBot) -> None:
    first, second = page.findChildren(QuietButton)
    first.clicked.connect(first.hide)  # Qt takes what is hidden for the end of using the keyboard
    first.clicked.connect(second.setFocus)
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Return)

    (ring,) = rings(page)
    qtbot.waitUntil(lambda: ring.geometry().contains(second.geometry()))
    qtbot.mouseClick(second, Qt.MouseButton.LeftButton)
    assert rings(page) == []


def test_it_is_whole_where_its_widget_fills_its_place(page: QWidget, qtbot: QtBot) -> None:
    place, button = QWidget(page), QuietButton("Snug")
    snug = QVBoxLayout(place)
    snug.setContentsMargins(0, 0, 0, 0)
    snug.addWidget(button)
    layout = page.layout()
    assert layout is not None
    layout.addWidget(place)
    place.show()
    page.findChildren(QLineEdit)[0].setFocus()
    qtbot.keyClick(page.findChildren(QLineEdit)[0], Qt.Key.Key_Tab)
    assert button.hasFocus()

    def is_around() -> bool:
        (ring,) = rings(page)
        area = button.rect().translated(button.mapToGlobal(QPoint()))
        return ring.rect().translated(ring.mapToGlobal(QPoint())) == area.adjusted(-4, -4, 4, 4)

    qtbot.waitUntil(is_around)
    page.resize(page.width() + 80, page.height() + 90)
    qtbot.waitUntil(is_around)


def test_it_follows_what_it_surrounds(page: QWidget, qtbot: QtBot) -> None:
    qtbot.keyClick(page, Qt.Key.Key_Tab)
    page.resize(page.width() + 100, page.height() + 60)

    reached = page.focusWidget()
    assert reached is not None
    qtbot.waitUntil(lambda: rings(page)[0].geometry().contains(reached.geometry()))


def test_fields_and_the_pointer_have_none(page: QWidget, qtbot: QtBot) -> None:
    qtbot.keyClick(page, Qt.Key.Key_Tab)
    qtbot.mouseClick(page.findChildren(QuietButton)[1], Qt.MouseButton.LeftButton)
    after_click = rings(page)
    page.findChildren(QLineEdit)[0].setFocus(Qt.FocusReason.TabFocusReason)

    assert after_click == []
    assert rings(page) == []


def rings(page: QWidget) -> list[QWidget]:
    return [
        child for child in page.findChildren(QWidget) if type(child).__name__ == "_Ring" and child.isVisible()
    ]


def test_a_ring_outlives_its_widget_for_a_moment(page: QWidget, qtbot: QtBot) -> None:
    """Where Qt calls these methods, an error of C++ that they raise ends the process."""
    first, second = page.findChildren(QuietButton)
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Tab)
    (ring,) = rings(page)
    delete(second)
    assert isValid(ring)
    ring.paintEvent(QPaintEvent(ring.rect()))
    assert not ring.eventFilter(page, QHideEvent())


def test_the_app_ends_in_order_while_a_dialog_shows_a_ring() -> None:
    """The dialog's end hides its buttons, whose ring crashed the process then."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-X", "faulthandler", "-c", ENDING]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
