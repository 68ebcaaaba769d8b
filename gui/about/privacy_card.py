"""A card that says who sees what of a volunteer, with the peer ID by which others know this computer."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from client.api.snapshot import Snapshot
from gui.about.privacy import Seen, seen_by_others
from gui.design import fonts
from gui.design.tokens import Space
from gui.widgets.announcement import announce
from gui.widgets.buttons import IconButton
from gui.widgets.card import Card
from gui.widgets.labels import Label, Tone, body, caption, strong
from gui.widgets.mark import Mark
from gui.widgets.tab_order import follow_layout

_ICON = 20
_COPIED_MS = 4_000


class PrivacyCard(Card):
    """Changes with the run that was joined."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.set_title(self.tr("What others see"))
        self.body.setSpacing(Space.L)
        self._seen: tuple[Seen, ...] = ()
        self._rows: list[_Row] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(Space.L)
        self.peer = _PeerId(self)
        self.body.addLayout(self._list)
        self.body.addWidget(self.peer)
        self.show_snapshot(None)

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """By its run, and its trainer's peer ID."""
        self.peer.show_id(snapshot.trainer.peer_id if snapshot and snapshot.trainer else None)
        seen = seen_by_others(snapshot)
        if seen == self._seen:
            return
        self._seen = seen
        for row in self._rows:
            row.hide()
            row.deleteLater()
        self._rows = [_Row(one, self) for one in seen]
        for row in self._rows:
            self._list.addWidget(row)
        follow_layout(self)


class _Row(QWidget):
    def __init__(self, seen: Seen, parent: QWidget) -> None:
        super().__init__(parent)
        what = body(seen.what)
        what.set_tone(Tone.SOFT)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(strong(seen.who))
        words.addWidget(what)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.M)
        row.addWidget(Mark(seen.icon, Tone.ACCENT, _ICON, self), 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)


class _PeerId(QWidget):
    """Hidden while there is none: it is known once the trainer has met the swarm."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = Label("", fonts.code(), Tone.INK, self)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = IconButton("copy", self.tr("Copy the peer ID"), self)
        self.copy.clicked.connect(self._copy)
        self._copied = QTimer(self, singleShot=True, interval=_COPIED_MS)
        self._copied.timeout.connect(self._forget_copied)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(caption(self.tr("Peer ID of this computer")))
        words.addWidget(self._label)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addLayout(words, 1)
        row.addWidget(self.copy)
        self.hide()

    def show_id(self, peer: str | None) -> None:
        self._label.setText(peer or "")
        self.setVisible(bool(peer))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._label.text())
        self.copy.set_icon("check", self.tr("Copied"))
        announce(self.copy, self.copy.accessibleName())
        self._copied.start()

    def _forget_copied(self) -> None:
        self.copy.set_icon("copy", self.tr("Copy the peer ID"))
