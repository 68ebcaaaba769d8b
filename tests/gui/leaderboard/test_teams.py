"""Teams on the page Leaderboard: shown beside volunteers, joined, founded and left."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QRadioButton
from pytestqt.qtbot import QtBot

from client.api.answers import Done
from client.api.board import Board, BoardRow, TeamBoard, TeamBoardRow
from client.api.commands import ChangeTeam, TeamAction
from client.api.errors import GateError
from client.api.questions import ShowBoard, ShowTeams
from client.api.snapshot import Snapshot
from gui.leaderboard.page import LeaderboardPage
from gui.leaderboard.view import team_place
from gui.widgets.switches import SegmentedControl
from tests.client.snapshots import FULL, IDLE
from tests.gui.stand_in_link import StandInLink

BLUE = TeamBoardRow(rank=1, number=7, name="Blue Brushes", samples=12_345, week=678, members=9)
RED = TeamBoardRow(rank=2, number=3, name="Red", samples=5, members=1)
TEAMS = TeamBoard(rows=(BLUE, RED), total=2)


def joined(has_gate: bool = True) -> Snapshot:
    assert FULL.run is not None
    run = FULL.run.model_copy(update={"coordinator": "https://run.example.org", "has_gate": has_gate})
    return FULL.model_copy(update={"run": run})


@pytest.fixture
def page(link: StandInLink, qtbot: QtBot) -> LeaderboardPage:
    row = BoardRow(rank=1, name="ada", samples=3, compute_seconds=1)
    link.answers[ShowBoard] = Done(id=0, board=Board(rows=(row,), total=1))
    link.answers[ShowTeams] = Done(id=0, teams=TEAMS)
    shown = LeaderboardPage(link, rest=0)
    link.snapshot_changed.connect(shown.show_snapshot)
    qtbot.addWidget(shown)
    shown.resize(900, 720)
    shown.show()
    shown.shown()
    link.show(joined())
    return shown


def choose(qtbot: QtBot, choice: SegmentedControl, place: int) -> None:
    qtbot.mouseClick(choice.findChildren(QRadioButton)[place], Qt.MouseButton.LeftButton)


def changes(link: StandInLink) -> list[tuple[TeamAction, str | None]]:
    return [(request.action, request.name) for request in link.asked if isinstance(request, ChangeTeam)]


def words(page: LeaderboardPage) -> list[list[str]]:
    model = page.teams.table.model()
    return [
        [str(model.index(row, column).data()) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_teams_are_shown_instead_of_volunteers(
    page: LeaderboardPage, link: StandInLink, qtbot: QtBot
) -> None:
    assert page.table.isVisible()
    choose(qtbot, page.of, 1)
    assert not page.table.isVisible()
    assert words(page) == [["1", "Blue Brushes", "12,345", "678", "9"], ["2", "Red", "5", "0", "1"]]
    assert not page.by.isVisible()
    choose(qtbot, page.since, 1)
    queries = [request.query.since for request in link.asked if isinstance(request, ShowTeams)]
    assert queries[-1] == "week"
    choose(qtbot, page.of, 0)
    assert page.table.isVisible()
    assert not page.teams.isVisible()


def test_a_chosen_team_is_joined(page: LeaderboardPage, link: StandInLink, qtbot: QtBot) -> None:
    choose(qtbot, page.of, 1)
    assert not page.teams.join_button.isEnabled()
    page.teams.table.setCurrentIndex(page.teams.table.model().index(1, 1))
    own = TEAMS.model_copy(update={"own": RED})
    link.answers[ShowTeams] = Done(id=0, teams=own)
    qtbot.mouseClick(page.teams.join_button, Qt.MouseButton.LeftButton)
    assert changes(link) == [(TeamAction.JOIN, "Red")]
    assert page.teams.leave_button.isVisible()
    assert not page.teams.join_button.isVisible()
    assert "Red" in page.teams.place.text()
    qtbot.mouseClick(page.teams.leave_button, Qt.MouseButton.LeftButton)
    assert changes(link)[-1] == (TeamAction.LEAVE, None)


def test_a_team_is_founded_by_its_name_and_a_refusal_is_told(
    page: LeaderboardPage, link: StandInLink, qtbot: QtBot
) -> None:
    choose(qtbot, page.of, 1)
    qtbot.keyClicks(page.teams.name, " Pens ")
    link.answers[ChangeTeam] = GateError("A team has the name Pens.", "Choose another name.")
    qtbot.mouseClick(page.teams.found_button, Qt.MouseButton.LeftButton)
    assert changes(link) == [(TeamAction.FOUND, "Pens")]
    assert page.banner.isVisible()
    assert page.teams.found_button.isEnabled(), "another name can be tried"


def test_the_last_member_is_asked_before_the_team_is_closed(
    page: LeaderboardPage, link: StandInLink, qtbot: QtBot
) -> None:
    link.answers[ShowTeams] = Done(id=0, teams=TEAMS.model_copy(update={"own": RED, "leads": True}))
    choose(qtbot, page.of, 1)

    def answer(words: str) -> None:
        qtbot.mouseClick(page.teams.leave_button, Qt.MouseButton.LeftButton)
        (question,) = page.findChildren(QMessageBox)
        assert question.text() == "Leave Red and close it?"
        assert "its name cannot be used again" in question.informativeText()
        (button,) = [each for each in question.buttons() if each.text() == words]
        button.click()
        qtbot.waitUntil(lambda: not page.findChildren(QMessageBox))

    answer("Stay")
    assert changes(link) == []
    answer("Leave and close")
    assert changes(link) == [(TeamAction.LEAVE, None)]


def test_who_leads_others_is_not_asked_as_the_run_refuses(
    page: LeaderboardPage, link: StandInLink, qtbot: QtBot
) -> None:
    link.answers[ShowTeams] = Done(id=0, teams=TEAMS.model_copy(update={"own": BLUE, "leads": True}))
    choose(qtbot, page.of, 1)
    link.answers[ChangeTeam] = GateError("You lead Blue Brushes.", "Hand it over.")
    qtbot.mouseClick(page.teams.leave_button, Qt.MouseButton.LeftButton)
    assert page.banner.isVisible()


def test_while_a_change_is_under_way_none_is_begun(
    page: LeaderboardPage, link: StandInLink, qtbot: QtBot
) -> None:
    choose(qtbot, page.of, 1)
    link.is_deaf = True
    qtbot.keyClicks(page.teams.name, "Pens")
    qtbot.mouseClick(page.teams.found_button, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(page.teams.name, "cils")
    page.teams.forget()  # shows another board
    qtbot.keyClick(page.teams.name, Qt.Key.Key_Return)
    assert not page.teams.join_button.isEnabled()
    assert not page.teams.found_button.isEnabled()
    assert changes(link) == [(TeamAction.FOUND, "Pens")]


@pytest.mark.parametrize("snapshot", [IDLE, joined(has_gate=False)])
def test_a_run_without_members_has_no_teams(
    page: LeaderboardPage, link: StandInLink, qtbot: QtBot, snapshot: Snapshot
) -> None:
    choose(qtbot, page.of, 1)
    link.show(snapshot)
    assert not page.of.isVisible()
    assert not page.teams.isVisible()


def test_who_leads_a_team_is_told_how() -> None:
    own = TEAMS.model_copy(update={"own": BLUE})
    assert "You lead it" not in team_place(own)
    assert "You lead it" in team_place(own.model_copy(update={"leads": True}))
