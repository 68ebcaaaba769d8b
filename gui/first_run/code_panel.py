"""A sign-in that waits for a browser: its address and code, as letters and as a picture for a phone, and its time."""

from collections.abc import Callable
from datetime import UTC, datetime

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from client.api.snapshot import SignInView
from gui.design import fonts
from gui.design.tokens import Space, Type
from gui.first_run.account_view import time_left
from gui.web_address import open_page
from gui.widgets.announcement import announce
from gui.widgets.buttons import PrimaryButton, QuietButton
from gui.widgets.card import Card
from gui.widgets.flow import FlowLayout
from gui.widgets.labels import Label, body, caption
from gui.widgets.qr import QrCode

_COPIED_MS = 2_000


def utc_now() -> datetime:
    return datetime.now(UTC)


class CodePanel(Card):
    """Without a code, the browser of this computer does it all, and only its page is offered again."""

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None, now: Callable[[], datetime] = utc_now) -> None:
        super().__init__("", parent)
        self._now = now
        self._view: SignInView | None = None
        self._qr = QrCode("", self)
        self._address = _selectable(body("", self))
        self._enter = body(self.tr("There, enter this code:"), self)
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
        """Show it; None: it is over, and the panel hides."""
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
        """Have the system's browser show where to sign in."""
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
            text = self.tr("Go on in your browser, which shows {address}.")
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
        self._time.setText(time_left(self._view.expires, self._now()))


def _selectable(label: Label) -> Label:
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _shortened(address: str) -> str:
    """Without what only programs read of it."""
    url = QUrl(address)
    port = f":{url.port()}" if url.port() != -1 else ""
    return f"{url.host()}{port}{url.path()}"
