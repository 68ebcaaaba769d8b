"""The page Leaderboard with real widgets, linked to a stand-in that keeps a board of five hundred."""

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from client.api.answers import Done
from client.api.board import Board, BoardQuery, BoardRow, UncreditedWork
from client.api.commands import HideName
from client.api.errors import ClientError, CoordinatorAway
from client.api.history import RankPoint
from client.api.questions import ShowBoard, ShowRanks
from client.api.requests import AnyRequest
from client.api.snapshot import RunView, Snapshot, StandingView
from gui.leaderboard.page import LeaderboardPage
from gui.leaderboard.rows import RowDelegate
from gui.leaderboard.view import NAME, RANK, TIME, BoardWindow, RowView, longest_texts, place, row_view
from gui.link.link import Answered, Refusal
from gui.widgets.banner import BannerKind
from tests.client.snapshots import FULL, IDLE, NOW
from tests.gui.stand_in_link import StandInLink

VOLUNTEERS = 500
HIDDEN = {3, 11}


class BoardLink(StandInLink):
    """Answers for the board as a coordinator does."""

    def __init__(self) -> None:
        super().__init__()
        self.own: int | None = 300
        self.is_hidden = False
        self.volunteers = VOLUNTEERS
        self.fault: ClientError | None = None

    def ask(self, request: AnyRequest, done: Answered | None = None, failed: Refusal | None = None) -> None:
        if isinstance(request, ShowBoard):
            self.answers[ShowBoard] = self.fault or Done(id=0, board=self.board(request.query))
        if isinstance(request, HideName) and HideName not in self.answers:
            self.is_hidden = request.hidden
        super().ask(request, done, failed)

    def board(self, query: BoardQuery) -> Board:
        first = query.offset
        if query.around is not None and self.own is not None:
            first = max(0, self.own - query.limit // 2)
        places = range(first, min(first + query.limit, self.volunteers))
        own = None if self.own is None else self.row(self.own)
        return Board(rows=tuple(map(self.row, places)), total=self.volunteers, own=own, offset=first)

    def row(self, place: int) -> BoardRow:
        is_own = place == self.own
        hidden = self.is_hidden if is_own else place in HIDDEN
        name = "somebody" if is_own else "hidden volunteer" if hidden else f"name {place}"
        return BoardRow(
            rank=place + 1, name=name, samples=max(1, 10_000 - place), compute_seconds=60, hidden=hidden
        )

    def queries(self) -> list[BoardQuery]:
        return [request.query for request in self.asked if isinstance(request, ShowBoard)]


@pytest.fixture
def board(qapp: object) -> BoardLink:
    return BoardLink()


@pytest.fixture
def page(board: BoardLink, qtbot: QtBot) -> LeaderboardPage:
    shown = LeaderboardPage(board, rest=0)
    board.snapshot_changed.connect(shown.show_snapshot)
    qtbot.addWidget(shown)
    shown.resize(860, 720)
    shown.show()
    shown.shown()
    return shown


def joined(**changes: object) -> Snapshot:
    assert FULL.run is not None
    run: RunView = FULL.run.model_copy(
        update={"coordinator": "https://run.example.org", "has_gate": True} | changes
    )
    return FULL.model_copy(update={"run": run})


def names(page: LeaderboardPage) -> list[str]:
    model = page.table.model()
    return [model.index(row, NAME).data() for row in range(model.rowCount())]


def scroll(page: LeaderboardPage, to: int) -> None:
    page.table.verticalScrollBar().setValue(to)


@pytest.mark.parametrize(
    ("row", "is_own", "name", "is_hidden"),
    [
        (BoardRow(rank=1, name="ada", samples=1, compute_seconds=1), False, "ada", False),
        (BoardRow(rank=1, name="ada", samples=1, compute_seconds=1), True, "ada (you)", False),
        (
            BoardRow(rank=1, name="x", samples=1, compute_seconds=1, hidden=True),
            False,
            "Hidden volunteer",
            True,
        ),
        (
            BoardRow(rank=1, name="ada", samples=1, compute_seconds=1, hidden=True),
            True,
            "ada (you, hidden from others)",
            True,
        ),
    ],
)
def test_a_row_says_whose_it_is(row: BoardRow, is_own: bool, name: str, is_hidden: bool) -> None:
    view = row_view(row, is_own)
    assert (view.name, view.is_hidden, view.is_own) == (name, is_hidden, is_own)


def test_the_board_is_asked_for_and_drawn(page: LeaderboardPage, board: BoardLink) -> None:
    board.show(joined())
    assert names(page)[:4] == ["name 0", "name 1", "name 2", "Hidden volunteer"]
    row: RowView = page.table.model().index(0, RANK).data(Qt.ItemDataRole.UserRole)
    assert (row.rank, row.samples) == ("1", "10,000")


def test_the_next_page_comes_as_one_scrolls(page: LeaderboardPage, board: BoardLink, qtbot: QtBot) -> None:
    board.show(joined())
    assert len(names(page)) == 100
    scroll(page, page.table.verticalScrollBar().maximum())
    qtbot.waitUntil(lambda: len(names(page)) >= 200)
    assert names(page)[100] == "name 100"


def test_the_own_row_is_pinned_below_until_it_is_in_view(page: LeaderboardPage, board: BoardLink) -> None:
    board.show(joined())
    pinned = page.table.pinned
    assert pinned.isVisible()
    assert pinned.model().index(0, NAME).data() == "somebody (you)"
    assert pinned.geometry().bottom() == page.table.viewport().geometry().bottom()


def test_the_own_row_is_found_far_away_and_pinned_above_once_passed(
    page: LeaderboardPage, board: BoardLink, qtbot: QtBot
) -> None:
    board.show(joined())
    qtbot.mouseClick(page.find_me, Qt.MouseButton.LeftButton)
    assert board.queries()[-1].around == "somebody"
    assert not page.table.pinned.isVisible()
    assert page.table.currentIndex().data() == page.table.model().index(
        page.table.currentIndex().row(), NAME
    ).data() == "somebody (you)"  # fmt: skip
    scroll(page, page.table.verticalScrollBar().maximum())
    assert page.table.pinned.isVisible()
    assert page.table.pinned.geometry().top() == page.table.viewport().geometry().top()


def test_rows_above_come_as_one_scrolls_up_and_what_is_in_view_stays(
    page: LeaderboardPage, board: BoardLink, qtbot: QtBot
) -> None:
    board.show(joined())
    qtbot.mouseClick(page.find_me, Qt.MouseButton.LeftButton)
    first = names(page)[0]
    assert first == "name 250"
    scroll(page, 0)
    assert names(page)[0] == "name 150"
    top = page.table.indexAt(page.table.viewport().rect().topLeft())
    assert top.siblingAtColumn(NAME).data() == first


def test_whom_it_is_ranked_by_and_since_when_can_be_chosen(page: LeaderboardPage, board: BoardLink) -> None:
    board.show(joined())
    page.by.choose(1)
    page.by.chosen.emit(1)
    page.since.choose(1)
    page.since.chosen.emit(1)
    latest = board.queries()[-1]
    assert (latest.by, latest.since, latest.offset) == ("time", "week", 0)


def test_the_own_name_is_hidden_from_others(page: LeaderboardPage, board: BoardLink, qtbot: QtBot) -> None:
    board.show(joined())
    assert not page.hide_name.isChecked()
    qtbot.mouseClick(page.hide_name, Qt.MouseButton.LeftButton)
    assert HideName(hidden=True) in board.asked
    assert page.hide_name.isChecked()
    assert page.table.pinned.model().index(0, NAME).data() == "somebody (you, hidden from others)"


def test_a_name_that_could_not_be_hidden_is_shown_as_it_is(
    page: LeaderboardPage, board: BoardLink, qtbot: QtBot
) -> None:
    board.answers[HideName] = CoordinatorAway("It does not answer.", "Try again later.")
    board.show(joined())
    qtbot.mouseClick(page.hide_name, Qt.MouseButton.LeftButton)
    assert not page.hide_name.isChecked()
    assert page.banner.kind is BannerKind.ERROR


@pytest.mark.parametrize(
    ("snapshot", "title", "button"),
    [
        (IDLE, "You have not joined a run yet", "Choose a run"),
        (joined(coordinator=None), "This run has no leaderboard", ""),
    ],
)
def test_where_there_can_be_no_board_the_page_says_why(
    page: LeaderboardPage, board: BoardLink, snapshot: Snapshot, title: str, button: str
) -> None:
    board.show(snapshot)
    assert page.empty.isVisible()
    assert page.empty.accessibleName() == title
    assert page.empty.button.text() == button
    assert not page.by.isVisible()
    assert not page.since.isVisible()
    assert board.queries() == []


def test_the_way_to_a_run_leads_there(page: LeaderboardPage, board: BoardLink, qtbot: QtBot) -> None:
    board.show(IDLE)
    with qtbot.waitSignal(page.run_wanted):
        qtbot.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)


