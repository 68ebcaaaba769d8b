"""Words on a page, by what they are for: they wrap, follow the theme, and never read text as markup."""

from enum import StrEnum

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from gui.design import fonts
from gui.design.tokens import Type


class Tone(StrEnum):
    """The colour of text, by the palette's names."""

    INK = "ink"
    SOFT = "soft"
    FAINT = "faint"
    ACCENT = "accent"
    VERMILION = "vermilion"
    VIRIDIAN = "viridian"
    OCHRE = "ochre"


class Label(QLabel):
    """Text that came from elsewhere may stand in it: it is shown letter by letter."""

    def __init__(self, text: str, font: QFont, tone: Tone = Tone.INK, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setFont(font)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setWordWrap(
            True
        )  # after the policy, which would take back that the height follows from the width
        self.setProperty("tone", tone.value)
        self._align()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._align()

    def _align(self) -> None:
        """Qt aligns words by the direction of their letters; names and numbers are to follow the page."""
        if not self.alignment() & Qt.AlignmentFlag.AlignHCenter:
            mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
            side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
            self.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter)

    def set_tone(self, tone: Tone) -> None:
        """Another colour from now on."""
        if self.property("tone") != tone.value:
            self.setProperty("tone", tone.value)
            self.style().unpolish(self)
            self.style().polish(self)


def display(text: str = "", parent: QWidget | None = None) -> Label:
    """The largest, for a welcome."""
    return Label(text, fonts.heading(Type.DISPLAY), Tone.INK, parent)


def heading(text: str = "", parent: QWidget | None = None) -> Label:
    """The title of a page."""
    return Label(text, fonts.heading(Type.HEADING), Tone.INK, parent)


def title(text: str = "", parent: QWidget | None = None) -> Label:
    """The title of a part of a page."""
    return Label(text, fonts.heading(Type.TITLE, QFont.Weight.DemiBold), Tone.INK, parent)


def lead(text: str = "", parent: QWidget | None = None) -> Label:
    """A sentence that introduces."""
    return Label(text, fonts.text(Type.LEAD), Tone.SOFT, parent)


def body(text: str = "", parent: QWidget | None = None) -> Label:
    """What is read."""
    return Label(text, fonts.text(), Tone.INK, parent)


def strong(text: str = "", parent: QWidget | None = None) -> Label:
    """The name of what the text beside it is about."""
    return Label(text, fonts.text(Type.BODY, QFont.Weight.DemiBold), Tone.INK, parent)


def caption(text: str = "", parent: QWidget | None = None) -> Label:
    """A remark, a unit, a name of a figure."""
    return Label(text, fonts.text(Type.CAPTION), Tone.FAINT, parent)
