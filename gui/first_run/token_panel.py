"""Signing in with a token that the volunteer has made on the Hub's site, typed or pasted unseen."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from gui.design import icons
from gui.design.tokens import Space
from gui.first_run.account_view import TOKENS, fault_of_token
from gui.web_address import open_page
from gui.widgets.buttons import LinkButton, PrimaryButton
from gui.widgets.fault import FaultNote
from gui.widgets.labels import body


class TokenPanel(QWidget):
    """Forgets the token as soon as it was handed on."""

    given = Signal(str)
    """A token that may be sent to the daemon."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field = QLineEdit(self)
        self._field.setEchoMode(QLineEdit.EchoMode.Password)
        self._field.setPlaceholderText("hf_…")
        self._field.setAccessibleName(self.tr("Token"))
        self._field.returnPressed.connect(self._give)
        self._field.textChanged.connect(self._forgive)
        self._eye = self._field.addAction(icons.icon("eye"), QLineEdit.ActionPosition.TrailingPosition)
        self._eye.setCheckable(True)
        self._eye.setText(self.tr("Show the token"))
        self._eye.toggled.connect(self._reveal)
        self._check = PrimaryButton(self.tr("Check it and sign in"), self)
        self._check.clicked.connect(self._give)
        self._fault = FaultNote(self)
        self._arrange()

    @property
    def field(self) -> QLineEdit:
        return self._field

    def show_checking(self, is_checking: bool) -> None:
        """While the daemon asks the Hub whose token it is."""
        self._field.setEnabled(not is_checking)
        self._check.setEnabled(not is_checking)
        self._check.setText(self.tr("Checking…") if is_checking else self.tr("Check it and sign in"))

    def _arrange(self) -> None:
        make = LinkButton(self.tr("Make a token"), self, icon="external")
        make.setToolTip(TOKENS)
        make.clicked.connect(self._open_site)
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        row.addWidget(self._field, 1)
        row.addWidget(self._check)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        text = self.tr("A read-only token is enough. It goes to the Hugging Face Hub and to nobody else.")
        column.addWidget(body(text, self))
        column.addLayout(row)
        column.addWidget(self._fault)
        links = QHBoxLayout()
        links.addWidget(make)
        links.addStretch(1)
        column.addLayout(links)

    def _give(self) -> None:
        text = self._field.text()
        if fault := fault_of_token(text):
            self._fault.say(fault)
            return
        self._field.clear()
        self.given.emit(text.strip())

    def _forgive(self) -> None:
        self._fault.hide()

    def _reveal(self, is_shown: bool) -> None:
        mode = QLineEdit.EchoMode.Normal if is_shown else QLineEdit.EchoMode.Password
        self._field.setEchoMode(mode)
        self._eye.setIcon(icons.icon("eye_off" if is_shown else "eye"))
        self._eye.setText(self.tr("Hide the token") if is_shown else self.tr("Show the token"))

    def _open_site(self) -> None:
        open_page(TOKENS)
