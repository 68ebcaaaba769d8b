"""The cards with amounts, streak and chart of the contribution, and with the contribution to each run."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QWidget

from client.api.history import RunContribution
from gui.contribution.view import Amount, ContributionMeasure, ContributionPageView, measure_name
from gui.design import fonts
from gui.design.icons import pixmap
from gui.design.theme import current
from gui.design.tokens import Space, Type
from gui.widgets.cards import Card, Figure
from gui.widgets.chart import BarChart, ChartBar
from gui.widgets.labels import Label, Tone, body, caption
from gui.widgets.switches import SegmentedControl
from gui.wording import amounts

_COLUMNS = 3
_ICON = 36
_MEASURES = (ContributionMeasure.SAMPLES, ContributionMeasure.TIME, ContributionMeasure.ENERGY)
_HEIGHT = 260


class AmountsCard(Card):
    """Shows the figures of the view in rows of three."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._figures: list[Figure] = []
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(Space.XL)
        self._grid.setVerticalSpacing(Space.L)
        for column in range(_COLUMNS):
            self._grid.setColumnStretch(column, 1)
        self.body.addLayout(self._grid)

    def show_view(self, view: ContributionPageView) -> None:
        self.set_title(view.caption)
        self._show(view.amounts)

    def _show(self, shown: Sequence[Amount]) -> None:
        while len(self._figures) < len(shown):
            place = len(self._figures)
            self._figures.append(Figure(parent=self))
            self._grid.addWidget(self._figures[-1], place // _COLUMNS, place % _COLUMNS)
        for figure, amount in zip(self._figures, shown, strict=False):
            figure.set_label(amount.label)
            figure.set_value(amount.value)
        for place, figure in enumerate(self._figures):
            figure.setVisible(place < len(shown))


class StreakCard(Card):
    """Shows the streak; its flame is coloured while the streak lasts."""

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

    def show_view(self, view: ContributionPageView) -> None:
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


class ChartCard(Card):
    """Shows a bar for each period; the measure is chosen on the card."""

    measure_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(self.tr("Over time"))
        self.measures = SegmentedControl(
            [measure_name(measure) for measure in _MEASURES], name=self.tr("Measure")
        )
        self.measures.chosen.connect(self.measure_chosen)
        self.head.addWidget(self.measures)
        self.chart = BarChart(self)
        self.chart.setMinimumHeight(_HEIGHT)
        self.body.addWidget(self.chart)

    @property
    def measure(self) -> ContributionMeasure:
        return _MEASURES[self.measures.choice]

    def show_view(self, view: ContributionPageView) -> None:
        bars = [
            ChartBar(column.label, column.value, f"{column.amount}\n{column.period}")
            for column in view.columns
        ]
        self.chart.set_bars(bars, view.unit)


class RunsCard(Card):
    """Shows the contribution to each run; hidden where there are fewer than two."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(self.tr("By run"))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(Space.XL)
        self._grid.setVerticalSpacing(Space.S)
        self._grid.setColumnStretch(0, 1)
        self.body.addLayout(self._grid)
        self._labels: list[Label] = []
        self.setVisible(False)

    def show_runs(self, runs: Sequence[RunContribution]) -> None:
        """Show a line for each run, in the given order."""
        self.setVisible(len(runs) > 1)
        head = ("", self.tr("Samples"), self.tr("Epochs"), self.tr("Computing time"))
        lines = [head, *((run.name, *self._figures(run)) for run in runs)]
        texts = [text for line in lines for text in line]
        while len(self._labels) < len(texts):
            place, column = divmod(len(self._labels), len(head))
            label = body(parent=self) if place else caption(parent=self)
            self._grid.addWidget(
                label, place, column, Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag(0)
            )
            self._labels.append(label)
        for place, label in enumerate(self._labels):
            label.setText(texts[place] if place < len(texts) else "")
            label.setVisible(place < len(texts))

    def _figures(self, run: RunContribution) -> tuple[str, str, str]:
        return amounts.count(run.samples), amounts.count(run.epochs), amounts.duration(run.compute_seconds)
