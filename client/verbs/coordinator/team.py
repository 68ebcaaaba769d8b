"""The verbs of `coordinator team`: list the teams of volunteers, and remove one."""

import json
from datetime import UTC, datetime
from typing import Annotated

import typer

from client.verbs.options import HERE, AsJson, HomeOption

_Number = Annotated[int, typer.Argument(min=1, help="Number of the team, as `list` shows it.")]
_Why = Annotated[str, typer.Option(metavar="REASON", help="Reason, which the audit log keeps.")]


def list_teams(home: HomeOption = HERE, as_json: AsJson = False) -> None:
    """List the teams, those with most samples first."""
    from coordinator.home import Home
    from coordinator.opened import opened
    from coordinator.teams.board import TeamView, team_board

    with opened(Home(home)) as opened_run, opened_run.database.reading() as session:
        board = team_board(session, datetime.now(UTC), TeamView(limit=2**31))
    if not board.rows and not as_json:
        print("There are no teams yet.")
    for row in board.rows:
        if as_json:
            print(json.dumps(vars(row)))
        else:
            members = "1 member" if row.members == 1 else f"{row.members:,} members"
            print(f"{row.number}  {row.name}  {members}  {row.samples:,} samples")


def remove(number: _Number, home: HomeOption = HERE, why: _Why = "") -> None:
    """Close a team, as for its name, which no other team can take."""
    from coordinator.gate.moderation import COMMAND_LINE
    from coordinator.home import Home
    from coordinator.opened import opened
    from coordinator.teams import teams

    with opened(Home(home)) as opened_run, opened_run.database.session() as session:
        name = teams.remove(session, number, actor=COMMAND_LINE, now=datetime.now(UTC), why=why)
    print(f"The team {name} is removed. Its members keep their own samples.")
