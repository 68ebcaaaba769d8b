"""A message across a page, with an optional button."""

from collections.abc import Callable
from enum import StrEnum

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QWidget

from gui.design.icons import pixmap
from gui.design.theme import current
from gui.design.tokens import Space
from gui.widgets.accessibility import announce
from gui.widgets.buttons import IconButton, QuietButton
from gui.widgets.labels import Tone, body, strong

_ICON = 20


class BannerKind(StrEnum):
    """Kinds of messages; each has an icon and a colour."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"
    DONE = "done"


_ICONS = {
    BannerKind.INFO: "info",
    BannerKind.WARNING: "warning",
    BannerKind.ERROR: "error",
    BannerKind.DONE: "check",
}
_COLOURS = {
    BannerKind.INFO: "accent",
    BannerKind.WARNING: "ochre",
    BannerKind.ERROR: "vermilion",
    BannerKind.DONE: "viridian",
}


class Banner(QFrame):
    """Shows one message; hidden until there is one."""

    dismissed = Signal()
    """Emitted when the user has closed the message."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = BannerKind.INFO
        self._do: Callable[[], None] | None = None
        self._icon = QLabel(self)
        self._icon.setFixedSize(QSize(_ICON, _ICON))
        self._text = strong()
        self._detail = body()
        self._detail.set_tone(Tone.SOFT)
        self.button = QuietButton()
        self.button.clicked.connect(self._act)
        self._close = IconButton("close", self.tr("Dismiss"), size=16)
        self._close.setObjectName("dismiss")
        self._close.clicked.connect(self._dismiss)
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        words = QGridLayout()
        words.setHorizontalSpacing(Space.M)
        words.setVerticalSpacing(2)
        words.addWidget(self._icon, 0, 0, Qt.AlignmentFlag.AlignVCenter)
        words.addWidget(self._text, 0, 1)
        words.addWidget(self._detail, 1, 1)
        words.setColumnStretch(1, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.L, Space.M, Space.M, Space.M)
        row.setSpacing(Space.M)
        row.addLayout(words, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._close, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_message(
        self, kind: BannerKind, text: str, detail: str = "", action: str | None = None,
        do: Callable[[], None] | None = None, *, dismissable: bool = True,
    ) -> None:  # fmt: skip
        """Show a message, and announce it if it is new; ``action`` adds a button."""
        is_news = self.isHidden() or (text, detail) != (self._text.text(), self._detail.text())
        self.kind, self._do = kind, do
        self._text.setText(text)
        self._detail.setText(detail)
        self._detail.setVisible(bool(detail))
        self.button.setText(action or "")
        self.button.setVisible(action is not None)
        self._close.setVisible(dismissable)
        self.setAccessibleName(text)
        self.setAccessibleDescription(detail)
        self._restyle()
        self.show()
        if is_news:
            announce(self, "\n".join(filter(None, (text, detail))))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_icon()

    def _restyle(self) -> None:
        if self.property("kind") != self.kind.value:
            self.setProperty("kind", self.kind.value)
            self.style().unpolish(self)
            self.style().polish(self)
        self._paint_icon()

    def _paint_icon(self) -> None:
        colour = getattr(current().palette, _COLOURS[self.kind])
        self._icon.setPixmap(pixmap(_ICONS[self.kind], _ICON, colour, self.devicePixelRatioF()))

    def _act(self) -> None:
        if self._do is not None:
            self._do()

    def _dismiss(self) -> None:
        self.hide()
        self.dismissed.emit()
