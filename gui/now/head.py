"""The head of the page Now: the run, its activity, the buttons that change it, and the lines below."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QVBoxLayout, QWidget

from gui.design.icons import tray_pixmap
from gui.design.tokens import Space
from gui.now.view import HeroView, NowCommand, NowLine
from gui.tray.view import SnoozeChoice, TrayFace, snooze_words
from gui.web_address import open_page
from gui.widgets.buttons import LinkButton, PrimaryButton, QuietButton
from gui.widgets.cards import Card
from gui.widgets.labels import IconMark, Tone, body, heading, strong
from gui.widgets.layouts import FlowLayout

_FACE = 48
_ICONS = {
    NowCommand.PAUSE: "pause",
    NowCommand.RESUME: "play",
    NowCommand.RETRY: "refresh",
    NowCommand.SNOOZE: "snooze",
    NowCommand.FINISH: "finish",
    NowCommand.TRAIN_ANYWAY: "play",
    NowCommand.HEED_PREFERENCES: "undo",
}
_LINE_ICON = 20


class Hero(QWidget):
    """Draws a `HeroView`; it has no state of its own."""

    commanded = Signal(object)
    """Emitted with a `NowCommand` other than snooze."""
    snoozed = Signal(object)
    """Emitted with a `SnoozeChoice`."""

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
        self.buttons = {command: self._button(command) for command in NowCommand}
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

    def _button(self, command: NowCommand) -> PrimaryButton | QuietButton:
        kind = PrimaryButton if command in (NowCommand.RESUME, NowCommand.RETRY) else QuietButton
        button = kind(self._label(command), self, icon=_ICONS[command])
        if command is NowCommand.SNOOZE:
            button.setMenu(self._snoozes(button))
        else:
            button.clicked.connect(partial(self.commanded.emit, command))
        return button

    def _label(self, command: NowCommand) -> str:
        return {
            NowCommand.PAUSE: self.tr("Pause"),
            NowCommand.RESUME: self.tr("Resume"),
            NowCommand.RETRY: self.tr("Try again"),
            NowCommand.SNOOZE: self.tr("Snooze"),
            NowCommand.FINISH: self.tr("Finish this epoch"),
            NowCommand.TRAIN_ANYWAY: self.tr("Train anyway"),
            NowCommand.HEED_PREFERENCES: self.tr("Back to my preferences"),
        }[command]

    def _snoozes(self, button: QWidget) -> QMenu:
        menu = QMenu(button)
        for snooze in SnoozeChoice:
            menu.addAction(snooze_words(snooze)).triggered.connect(partial(self.snoozed.emit, snooze))
        return menu

    def _paint_face(self) -> None:
        if self._face is not None:
            self._icon.setPixmap(tray_pixmap(self._face, _FACE, self.devicePixelRatioF()))

    def _open_site(self) -> None:
        open_page(self._website)


class LinesCard(Card):
    """Shows lines with their remedies; hidden while there are none."""

    helped = Signal(object)
    """Emitted with the `ReasonRemedy` whose button was pressed."""

    def __init__(self, icon: str, tone: Tone, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._icon, self._tone = icon, tone
        self._lines: Sequence[NowLine] = ()
        self.hide()

    def show_lines(self, lines: Sequence[NowLine]) -> bool:
        """Show the lines; returns whether they have changed. Unchanged lines keep their buttons."""
        if lines == self._lines:
            return False
        self._lines = lines
        while (item := self.body.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for line in lines:
            self.body.addWidget(self._row(line))
        self.setVisible(bool(lines))
        return True

    def _row(self, line: NowLine) -> QWidget:
        whole = QWidget(self)
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.M)
        row.addWidget(IconMark(self._icon, self._tone, _LINE_ICON, whole))
        row.addLayout(_line_words(line), 1)
        for remedy in line.remedies:
            button = QuietButton(remedy.label, whole)
            #: Of a button such as "Change this": {what} is what it helps against.
            named = self.tr("{button}: {what}").format(button=remedy.label, what=line.text)
            button.setAccessibleName(named)
            button.clicked.connect(partial(self.helped.emit, remedy))
            row.addWidget(button)
        return whole


def _line_words(line: NowLine) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(2)
    column.setAlignment(Qt.AlignmentFlag.AlignVCenter)
    column.addWidget(strong(line.text) if line.detail else body(line.text))
    if line.detail:
        detail = body(line.detail)
        detail.set_tone(Tone.SOFT)
        column.addWidget(detail)
    return column
