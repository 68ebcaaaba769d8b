"""The page My contribution: the volunteer's contribution over time, with streak, badges and receipts."""

from collections.abc import Callable
from datetime import date

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from client.api.answers import Done
from client.api.errors import ClientError
from client.api.history import WEEKS, ContributionHistory, Period
from client.api.questions import ShowContribution
from client.api.snapshot import Snapshot
from gui.contribution.badges import BadgesCard
from gui.contribution.calendar import CalendarCard
from gui.contribution.cards import AmountsCard, ChartCard, RunsCard, StreakCard
from gui.contribution.records import RecordsCard
from gui.contribution.view import Range, contribution_view
from gui.link.link import AppLink
from gui.link.query import WidgetQuery
from gui.web_address import open_page
from gui.widgets.accessibility import follow_layout
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.cards import EmptyState
from gui.widgets.labels import heading
from gui.widgets.layouts import PageColumn, PageHead, Pair
from gui.widgets.switches import SegmentedControl
from gui.window.pages import AppPage, page_title
from gui.wording.codes import problem_words

_REST = 15_000
"""Milliseconds between two requests for the history while it grows."""
_RANGES = (Range.DAYS, Range.WEEKS, Range.ALL)
_DAYS_OF_CALENDAR = WEEKS * 7


class ContributionPage(AppPage):
    """Shows the contribution to the joined run or to all runs; asks for it only while the page is visible."""

    name = "contribution"

    def __init__(
        self,
        link: AppLink,
        parent: QWidget | None = None,
        *,
        today: Callable[[], date] = date.today,
        browse: Callable[[str], bool] = open_page,
    ) -> None:
        super().__init__(link, parent)
        self._today = today
        self._history: ContributionHistory | None = None
        self._days: ContributionHistory | None = None
        """The history by days, for the calendar."""
        self._seen: tuple[str, int] | None = None
        """Digest of the run, and its samples, for which the history was requested last."""
        self._has_failed = False
        """True while the banner reports that the history could not be loaded."""
        self.ranges = SegmentedControl(
            [self.tr("By day"), self.tr("By week"), self.tr("All time")], name=self.tr("Period")
        )
        self.runs = SegmentedControl([self.tr("This run"), self.tr("All runs")], name=self.tr("Runs shown"))
        self.banner = Banner(self)
        self.amounts, self.streak, self.chart = AmountsCard(self), StreakCard(self), ChartCard(self)
        self.by_run = RunsCard(self)
        self.calendar = CalendarCard(self)
        self.badges, self.keeping = BadgesCard(self), RecordsCard(link, self.banner, self, browse=browse)
        begins = self.tr("Your contribution counts from the first epoch in which this computer takes part.")
        self.empty = EmptyState("contribution", self.tr("No contribution yet"), begins)
        self._history_query = WidgetQuery(link, self, rest=_REST)
        self._history_query.answered.connect(self._take)
        self._history_query.failed.connect(self._report_failure)
        self._days_query = WidgetQuery(link, self, rest=_REST)
        self._days_query.answered.connect(self._take_days)
        self.ranges.chosen.connect(self._ask)
        self.runs.chosen.connect(self._ask)
        self.chart.measure_chosen.connect(self._draw)
        self.calendar.measure_chosen.connect(self._draw)
        self._lay_out()
        self.show_snapshot(link.snapshot)

    @property
    def shown_range(self) -> Range:
        return _RANGES[self.ranges.choice]

    def shown(self) -> None:
        self._ask()

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        self._column.setEnabled(snapshot is not None)
        if snapshot is None:
            return
        self.runs.setVisible(snapshot.run is not None)
        self.keeping.show_run(snapshot.run, snapshot.membership.name if snapshot.membership else "")
        given = snapshot.contribution.samples if snapshot.contribution else 0
        seen = (snapshot.run.digest if snapshot.run else "", given)
        if self._seen is not None and seen[0] != self._seen[0]:
            self._forget_run()
        if seen != self._seen:
            self._seen = seen
            self._ask()

    def _lay_out(self) -> None:
        self._column = PageColumn(self)
        self._column.body.addWidget(PageHead(heading(page_title(self.name)), self.runs, self.ranges))
        self._figures = Pair(self.amounts, self.streak, (5, 2))
        cards = (self._figures, self.chart, self.calendar, self.by_run, self.badges, self.keeping)
        for part in (self.banner, *cards):
            self._column.body.addWidget(part)
        self._column.body.addWidget(self.empty, 1)
        self._column.body.addStretch()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._column)
        follow_layout(self)
        self._draw()

    @property
    def _wants_all_runs(self) -> bool:
        return self.runs.choice == 1 or self.runs.isHidden()

    @Slot()
    def _ask(self, *, at_once: bool = False) -> None:
        shown = self.shown_range
        all_runs = self._wants_all_runs
        days = ShowContribution(by=Period.DAY, periods=_DAYS_OF_CALENDAR, all_runs=all_runs)
        self._days_query.query(days, at_once=at_once)
        request = ShowContribution(by=shown.by, periods=shown.periods, all_runs=all_runs)
        self._history_query.query(request, at_once=at_once)

    def _forget_run(self) -> None:
        """Forget the history of another run."""
        self._history_query.forget()
        self._days_query.forget()
        self._history = self._days = None
        self._draw()

    @Slot()
    def _try_again(self) -> None:
        self.banner.hide()
        self._ask(at_once=True)

    def _take(self, answer: Done) -> None:
        if self._has_failed:
            self._has_failed = False
            self.banner.hide()
        if answer.contribution is not None and answer.contribution != self._history:
            self._history = answer.contribution
            self._draw()
        self.keeping.all_runs = self._wants_all_runs

    def _take_days(self, answer: Done) -> None:
        if answer.contribution is not None and answer.contribution != self._days:
            self._days = answer.contribution
            self._draw()

    def _report_failure(self, error: ClientError) -> None:
        self._has_failed = True
        what, remedy = problem_words(error.code, error.what, error.remedy)
        self.banner.show_message(BannerKind.WARNING, what, remedy, self.tr("Try again"), self._try_again)

    @Slot()
    def _draw(self) -> None:
        history = self._history
        has_given = history is not None and bool(history.rows or history.total.samples)
        for part in (self._figures, self.chart, self.badges, self.keeping):
            part.setVisible(has_given)
        self.by_run.show_runs(history.runs if history is not None and has_given else ())
        self.calendar.setVisible(has_given and self._days is not None)
        self.empty.setVisible(history is not None and not has_given)
        if history is None or not has_given:
            return
        of = next(shown for shown in Range if shown.by is history.by)
        view = contribution_view(history, of, self.chart.measure, self._today())
        self.amounts.show_view(view)
        self.streak.show_view(view)
        self.chart.show_view(view)
        self.badges.show_badges(history.badges)
        if self._days is not None:
            self.calendar.show_history(self._days, self._today())
