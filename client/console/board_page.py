"""Draws a run's leaderboard for a terminal: a row for each volunteer, one's own marked, and one's rank below."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from client.api.board import Board, BoardQuery, BoardRow
from client.console.amounts import in_time

_OWN = "bold cyan"


def page(board: Board, query: BoardQuery) -> RenderableType:
    """All of it; friendly where nobody is on it yet."""
    if not board.rows and query.around is not None:
        return Text(f"Nobody called {query.around} is on the leaderboard, or the name is hidden.")
    if not board.rows:
        return Text(
            "Nobody is on the leaderboard yet. It begins with the first epoch that somebody takes part in."
        )
    return Group(_table(board, query), Text(), Text(_own(board)))


def _table(board: Board, query: BoardQuery) -> Table:
    samples, time = ("samples ▾", "computing") if query.by == "samples" else ("samples", "computing ▾")
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("last 7 days" if query.since == "week" else "volunteer", overflow="fold")
    table.add_column(samples, justify="right", no_wrap=True)
    table.add_column(time, justify="right", no_wrap=True)
    for row in board.rows:
        is_own = board.own is not None and (row.rank, row.name) == (board.own.rank, board.own.name)
        table.add_row(*map(Text, _cells(row)), style=_OWN if is_own else "")
    return table


def _cells(row: BoardRow) -> tuple[str, str, str, str]:
    return f"{row.rank:,}", row.name, f"{row.samples:,}", in_time(row.compute_seconds)


def _own(board: Board) -> str:
    of = f"{board.total:,} {'volunteer' if board.total == 1 else 'volunteers'}"
    if board.own is None:
        return f"{of}. You are not among them yet."
    hidden = " Others do not see your name." if board.own.hidden else ""
    return f"You are number {board.own.rank:,} of {of}, with {board.own.samples:,} samples.{hidden}"
