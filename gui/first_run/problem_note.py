"""What went wrong on a screen, in its place: what happened, what to do, and buttons for that."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from client.api.errors import ClientError
from client.api.problem import ProblemView
from gui.design.tokens import Space
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.buttons import QuietButton
from gui.widgets.flow import FlowLayout
from gui.wording import problems


@dataclass(frozen=True)
class Remedy:
    """A button, and what it does."""

    text: str
    do: Callable[[], None]


class ProblemNote(QWidget):
    """Hidden while all is well."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._said: tuple[object, ...] = ()
        self._banner = Banner(self)
        self._buttons = FlowLayout(spacing=Space.S)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        column.addWidget(self._banner)
        column.addLayout(self._buttons)
        self.hide()

    def tell(self, error: ClientError | ProblemView, *remedies: Remedy) -> None:
        """Show an error in the user's words."""
        self.say(*problems.words(error.code, error.what, error.remedy), *remedies)

    def say(self, what: str, remedy: str, *remedies: Remedy, kind: BannerKind = BannerKind.ERROR) -> None:
        """Show this; what is shown already is left alone, with the focus that its buttons may have."""
        said = (what, remedy, remedies, kind)
        if said != self._said:
            self._said = said
            only = remedies[0] if len(remedies) == 1 else None
            action, do = (only.text, only.do) if only else (None, None)
            self._banner.show_message(kind, what, remedy, action, do, dismissable=False)
            self._show_buttons(() if only else remedies)
        self.show()

    def take_focus(self) -> None:
        """Lead the keyboard to the first thing that helps."""
        buttons = [button for button in self.findChildren(QPushButton) if not button.isHidden()]
        if buttons:
            buttons[0].setFocus()

    def clear(self) -> None:
        self._said = ()
        self.hide()

    def _show_buttons(self, remedies: Sequence[Remedy]) -> None:
        while item := self._buttons.takeAt(0):
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for remedy in remedies:
            button = QuietButton(remedy.text, self)
            button.clicked.connect(remedy.do)
            self._buttons.addWidget(button)
