"""The card of figures: what was given in the time that is looked at."""

from collections.abc import Sequence

from PySide6.QtWidgets import QGridLayout, QWidget

from gui.contribution.view import Amount, ContributionView
from gui.design.tokens import Space
from gui.widgets.card import Card
from gui.widgets.figure import Figure

_COLUMNS = 3


class AmountsCard(Card):
    """As many figures as the view has, in rows of three."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._figures: list[Figure] = []
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(Space.XL)
        self._grid.setVerticalSpacing(Space.L)
        for column in range(_COLUMNS):
            self._grid.setColumnStretch(column, 1)
        self.body.addLayout(self._grid)

    def show_view(self, view: ContributionView) -> None:
        self.set_title(view.caption)
        self._show(view.amounts)

    def _show(self, amounts: Sequence[Amount]) -> None:
        while len(self._figures) < len(amounts):
            place = len(self._figures)
            self._figures.append(Figure(parent=self))
            self._grid.addWidget(self._figures[-1], place // _COLUMNS, place % _COLUMNS)
        for figure, amount in zip(self._figures, amounts, strict=True):
            figure.set_label(amount.label)
            figure.set_value(amount.value)
