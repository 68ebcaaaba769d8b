"""Tests of the leaderboard and of volunteers' pages, on both databases."""

from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import update

from coordinator.database.connect import Database
from coordinator.database.tables import User
from coordinator.ledger.board import HIDDEN, BoardPage, BoardPeriod, Measure, Row, View, leaderboard, totals
from coordinator.ledger.standings import complete
from coordinator.ledger.volunteer import DayRank, DayTally, Volunteer, volunteer
from tests.coordinator.ledger.filled_ledger import fill

TODAY = date(2026, 11, 22)
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
LONG_AGO, WEEK_AGO, RECENT = (TODAY - timedelta(days=days) for days in (30, 7, 6))

ALL = View()
PEOPLE = {
    "ada": {LONG_AGO: 900, RECENT: 100},
    "bob": {TODAY: 500},
    "Cleo": {WEEK_AGO: 500},
    "dan": {TODAY: 100},
    "eve": {LONG_AGO: 10},
}


@pytest.fixture
def users(database: Database) -> dict[str, int]:
    return fill(database, PEOPLE, {"dan": 60.0})


def board(database: Database, view: View = ALL) -> BoardPage:
    with database.reading() as session:
        return leaderboard(session, NOW, view)


def ranks(page: BoardPage) -> list[tuple[int, str]]:
    return [(row.rank, row.name) for row in page.rows]


def change(database: Database, name: str, **values: object) -> None:
    with database.session() as session:
        session.execute(update(User).where(User.name == name).values(**values))


def page_of(database: Database, name: str, viewer: int | None = None) -> Volunteer | None:
    with database.reading() as session:
        return volunteer(session, name, NOW, viewer)


@pytest.mark.usefixtures("users")
@pytest.mark.parametrize(
    ("by", "since", "expected"),
    [
        (Measure.SAMPLES, BoardPeriod.ALL, [(1, "ada"), (2, "bob"), (2, "Cleo"), (4, "dan"), (5, "eve")]),
        (Measure.TIME, BoardPeriod.ALL, [(1, "dan"), (2, "ada"), (3, "bob"), (3, "Cleo"), (5, "eve")]),
        (Measure.SAMPLES, BoardPeriod.WEEK, [(1, "bob"), (2, "ada"), (2, "dan")]),
        (Measure.TIME, BoardPeriod.WEEK, [(1, "dan"), (2, "bob"), (3, "ada")]),
    ],
)
def test_the_board_ranks_by_samples_or_time_of_all_or_of_the_last_seven_days(
    database: Database, by: Measure, since: BoardPeriod, expected: list[tuple[int, str]]
) -> None:
    page = board(database, View(by, since))
    assert ranks(page) == expected
    assert page.total == len(expected)


@pytest.mark.usefixtures("users")
@pytest.mark.parametrize(
    ("view", "expected", "offset"),
    [
        (View(limit=2), ["ada", "bob"], 0),
        (View(limit=2, offset=3), ["dan", "eve"], 3),
        (View(limit=2, offset=9), [], 9),
        (View(limit=3, around="CLEO"), ["bob", "Cleo", "dan"], 1),
        (View(limit=3, around="ada"), ["ada", "bob", "Cleo"], 0),
        (View(limit=3, around="nobody"), [], 0),
        (View(limit=3, around="%"), [], 0),
    ],
)
def test_the_board_shows_a_page_or_neighbours(
    database: Database, view: View, expected: list[str], offset: int
) -> None:
    page = board(database, view)
    assert [row.name for row in page.rows] == expected
    assert (page.offset, page.total) == (offset, 5)


def test_who_looks_sees_the_own_row_wherever_it_is(database: Database, users: dict[str, int]) -> None:
    page = board(database, View(limit=1, viewer=users["dan"]))
    assert page.own == Row(4, "dan", 100, 6000.0, False)
    assert board(database, View(since=BoardPeriod.WEEK, viewer=users["eve"])).own is None


