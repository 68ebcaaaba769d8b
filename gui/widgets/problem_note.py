"""A note about a problem, with a button for each remedy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from client.api.errors import ClientError
from client.api.protocol import ProblemView
from gui.design.tokens import Space
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.buttons import QuietButton
from gui.widgets.layouts import FlowLayout
from gui.wording.codes import problem_words


@dataclass(frozen=True)
class ProblemButton:
    """The text of a button and its action."""

    text: str
    do: Callable[[], None]


class ProblemNote(QWidget):
    """Shows a problem with buttons for its remedies; hidden while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[object, ...] = ()
        self._banner = Banner(self)
        self._buttons = FlowLayout(spacing=Space.S)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        column.addWidget(self._banner)
        column.addLayout(self._buttons)
        self.hide()

    def show_error(self, error: ClientError | ProblemView, *remedies: ProblemButton) -> None:
        """Show an error in the user's words."""
        self.show_message(*problem_words(error.code, error.what, error.remedy), *remedies)

    def show_message(
        self, what: str, remedy: str, *remedies: ProblemButton, kind: BannerKind = BannerKind.ERROR
    ) -> None:
        """Show this problem; unchanged remedies keep their buttons and the focus."""
        problem = (what, remedy, remedies, kind)
        if problem != self._shown:
            is_same_help = self._shown[2:3] == (remedies,)
            self._shown = problem
            only = remedies[0] if len(remedies) == 1 else None
            action, do = (only.text, only.do) if only else (None, None)
            self._banner.show_message(kind, what, remedy, action, do, dismissable=False)
            if not is_same_help:
                self._show_buttons(() if only else remedies)
        self.show()

    def take_focus(self) -> None:
        """Focus the first button that helps."""
        buttons = [button for button in self.findChildren(QPushButton) if not button.isHidden()]
        if buttons:
            buttons[0].setFocus()

    def clear(self) -> None:
        self._shown = ()
        self.hide()

    def _show_buttons(self, remedies: Sequence[ProblemButton]) -> None:
        while item := self._buttons.takeAt(0):
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for remedy in remedies:
            button = QuietButton(remedy.text, self)
            button.clicked.connect(remedy.do)
            self._buttons.addWidget(button)
