"""The leaderboard as a terminal draws it."""

from io import StringIO

import pytest
from rich.console import Console

from client.api.board import Board, BoardQuery, BoardRow, TeamBoard, TeamBoardRow, TeamQuery
from client.console.stats_report import board_table, team_table

ANNA = BoardRow(rank=1, name="anna", samples=1_234_567, compute_seconds=86_400)
BERT = BoardRow(rank=2, name="bert", samples=12, compute_seconds=60)


def drawn(board: Board, query: BoardQuery) -> str:
    console = Console(file=StringIO(), width=80)
    console.print(board_table(board, query))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize(
    ("own", "words"),
    [
        (None, "3 volunteers. You are not on the leaderboard yet."),
        (BERT, "You have rank 2 of 3 volunteers, with 12 samples."),
        (BERT.model_copy(update={"hidden": True}), "Your name is hidden"),
    ],
)
def test_rows_and_the_own_rank_are_shown(own: BoardRow | None, words: str) -> None:
    text = drawn(Board(rows=(ANNA, BERT), total=3, own=own), BoardQuery(by="time", since="week"))
    assert "1,234,567" in text
    assert "computing ▾" in text
    assert "last 7 days" in text
    assert words in text


BLUE = TeamBoardRow(rank=1, number=7, name="Blue [b]Brushes[/b]", samples=1_234_567, week=89, members=12)


def teams_drawn(board: TeamBoard, query: TeamQuery = TeamQuery()) -> str:  # noqa: B008 - frozen
    console = Console(file=StringIO(), width=80)
    console.print(team_table(board, query))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_teams_are_shown_with_the_own_one() -> None:
    text = teams_drawn(TeamBoard(rows=(BLUE,), total=3, own=BLUE, leads=True), TeamQuery(since="week"))
    for words in (
        "Blue [b]Brushes[/b]",
        "1,234,567",
        "last 7 days ▾",
        " 12",
        "rank 1 of 3 teams. You lead it.",
    ):
        assert words in text
    assert "You are in none of them" in teams_drawn(TeamBoard(rows=(BLUE,), total=1))


def test_a_board_without_teams_is_friendly() -> None:
    assert "`idlebrush team found NAME`" in teams_drawn(TeamBoard(rows=(), total=0))
    assert "No team is named Red" in teams_drawn(TeamBoard(rows=(), total=3), TeamQuery(around="Red"))


def test_an_empty_board_is_friendly() -> None:
    assert "The leaderboard is empty" in drawn(Board(rows=(), total=0), BoardQuery())


def test_a_name_that_is_not_found_is_not_taken_for_an_empty_board() -> None:
    text = drawn(Board(rows=(), total=3, own=BERT), BoardQuery(around="nobody"))
    assert "nobody is not on the leaderboard" in text


def test_what_a_newer_coordinator_tells_besides_is_no_fault() -> None:
    assert Board.model_validate({"rows": [], "total": 0, "offset": 7}).total == 0


@pytest.mark.parametrize("name", ["", "a\x1b[2J", "x" * 129])
def test_a_name_that_would_steer_a_terminal_is_none(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        BoardRow.model_validate({"rank": 1, "name": name, "samples": 0, "compute_seconds": 0})
