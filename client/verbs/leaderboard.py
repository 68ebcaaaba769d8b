"""The verb `leaderboard`: who gave how much to the joined run, and one's own place among them."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from client.paths import Paths
from client.verbs.options import AsJson

if TYPE_CHECKING:
    from client.api.board import Board, BoardQuery


def register(app: typer.Typer) -> None:
    app.command()(leaderboard)


def leaderboard(
    by: Annotated[
        Literal["samples", "time"], typer.Option(help="Rank by samples or by computing time.")
    ] = "samples",
    week: Annotated[bool, typer.Option("--week", help="Count the last seven days only.")] = False,
    around: Annotated[
        str | None, typer.Option(metavar="NAME", help="Show the rows around this volunteer.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Rows to show.")] = 20,
    hide: Annotated[
        bool | None,
        typer.Option("--hide-me/--show-me", help="Hide or show your name on the run's pages."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the joined run's leaderboard, and your own rank."""
    from client.api.board import BoardQuery

    if hide is not None:
        print(_hide(hide))
        return
    query = BoardQuery(by=by, since="week" if week else "all", around=around, limit=limit)
    board = _ask(query)
    if as_json:
        print(board.model_dump_json())
        return
    from rich.console import Console

    from client.console.stats_report import board_table

    Console(highlight=False).print(board_table(board, query))


def _hide(hidden: bool) -> str:
    from client.api.commands import HideName
    from client.api.connection import COORDINATOR_SECONDS
    from client.api.launch import ensure_daemon
    from client.console.sign_in import ask

    with ensure_daemon(Paths.of_user()) as daemon:
        return ask(daemon, HideName(hidden=hidden), COORDINATOR_SECONDS)


def _ask(query: "BoardQuery") -> "Board":
    from client.api.answers import Done
    from client.api.connection import COORDINATOR_SECONDS
    from client.api.launch import ensure_daemon
    from client.api.questions import ShowBoard

    with ensure_daemon(Paths.of_user()) as daemon:
        answer = daemon.ask(ShowBoard(query=query), COORDINATOR_SECONDS)
    assert isinstance(answer, Done)
    assert answer.board is not None
    return answer.board
