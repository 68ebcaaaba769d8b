"""The look of the whole app changes at once, and its colours have one home."""

import re
from itertools import islice, pairwise
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from assets.theme.draw import draw
from gui.design import fonts
from gui.design.assets import asset
from gui.design.theme import Theme, current, qt_palette, restyle, stylesheet
from gui.design.tokens import DARK, LIGHT, Palette
from gui.settings import Appearance
from gui.widgets.buttons import PrimaryButton
from tests.gui.design.contrast import contrast

REPOSITORY = Path(__file__).parents[3]


def test_the_running_app_has_the_theme_that_was_applied(theme: Theme) -> None:
    assert current() is theme
    assert theme.palette == LIGHT
    assert not theme.is_dark


def test_another_appearance_reaches_widgets_that_are_there(theme: Theme, qtbot: QtBot) -> None:
    button = PrimaryButton("Join", icon="plus")
    qtbot.addWidget(button)
    button.resize(120, 40)
    before = _colour_in_the_corner(button)
    with qtbot.waitSignal(theme.changed):
        theme.set_appearance("dark")

    assert theme.is_dark
    assert before == QColor(LIGHT.accent)
    qtbot.waitUntil(lambda: _colour_in_the_corner(button) == QColor(DARK.accent))


def test_the_same_appearance_again_changes_nothing(theme: Theme, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(theme.changed):
        theme.set_appearance("light")


def test_the_icon_of_a_button_takes_the_colour_of_the_new_theme(theme: Theme, qtbot: QtBot) -> None:
    button = PrimaryButton("Join", icon="plus")
    qtbot.addWidget(button)
    assert _colour_of_the_icon(button) == LIGHT.on_accent
    theme.set_appearance("dark")
    qtbot.waitUntil(lambda: _colour_of_the_icon(button) == DARK.on_accent)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_qt_draws_in_the_colours_of_the_palette(palette: Palette) -> None:
    qt = qt_palette(palette)

    assert qt.color(QPalette.ColorRole.Window) == QColor(palette.paper)
    assert qt.color(QPalette.ColorRole.Text) == QColor(palette.ink)
    disabled = qt.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
    assert disabled not in (QColor(palette.ink), QColor(palette.raised))


@pytest.mark.parametrize(("palette", "dark"), [(LIGHT, False), (DARK, True)], ids=["light", "dark"])
def test_all_names_of_the_style_sheet_are_filled_in_and_all_its_marks_are_drawn(
    palette: Palette, dark: bool, tmp_path: Path
) -> None:
    style = stylesheet(palette, dark=dark)
    named = {Path(path) for path in re.findall(r'url\("(.+?)"\)', style)}
    draw(palette, tmp_path)

    assert "$" not in style
    assert {mark.name: mark.read_text(encoding="utf-8") for mark in named} == {
        mark.name: mark.read_text(encoding="utf-8") for mark in tmp_path.iterdir()
    }, "python -m assets.theme.draw draws them again"


def test_qt_understands_the_style_sheet(theme: Theme, qtbot: QtBot) -> None:
    # Qt says so on its log alone, which fails the test.
    widget = QWidget()
    qtbot.addWidget(widget)
    with qtbot.captureExceptions(), qtbot.waitExposed(widget):
        widget.show()


@pytest.mark.parametrize("appearance", ["light", "dark"])
def test_what_a_field_asks_for_is_legible(theme: Theme, qtbot: QtBot, appearance: Appearance) -> None:
    theme.set_appearance(appearance)
    field = QLineEdit(placeholderText="MMMM")
    qtbot.addWidget(field)
    field.setFont(fonts.text(40, QFont.Weight.DemiBold))
    field.resize(300, 80)
    image = field.grab().toImage()
    drawn = {image.pixelColor(x, 40).name() for x in range(5, 295)}

    assert max(contrast(colour, theme.palette.raised) for colour in drawn) >= 4.5


def test_colours_have_one_home() -> None:
    colour = re.compile(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b|Qt\.GlobalColor\.(?!transparent)|\brgba?\(")
    sources = [file for file in (REPOSITORY / "gui").rglob("*.py") if file.name != "tokens.py"]
    sources.append(asset("theme", "app.qss"))

    assert {
        str(file): found for file in sources if (found := colour.findall(file.read_text(encoding="utf-8")))
    } == {}


def _colour_in_the_corner(button: PrimaryButton) -> QColor:
    QApplication.processEvents()
    return button.grab().toImage().pixelColor(10, 20)


def _colour_of_the_icon(button: PrimaryButton) -> str:
    return button.icon().pixmap(24).toImage().pixelColor(12, 12).name()


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
    """Return the number of its labels that have the dark theme's text colour."""
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