def test_an_empty_board_says_when_it_begins(page: LeaderboardPage, board: BoardLink) -> None:
    board.volunteers, board.own = 0, None
    board.show(joined())
    assert page.empty.accessibleName() == "No volunteers yet"


@pytest.mark.parametrize(
    ("own", "has_gate", "says"),
    [
        (300, True, "You are ranked 301 of 500."),
        (None, True, "You are not among them yet."),
        (None, False, "your row is unknown."),
    ],
)
def test_the_own_place_is_reported_as_far_as_it_is_known(own: int | None, has_gate: bool, says: str) -> None:
    coordinator = BoardLink()
    coordinator.own = own
    run = joined(has_gate=has_gate).run
    assert run is not None
    sentence = place(BoardWindow().with_page(coordinator.board(BoardQuery(limit=100))), run)
    assert sentence.endswith(says)


def test_a_coordinator_that_is_away_can_be_asked_again(
    page: LeaderboardPage, board: BoardLink, qtbot: QtBot
) -> None:
    board.fault = CoordinatorAway("It does not answer.", "Try again later.")
    board.show(joined())
    assert page.empty.accessibleName() == "The run's coordinator cannot be reached"
    board.fault = None
    qtbot.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    assert page.table.isVisible()


def test_a_board_that_was_seen_stays_while_the_coordinator_is_away(
    page: LeaderboardPage, board: BoardLink, qtbot: QtBot
) -> None:
    board.show(joined())
    board.fault = CoordinatorAway("It does not answer.", "Try again later.")
    page.shown()
    qtbot.waitUntil(page.banner.isVisible)
    assert page.table.isVisible()
    board.fault = None
    qtbot.mouseClick(page.banner.button, Qt.MouseButton.LeftButton)
    assert not page.banner.isVisible()


