"""A card by which the licences can be read."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtWidgets import QPlainTextEdit, QWidget

from gui.about.components import Component
from gui.about.licences import Licence, licences, text_of
from gui.background import Background, Fault
from gui.design import fonts
from gui.widgets.card import Card
from gui.widgets.fields import ChoiceField

_HEIGHT = 280


class LicenceCard(Card):
    """Texts are read beside the event loop."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.set_title(self.tr("Licences"))
        self._background = Background(self)
        self._licences: tuple[Licence, ...] = ()
        self.choice, self.text = ChoiceField(self), QPlainTextEdit(self)
        self.choice.set_name(self.tr("Which licence"))
        self.text.setAccessibleName(self.tr("Its text"))
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setFont(fonts.code())
        self.text.setFixedHeight(_HEIGHT)
        self.body.addWidget(self.choice)
        self.body.addWidget(self.text)
        self.choice.currentIndexChanged.connect(self._show)
        self.show_components(())

    def show_components(self, components: Sequence[Component]) -> None:
        """Whose terms are listed, too."""
        chosen = max(0, self.choice.currentIndex())
        self._licences = licences(components)
        self.choice.blockSignals(True)
        self.choice.clear()
        self.choice.addItems([licence.title for licence in self._licences])
        self.choice.setCurrentIndex(chosen)
        self.choice.blockSignals(False)
        self._show(chosen)

    def _show(self, place: int) -> None:
        licence = self._licences[place]
        self._background.run(
            partial(text_of, licence), partial(self._take, licence), partial(self._fail, licence)
        )

    def _take(self, licence: Licence, text: str) -> None:
        if licence == self._licences[self.choice.currentIndex()]:
            self.text.setPlainText(text)

    def _fail(self, licence: Licence, error: Fault) -> None:
        self._take(licence, self.tr("This text cannot be read: {reason}.").format(reason=str(error)))
