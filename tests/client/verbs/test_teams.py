"""`team` as typed, with a real control channel before it: what is asked before a team is closed."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.api.answers import Done
from client.api.board import TeamBoard, TeamBoardRow
from client.api.commands import ChangeTeam, TeamAction
from client.api.questions import ShowTeams
from client.paths import HOME_VARIABLE, Paths
from tests.client.listening_daemon import ListeningDaemon, listening
from tests.client.snapshots import FULL
from tests.command_line import idlebrush

RED = TeamBoardRow(rank=1, number=3, name="Red", samples=5, members=1)
LED = TeamBoard(rows=(RED,), total=1, own=RED, leads=True)
CHANGES = [
    (("leave",), TeamAction.LEAVE, None),
    (("join", "Blue"), TeamAction.JOIN, "Blue"),
    (("found", "Pens"), TeamAction.FOUND, "Pens"),
]


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, HOME_VARIABLE: str(tmp_path)}


@pytest.fixture
def daemon(home: dict[str, str]) -> Iterator[ListeningDaemon]:
    with listening(Paths.of_user(home), FULL) as daemon:
        daemon.answers[ShowTeams] = Done(id=0, teams=LED)
        daemon.answers[ChangeTeam] = Done(id=0, text="Done.")
        yield daemon


def changes(daemon: ListeningDaemon) -> list[tuple[TeamAction, str | None]]:
    return [(each.action, each.name) for each in daemon.requests if isinstance(each, ChangeTeam)]


@pytest.mark.parametrize(("words", "action", "name"), CHANGES)
def test_the_last_member_is_asked_before_the_team_is_closed(
    daemon: ListeningDaemon,
    home: dict[str, str],
    words: tuple[str, ...],
    action: TeamAction,
    name: str | None,
) -> None:
    refused = idlebrush("team", *words, environment=home, types="n\n")
    assert "You are the last member of Red" in refused.stdout
    assert (refused.returncode, changes(daemon)) == (1, [])
    assert idlebrush("team", *words, environment=home, types="y\n").returncode == 0
    assert idlebrush("team", *words, "--yes", environment=home).returncode == 0
    assert changes(daemon) == [(action, name)] * 2


@pytest.mark.parametrize(
    "board",
    [
        LED.model_copy(update={"leads": False}),
        LED.model_copy(update={"own": RED.model_copy(update={"members": 2})}),
        LED.model_copy(update={"own": None, "leads": False}),
    ],
)
def test_nobody_else_is_asked(daemon: ListeningDaemon, home: dict[str, str], board: TeamBoard) -> None:
    daemon.answers[ShowTeams] = Done(id=0, teams=board)
    assert idlebrush("team", "leave", environment=home).returncode == 0
    assert changes(daemon) == [(TeamAction.LEAVE, None)]