def test_another_run_begins_with_another_board(page: LeaderboardPage, board: BoardLink) -> None:
    board.show(joined())
    board.own, board.volunteers = None, 3
    board.show(joined(digest="cd"))
    assert len(names(page)) == 3
    assert not page.table.pinned.isVisible()
    assert not page.find_me.isVisible()


def test_work_that_is_not_credited_is_shown_with_the_reason(page: LeaderboardPage, board: BoardLink) -> None:
    board.show(joined())
    assert not page.uncredited.isVisibleTo(page)
    held = UncreditedWork(samples=1204, why="A computer sent other values than its rows give.")
    board.show(joined().model_copy(update={"uncredited": held}))
    assert page.uncredited.isVisibleTo(page)
    assert page.uncredited.text() == (
        "Samples of yours that are not credited: 1,204. A computer sent other values than its rows give."
    )
    board.show(joined())
    assert not page.uncredited.isVisibleTo(page)


@pytest.mark.parametrize(("rank", "looks"), [(8, 0), (7, 1)])
def test_another_standing_is_an_occasion_to_look_again_and_another_look_is_not(
    page: LeaderboardPage, board: BoardLink, qapp: QApplication, rank: int, looks: int
) -> None:
    standing = StandingView(rank=8, of=VOLUNTEERS, samples=1, looked=NOW)
    board.show(joined().model_copy(update={"standing": standing}))
    qapp.processEvents()  # its rest is over
    before = len(board.queries())
    later = standing.model_copy(update={"rank": rank, "looked": NOW + timedelta(minutes=1)})
    board.show(joined().model_copy(update={"standing": later}))
    assert len(board.queries()) == before + looks


def test_ranks_over_time_are_drawn_with_the_best_on_top(page: LeaderboardPage, board: BoardLink) -> None:
    ranks = tuple(
        RankPoint(time=datetime(2026, 3, day, 12, tzinfo=UTC), rank=50 - day, of=VOLUNTEERS)
        for day in (1, 2, 9)
    )
    board.answers[ShowRanks] = Done(id=0, ranks=ranks)
    board.show(joined())
    chart = page.ranks.chart
    assert chart.position(2).y() < chart.position(0).y()
    assert "41" in chart.accessibleDescription()
    assert "1 Mar" in chart.accessibleDescription()


def test_columns_have_room_for_what_comes_further_down(page: LeaderboardPage, board: BoardLink) -> None:
    board.show(joined())
    table = page.table
    narrow = table.columnWidth(RANK)
    board.own, board.volunteers = None, 200_000
    further = Board(rows=tuple(map(board.row, range(100_000, 100_100))), total=200_000, offset=100_000)
    table.show_window(BoardWindow().with_page(further))
    assert table.columnWidth(RANK) > narrow
    assert table.pinned.columnWidth(RANK) == table.columnWidth(RANK)


def test_names_can_be_read_in_a_small_window(page: LeaderboardPage, board: BoardLink, qtbot: QtBot) -> None:
    page.resize(700, 520)
    board.show(joined())
    qtbot.waitUntil(lambda: page.table.columnWidth(NAME) > RowDelegate.width("a rather long name"))
    assert not page.table.horizontalScrollBar().isVisible()


@pytest.mark.parametrize(
    ("seconds", "longest"), [(3_599.0, "59 min"), (86_400.0, "23 h 59 min"), (90 * 86_400.0 - 1, "89 d 23 h")]
)
def test_the_widest_duration_is_not_the_longest(seconds: float, longest: str) -> None:
    rows = (BoardRow(rank=1, name="ada", samples=5, compute_seconds=seconds),)
    assert any(longest in text for text in longest_texts(rows)[TIME])
