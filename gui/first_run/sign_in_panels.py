"""The panels of a sign-in: with a code in a browser, or with a token."""

from datetime import UTC, datetime

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from client.api.snapshot import SignInView
from gui.design import fonts, icons
from gui.design.tokens import Space, Type
from gui.first_run.account_view import TOKENS, fault_of_token, time_left
from gui.web_address import open_page
from gui.widgets.accessibility import announce
from gui.widgets.buttons import LinkButton, PrimaryButton, QuietButton
from gui.widgets.cards import Card
from gui.widgets.labels import FaultNote, Label, body, caption
from gui.widgets.layouts import FlowLayout
from gui.widgets.picture import QrCode

_COPIED_MS = 2_000


class CodePanel(Card):
    """Shows a code with its address; without a code, only the browser's page is offered again."""

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._view: SignInView | None = None
        self._qr = QrCode("", self)
        self._address = _selectable(body("", self))
        self._enter = body(self.tr("Enter this code on that page:"), self)
        self._code = _selectable(Label("", fonts.figures(fonts.heading(Type.DISPLAY)), parent=self))
        self._time = caption("", self)
        self._open = PrimaryButton(self.tr("Open in the browser"), self)
        self._open.clicked.connect(self.open_page)
        self._copy = QuietButton("", self)
        self._copy.clicked.connect(self._copy_text)
        cancel = QuietButton(self.tr("Cancel"), self)
        cancel.clicked.connect(self.cancelled)
        self.body.addLayout(self._arranged(cancel))
        self._ticking = QTimer(self, interval=1_000)
        self._ticking.timeout.connect(self._show_time)
        self._copied = QTimer(self, interval=_COPIED_MS, singleShot=True)
        self._copied.timeout.connect(self._name_copy)
        self.hide()

    def show_sign_in(self, view: SignInView | None) -> None:
        """Show a sign-in; None hides the panel, because the sign-in is over."""
        self.setVisible(view is not None)
        if view == self._view:
            return
        self._view = view
        if view is None:
            self._ticking.stop()
            return
        self._draw(view)
        self._open.setFocus()
        announce(self, self._code.accessibleName() if view.code else self._address.text())
        self._ticking.start()
        self._show_time()

    def open_page(self) -> None:
        """Open the sign-in page in the system's browser."""
        if self._view is not None:
            open_page(self._view.address)

    def _arranged(self, cancel: QWidget) -> QHBoxLayout:
        words = QVBoxLayout()
        words.setSpacing(Space.S)
        for widget in (self._address, self._enter, self._code, self._time):
            words.addWidget(widget)
        buttons = FlowLayout(spacing=Space.S)
        for button in (self._open, self._copy, cancel):
            buttons.addWidget(button)
        words.addSpacing(Space.S)
        words.addLayout(buttons)
        row = QHBoxLayout()
        row.setSpacing(Space.XL)
        row.addWidget(self._qr, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        return row

    def _draw(self, view: SignInView) -> None:
        has_code = bool(view.code)
        for widget in (self._qr, self._enter, self._code):
            widget.setVisible(has_code)
        if has_code:
            self._qr.set_text(view.address)
            self._code.setText(view.code)
            #: {code} is to be read out letter by letter.
            self._code.setAccessibleName(self.tr("Code {code}").format(code=" ".join(view.code)))
            text = self.tr("Open {address}, here or on your phone.")
        else:
            text = self.tr("Continue in your browser at {address}.")
        self._address.setText(text.format(address=_shortened(view.address)))
        self._name_copy()

    def _name_copy(self) -> None:
        has_code = self._view is not None and bool(self._view.code)
        self._copy.setText(self.tr("Copy the code") if has_code else self.tr("Copy the address"))

    def _copy_text(self) -> None:
        assert self._view is not None
        QGuiApplication.clipboard().setText(self._view.code or self._view.address)
        self._copy.setText(self.tr("Copied"))
        announce(self._copy, self._copy.text())
        self._copied.start()

    def _show_time(self) -> None:
        assert self._view is not None
        self._time.setText(time_left(self._view.expires, datetime.now(UTC)))


def _selectable(label: Label) -> Label:
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _shortened(address: str) -> str:
    """Return the part of an address that a person reads: host, port and path."""
    url = QUrl(address)
    port = f":{url.port()}" if url.port() != -1 else ""
    return f"{url.host()}{port}{url.path()}"


class TokenPanel(QWidget):
    """Accepts a token, and clears the field as soon as the token was sent."""

    given = Signal(str)
    """Emitted with a token for the daemon."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field = QLineEdit(self)
        self._field.setEchoMode(QLineEdit.EchoMode.Password)
        self._field.setPlaceholderText("hf_…")
        self._field.setAccessibleName(self.tr("Token"))
        self._field.returnPressed.connect(self._submit)
        self._field.textChanged.connect(self._hide_fault)
        self._eye = self._field.addAction(icons.icon("eye"), QLineEdit.ActionPosition.TrailingPosition)
        self._eye.setCheckable(True)
        self._eye.setText(self.tr("Show the token"))
        self._eye.toggled.connect(self._reveal)
        self._check = PrimaryButton(self.tr("Check and sign in"), self)
        self._check.clicked.connect(self._submit)
        self._fault = FaultNote(self)
        self._arrange()

    @property
    def field(self) -> QLineEdit:
        return self._field

    def show_checking(self, is_checking: bool) -> None:
        """Show whether the daemon is checking the token with the Hub."""
        self._field.setEnabled(not is_checking)
        self._check.setEnabled(not is_checking)
        self._check.setText(self.tr("Checking…") if is_checking else self.tr("Check and sign in"))

    def _arrange(self) -> None:
        make = LinkButton(self.tr("Create a token"), self, icon="external")
        make.setToolTip(TOKENS)
        make.clicked.connect(self._open_site)
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        row.addWidget(self._field, 1)
        row.addWidget(self._check)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        text = self.tr("A read-only token is enough. Idlebrush sends it only to the Hugging Face Hub.")
        column.addWidget(body(text, self))
        column.addLayout(row)
        column.addWidget(self._fault)
        links = QHBoxLayout()
        links.addWidget(make)
        links.addStretch(1)
        column.addLayout(links)

    def _submit(self) -> None:
        text = self._field.text()
        if fault := fault_of_token(text):
            self._fault.say(fault)
            return
        self._field.clear()
        self.given.emit(text.strip())

    def _hide_fault(self) -> None:
        self._fault.hide()

    def _reveal(self, is_shown: bool) -> None:
        mode = QLineEdit.EchoMode.Normal if is_shown else QLineEdit.EchoMode.Password
        self._field.setEchoMode(mode)
        self._eye.setIcon(icons.icon("eye_off" if is_shown else "eye"))
        self._eye.setText(self.tr("Hide the token") if is_shown else self.tr("Show the token"))

    def _open_site(self) -> None:
        open_page(TOKENS)
