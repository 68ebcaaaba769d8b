"""What the page Leaderboard says of a board and of ranks over time: pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from client.api.board import BoardRow
from client.api.history import RankPoint
from client.api.snapshot import RunView, Snapshot
from gui.leaderboard.window import BoardWindow
from gui.wording import amounts

translate = QCoreApplication.translate

RANK, NAME, SAMPLES, TIME = range(4)
"""Columns of the board."""
_DAY = 86_400


@dataclass(frozen=True)
class Sentence:
    """What is said in place of the board, or below its title."""

    title: str
    text: str


@dataclass(frozen=True)
class RowView:
    """A row as it is drawn."""

    place: int
    rank: str
    """The place as it is written."""
    name: str
    samples: str
    time: str
    is_hidden: bool
    """Whether others see no name."""
    is_own: bool


def row_view(row: BoardRow, is_own: bool) -> RowView:
    return RowView(
        place=row.rank,
        rank=amounts.count(row.rank),
        name=_name(row, is_own),
        samples=amounts.count(row.samples),
        time=amounts.duration(row.compute_seconds),
        is_hidden=row.hidden,
        is_own=is_own,
    )


def longest_texts(rows: Sequence[BoardRow]) -> dict[int, tuple[str, ...]]:
    """By column, but for names: what takes as much room as anything there may."""
    longest = max((row.compute_seconds for row in rows), default=0.0)
    durations = (longest, min(longest, _DAY - 1), min(longest, 100 * _DAY - 1))
    return {
        RANK: (amounts.count(max((row.rank for row in rows), default=0)),),
        SAMPLES: (amounts.count(max((row.samples for row in rows), default=0)),),
        TIME: tuple(map(amounts.duration, durations)),
    }


def _name(row: BoardRow, is_own: bool) -> str:
    if row.hidden and not is_own:
        return translate("LeaderboardView", "Hidden volunteer")
    if row.hidden:
        return translate("LeaderboardView", "{name} (you, hidden from others)").format(name=row.name)
    return translate("LeaderboardView", "{name} (you)").format(name=row.name) if is_own else row.name


def place(window: BoardWindow, run: RunView) -> str:
    """Where one stands, in a sentence or two."""
    total = amounts.count(window.total)
    if window.own is not None:
        text = translate("LeaderboardView", "You are number {rank} of {total}.")
        return text.format(rank=amounts.count(window.own.rank), total=total)
    if run.has_gate:
        text = translate("LeaderboardView", "Volunteers so far: {total}. You are not among them yet.")
    else:
        text = translate(
            "LeaderboardView",
            "Volunteers so far: {total}. Nobody signs in to this run, so it is not known which row is yours.",
        )
    return text.format(total=total)


def without_board(snapshot: Snapshot | None) -> Sentence | None:
    """Why there can be no board; None: there can."""
    if snapshot is None:
        return Sentence(
            translate("LeaderboardView", "Not connected"),
            translate("LeaderboardView", "The leaderboard shows up once Idlebrush runs in the background."),
        )
    if snapshot.run is None:
        return Sentence(
            translate("LeaderboardView", "You have not joined a run yet"),
            translate("LeaderboardView", "Join a run, and see here how your contribution compares."),
        )
    if snapshot.run.coordinator is None:
        return Sentence(
            translate("LeaderboardView", "This run has no leaderboard"),
            translate(
                "LeaderboardView",
                "Its organiser does not count contributions. Yours is counted on this computer: see My "
                "contribution.",
            ),
        )
    return None


def nobody() -> Sentence:
    return Sentence(
        translate("LeaderboardView", "Nobody here yet"),
        translate("LeaderboardView", "It begins with the first epoch that somebody takes part in."),
    )


def ranks_summary(points: Sequence[RankPoint]) -> str:
    """The best rank so far; empty where none is known."""
    if not points:
        return ""
    best = min(points, key=lambda point: point.rank)
    text = translate("LeaderboardView", "Best rank: {rank}, on {day}")
    return text.format(rank=amounts.count(best.rank), day=amounts.day(best.time.astimezone().date()))
