"""The card with the volunteer's rank over time; the best rank is on top."""

import math
from collections.abc import Sequence
from datetime import date, datetime

from PySide6.QtWidgets import QWidget

from client.api.history import RankPoint
from gui.leaderboard.view import ranks_summary
from gui.widgets.cards import Card
from gui.widgets.chart import LineChart
from gui.widgets.labels import Tone, caption
from gui.wording import amounts

_HEIGHT = 190


class RanksCard(Card):
    """Shows the ranks that the daemon recorded at intervals."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(self.tr("My rank over time"))
        self.chart = LineChart(self)
        self.chart.setMinimumHeight(_HEIGHT)
        self._summary = caption()
        self._summary.set_tone(Tone.SOFT)
        self.body.addWidget(self.chart, 1)
        self.body.addWidget(self._summary)
        self.show_ranks(())

    def show_ranks(self, points: Sequence[RankPoint]) -> None:
        self._summary.setText(ranks_summary(points))
        self._summary.setVisible(bool(points))
        if not points:
            self.chart.set_empty(
                self.tr("Your rank is recorded from time to time while this computer trains.")
            )
            return
        self.chart.set_series(
            [(_days(point.time), float(point.rank)) for point in points],
            "",
            self.tr("Rank"),
            x_text=_day,
            y_text=_rank,
            inverted=True,
        )


def _days(time: datetime) -> float:
    """Return a time in days of the local calendar, with fraction."""
    local = time.astimezone()
    seconds = local.hour * 3600 + local.minute * 60 + local.second
    return local.date().toordinal() + seconds / 86_400


def _day(days: float) -> str:
    return amounts.short_day(date.fromordinal(math.floor(days)))


def _rank(rank: float) -> str:
    return amounts.count(round(rank))
