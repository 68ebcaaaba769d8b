"""The app's typefaces: Bricolage Grotesque for headings, Instrument Sans for text, the system's beyond them."""

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase

from gui.design.assets import asset
from gui.design.tokens import Type

HEADINGS = "Bricolage Grotesque"
TEXT = "Instrument Sans"
_LARGE = Type.TITLE
"""From this size on letters stand closer together."""


@cache
def load() -> None:
    """Make the vendored fonts known to Qt, once."""
    for file in sorted(asset("fonts").glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(file))


def text(size: int = Type.BODY, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """For whatever is read."""
    return _font(TEXT, size, weight)


def heading(size: int = Type.HEADING, weight: QFont.Weight = QFont.Weight.Bold) -> QFont:
    """For titles and big figures."""
    font = _font(HEADINGS, size, weight)
    font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 97.5 if size >= _LARGE else 99)
    return font


def figures(font: QFont) -> QFont:
    """The same with digits of one width, so that numbers that change do not dance."""
    steady = QFont(font)
    steady.setFeature(QFont.Tag("tnum"), 1)
    return steady


def code(size: int = Type.CAPTION + 1) -> QFont:
    """For paths, logs and fingerprints."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(size)
    return font


def _font(family: str, size: int, weight: QFont.Weight) -> QFont:
    font = QFont([family])
    font.setPixelSize(size)
    font.setWeight(weight)
    font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    return font
