"""The app's typefaces: Bricolage Grotesque for headings, Instrument Sans for text, system fonts for code."""

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase

from gui.design.assets import asset
from gui.design.tokens import Type

HEADINGS = "Bricolage Grotesque"
TEXT = "Instrument Sans"
_LARGE = Type.TITLE
"""Size from which letters are set closer together."""


@cache
def load() -> None:
    """Register the vendored fonts with Qt, once."""
    for file in sorted(asset("fonts").glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(file))


def text(size: int = Type.BODY, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """Return the font of running text."""
    return _font(TEXT, size, weight)


def heading(size: int = Type.HEADING, weight: QFont.Weight = QFont.Weight.Bold) -> QFont:
    """Return the font of titles and big figures."""
    font = _font(HEADINGS, size, weight)
    font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 97.5 if size >= _LARGE else 99)
    return font


def figures(font: QFont) -> QFont:
    """Return the font with digits of equal width, so that changing numbers do not move."""
    steady = QFont(font)
    steady.setFeature(QFont.Tag("tnum"), 1)
    return steady


def code(size: int = Type.CAPTION + 1) -> QFont:
    """Return the font of paths, logs and fingerprints."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(size)
    return font


def _font(family: str, size: int, weight: QFont.Weight) -> QFont:
    font = QFont([family])
    font.setPixelSize(size)
    font.setWeight(weight)
    font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    return font
