"""What one sees of quitting: the question whether training goes on, and how stopping it gets on."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.design.tokens import Space
from gui.widgets.buttons import PrimaryButton, QuietButton
from gui.widgets.labels import Tone, body, title
from gui.widgets.progress import ProgressBar

_WIDTH = 420
"""Of its content, at least."""


class QuitDialog(QDialog):
    """Has one of three faces at a time: the question, the progress, and what went wrong; Escape takes it back."""

    answered = Signal(bool, bool)
    """Whether training goes on without the app, and whether that is to be remembered."""
    left = Signal()
    """The volunteer does not wait for the daemon any longer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Quit Idlebrush"))
        self._title, self._text = title(parent=self), body(parent=self)
        self._text.set_tone(Tone.SOFT)
        for label in (self._title, self._text):
            label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._bar = ProgressBar(self)
        self._bar.setAccessibleName(self.tr("Time taken, of the longest that it may take"))
        self.remember = QCheckBox(self.tr("&Remember my answer"), self)
        self.cancel = QuietButton(self.tr("&Cancel"), self)
        self.stop = QuietButton(self.tr("&Stop training"), self, icon="stop")
        self.keep = PrimaryButton(self.tr("&Keep training"), self, icon="play")
        self.leave = QuietButton(parent=self)
        self._connect()
        self._arrange()

    def show_question(self) -> None:
        self._title.setText(self.tr("Keep training while Idlebrush is closed?"))
        self._text.setText(
            self.tr(
                "In the background, this computer goes on as your preferences say, and you see what it did "
                "when you come back."
            )
        )
        self.remember.setChecked(True)
        self._show(self.remember, self.cancel, self.stop, self.keep)
        self.keep.setDefault(True)
        self.keep.setFocus()

    def show_progress(self) -> None:
        self._title.setText(self.tr("Training stops"))
        self._text.setText(self.tr("This computer is leaving the swarm. That takes a few seconds."))
        self.leave.setText(self.tr("&Do not wait"))
        self.set_waited(0.0)
        self._show(self._bar, self.leave)
        self.leave.setFocus()

    def set_waited(self, share: float) -> None:
        """Of the longest that is waited."""
        self._bar.set(share)

    def show_failure(self, what: str, remedy: str) -> None:
        """Training could not be stopped."""
        self._title.setText(what)
        self._text.setText(remedy)
        self.leave.setText(self.tr("&Quit anyway"))
        self._show(self.cancel, self.leave)
        self.cancel.setFocus()

    def _show(self, *widgets: QWidget) -> None:
        for widget in (self._bar, self.remember, self.cancel, self.stop, self.keep, self.leave):
            widget.setVisible(widget in widgets)
        self.setAccessibleName(self._title.text())
        self.setAccessibleDescription(self._text.text())
        self.adjustSize()

    def _connect(self) -> None:
        self.keep.clicked.connect(self._answer_keep)
        self.stop.clicked.connect(self._answer_stop)
        self.leave.clicked.connect(self.left)
        self.cancel.clicked.connect(self.reject)

    def _arrange(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(Space.S)
        buttons.addWidget(self.cancel)
        buttons.addStretch(1)
        for button in (self.stop, self.keep, self.leave):
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        column.setSpacing(Space.M)
        for widget in (self._title, self._text, self._bar, self.remember):
            column.addWidget(widget)
        column.addSpacing(Space.S)
        column.addLayout(buttons)
        column.addStrut(_WIDTH)

    def _answer_keep(self) -> None:
        self.answered.emit(True, self.remember.isChecked())

    def _answer_stop(self) -> None:
        self.answered.emit(False, self.remember.isChecked())
