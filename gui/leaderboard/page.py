"""The page Leaderboard: ranks of volunteers with the own row in view, the own rank over time, and teams."""

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from client.api.answers import Done, Status
from client.api.board import BoardQuery, UncreditedWork
from client.api.commands import HideName
from client.api.errors import ClientError
from client.api.questions import ShowBoard, ShowRanks
from client.api.snapshot import RunView, Snapshot, StandingView
from gui.design.tokens import Space
from gui.leaderboard.ranks_card import RanksCard
from gui.leaderboard.table import BoardTable
from gui.leaderboard.teams import TeamsPanel
from gui.leaderboard.view import (
    PAGE,
    BoardWindow,
    Sentence,
    empty_board,
    not_credited,
    place,
    without_board,
)
from gui.link.link import AppLink
from gui.link.query import WidgetQuery
from gui.widgets.accessibility import follow_layout
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.buttons import QuietButton
from gui.widgets.cards import Card, EmptyState
from gui.widgets.labels import Tone, body, heading
from gui.widgets.layouts import PageColumn, PageHead, Pair
from gui.widgets.switches import SegmentedControl, Switch
from gui.window.pages import AppPage, page_title
from gui.wording.codes import problem_words

_REST = 20_000
_EVERY = 60_000
"""Milliseconds between two requests for the board while the page is visible."""
_TABLE_HEIGHT = 380
_PAIRED_FROM = 800
"""Smallest width in logical pixels at which the rank over time fits beside the names."""
_BY = ("samples", "time")
_SINCE = ("all", "week")