def test_a_hidden_name_keeps_its_rank_and_is_shown_to_nobody_else(
    database: Database, users: dict[str, int]
) -> None:
    change(database, "bob", hidden=True)
    assert ranks(board(database))[:3] == [(1, "ada"), (2, HIDDEN), (2, "Cleo")]
    assert board(database, View(around="bob")).rows == ()
    assert page_of(database, "bob") is None
    own = board(database, View(around="bob", viewer=users["bob"]))
    assert own.own == own.rows[1] == Row(2, "bob", 500, 500.0, True)
    mine = page_of(database, "bob", users["bob"])
    assert mine is not None
    assert (mine.name, mine.rank, mine.hidden) == ("bob", 2, True)


@pytest.mark.usefixtures("users")
def test_who_is_banned_is_not_ranked_until_it_is_undone(database: Database) -> None:
    change(database, "ada", banned=NOW)
    assert ranks(board(database))[0] == (1, "bob")
    assert page_of(database, "ada") is None
    change(database, "ada", banned=None)
    assert ranks(board(database))[0] == (1, "ada")


def test_an_empty_board_is_one_too(database: Database) -> None:
    assert board(database, View(around="ada", viewer=1)) == BoardPage((), 0, None, 0)
    with database.reading() as session:
        found = totals(session)
    assert (found.volunteers, found.samples, found.compute_seconds) == (0, 0, 0.0)


@pytest.mark.usefixtures("users")
def test_totals_are_of_everybody(database: Database) -> None:
    change(database, "ada", banned=NOW)
    change(database, "bob", hidden=True)
    with database.reading() as session:
        found = totals(session)
    assert (found.volunteers, found.samples, found.compute_seconds) == (5, 2110, 8010.0)


@pytest.mark.usefixtures("users")
def test_a_volunteers_page_tells_days_ranks_streaks_and_badges(database: Database) -> None:
    complete(database, TODAY)
    page = page_of(database, "Ada")
    assert page is not None
    assert (page.name, page.samples, page.epochs, page.rank, page.rank_by_time) == ("ada", 1000, 4, 1, 2)
    assert page.volunteers == 5
    assert page.days == (DayTally(LONG_AGO, 900, 900.0, 2), DayTally(RECENT, 100, 100.0, 2))
    assert page.ranks == (DayRank(LONG_AGO, 1), DayRank(WEEK_AGO, 1), DayRank(RECENT, 1))
    cleo, newcomer = page_of(database, "Cleo"), page_of(database, "bob")
    assert cleo is not None
    assert cleo.ranks == (DayRank(WEEK_AGO, 2), DayRank(RECENT, 2))
    assert newcomer is not None
    assert newcomer.ranks == ()  # nothing before today
    assert (page.streaks.current, page.streaks.longest) == (0, 1)
    assert [badge.key for badge in page.badges] == ["epochs_1", "samples_1000", "early"]


@pytest.mark.parametrize("name", ["", "nobody", "%", "' OR 1=1 --", "a" * 500])
@pytest.mark.usefixtures("users")
def test_nobody_s_page_is_not_found(database: Database, name: str) -> None:
    assert page_of(database, name) is None


@pytest.mark.parametrize("by", Measure)
@pytest.mark.parametrize("since", BoardPeriod)
def test_every_part_of_the_board_is_cut_from_the_whole(
    database: Database, by: Measure, since: BoardPeriod
) -> None:
    """Forty volunteers with many ties, and a banned one among them."""
    samples = {f"user-{number:02d}": 10 * (number * 7 % 5) + 10 for number in range(40)}
    ids = fill(database, {name: {TODAY: value} for name, value in samples.items()})
    change(database, "user-03", banned=NOW)
    del samples["user-03"]
    ordered = sorted(samples, key=lambda name: (-samples[name], ids[name]))
    above = {name: sum(value > samples[name] for value in samples.values()) for name in samples}
    whole = [(1 + above[name], name) for name in ordered]
    for offset in range(0, 45, 3):
        page = board(database, View(by, since, limit=7, offset=offset))
        assert (ranks(page), page.total) == (whole[offset : offset + 7], len(whole))
    for position, (rank, name) in list(enumerate(whole))[::3]:
        page = board(database, View(by, since, limit=7, around=name.upper(), viewer=ids[name]))
        begin = max(0, position - 3)
        assert (ranks(page), page.offset) == (whole[begin : begin + 7], begin)
        assert page.own is not None
        assert (page.own.rank, page.own.name) == (rank, name)
