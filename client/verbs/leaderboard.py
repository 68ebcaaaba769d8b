"""The verbs `leaderboard`, with ranks of volunteers or teams, and `team`, which joins and leads teams."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from client.paths import Paths
from client.verbs.options import AsJson

if TYPE_CHECKING:
    from client.api.answers import Done
    from client.api.board import BoardQuery, TeamQuery
    from client.api.commands import TeamAction
    from client.api.requests import AnyRequest

team = typer.Typer(help="Join a team of the joined run, leave it, or lead one.", no_args_is_help=True)
_Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the team.")]

_Yes = Annotated[bool, typer.Option("--yes", help="Do not ask before your team is closed by that.")]


def register(app: typer.Typer) -> None:
    app.command()(leaderboard)
    for verb in (found, join, leave, rename, hand_over, close):
        team.command()(verb)
    app.add_typer(team, name="team")


def leaderboard(
    by: Annotated[
        Literal["samples", "time"], typer.Option(help="Rank by samples or by computing time.")
    ] = "samples",
    week: Annotated[bool, typer.Option("--week", help="Count the last seven days only.")] = False,
    teams: Annotated[bool, typer.Option("--teams", help="Rank teams by samples.")] = False,
    around: Annotated[
        str | None, typer.Option(metavar="NAME", help="Show the rows around this volunteer or team.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Rows to show.")] = 20,
    hide: Annotated[
        bool | None,
        typer.Option("--hide-me/--show-me", help="Hide or show your name on the run's pages."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the joined run's leaderboard, and your own rank."""
    from client.api.board import BoardQuery, TeamQuery

    if hide is not None:
        print(_hide(hide))
        return
    since: Literal["all", "week"] = "week" if week else "all"
    if teams:
        _show_teams(TeamQuery(since=since, around=around, limit=limit), as_json)
    else:
        _show_volunteers(BoardQuery(by=by, since=since, around=around, limit=limit), as_json)


def found(name: _Name, yes: _Yes = False) -> None:
    """Found a team: you lead it, and your samples count for it from now on."""
    from client.api.commands import TeamAction

    _leave_for(TeamAction.FOUND, name, yes)


def join(name: _Name, yes: _Yes = False) -> None:
    """Join a team: your samples count for it from now on, and no longer for the team of before."""
    from client.api.commands import TeamAction

    _leave_for(TeamAction.JOIN, name, yes)


def leave(yes: _Yes = False) -> None:
    """Leave your team; what you contributed stays with it. If you lead it and are its last member, it is closed."""
    from client.api.commands import TeamAction

    _leave_for(TeamAction.LEAVE, None, yes)


def rename(name: Annotated[str, typer.Argument(metavar="NAME", help="Another name for the team.")]) -> None:
    """Rename the team that you lead, once a day at most."""
    from client.api.commands import TeamAction

    _change(TeamAction.RENAME, name)


def hand_over(
    member: Annotated[str, typer.Argument(metavar="MEMBER", help="User name of another member.")],
) -> None:
    """Let another member lead the team that you lead."""
    from client.api.commands import TeamAction

    _change(TeamAction.HAND_OVER, member)


def close(
    yes: Annotated[
        bool, typer.Option("--yes", prompt="Close the team for all of its members?", help="Do not ask.")
    ],
) -> None:
    """Close the team that you lead, for all of its members; no other team can take its name."""
    from client.api.commands import TeamAction

    if yes:
        _change(TeamAction.CLOSE)


def _leave_for(action: "TeamAction", name: str | None, yes: bool) -> None:
    """Change teams, after a question where that closes the team of before."""
    from client.api.board import TeamQuery
    from client.api.questions import ShowTeams

    if not yes:
        board = _ask(ShowTeams(query=TeamQuery(limit=1))).teams
        if board is not None and board.is_last_member:
            assert board.own is not None
            typer.confirm(
                f"You are the last member of {board.own.name}: the team is closed and its name cannot be used "
                "again. Go on?",
                abort=True,
            )
    _change(action, name)


def _change(action: "TeamAction", name: str | None = None) -> None:
    from client.api.commands import ChangeTeam

    print(_ask(ChangeTeam(action=action, name=name)).text)


def _show_volunteers(query: "BoardQuery", as_json: bool) -> None:
    from client.api.questions import ShowBoard

    board = _ask(ShowBoard(query=query)).board
    assert board is not None
    if as_json:
        print(board.model_dump_json())
        return
    from rich.console import Console

    from client.console.stats_report import board_table

    Console(highlight=False).print(board_table(board, query))


def _show_teams(query: "TeamQuery", as_json: bool) -> None:
    from client.api.questions import ShowTeams

    board = _ask(ShowTeams(query=query)).teams
    assert board is not None
    if as_json:
        print(board.model_dump_json())
        return
    from rich.console import Console

    from client.console.stats_report import team_table

    Console(highlight=False).print(team_table(board, query))


def _hide(hidden: bool) -> str:
    from client.api.commands import HideName

    return _ask(HideName(hidden=hidden)).text


def _ask(request: "AnyRequest") -> "Done":
    from client.api.answers import Done
    from client.api.connection import COORDINATOR_SECONDS
    from client.api.launch import ensure_daemon

    with ensure_daemon(Paths.of_user()) as daemon:
        answer = daemon.ask(request, COORDINATOR_SECONDS)
    assert isinstance(answer, Done)
    return answer
