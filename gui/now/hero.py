"""The head of the page Now: the run, what is done for it in one sentence, and the buttons that change that."""

from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QVBoxLayout, QWidget

from gui.design.icons import tray_pixmap
from gui.design.tokens import Space
from gui.now.view import Command, HeroView
from gui.tray.face import TrayFace
from gui.tray.snoozes import Snooze, words
from gui.web_address import open_page
from gui.widgets.buttons import LinkButton, PrimaryButton, QuietButton
from gui.widgets.flow import FlowLayout
from gui.widgets.labels import Tone, heading, strong

_FACE = 48
_ICONS = {
    Command.PAUSE: "pause",
    Command.RESUME: "play",
    Command.RETRY: "refresh",
    Command.SNOOZE: "snooze",
    Command.FINISH: "finish",
    Command.TRAIN_ANYWAY: "play",
    Command.HEED_PREFERENCES: "undo",
}


class Hero(QWidget):
    """Has no state of its own: it draws a `HeroView`."""

    commanded = Signal(object)
    """A `Command`, other than to snooze."""
    snoozed = Signal(object)
    """A `Snooze`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._face: TrayFace | None = None
        self._website = ""
        self._icon = QLabel(self)
        self._icon.setFixedSize(_FACE, _FACE)
        self._run = strong()
        self._run.set_tone(Tone.VERMILION)
        self._site = LinkButton(self.tr("Website"), icon="external")
        self._site.clicked.connect(self._open_site)
        self._headline = heading()
        self.buttons = {command: self._button(command) for command in Command}
        self._lay_out()

    @property
    def headline(self) -> str:
        return self._headline.text()

    def show_view(self, view: HeroView, face: TrayFace) -> None:
        self._run.setText(view.run)
        self._run.setVisible(bool(view.run))
        self._website = view.website
        self._site.setVisible(bool(view.website))
        self._site.setToolTip(view.website)
        self._headline.setText(view.headline)
        for command, button in self.buttons.items():
            button.setVisible(command in view.commands)
        if face is not self._face:
            self._face = face
            self._paint_face()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._face is not None:
            self._paint_face()

    def _lay_out(self) -> None:
        kicker = QHBoxLayout()
        kicker.setSpacing(Space.S)
        kicker.addWidget(self._run)
        kicker.addWidget(self._site)
        kicker.addStretch(1)
        buttons = FlowLayout(spacing=Space.S)
        for button in self.buttons.values():
            buttons.addWidget(button)
        words_ = QVBoxLayout()
        words_.setSpacing(Space.XS)
        words_.addLayout(kicker)
        words_.addWidget(self._headline)
        words_.addSpacing(Space.S)
        words_.addLayout(buttons)
        words_.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, Space.S)
        row.setSpacing(Space.L)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words_, 1)

    def _button(self, command: Command) -> PrimaryButton | QuietButton:
        kind = PrimaryButton if command in (Command.RESUME, Command.RETRY) else QuietButton
        button = kind(self._label(command), self, icon=_ICONS[command])
        if command is Command.SNOOZE:
            button.setMenu(self._snoozes(button))
        else:
            button.clicked.connect(partial(self.commanded.emit, command))
        return button

    def _label(self, command: Command) -> str:
        return {
            Command.PAUSE: self.tr("Pause"),
            Command.RESUME: self.tr("Resume"),
            Command.RETRY: self.tr("Try again"),
            Command.SNOOZE: self.tr("Snooze"),
            Command.FINISH: self.tr("Finish this epoch"),
            Command.TRAIN_ANYWAY: self.tr("Train anyway"),
            Command.HEED_PREFERENCES: self.tr("Back to my preferences"),
        }[command]

    def _snoozes(self, button: QWidget) -> QMenu:
        menu = QMenu(button)
        for snooze in Snooze:
            menu.addAction(words(snooze)).triggered.connect(partial(self.snoozed.emit, snooze))
        return menu

    def _paint_face(self) -> None:
        if self._face is not None:
            self._icon.setPixmap(tray_pixmap(self._face, _FACE, self.devicePixelRatioF()))

    def _open_site(self) -> None:
        open_page(self._website)
