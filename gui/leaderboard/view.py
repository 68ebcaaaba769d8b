"""The content of the page Leaderboard, as pure functions: the loaded rows, and sentences about them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QCoreApplication

from client.api.board import Board, BoardQuery, BoardRow, TeamBoard, TeamBoardRow, UncreditedWork
from client.api.history import RankPoint
from client.api.snapshot import RunView, Snapshot
from gui.wording import amounts

PAGE = 100
"""Number of rows in one request."""
translate = QCoreApplication.translate
RANK, NAME, SAMPLES, TIME = range(4)
"""Columns of the board."""
_DAY = 86_400


@dataclass(frozen=True)
class BoardWindow:
    """Loaded rows from `offset` on, without a gap; they may overlap, because a board changes while it is loaded."""

    query: BoardQuery = field(default_factory=BoardQuery)
    """The ranking criterion and its period."""
    offset: int = 0
    rows: tuple[BoardRow, ...] = ()
    total: int = 0
    own: BoardRow | None = None

    @property
    def has_above(self) -> bool:
        return self.offset > 0

    @property
    def has_below(self) -> bool:
        return bool(self.rows) and self.offset + len(self.rows) < self.total

    @property
    def above(self) -> BoardQuery:
        """The query for the rows before these."""
        first = max(0, self.offset - PAGE)
        return self.query.model_copy(update={"offset": first, "limit": self.offset - first, "around": None})

    @property
    def below(self) -> BoardQuery:
        update = {"offset": self.offset + len(self.rows), "limit": PAGE, "around": None}
        return self.query.model_copy(update=update)

    @property
    def again(self) -> BoardQuery:
        """The query for the current state of these rows, or of their first hundred."""
        update = {"offset": self.offset, "limit": PAGE, "around": None}
        return self.query.model_copy(update=update)

    @property
    def own_place(self) -> int | None:
        """Index of the own row among these; None if it is not loaded."""
        if self.own is None:
            return None
        own = (self.own.rank, self.own.name)
        return next((n for n, row in enumerate(self.rows) if (row.rank, row.name) == own), None)

    @property
    def is_own_above(self) -> bool:
        """True if the own row is not loaded and stands above these rows."""
        return self.own is not None and bool(self.rows) and self.own.rank < self.rows[0].rank

    def with_page(self, board: Board) -> "BoardWindow":
        """Join these rows with another page; the result is that page alone if the two do not meet."""
        end, board_end = self.offset + len(self.rows), board.offset + len(board.rows)
        if board_end < self.offset or board.offset > end or not self.rows:
            return BoardWindow(self.query, board.offset, board.rows, board.total, board.own)
        before = self.rows[: max(0, board.offset - self.offset)]
        after = self.rows[max(0, board_end - self.offset) :] if board.rows else ()
        first = min(self.offset, board.offset)
        return BoardWindow(self.query, first, before + board.rows + after, board.total, board.own)


@dataclass(frozen=True)
class Sentence:
    """A title and a text, shown instead of the board."""

    title: str
    text: str


@dataclass(frozen=True)
class RowView:
    """The content of a row."""

    place: int
    rank: str
    """The rank in digits."""
    name: str
    samples: str
    time: str
    is_hidden: bool
    """True if the name is hidden from others."""
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
    """Return the longest texts of each column except for names."""
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
    """Return the volunteer's rank, in a sentence or two."""
    total = amounts.count(window.total)
    if window.own is not None:
        text = translate("LeaderboardView", "You are ranked {rank} of {total}.")
        return text.format(rank=amounts.count(window.own.rank), total=total)
    if run.has_gate:
        text = translate("LeaderboardView", "Volunteers so far: {total}. You are not among them yet.")
    else:
        text = translate(
            "LeaderboardView",
            "Volunteers so far: {total}. This run has no sign-in, so your row is unknown.",
        )
    return text.format(total=total)


def team_row(row: TeamBoardRow, is_own: bool) -> RowView:
    """Return a team as a row; its time is empty."""
    rank, samples = amounts.count(row.rank), amounts.count(row.samples)
    return RowView(row.rank, rank, row.name, samples, time="", is_hidden=False, is_own=is_own)


def team_place(board: TeamBoard) -> str:
    """Return the volunteer's team and its rank, in a few sentences."""
    total = amounts.count(board.total)
    if board.own is None:
        text = translate(
            "LeaderboardView",
            "Teams so far: {total}. Join one, and your samples count for it from then on; they stay with it.",
        )
        return text.format(total=total)
    text = translate("LeaderboardView", "Your team {name} is ranked {rank} of {total}.")
    placed = text.format(name=board.own.name, rank=amounts.count(board.own.rank), total=total)
    if not board.leads:
        return placed
    leads = translate("LeaderboardView", "You lead it: your page on the website renames it or hands it over.")
    return f"{placed} {leads}"


def not_credited(held: UncreditedWork) -> str:
    """Return how much of the volunteer's work does not count, and the coordinator's reason."""
    text = translate("LeaderboardView", "Samples of yours that are not credited: {count}.")
    return f"{text.format(count=amounts.count(held.samples))} {held.why or ''}".strip()


def without_board(snapshot: Snapshot | None) -> Sentence | None:
    """Return the reason why there is no board; None if there is one."""
    if snapshot is None:
        return Sentence(
            translate("LeaderboardView", "Not connected"),
            translate(
                "LeaderboardView", "The leaderboard appears here once Idlebrush runs in the background."
            ),
        )
    if snapshot.run is None:
        return Sentence(
            translate("LeaderboardView", "You have not joined a run yet"),
            translate("LeaderboardView", "Join a run to compare your contribution with others."),
        )
    if snapshot.run.coordinator is None:
        return Sentence(
            translate("LeaderboardView", "This run has no leaderboard"),
            translate(
                "LeaderboardView",
                "The organiser does not count contributions. This computer counts yours on the page "
                "My contribution.",
            ),
        )
    return None


def empty_board() -> Sentence:
    return Sentence(
        translate("LeaderboardView", "No volunteers yet"),
        translate("LeaderboardView", "The leaderboard starts with the first completed epoch."),
    )


def ranks_summary(points: Sequence[RankPoint]) -> str:
    """Return the best rank so far in words; empty if none is known."""
    if not points:
        return ""
    best = min(points, key=lambda point: point.rank)
    text = translate("LeaderboardView", "Best rank: {rank}, on {day}")
    return text.format(rank=amounts.count(best.rank), day=amounts.day(best.time.astimezone().date()))
