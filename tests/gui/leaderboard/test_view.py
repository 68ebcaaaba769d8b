"""The part of a leaderboard that is known here, as pages of it come."""

import pytest

from client.api.board import Board, BoardQuery, BoardRow
from gui.leaderboard.view import PAGE, BoardWindow


def row(place: int) -> BoardRow:
    return BoardRow(rank=place + 1, name=f"name {place}", samples=10_000 - place, compute_seconds=60)


def page(first: int, end: int, own: int | None = None, total: int = 500) -> Board:
    rows = tuple(row(place) for place in range(first, end))
    return Board(rows=rows, total=total, offset=first, own=None if own is None else row(own))


def window(first: int, end: int, own: int | None = None, total: int = 500) -> BoardWindow:
    return BoardWindow().with_page(page(first, end, own, total))


@pytest.mark.parametrize(
    ("known", "came", "shown"),
    [
        ((0, 100), (100, 200), (0, 200)),
        ((0, 100), (90, 200), (0, 200)),  # another volunteer overtook meanwhile
        ((100, 200), (0, 100), (0, 200)),
        ((100, 200), (20, 100), (20, 200)),
        ((100, 200), (120, 140), (100, 200)),
        ((0, 100), (300, 400), (300, 400)),
        ((300, 400), (0, 100), (0, 100)),
    ],
)
def test_pages_that_meet_are_put_together(
    known: tuple[int, int], came: tuple[int, int], shown: tuple[int, int]
) -> None:
    seen = window(*known).with_page(page(*came))
    assert (seen.offset, seen.offset + len(seen.rows)) == shown
    assert [each.rank for each in seen.rows] == [place + 1 for place in range(*shown)]


def test_the_newest_page_says_how_many_there_are_and_where_one_stands() -> None:
    seen = window(0, 100, own=7).with_page(page(100, 200, own=6, total=501))
    assert (seen.total, seen.own) == (501, row(6))


def test_neighbouring_pages_are_asked_for_by_their_places() -> None:
    seen = window(250, 350)
    assert (seen.above.offset, seen.above.limit) == (150, PAGE)
    assert (seen.below.offset, seen.below.limit) == (350, PAGE)
    assert (window(30, 130).above.offset, window(30, 130).above.limit) == (0, 30)


def test_neighbouring_pages_keep_what_is_ranked_by() -> None:
    chosen = BoardWindow(BoardQuery(by="time", since="week", around="ada")).with_page(page(0, 100))
    for query in (chosen.above, chosen.below, chosen.again):
        assert (query.by, query.since, query.around) == ("time", "week", None)


@pytest.mark.parametrize(
    ("first", "end", "above", "below"), [(0, 100, False, True), (400, 500, True, False), (0, 0, False, False)]
)
def test_there_is_more_above_or_below(first: int, end: int, above: bool, below: bool) -> None:
    seen = window(first, end)
    assert (seen.has_above, seen.has_below) == (above, below)


@pytest.mark.parametrize(
    ("own", "place", "above"), [(110, 10, False), (5, None, True), (300, None, False), (None, None, False)]
)
def test_the_own_row_is_found_or_its_direction_is_known(
    own: int | None, place: int | None, above: bool
) -> None:
    seen = window(100, 200, own)
    assert (seen.own_place, seen.is_own_above) == (place, above)
