"""The base class of the screens of the first run."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from client.api.snapshot import Snapshot
from gui.design.tokens import Space
from gui.first_run.steps import FirstRunStep
from gui.link.link import AppLink
from gui.widgets.labels import heading, lead


class Screen(QWidget):
    """Base of all screens; it keeps its input as long as the wizard lives, so that going back loses nothing."""

    step: FirstRunStep
    altered = Signal()
    """Emitted when the available actions have changed; the wizard reads `primary_text` and the facts again."""
    settled = Signal()
    """Emitted when an operation has ended; the focus moves to the next control."""
    passed = Signal()
    """Emitted when the volunteer has completed the screen."""

    def __init__(self, link: AppLink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.link = link
        self.content = QVBoxLayout(self)
        self.content.setContentsMargins(0, 0, 0, 0)
        self.content.setSpacing(Space.L)

    def title(self) -> str:
        """Return the title for the step indicator, in the user's language."""
        raise NotImplementedError

    def primary_text(self) -> str:
        """Return the text of the button to the next screen."""
        return self.tr("Next")

    def primary_is_ready(self) -> bool:
        """Return true if the button to the next screen may be pressed, as far as the screen itself decides."""
        return True

    def hint(self) -> str:
        """Return what is missing before the button to the next screen can be pressed.

        The text is empty if nothing is missing, or if it is obvious.
        """
        return ""

    def press_primary(self) -> None:
        """Carry out the action of that button."""
        self.passed.emit()

    def first_focus(self) -> QWidget | None:
        """Return the widget to focus when the screen appears; None for the button to the next screen."""
        return None

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Draw the latest snapshot; None if no daemon is connected."""

    def shown(self) -> None:
        """Do nothing when the screen becomes visible; a screen may override this."""

    def left(self) -> None:
        """Do nothing when another screen becomes visible or the wizard is left; a screen may override this."""

    def given_up(self) -> None:
        """Do nothing when the screen will not be shown again; a screen may override this to end its operations."""

    def add_heading(self, title: str, text: str) -> None:
        """Add the title and the introduction."""
        top = QVBoxLayout()
        top.setSpacing(Space.S)
        top.addWidget(heading(title, self))
        top.addWidget(lead(text, self))
        self.content.addLayout(top)
