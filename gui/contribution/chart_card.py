"""The card of the chart: a bar for each period, of samples, hours or energy."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gui.contribution.view import ContributionView, Measure, measure_name
from gui.widgets.card import Card
from gui.widgets.chart import Bar, BarChart
from gui.widgets.segmented import SegmentedControl

_MEASURES = (Measure.SAMPLES, Measure.TIME, Measure.ENERGY)
_HEIGHT = 260


class ChartCard(Card):
    """Which measure is shown is chosen on the card itself."""

    measure_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(self.tr("Over time"))
        self.measures = SegmentedControl(
            [measure_name(measure) for measure in _MEASURES], name=self.tr("What is counted")
        )
        self.measures.chosen.connect(self.measure_chosen)
        self.head.addWidget(self.measures)
        self.chart = BarChart(self)
        self.chart.setMinimumHeight(_HEIGHT)
        self.body.addWidget(self.chart)

    @property
    def measure(self) -> Measure:
        return _MEASURES[self.measures.choice]

    def show_view(self, view: ContributionView) -> None:
        bars = [
            Bar(column.label, column.value, f"{column.amount}\n{column.period}") for column in view.columns
        ]
        self.chart.set_bars(bars, view.unit)
