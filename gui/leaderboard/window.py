"""The part of a leaderboard that is known here: rows that follow one another, made of the pages that came."""

from dataclasses import dataclass, field

from client.api.board import Board, BoardQuery, BoardRow

PAGE = 100
"""Rows that are asked for at a time."""


@dataclass(frozen=True)
class BoardWindow:
    """Rows from `offset` on, without a gap; a board changes while it is paged through, so they may overlap."""

    query: BoardQuery = field(default_factory=BoardQuery)
    """What is ranked by, and since when."""
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
        """What to ask for to see the rows before these."""
        first = max(0, self.offset - PAGE)
        return self.query.model_copy(update={"offset": first, "limit": self.offset - first, "around": None})

    @property
    def below(self) -> BoardQuery:
        update = {"offset": self.offset + len(self.rows), "limit": PAGE, "around": None}
        return self.query.model_copy(update=update)

    @property
    def again(self) -> BoardQuery:
        """What to ask for to see these rows, or the first hundred of them, as they are by now."""
        update = {"offset": self.offset, "limit": PAGE, "around": None}
        return self.query.model_copy(update=update)

    @property
    def own_place(self) -> int | None:
        """Place of the own row among these; None: it is not one of them."""
        if self.own is None:
            return None
        own = (self.own.rank, self.own.name)
        return next((n for n, row in enumerate(self.rows) if (row.rank, row.name) == own), None)

    @property
    def is_own_above(self) -> bool:
        """Where the own row is not one of these: whether it stands above them."""
        return self.own is not None and bool(self.rows) and self.own.rank < self.rows[0].rank

    def with_page(self, board: Board) -> "BoardWindow":
        """These rows and those of another page; that page alone where they do not meet."""
        end, board_end = self.offset + len(self.rows), board.offset + len(board.rows)
        if board_end < self.offset or board.offset > end or not self.rows:
            return BoardWindow(self.query, board.offset, board.rows, board.total, board.own)
        before = self.rows[: max(0, board.offset - self.offset)]
        after = self.rows[max(0, board_end - self.offset) :] if board.rows else ()
        first = min(self.offset, board.offset)
        return BoardWindow(self.query, first, before + board.rows + after, board.total, board.own)