class LeaderboardPage(AppPage):
    """Asks for the board when it is shown, then at intervals."""

    name = "leaderboard"

    def __init__(self, link: AppLink, parent: QWidget | None = None, *, rest: int = _REST) -> None:
        """Wait ``rest`` milliseconds before the same page of the board is requested again."""
        super().__init__(link, parent)
        self._run: RunView | None = None
        self._standing: StandingView | None = None
        self._window = BoardWindow()
        self._seeks_own = False
        self.of = SegmentedControl([self.tr("Volunteers"), self.tr("Teams")], name=self.tr("Ranks of"))
        self.by = SegmentedControl([self.tr("Samples"), self.tr("Time")], name=self.tr("Ranked by"))
        self.since = SegmentedControl([self.tr("All time"), self.tr("Last 7 days")], name=self.tr("Period"))
        self.banner, self.table, self.ranks = Banner(self), BoardTable(self), RanksCard(self)
        self.teams = TeamsPanel(link, self.banner, self, rest=rest)
        self._place = body()
        self._place.set_tone(Tone.SOFT)
        self.uncredited = body()
        self.uncredited.set_tone(Tone.VERMILION)
        self.find_me = QuietButton(self.tr("Show my row"), icon="user")
        self.hide_name = Switch(self.tr("Hide my name from others"))
        self.empty = EmptyState("leaderboard", "", "")
        self._board, self._history = WidgetQuery(link, self, rest=rest), WidgetQuery(link, self, rest=_EVERY)
        self._again = QTimer(self, interval=_EVERY)
        self._connect()
        self._lay_out()
        self.show_snapshot(link.snapshot)

    def shown(self) -> None:
        self._refresh_board()
        self._again.start()

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        self._column.setEnabled(snapshot is not None)
        if snapshot is None and self._window.rows:
            return
        run = snapshot.run if snapshot else None
        is_another = run != self._run
        if is_another:
            self._run = run
            self._forget_run()
        is_news = self._is_news(snapshot.standing if snapshot else None)
        self._show_uncredited(snapshot.uncredited if snapshot else None)
        missing = without_board(snapshot)
        has_teams = missing is None and run is not None and run.has_gate
        if not has_teams:
            self.of.choose(0)
        self.of.setVisible(has_teams)
        self.teams.setVisible(self._shows_teams)
        self.since.setVisible(missing is None)
        self.by.setVisible(missing is None and not self._shows_teams)
        if missing is not None:
            self._show_instead(missing, self.tr("Choose a run") if snapshot and run is None else "")
        elif is_another or is_news:
            self._refresh_board()

    def _is_news(self, standing: StandingView | None) -> bool:
        """Remember the volunteer's standing, and return true if it has changed since the last snapshot."""
        before, self._standing = self._standing, standing
        if standing is None or before is None:
            return False
        return (standing.rank, standing.samples) != (before.rank, before.samples)

    def _show_uncredited(self, held: UncreditedWork | None) -> None:
        self.uncredited.setVisible(held is not None)
        if held is not None:
            self.uncredited.setText(not_credited(held))

    def _connect(self) -> None:
        self.of.chosen.connect(self._switch)
        self.by.chosen.connect(self._choose)
        self.since.chosen.connect(self._choose)
        self.table.above_wanted.connect(self._ask_above)
        self.table.below_wanted.connect(self._ask_below)
        self.find_me.clicked.connect(self._find_me)
        self.hide_name.clicked.connect(self._hide_name)
        self.empty.acted.connect(self._act)
        self._board.answered.connect(self._take)
        self._board.failed.connect(self._report_failure)
        self._history.answered.connect(self._take_ranks)
        self._again.timeout.connect(self._refresh_board)

    def _lay_out(self) -> None:
        board = Card(parent=self)
        board.body.addWidget(self.table, 1)
        board.setMinimumHeight(_TABLE_HEIGHT)
        own = Card(parent=self)
        own.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        for part in (self._place, self.uncredited, self.find_me, self.hide_name):
            own.body.addWidget(part)
        side = QWidget(self)
        beside = QVBoxLayout(side)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(Space.L)
        beside.addWidget(own)
        beside.addWidget(self.ranks)
        beside.addStretch()
        self._whole = Pair(board, side, (5, 3), fits_from=_PAIRED_FROM)
        self._column = PageColumn(self)
        self._column.body.addWidget(PageHead(heading(page_title(self.name)), self.of, self.by, self.since))
        self._column.body.addWidget(self.banner)
        self._column.body.addWidget(self._whole, 1)
        self._column.body.addWidget(self.teams, 1)
        self._column.body.addWidget(self.empty, 1)
        arranged = QVBoxLayout(self)
        arranged.setContentsMargins(0, 0, 0, 0)
        arranged.addWidget(self._column)
        follow_layout(self)
        self._whole.hide()
        self.teams.hide()

    @property
    def _shows_teams(self) -> bool:
        return self.of.choice == 1

    @property
    def _query(self) -> BoardQuery:
        return BoardQuery.model_validate(
            {"by": _BY[self.by.choice], "since": _SINCE[self.since.choice], "limit": PAGE}
        )

    def _forget_run(self) -> None:
        """Forget the board of another run."""
        self._board.forget()
        self._history.forget()
        self._window = BoardWindow(self._query)
        self.ranks.show_ranks(())
        self.teams.forget()

    @Slot()
    def _switch(self) -> None:
        """Show teams instead of volunteers, or the other way round."""
        self.banner.hide()
        self.by.setVisible(not self._shows_teams)
        self.teams.setVisible(self._shows_teams)
        self.empty.hide()
        self._whole.setVisible(not self._shows_teams and bool(self._window.rows))
        self._refresh_board(at_once=True)

    @Slot()
    def _choose(self) -> None:
        self._window = BoardWindow(self._query)
        self._refresh_board()

    @Slot()
    def _refresh_board(self, *, at_once: bool = False) -> None:
        if self._shows_teams:
            self.teams.ask("week" if self.since.choice else "all", at_once=at_once)
        elif self._run is not None and self._run.coordinator is not None:
            self._board.query(ShowBoard(query=self._window.again), at_once=at_once)
            self._history.query(ShowRanks())

    @Slot()
    def _try_again(self) -> None:
        self._refresh_board(at_once=True)

    @Slot()
    def _ask_above(self) -> None:
        if not self._board.is_waiting:
            self._board.query(ShowBoard(query=self._window.above))

    @Slot()
    def _ask_below(self) -> None:
        if not self._board.is_waiting:
            self._board.query(ShowBoard(query=self._window.below))

    @Slot()
    def _find_me(self) -> None:
        own = self._window.own
        if own is not None and not self.table.seek_own():
            self._seeks_own = True
            self._board.query(ShowBoard(query=self._query.model_copy(update={"around": own.name})))

    def _take(self, answer: Done) -> None:
        if answer.board is None or self._run is None:
            return
        self._window = self._window.with_page(answer.board)
        if not self._window.rows:
            self._show_instead(empty_board(), "")
            return
        if not self._shows_teams:
            self.banner.hide()
            self.empty.hide()
            self._whole.show()
        self.table.show_window(self._window)
        if self._seeks_own:
            self._seeks_own = not self.table.seek_own()
        self._place.setText(place(self._window, self._run))
        self._show_own()

    def _show_own(self) -> None:
        own = self._window.own
        for part in (self.find_me, self.hide_name):
            part.setVisible(own is not None)
        if own is not None:
            self.hide_name.setChecked(own.hidden)

    def _take_ranks(self, answer: Done) -> None:
        if answer.ranks is not None:
            self.ranks.show_ranks(answer.ranks)

    def _report_failure(self, error: ClientError) -> None:
        what, remedy = problem_words(error.code, error.what, error.remedy)
        if self._window.rows:
            self.banner.show_message(BannerKind.WARNING, what, remedy, self.tr("Try again"), self._try_again)
        else:
            self._show_instead(Sentence(what, remedy), self.tr("Try again"))

    def _show_instead(self, sentence: Sentence, action: str) -> None:
        if self._shows_teams:
            return
        self.empty.show_state("leaderboard", sentence.title, sentence.text, action)
        self._whole.hide()
        self.empty.show()

    @Slot()
    def _act(self) -> None:
        if self._run is None:
            self.run_wanted.emit()
        else:
            self._try_again()

    @Slot(bool)
    def _hide_name(self, hidden: bool) -> None:
        self.hide_name.setEnabled(False)
        self.link.ask(HideName(hidden=hidden), self._name_hidden, self._name_kept)

    def _name_hidden(self, _: Done | Status) -> None:
        self.hide_name.setEnabled(True)
        self._try_again()

    def _name_kept(self, error: ClientError) -> None:
        self.hide_name.setEnabled(True)
        self._show_own()
        what, remedy = problem_words(error.code, error.what, error.remedy)
        self.banner.show_message(BannerKind.ERROR, what, remedy)
