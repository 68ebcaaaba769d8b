"""The card about the control of this computer by others: whether it is on, and who may do it."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from client.api.remote.control import ControllerView, RemoteControlView
from gui.computers.view import control_words, controller_words
from gui.design.tokens import Space
from gui.widgets.buttons import IconButton, QuietButton
from gui.widgets.cards import Card
from gui.widgets.labels import Tone, body, caption
from gui.widgets.switches import Switch


class ControlCard(Card):
    """Shows a `RemoteControlView`."""

    switched = Signal(bool)
    pairing_wanted = Signal()
    removal_wanted = Signal(str)
    """Emitted with the name of a computer that may control this one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(self.tr("Control of this computer"))
        self._shown: tuple[ControllerView, ...] = ()
        self.switch = Switch(self.tr("Let paired computers control this one"))
        self.switch.clicked.connect(self.switched)
        self.words, self.key = body(), caption()
        self.words.set_tone(Tone.SOFT)
        self.pair = QuietButton(self.tr("Let another computer control this one…"), self, icon="link")
        self.pair.clicked.connect(self.pairing_wanted)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(Space.XS)
        for part in (self.switch, self.words):
            self.body.addWidget(part)
        self.body.addLayout(self._rows)
        row = QHBoxLayout()
        row.addWidget(self.pair)
        row.addStretch()
        self.body.addLayout(row)
        self.body.addWidget(self.key)

    def show_view(self, view: RemoteControlView | None) -> None:
        """Show remote control; None: no daemon is connected."""
        self.setEnabled(view is not None)
        self.switch.setChecked(view is not None and view.is_on)
        self.words.setText(control_words(view))
        fingerprint = view.fingerprint if view else ""
        #: {fingerprint} is such as "ftze-jazc-ug7v-7g6c-4lbn-zhtv".
        self.key.setText(self.tr("Key of this computer: {fingerprint}").format(fingerprint=fingerprint))
        self.key.setVisible(bool(fingerprint))
        controllers = view.controllers if view else ()
        if controllers != self._shown:
            self._shown = controllers
            self._draw(controllers)

    def _draw(self, controllers: tuple[ControllerView, ...]) -> None:
        while item := self._rows.takeAt(0):
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for controller in controllers:
            self._rows.addWidget(self._row(controller))

    def _row(self, controller: ControllerView) -> QWidget:
        whole = QWidget(self)
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        name = body(controller_words(controller))
        name.set_tone(Tone.ACCENT if controller.connected else Tone.INK)
        name.setToolTip(controller.fingerprint)
        #: {name} is the name of a computer.
        words = self.tr("Remove {name}…").format(name=controller.name)
        removal = IconButton("close", words, whole)
        removal.clicked.connect(partial(self.removal_wanted.emit, controller.name))
        row.addWidget(name, 1)
        row.addWidget(removal)
        return whole
