"""The data that others see of a volunteer, and the card that shows it with the peer ID."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from client.api.snapshot import Snapshot
from gui.design import fonts
from gui.design.tokens import Space
from gui.widgets.accessibility import announce, follow_layout
from gui.widgets.buttons import IconButton
from gui.widgets.cards import Card
from gui.widgets.labels import IconMark, Label, Tone, body, caption, strong

translate = QCoreApplication.translate
_ICON = 20
_COPIED_MS = 4_000


@dataclass(frozen=True)
class PrivacyParty:
    """One party, and the data that it sees."""

    icon: str
    who: str
    what: str


def seen_by_others(snapshot: Snapshot | None) -> tuple[PrivacyParty, ...]:
    """Return the data that each party sees, as far as the joined run determines it."""
    run = snapshot.run if snapshot else None
    has_gate = run is not None and run.has_gate
    found = [PrivacyParty("users", translate("Privacy", "Other volunteers"), _peers(has_gate))]
    if run is None or run.coordinator:
        found.append(
            PrivacyParty("network", translate("Privacy", "The run's coordinator"), _coordinator(has_gate))
        )
    found.append(PrivacyParty("user", "Hugging Face", _hub()))
    found.append(PrivacyParty("lock", translate("Privacy", "No one"), _private()))
    return tuple(found)


def _peers(has_gate: bool) -> str:
    if has_gate:
        return translate(
            "Privacy",
            "Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU and "
            "its memory size), your training speed, the gradients you send, and the user name "
            "under which you were admitted.",
        )
    return translate(
        "Privacy",
        "Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU and "
        "its memory size), your training speed, and the gradients you send. They do not see "
        "your name.",
    )


def _coordinator(has_gate: bool) -> str:
    if has_gate:
        return translate(
            "Privacy",
            "Your user name, the contribution of your computers, and the team you join. The "
            "leaderboard, your public page with its picture, and your team's page show your name "
            "unless you hide it. The coordinator receives a proof of identity made for it "
            "alone, never your token.",
        )
    return translate("Privacy", "The IP address of this computer and its contribution.")


def _hub() -> str:
    return translate(
        "Privacy",
        "Your sign-in, if you sign in. Your token is stored on this computer and sent only "
        "to the Hub. Idlebrush also downloads data and files of a run from the Hub if they "
        "are stored there.",
    )


def _private() -> str:
    return translate(
        "Privacy",
        "Your files, your input and the programs you use. To pause while you use the "
        "computer, Idlebrush asks the system for the time of the last input, but not for the "
        "input itself. This time and the prompts and pictures in your gallery never leave "
        "this computer.",
    )


class PrivacyCard(Card):
    """Shows what each party sees; it changes with the joined run."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.set_title(self.tr("What others see"))
        self.body.setSpacing(Space.L)
        self._seen: tuple[PrivacyParty, ...] = ()
        self._rows: list[_PrivacyRow] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(Space.L)
        self.peer = _PeerId(self)
        self.body.addLayout(self._list)
        self.body.addWidget(self.peer)
        self.show_snapshot(None)

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Show what applies to the joined run, and the trainer's peer ID."""
        self.peer.show_id(snapshot.trainer.peer_id if snapshot and snapshot.trainer else None)
        seen = seen_by_others(snapshot)
        if seen == self._seen:
            return
        self._seen = seen
        for row in self._rows:
            row.hide()
            row.deleteLater()
        self._rows = [_PrivacyRow(one, self) for one in seen]
        for row in self._rows:
            self._list.addWidget(row)
        follow_layout(self)


class _PrivacyRow(QWidget):
    def __init__(self, seen: PrivacyParty, parent: QWidget) -> None:
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
        row.addWidget(IconMark(seen.icon, Tone.ACCENT, _ICON, self), 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)


class _PeerId(QWidget):
    """Shows the peer ID; hidden until the trainer has joined the swarm."""

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
