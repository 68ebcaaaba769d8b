"""The card of figures: what the swarm does, and what of it this computer does."""

from collections.abc import Sequence

from PySide6.QtWidgets import QGridLayout, QWidget

from gui.design.tokens import Space
from gui.now.view import Fact
from gui.widgets.card import Card
from gui.widgets.figure import Figure

_COLUMNS = 2


class FactsCard(Card):
    """As many figures as there are facts, in two columns."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(Space.XL)
        self._grid.setVerticalSpacing(Space.L)
        for column in range(_COLUMNS):
            self._grid.setColumnStretch(column, 1)
        self.body.addLayout(self._grid)
        self._figures: list[Figure] = []

    def show_facts(self, facts: Sequence[Fact]) -> None:
        while len(self._figures) < len(facts):
            place = len(self._figures)
            self._figures.append(Figure(parent=self))
            self._grid.addWidget(self._figures[-1], place // _COLUMNS, place % _COLUMNS)
        for place, figure in enumerate(self._figures):
            figure.setVisible(place < len(facts))
            if place < len(facts):
                figure.set_label(facts[place].label)
                figure.set_value(facts[place].value, facts[place].unit)
