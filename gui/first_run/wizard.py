"""The first run: at most five screens from a greeting to a computer that trains; later, the way into another run."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gui.first_run.steps import WHOLE, Step
from gui.link.link import Link
from gui.settings import Settings


class FirstRun(QWidget):
    """A window of its own, which asks before it is left; whoever has made it takes it down once it has finished."""

    finished = Signal(bool)
    """Whether a run was joined."""

    def __init__(
        self, link: Link, settings: Settings, parent: QWidget | None = None, *, route: Sequence[Step] = WHOLE
    ) -> None:
        super().__init__(parent)

    def offer(self, location: str) -> None:
        """Have that run be looked at as if the volunteer had chosen it: a link, a file or ``embedded``."""
        raise NotImplementedError
