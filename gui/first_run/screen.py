"""One screen of the first run, as the wizard treats it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from client.api.snapshot import Snapshot
from gui.design.tokens import Space
from gui.first_run.steps import Step
from gui.link.link import Link
from gui.widgets.labels import heading, lead


class Screen(QWidget):
    """Base of all; it keeps what was entered for as long as the wizard lives, so that going back loses nothing."""

    step: Step
    altered = Signal()
    """What may be done next has changed: the wizard looks at `primary_text` and the facts again."""
    settled = Signal()
    """What it was busy with has come to its end: the keyboard's focus goes to where the volunteer goes on."""
    passed = Signal()
    """The volunteer is through with it."""

    def __init__(self, link: Link, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.link = link
        self.content = QVBoxLayout(self)
        self.content.setContentsMargins(0, 0, 0, 0)
        self.content.setSpacing(Space.L)

    def title(self) -> str:
        """For the indicator of steps, in the user's language."""
        raise NotImplementedError

    def primary_text(self) -> str:
        """Of the button that leads on."""
        return self.tr("Next")

    def primary_is_ready(self) -> bool:
        """Whether that button may be pressed, where nothing that the wizard knows of stands in the way."""
        return True

    def hint(self) -> str:
        """What is missing before that button can be pressed; empty: nothing, or it is plain."""
        return ""

    def press_primary(self) -> None:
        """Carry out what that button says."""
        self.passed.emit()

    def first_focus(self) -> QWidget | None:
        """Where the keyboard's focus goes when the screen appears; None: to the button that leads on."""
        return None

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Draw the latest; None: no daemon is connected."""

    def shown(self) -> None:
        """Called when it becomes the visible one."""

    def left(self) -> None:
        """Called when another becomes visible, or the wizard is left."""

    def given_up(self) -> None:
        """Called when nobody will come back to it: what it is busy with is to end."""

    def add_heading(self, title: str, text: str) -> None:
        """What every screen begins with."""
        top = QVBoxLayout()
        top.setSpacing(Space.S)
        top.addWidget(heading(title, self))
        top.addWidget(lead(text, self))
        self.content.addLayout(top)
