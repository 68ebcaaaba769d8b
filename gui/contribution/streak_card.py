"""The card of the streak: on how many days in a row something was given."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from gui.contribution.view import ContributionView
from gui.design import fonts
from gui.design.icons import pixmap
from gui.design.theme import current
from gui.design.tokens import Space, Type
from gui.widgets.card import Card
from gui.widgets.labels import Label, Tone, caption

_ICON = 36


class StreakCard(Card):
    """Lit while it lasts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(self.tr("Days in a row"))
        self._lasts = False
        self._flame = QLabel(self)
        self._flame.setFixedSize(QSize(_ICON, _ICON))
        self._days = Label("", fonts.figures(fonts.heading(Type.HEADING, QFont.Weight.Bold)))
        self._longest = caption()
        self._longest.set_tone(Tone.FAINT)
        row = QHBoxLayout()
        row.setSpacing(Space.M)
        row.addWidget(self._flame)
        row.addWidget(self._days, 1)
        self.body.addStretch()
        self.body.addLayout(row)
        self.body.addWidget(self._longest)
        self.body.addStretch()
        self.body.setAlignment(Qt.AlignmentFlag.AlignVCenter)

    def show_view(self, view: ContributionView) -> None:
        self._days.setText(view.streak)
        self._longest.setText(view.longest)
        self._lasts = view.has_streak
        self._paint_flame()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_flame()

    def _paint_flame(self) -> None:
        palette = current().palette
        colour = palette.vermilion if self._lasts else palette.line_strong
        self._flame.setPixmap(pixmap("flame", _ICON, colour, self.devicePixelRatioF()))
