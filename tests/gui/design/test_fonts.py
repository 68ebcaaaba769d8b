"""The app's letters are its own, wherever it runs."""

from pathlib import Path

import pytest
from PySide6.QtGui import QFont, QFontInfo, QFontMetricsF, QRawFont
from PySide6.QtWidgets import QApplication

from gui.design import fonts
from gui.design.assets import asset


@pytest.fixture(autouse=True)
def loaded(qapp: QApplication) -> None:
    fonts.load()


@pytest.mark.parametrize(
    ("font", "family"),
    [
        (fonts.text(), "Instrument Sans"),
        (fonts.text(14, QFont.Weight.DemiBold), "Instrument Sans"),
        (fonts.heading(), "Bricolage Grotesque"),
    ],
)
def test_text_and_headings_are_set_in_the_vendored_fonts(font: QFont, family: str) -> None:
    info = QFontInfo(font)

    assert info.family() == family
    assert info.weight() == font.weight()
    assert info.pixelSize() == font.pixelSize()


@pytest.mark.parametrize("file", sorted(asset("fonts").glob("*.ttf")), ids=lambda file: file.stem)
def test_they_have_the_letters_of_the_languages_that_they_are_for(file: Path) -> None:
    drawn = QRawFont(str(file), 14)
    letters = "äöüÄÖÜßàâçéèêëîïôùûœñáíóú¡¿„“”«»–…·→×€"
    assert [letter for letter in letters if not drawn.supportsCharacter(ord(letter))] == []


def test_figures_are_of_one_width() -> None:
    steady = QFontMetricsF(fonts.figures(fonts.text()))
    assert {steady.horizontalAdvance(digit * 8) for digit in "0123456789"} == {
        steady.horizontalAdvance("0" * 8)
    }


def test_large_headings_are_set_tighter() -> None:
    assert fonts.heading(34).letterSpacing() < fonts.heading(16).letterSpacing() <= 100


def test_each_font_has_its_licence_beside_it() -> None:
    families = {file.stem.split("_")[0] for file in asset("fonts").glob("*.ttf")}
    assert families == {file.stem.removesuffix("-OFL") for file in asset("fonts").glob("*-OFL.txt")}
