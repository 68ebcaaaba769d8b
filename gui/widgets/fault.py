"""What is wrong with what was entered, below its field."""

from PySide6.QtWidgets import QWidget

from gui.design import fonts
from gui.design.tokens import Type
from gui.widgets.announcement import announce
from gui.widgets.labels import Label, Tone


class FaultNote(Label):
    """Hidden while all is well."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", fonts.text(Type.CAPTION), Tone.VERMILION, parent)
        self.hide()

    def say(self, what: str) -> None:
        """Aloud as well: the focus stays where it is to be mended."""
        self.setText(what)
        self.show()
        announce(self, what)
