"""The look of the whole app changes at once, and its colours have one home."""

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from assets.theme.draw import draw
from gui.design import fonts
from gui.design.assets import asset
from gui.design.stylesheet import stylesheet
from gui.design.theme import Theme, current, qt_palette
from gui.design.tokens import DARK, LIGHT, Palette, contrast
from gui.settings import Appearance
from gui.widgets.buttons import PrimaryButton

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
    assert {mark.name: mark.read_text() for mark in named} == {
        mark.name: mark.read_text() for mark in tmp_path.iterdir()
    }, "python -m assets.theme.draw draws them anew"


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

    assert {str(file): found for file in sources if (found := colour.findall(file.read_text()))} == {}


def _colour_in_the_corner(button: PrimaryButton) -> QColor:
    QApplication.processEvents()
    return button.grab().toImage().pixelColor(10, 20)


def _colour_of_the_icon(button: PrimaryButton) -> str:
    return button.icon().pixmap(24).toImage().pixelColor(12, 12).name()
