"""The badges: earned ones with their date, others with their progress."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from client.api.history import BadgeView
from gui.background import EventLoopTurns
from gui.design.icons import pixmap
from gui.design.theme import current
from gui.design.tokens import Space
from gui.widgets.cards import Card
from gui.widgets.labels import Tone, caption, strong
from gui.widgets.progress import ProgressBar
from gui.wording import amounts
from gui.wording.codes import badge_about, badge_title

_ICON = 28
_WIDTH = 220
"""Smallest width of a badge."""
_ICONS = {
    "samples": "brush",
    "streak": "flame",
    "hours": "clock",
    "epochs": "refresh",
    "nights": "star",
    "early": "sparkle",
}


class BadgeWidget(QWidget):
    """Shows one badge, which may be earned while it is shown."""

    def __init__(self, code: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._family, self._is_reached = code.partition("_")[0], False
        self._icon = QLabel(self)
        self._icon.setFixedSize(QSize(_ICON, _ICON))
        self._name, self._reached, self._bar = strong(badge_title(code)), caption(), ProgressBar()
        self._reached.set_tone(Tone.OCHRE)
        self._bar.setAccessibleName(badge_title(code))
        about = badge_about(code)
        self._lay_out(caption(about) if about != badge_title(code) else None)
        self._paint_icon()

    def show_badge(self, badge: BadgeView) -> None:
        """Show the day on which the badge was earned, or its progress."""
        self._is_reached = badge.reached is not None
        if badge.reached is not None:
            self._reached.setText(self.tr("Reached on {day}").format(day=amounts.day(badge.reached)))
        self._bar.set(badge.progress)
        self._bar.setToolTip(amounts.percent(badge.progress))
        self._reached.setVisible(self._is_reached)
        self._bar.setVisible(not self._is_reached)
        self._name.set_tone(Tone.INK if self._is_reached else Tone.SOFT)
        self._paint_icon()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_icon()

    def _lay_out(self, about: QWidget | None) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        for part in (self._name, about):
            if part is not None:
                words.addWidget(part)
        words.addSpacing(2)
        for state in (self._reached, self._bar):
            words.addWidget(state)
            state.hide()
        words.addStretch()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.M)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)

    def _paint_icon(self) -> None:
        palette = current().palette
        colour = palette.ochre if self._is_reached else palette.line_strong
        name = _ICONS.get(self._family, "trophy")
        self._icon.setPixmap(pixmap(name, _ICON, colour, self.devicePixelRatioF()))


class BadgesCard(Card):
    """Shows all badges in as many columns as fit; earned badges come first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(self.tr("Badges"))
        self._badges: dict[str, BadgeWidget] = {}
        """Widgets by badge code, in the order in which they are shown."""
        self._columns = 0
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(Space.XL)
        self._grid.setVerticalSpacing(Space.XL)
        self.body.addLayout(self._grid)
        self._showing = EventLoopTurns(self)

    def show_badges(self, shown: Sequence[BadgeView]) -> None:
        self.setVisible(bool(shown))
        self._showing.begin(self._show_all(in_order(shown)))

    def _show_all(self, shown: Sequence[BadgeView]) -> Iterator[None]:
        """Show the badges in steps, because a new widget takes some milliseconds."""
        for badge in shown:
            if badge.code not in self._badges:
                self._badges[badge.code] = BadgeWidget(badge.code, self)
                yield
            self._badges[badge.code].show_badge(badge)
        codes = [badge.code for badge in shown]
        for gone in self._badges.keys() - set(codes):
            self._badges.pop(gone).deleteLater()
        if list(self._badges) != codes or self._grid.count() != len(codes):
            self._badges = {code: self._badges[code] for code in codes}
            self._columns = 0
            self._arrange()

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
        for place, badge in enumerate(self._badges.values()):
            self._grid.addWidget(badge, place // columns, place % columns)


def in_order(shown: Sequence[BadgeView]) -> list[BadgeView]:
    """Return badges in order: earned ones from the latest, then others by falling progress."""
    return sorted(
        shown, key=lambda badge: (-badge.reached.toordinal() if badge.reached else 0, -badge.progress)
    )
