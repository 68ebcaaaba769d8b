"""The badges: those that were reached with their date, those to come with how far they are."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from client.api.history import BadgeView
from gui.design.icons import pixmap
from gui.design.theme import current
from gui.design.tokens import Space
from gui.widgets.card import Card
from gui.widgets.labels import Tone, caption, strong
from gui.widgets.progress import ProgressBar
from gui.wording import amounts, badges

_ICON = 28
_WIDTH = 220
"""Of a badge, at least."""
_ICONS = {
    "samples": "brush",
    "streak": "flame",
    "hours": "clock",
    "epochs": "refresh",
    "nights": "star",
    "early": "sparkle",
}


class Badge(QWidget):
    """One badge."""

    def __init__(self, badge: BadgeView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._family, self._is_reached = badge.code.partition("_")[0], badge.reached is not None
        self._icon = QLabel(self)
        self._icon.setFixedSize(QSize(_ICON, _ICON))
        name, about = strong(badges.title(badge.code)), caption(badges.about(badge.code))
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(name)
        if badges.about(badge.code) != badges.title(badge.code):
            words.addWidget(about)
        words.addSpacing(2 if self._is_reached else Space.XS)
        words.addWidget(self._state(badge))
        words.addStretch()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.M)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        if not self._is_reached:
            name.set_tone(Tone.SOFT)
        self._paint_icon()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_icon()

    def _state(self, badge: BadgeView) -> QWidget:
        if badge.reached is not None:
            reached = caption(self.tr("Reached on {day}").format(day=amounts.day(badge.reached)), self)
            reached.set_tone(Tone.OCHRE)
            return reached
        bar = ProgressBar(self)
        bar.set(badge.progress)
        bar.setAccessibleName(self.tr("On the way to it"))
        bar.setToolTip(amounts.percent(badge.progress))
        return bar

    def _paint_icon(self) -> None:
        palette = current().palette
        colour = palette.ochre if self._is_reached else palette.line_strong
        name = _ICONS.get(self._family, "trophy")
        self._icon.setPixmap(pixmap(name, _ICON, colour, self.devicePixelRatioF()))


class BadgesCard(Card):
    """In as many columns as there is room for; those that were reached come first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(self.tr("Badges"))
        self._shown: Sequence[BadgeView] = ()
        self._badges: list[Badge] = []
        self._columns = 0
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(Space.XL)
        self._grid.setVerticalSpacing(Space.XL)
        self.body.addLayout(self._grid)

    def show_badges(self, shown: Sequence[BadgeView]) -> None:
        if shown == self._shown:
            return
        self._shown = shown
        for badge in self._badges:
            self._grid.removeWidget(badge)
            badge.hide()
            badge.deleteLater()
        self._badges = [Badge(badge, self) for badge in in_order(shown)]
        self._columns = 0
        self._arrange()
        self.setVisible(bool(shown))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        columns = max(1, (self.width() - 2 * Space.XL) // (_WIDTH + Space.XL))
        if columns == self._columns:
            return
        for column in range(max(columns, self._columns)):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        self._columns = columns
        for place, badge in enumerate(self._badges):
            self._grid.addWidget(badge, place // columns, place % columns)


def in_order(shown: Sequence[BadgeView]) -> list[BadgeView]:
    """The latest that was reached first, then those to come, the nearest first."""
    return sorted(
        shown, key=lambda badge: (-badge.reached.toordinal() if badge.reached else 0, -badge.progress)
    )
