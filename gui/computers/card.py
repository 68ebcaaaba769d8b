"""The card of one computer: its state, and the commands that it accepts."""

from datetime import datetime
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from client.api.commands import Pause, Resume, SetPreference
from client.api.errors import ClientError
from client.api.remote.computers import RemoteOrder
from gui.computers.view import ComputerState, fault_words
from gui.tray.view import RUN_MODES, SnoozeChoice, snooze_length, snooze_words
from gui.widgets.buttons import IconButton, QuietButton
from gui.widgets.cards import Card
from gui.widgets.fields import ChoiceField
from gui.widgets.labels import Tone, body, caption
from gui.widgets.layouts import FlowLayout
from gui.wording.codes import problem_words


class ComputerCard(Card):
    """Shows a `ComputerState`, and emits what the volunteer orders."""

    ordered = Signal(object)
    """Emitted with a `RemoteOrder`."""
    removal_wanted = Signal()

    def __init__(self, parent: QWidget | None = None, *, is_own: bool = False) -> None:
        """Create the card; that of this computer (``is_own``) cannot be removed."""
        super().__init__(parent=parent)
        self._state, self._refusal = ComputerState("", ""), ""
        self.words, self.details, self.fault = body(), caption(), body()
        self.details.set_tone(Tone.SOFT)
        self.fault.set_tone(Tone.VERMILION)
        self.command = QuietButton(self.tr("Pause"), self, icon="pause")
        self.command.clicked.connect(self._emit_command)
        self.snooze = QuietButton(self.tr("Snooze"), self, icon="snooze")
        self.snooze.setMenu(self._snoozes())
        self.mode = ChoiceField(self)
        texts = (self.tr("Train always"), self.tr("According to its preferences"), self.tr("Never train"))
        for name, text in zip(RUN_MODES, texts, strict=True):
            self.mode.addItem(text, name)
        self.mode.activated.connect(self._emit_mode)
        self.removal = IconButton("close", self.tr("Remove this computer…"), self)
        self.removal.clicked.connect(self.removal_wanted)
        self.removal.setVisible(not is_own)
        self._lay_out()

    def show_state(self, state: ComputerState) -> None:
        """Show a state."""
        self._state = state
        self.set_title(state.name)
        self.words.setText(state.headline)
        self.details.setText(" · ".join(state.details))
        self.details.setVisible(bool(state.details))
        self._show_faults()
        self.command.setText(self.tr("Resume") if state.is_paused else self.tr("Pause"))
        self.command.set_icon("play" if state.is_paused else "pause")
        self.command.setEnabled(state.can_command)
        self.snooze.setEnabled(state.can_snooze)
        self.mode.setEnabled(state.can_choose_mode)
        if not self.mode.view().isVisible():  # the volunteer is choosing
            self.mode.setCurrentIndex(self.mode.findData(state.run_mode))
        self._name_parts(state.name)

    def show_error(self, error: ClientError) -> None:
        """Show why an order was not carried out, until the next order."""
        self._refusal = fault_words(*problem_words(error.code, error.what, error.remedy))
        self._show_faults()

    def _show_faults(self) -> None:
        """Show the error of the last order, or else why the computer cannot be reached."""
        text = self._refusal or self._state.fault
        self.fault.setText(text)
        self.fault.setVisible(bool(text))

    def _name_parts(self, name: str) -> None:
        """Name the controls after the computer, as several cards look alike to a screen reader."""
        #: {action} is the text of a button, {name} the name of a computer.
        text = self.tr("{action}: {name}")
        for button in (self.command, self.snooze):
            button.setAccessibleName(text.format(action=button.text(), name=name))
        self.removal.setAccessibleName(text.format(action=self.removal.toolTip(), name=name))
        self.mode.set_name(text.format(action=self.tr("When to train"), name=name))

    def _lay_out(self) -> None:
        self.head.addWidget(self.removal)
        row = FlowLayout()
        for widget in (self.command, self.snooze, self.mode):
            row.addWidget(widget)
        for label in (self.words, self.details, self.fault):
            self.body.addWidget(label)
        self.body.addLayout(row)

    def _snoozes(self) -> QMenu:
        menu = QMenu(self)
        for snooze in SnoozeChoice:
            menu.addAction(snooze_words(snooze)).triggered.connect(partial(self._emit_snooze, snooze))
        return menu

    def _emit_snooze(self, snooze: SnoozeChoice) -> None:
        self._order(Pause(seconds=snooze_length(snooze, datetime.now().astimezone())))

    def _emit_command(self) -> None:
        self._order(Resume() if self._state.is_paused else Pause())

    def _emit_mode(self, _: int) -> None:
        self._order(SetPreference(name="run-mode", value=str(self.mode.currentData())))

    def _order(self, order: RemoteOrder) -> None:
        self._refusal = ""
        self._show_faults()
        self.ordered.emit(order)
