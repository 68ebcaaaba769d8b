"""A big number with what it counts."""

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from gui.design import fonts
from gui.design.tokens import Space, Type
from gui.widgets.labels import Label, Tone, caption


class Figure(QFrame):
    """Name above, number, and perhaps a remark below, as on the website."""

    def __init__(
        self, value: str = "", label: str = "", note: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.XS // 2)
        self._label = caption(label)
        self._value = Label(value, fonts.figures(fonts.heading(Type.HEADING)))
        self._note = caption(note)
        self._note.set_tone(Tone.FAINT)
        for part in (self._label, self._value, self._note):
            column.addWidget(part)
        column.addStretch()
        self._tell()

    def set_value(self, value: str, note: str | None = None) -> None:
        """The number, and the remark if it changes too."""
        self._value.setText(value)
        if note is not None:
            self._note.setText(note)
        self._tell()

    def set_label(self, label: str) -> None:
        """What is counted."""
        self._label.setText(label)
        self._tell()

    def _tell(self) -> None:
        self._note.setVisible(bool(self._note.text()))
        self.setAccessibleName(self._label.text())
        self.setAccessibleDescription(f"{self._value.text()} {self._note.text()}".strip())
