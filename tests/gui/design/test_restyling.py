"""Other colours reach the widgets that are there one by one, so that no turn of the event loop is long."""

from itertools import islice, pairwise

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from gui.design.restyling import restyle
from gui.design.stylesheet import stylesheet
from gui.design.theme import Theme, qt_palette
from gui.design.tokens import DARK, LIGHT

_LABELS = 12


@pytest.fixture
def pages(theme: Theme, qtbot: QtBot) -> list[QWidget]:
    """Two windows of labels: the first one hidden, the other one shown."""
    made = []
    for _ in range(2):
        page = QWidget()
        qtbot.addWidget(page)
        column = QVBoxLayout(page)
        for _ in range(_LABELS):
            column.addWidget(QLabel("ink"))
        made.append(page)
        page.show()
        QApplication.processEvents()
    made[0].hide()
    return made


def dark(page: QWidget) -> int:
    """How many of its labels have taken on the dark theme's colour of text."""
    return sum(
        label.palette().windowText().color() == QColor(DARK.ink) for label in page.findChildren(QLabel)
    )


def test_each_step_reaches_one_widget_and_those_that_are_seen_first(
    qapp: QApplication, pages: list[QWidget]
) -> None:
    hidden, shown = pages
    steps = restyle(qapp, qt_palette(DARK), stylesheet(DARK, dark=True))
    reached = [(dark(shown), dark(hidden)) for _ in steps]

    assert reached[0] == (0, 0)
    assert max(after[0] - before[0] for before, after in pairwise(reached)) == 1
    assert reached.index((_LABELS, 0)) < reached.index((_LABELS, 1))
    assert reached[-1] == (_LABELS, _LABELS)


def test_nothing_is_painted_half_in_the_old_colours(qapp: QApplication, pages: list[QWidget]) -> None:
    shown = pages[1]
    steps = restyle(qapp, qt_palette(DARK), stylesheet(DARK, dark=True))
    can_paint = {dark(shown): shown.updatesEnabled() for _ in steps}

    assert not any(can_paint[number] for number in range(_LABELS))
    assert can_paint[_LABELS]


def test_a_window_is_painted_again_when_another_change_takes_the_place_of_the_first(
    qapp: QApplication, pages: list[QWidget]
) -> None:
    steps = restyle(qapp, qt_palette(DARK), stylesheet(DARK, dark=True))
    next(steps)
    assert not pages[1].updatesEnabled()

    steps.close()
    assert pages[1].updatesEnabled()


def test_widgets_that_go_meanwhile_are_passed_over(qapp: QApplication, pages: list[QWidget]) -> None:
    steps = restyle(qapp, qt_palette(DARK), stylesheet(DARK, dark=True))
    list(islice(steps, 3))
    for label in pages[1].findChildren(QLabel):
        delete(label)
    assert list(steps)
    assert dark(pages[0]) == _LABELS


def test_what_is_made_meanwhile_has_the_new_colours(
    qapp: QApplication, pages: list[QWidget], qtbot: QtBot
) -> None:
    steps = restyle(qapp, qt_palette(DARK), stylesheet(DARK, dark=True))
    next(steps)
    label = QLabel("ink")
    qtbot.addWidget(label)
    label.show()
    assert label.palette().windowText().color() == QColor(DARK.ink) != QColor(LIGHT.ink)
