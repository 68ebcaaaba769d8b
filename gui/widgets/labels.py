"""Text and icons on a page, by purpose: they wrap, follow the theme, and show text as plain text."""

from enum import StrEnum

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from gui.design import fonts
from gui.design.icons import pixmap
from gui.design.theme import current
from gui.design.tokens import Type
from gui.widgets.accessibility import announce


class Tone(StrEnum):
    """Text colours, by their names in the palette."""

    INK = "ink"
    SOFT = "soft"
    FAINT = "faint"
    ACCENT = "accent"
    VERMILION = "vermilion"
    VIRIDIAN = "viridian"
    OCHRE = "ochre"


class Label(QLabel):
    """A label that shows all text as plain text, because some of it comes from elsewhere."""

    def __init__(self, text: str, font: QFont, tone: Tone = Tone.INK, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setFont(font)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setWordWrap(True)  # after the policy, which would reset height-for-width
        self.setProperty("tone", tone.value)
        self._align()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._align()

    def _align(self) -> None:
        """Align the text by the page's direction; Qt would align it by the direction of its letters."""
        if not self.alignment() & Qt.AlignmentFlag.AlignHCenter:
            mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
            side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
            self.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter)

    def set_tone(self, tone: Tone) -> None:
        """Change the colour."""
        if self.property("tone") != tone.value:
            self.setProperty("tone", tone.value)
            self.style().unpolish(self)
            self.style().polish(self)


def display(text: str = "", parent: QWidget | None = None) -> Label:
    """Make a label with the largest text, for a welcome."""
    return Label(text, fonts.heading(Type.DISPLAY), Tone.INK, parent)


def heading(text: str = "", parent: QWidget | None = None) -> Label:
    """Make a label with the title of a page."""
    return Label(text, fonts.heading(Type.HEADING), Tone.INK, parent)


def title(text: str = "", parent: QWidget | None = None) -> Label:
    """Make a label with the title of a part of a page."""
    return Label(text, fonts.heading(Type.TITLE, QFont.Weight.DemiBold), Tone.INK, parent)


def lead(text: str = "", parent: QWidget | None = None) -> Label:
    """Make a label with an introductory sentence."""
    return Label(text, fonts.text(Type.LEAD), Tone.SOFT, parent)


def body(text: str = "", parent: QWidget | None = None) -> Label:
    """Make a label with running text."""
    return Label(text, fonts.text(), Tone.INK, parent)


def strong(text: str = "", parent: QWidget | None = None) -> Label:
    """Make a label with a name in bold text."""
    return Label(text, fonts.text(Type.BODY, QFont.Weight.DemiBold), Tone.INK, parent)


def caption(text: str = "", parent: QWidget | None = None) -> Label:
    """Make a label with a note, a unit, or the name of a figure."""
    return Label(text, fonts.text(Type.CAPTION), Tone.FAINT, parent)


class IconMark(QLabel):
    """A square icon in a colour of the theme; it has no accessible name, because the text beside it says the same."""

    def __init__(self, icon: str, tone: Tone, size: int, parent: QWidget | None = None) -> None:
        """Create an icon of ``size`` logical pixels."""
        super().__init__(parent)
        self._icon, self._tone, self._size = icon, tone, size
        self.setFixedSize(size, size)
        self._paint_icon()

    def set_icon(self, icon: str) -> None:
        """Show another icon."""
        self._icon = icon
        self._paint_icon()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_icon()

    def _paint_icon(self) -> None:
        colour = getattr(current().palette, self._tone.value)
        self.setPixmap(pixmap(self._icon, self._size, colour, self.devicePixelRatioF()))


class FaultNote(Label):
    """A message about invalid input, below its field; hidden while the input is valid."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", fonts.text(Type.CAPTION), Tone.VERMILION, parent)
        self.hide()

    def say(self, what: str) -> None:
        """Show and announce the message; the focus stays in the field."""
        self.setText(what)
        self.show()
        announce(self, what)
