"""Dialogues to pair computers: one shows the code of this computer, the other asks for that of another one."""

from datetime import UTC, datetime

from pydantic import SecretStr
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from client.api.errors import ClientError
from client.api.remote.computers import AddComputer
from client.api.remote.control import PairingStage, PairingView, RemoteControlView
from gui.computers.view import fault_words, pairing_end, time_left
from gui.design import fonts
from gui.design.tokens import Space, Type
from gui.widgets.buttons import PrimaryButton, QuietButton
from gui.widgets.labels import FaultNote, Label, Tone, body, caption, title
from gui.wording.codes import problem_words

_WIDTH = 420
_LONGEST_CODE, _LONGEST_ADDRESS = 16, 260


class PairingDialog(QDialog):
    """Shows the code of this computer until another one is paired, or the code is not valid any more."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Let another computer control this one"))
        self._view: RemoteControlView | None = None
        self._before: PairingView | None = None
        """View of an earlier code, which a snapshot that was sent before the new one may still show."""
        self._words = body(
            self.tr("On your other computer, open My computers, choose “Add a computer…”, and enter:")
        )
        self._words.set_tone(Tone.SOFT)
        self.code = Label("", fonts.figures(fonts.heading(Type.DISPLAY)), parent=self)
        self.addresses, self.outcome, self.left = body(), title(), caption()
        for label in (self.code, self.addresses):
            label.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        self.close_button = QuietButton(self.tr("Close"), self)
        self.close_button.clicked.connect(self.reject)
        self._ticking = QTimer(self, interval=1_000)
        self._ticking.timeout.connect(self._tick)
        self._arrange(self._words, self.code, self.addresses, self.left, self.outcome)

    def show_code(self, code: str, view: RemoteControlView | None) -> None:
        """Show a new code, and the addresses of this computer."""
        self.code.setText(code)
        #: {code} is spelt out by screen readers.
        self.code.setAccessibleName(self.tr("Code: {code}").format(code=" ".join(code)))
        self._set_open(True)
        pairing = view.pairing if view is not None else None
        self._before = pairing if pairing is not None and pairing.stage is not PairingStage.OPEN else None
        self._ticking.start()
        self.show_view(view)
        self.open()

    def show_view(self, view: RemoteControlView | None) -> None:
        """Follow the daemon's view of this computer's remote control."""
        self._view = view
        places = "\n".join(view.addresses if view is not None else ())
        #: {addresses} are addresses of this computer, one below the other.
        self.addresses.setText(self.tr("Address of this computer:\n{addresses}").format(addresses=places))
        pairing = view.pairing if view is not None else None
        has_ended = pairing is not None and pairing.stage is not PairingStage.OPEN
        if pairing is not None and has_ended and pairing != self._before and self.is_open:
            self._ticking.stop()
            self.outcome.setText(pairing_end(pairing))
            self._set_open(False)
        self._tick()

    @property
    def is_open(self) -> bool:
        """True while the code is shown as valid."""
        return self._ticking.isActive()

    def reject(self) -> None:
        """Close the dialogue."""
        self._ticking.stop()
        super().reject()

    def _set_open(self, is_open: bool) -> None:
        for label in (self._words, self.code, self.addresses, self.left):
            label.setVisible(is_open)
        self.outcome.setVisible(not is_open)
        self.adjustSize()

    def _tick(self) -> None:
        self.left.setText(time_left(self._view.pairing if self._view else None, datetime.now(UTC)))

    def _arrange(self, *labels: QWidget) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        column.setSpacing(Space.M)
        for label in labels:
            column.addWidget(label)
        row = QHBoxLayout()
        row.addStretch()
        row.addWidget(self.close_button)
        column.addLayout(row)
        column.addStrut(_WIDTH)


class AddComputerDialog(QDialog):
    """Asks for address and code of another computer."""

    wanted = Signal(object)
    """Emitted with an `AddComputer`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Add a computer"))
        self._words = body(
            self.tr(
                "On the other computer, open My computers and choose “Let another computer control this "
                "one…”. It shows its address and a code."
            )
        )
        self._words.set_tone(Tone.SOFT)
        self.address = self._field(self.tr("Address"), self.tr("192.168.1.7:47320"), _LONGEST_ADDRESS)
        self.code = self._field(self.tr("Code"), self.tr("ABCD-2345"), _LONGEST_CODE)
        self.fault = FaultNote(self)
        self.cancel = QuietButton(self.tr("&Cancel"), self)
        self.add = PrimaryButton(self.tr("&Add"), self)
        self.cancel.clicked.connect(self.reject)
        self.add.clicked.connect(self._submit)
        self._arrange()
        self._settle()

    def ask(self) -> None:
        """Show the dialogue, with the last address and no code."""
        self.code.clear()
        self.fault.hide()
        self.set_busy(False)
        self.open()
        (self.code if self.address.text() else self.address).setFocus()

    def set_busy(self, is_busy: bool) -> None:
        """Show that the computers are being paired."""
        for field in (self.address, self.code):
            field.setEnabled(not is_busy)
        self.add.setText(self.tr("Pairing…") if is_busy else self.tr("&Add"))
        self._is_busy = is_busy
        self._settle()

    def show_error(self, error: ClientError) -> None:
        """Show why the computer was not added."""
        self.set_busy(False)
        self.fault.say(fault_words(*problem_words(error.code, error.what, error.remedy)))
        self.code.setFocus()
        self.code.selectAll()

    _is_busy = False

    def _field(self, name: str, example: str, longest: int) -> QLineEdit:
        field = QLineEdit(self)
        field.setAccessibleName(name)
        field.setPlaceholderText(example)
        field.setMaxLength(longest)
        field.textChanged.connect(self._settle)
        field.returnPressed.connect(self._submit)
        return field

    def _settle(self) -> None:
        is_whole = bool(self.address.text().strip() and self.code.text().strip())
        self.add.setEnabled(is_whole and not self._is_busy)

    def _submit(self) -> None:
        if not self.add.isEnabled():
            return
        self.fault.hide()
        self.set_busy(True)
        code = SecretStr(self.code.text().strip())
        self.wanted.emit(AddComputer(address=self.address.text().strip(), code=code))

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        column.setSpacing(Space.S)
        column.addWidget(self._words)
        for field in (self.address, self.code):
            column.addWidget(caption(field.accessibleName()))
            column.addWidget(field)
        column.addWidget(self.fault)
        buttons = QHBoxLayout()
        buttons.addWidget(self.cancel)
        buttons.addStretch()
        buttons.addWidget(self.add)
        column.addLayout(buttons)
        column.addStrut(_WIDTH)
