"""The first screen: what Idlebrush does on this computer, what it does not do, and the choice of language."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gui.design import icons, theme
from gui.design.tokens import Space
from gui.first_run.screen import Screen
from gui.first_run.steps import WHOLE, FirstRunStep
from gui.link.link import AppLink
from gui.widgets.fields import ChoiceField
from gui.widgets.labels import Tone, body, caption, display, lead, strong
from gui.wording import amounts
from gui.wording.languages import LANGUAGES

_ICON = 18


class Welcome(Screen):
    step = FirstRunStep.WELCOME
    language_chosen = Signal(str)
    """Emitted with the code of one of `LANGUAGES`."""

    def __init__(self, link: AppLink, language: str, parent: QWidget | None = None) -> None:
        super().__init__(link, parent)
        self.content.addLayout(self._words(language))
        self.content.addStretch(1)

    def title(self) -> str:
        return self.tr("Welcome")

    def primary_text(self) -> str:
        return self.tr("Get started")

    def _words(self, language: str) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(Space.L)
        column.addWidget(display(self.tr("Your computer can help a machine learn to paint"), self))
        text = self.tr(
            "While you are away, Idlebrush trains one model together with other people's "
            "computers. The model turns words into pictures, and you can watch it improve."
        )
        column.addWidget(lead(text, self))
        column.addSpacing(Space.S)
        column.addWidget(self._list(self.tr("What it will do"), "check", self._will()))
        column.addWidget(self._list(self.tr("What it won't do"), "close", self._will_not()))
        column.addSpacing(Space.S)
        column.addLayout(self._languages(language))
        return column

    def _will(self) -> tuple[str, ...]:
        return (
            self.tr("Pause at once when you use the computer."),
            self.tr("Pause on battery, during games and videos, and when the computer is hot."),
            self.tr("Keep to the limits that you set for heat, noise, memory and bandwidth."),
        )

    def _will_not(self) -> tuple[str, ...]:
        #: {step} is the number of the step in which the user agrees.
        until_consent = self.tr("Train before you agree in step {step}.")
        return (
            until_consent.format(step=amounts.count(WHOLE.index(FirstRunStep.CONSENT) + 1)),
            self.tr("Read or send your files. Others see this computer's Internet address and its speed."),
            self.tr("Run programs that others send. The computers exchange only numbers."),
        )

    def _list(self, name: str, icon: str, lines: tuple[str, ...]) -> QWidget:
        whole = QWidget(self)
        grid = QGridLayout(whole)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(Space.S)
        grid.setVerticalSpacing(Space.XS + 2)
        grid.setColumnStretch(1, 1)
        grid.addWidget(strong(name, whole), 0, 0, 1, 2)
        for row, line in enumerate(lines, 1):
            grid.addWidget(_CheckMark(icon, whole), row, 0, Qt.AlignmentFlag.AlignTop)
            text = body(line, whole)
            text.set_tone(Tone.SOFT)
            grid.addWidget(text, row, 1)
        return whole

    def _languages(self, language: str) -> QHBoxLayout:
        self._choice = ChoiceField(self)
        for known in LANGUAGES:
            self._choice.addItem(known.name, known.code)
        self._choice.size_by_letters()
        self._choice.setCurrentIndex(max(0, self._choice.findData(language)))
        self._choice.setAccessibleName(self.tr("Language"))
        self._choice.activated.connect(self._choose)
        row = QHBoxLayout()
        row.setSpacing(Space.M)
        label = caption(self.tr("Language"), self)
        label.setWordWrap(False)
        label.setBuddy(self._choice)
        row.addWidget(label)
        row.addWidget(self._choice)
        row.addStretch(1)
        return row

    def _choose(self, index: int) -> None:
        self.language_chosen.emit(self._choice.itemData(index))


class _CheckMark(QLabel):
    """A tick or a cross."""

    def __init__(self, icon: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._icon = icon
        self._draw()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            self._draw()

    def _draw(self) -> None:
        colours = theme.current().palette
        colour = colours.viridian if self._icon == "check" else colours.vermilion
        self.setPixmap(icons.pixmap(self._icon, _ICON, colour, self.devicePixelRatioF()))
