"""A sheet raised from the paper that holds what belongs together."""

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gui.design import fonts
from gui.design.tokens import Space, Type
from gui.widgets.labels import Label


class Card(QFrame):
    """Its content goes to `body`; what belongs beside the title to `head`."""

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        sheet = QVBoxLayout(self)
        sheet.setContentsMargins(Space.L + Space.XS, Space.L, Space.L + Space.XS, Space.L + Space.XS)
        sheet.setSpacing(Space.M)
        self.head = QHBoxLayout()
        self.head.setSpacing(Space.S)
        self.body = QVBoxLayout()
        self.body.setSpacing(Space.M)
        self._title = Label("", fonts.heading(Type.LEAD, QFont.Weight.DemiBold))
        self.head.addWidget(self._title, 1)
        sheet.addLayout(self.head)
        sheet.addLayout(self.body, 1)
        self.set_title(title)

    def set_title(self, title: str) -> None:
        """Empty: none."""
        self._title.setText(title)
        self._title.setVisible(bool(title))
        self.setAccessibleName(title)
