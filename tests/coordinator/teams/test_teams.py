"""Teams on both databases: who may do what, which samples count for which team, and how teams rank."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from coordinator.database.connect import Database
from coordinator.database.tables import AuditEntry, Day, Total, User
from coordinator.database.team_tables import Team
from coordinator.errors import GateRefusal
from coordinator.gate.moderation import ban
from coordinator.ledger.board import BoardPeriod
from coordinator.teams import teams
from coordinator.teams.board import TeamBoardPage, TeamView, team_board, team_page
from coordinator.teams.credit import recount
from tests.coordinator.ledger.filled_ledger import fill
from tests.waiting import DEADLINE, wait_until

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
TODAY = NOW.date()
PEOPLE = ("ada", "bob", "cleo", "dan")


@pytest.fixture
def users(database: Database) -> dict[str, int]:
    return fill(database, {name: {TODAY - timedelta(days=30): 1_000} for name in PEOPLE})


def do(database: Database, work: Callable[..., Team], name: str, *more: str, now: datetime = NOW) -> str:
    """Have a user do something with teams; returns the team's name."""
    with database.session() as session:
        user = session.scalars(select(User).where(User.name == name)).one()
        return work(session, user, *more, now).name


def earn(database: Database, name: str, samples: int, day: date = TODAY) -> None:
    """Credit samples of a day, or take some away."""
    with database.session() as session:
        user = session.scalars(select(User.id).where(User.name == name)).one()
        session.get_one(Total, user).samples += samples
        row = session.get(Day, (user, day))
        if row is None:
            session.add(Day(user_id=user, day=day, samples=samples, compute_seconds=1.0, epochs=1))
        else:
            row.samples += samples


def board(database: Database, view: TeamView = TeamView(), now: datetime = NOW) -> TeamBoardPage:  # noqa: B008
    with database.reading() as session:
        return team_board(session, now, view)


def sums(database: Database, now: datetime = NOW) -> dict[str, tuple[int, int, int]]:
    """Samples, those of the week, and members by team."""
    return {row.name: (row.samples, row.week, row.members) for row in board(database, now=now).rows}


@pytest.mark.usefixtures("users")
def test_samples_count_from_joining_on_and_stay_with_the_team(database: Database) -> None:
    do(database, teams.found, "ada", "Blue")
    do(database, teams.found, "bob", "Red")
    do(database, teams.join, "cleo", "BLUE")
    assert sums(database) == {"Blue": (0, 0, 2), "Red": (0, 0, 1)}
    earn(database, "ada", 5)
    earn(database, "cleo", 70)
    assert sums(database) == {"Blue": (75, 75, 2), "Red": (0, 0, 1)}
    do(database, teams.join, "cleo", "Red")
    earn(database, "cleo", 900)
    assert sums(database) == {"Red": (900, 900, 2), "Blue": (75, 75, 1)}
    do(database, teams.leave, "cleo")
    earn(database, "cleo", 9_000)
    assert sums(database) == {"Red": (900, 900, 1), "Blue": (75, 75, 1)}


@pytest.mark.usefixtures("users")
def test_a_week_counts_the_last_seven_days_of_membership_alone(database: Database) -> None:
    begun = NOW - timedelta(days=20)
    do(database, teams.found, "ada", "Blue", now=begun)
    for ago in (25, 19, 7, 6, 0):
        earn(database, "ada", 1 << ago, TODAY - timedelta(days=ago))
    assert sums(database)["Blue"][1:] == ((1 << 6) + 1, 1)
    ended = NOW - timedelta(days=3)
    earn(database, "ada", 4_000, ended.date())
    do(database, teams.leave, "ada", now=ended)
    assert sums(database) == {}, "its last member closed it"


@pytest.mark.usefixtures("users")
def test_who_leaves_and_comes_back_on_one_day_is_counted_once(database: Database) -> None:
    do(database, teams.found, "ada", "Blue")
    do(database, teams.join, "bob", "Blue")
    earn(database, "bob", 10)
    do(database, teams.leave, "bob")
    earn(database, "bob", 500)
    do(database, teams.join, "bob", "Blue")
    earn(database, "bob", 7)
    assert sums(database) == {"Blue": (17, 17, 2)}


def test_who_is_banned_counts_for_nothing_and_who_hides_counts_without_a_name(
    database: Database, users: dict[str, int]
) -> None:
    do(database, teams.found, "ada", "Blue")
    for name, samples in (("bob", 10), ("cleo", 200)):
        do(database, teams.join, name, "Blue")
        earn(database, name, samples)
    with database.session() as session:
        session.get_one(User, users["bob"]).banned = NOW
        session.get_one(User, users["cleo"]).hidden = True
    assert sums(database) == {"Blue": (200, 200, 2)}
    with database.reading() as session:
        number = session.scalars(select(Team.id)).one()
        seen = team_page(session, number, NOW)
        own = team_page(session, number, NOW, users["cleo"])
    assert seen is not None
    assert own is not None
    assert [(one.name, one.samples, one.leads) for one in seen.members] == [("ada", 0, True)]
    assert [one.name for one in own.members] == ["cleo", "ada"]


def test_what_an_audit_takes_and_gives_back_follows_the_membership_of_its_day(
    database: Database, users: dict[str, int]
) -> None:
    yesterday, before = TODAY - timedelta(days=1), NOW - timedelta(days=2)
    do(database, teams.found, "ada", "Blue", now=before)
    do(database, teams.found, "cleo", "Red", now=before)
    do(database, teams.join, "bob", "Blue", now=before)
    earn(database, "bob", 10, before.date())
    earn(database, "bob", 100, yesterday)
    do(database, teams.join, "bob", "Red")
    earn(database, "bob", 3_000)
    whole = {"Red": (3_000, 3_000, 2), "Blue": (110, 110, 1)}
    assert sums(database) == whole
    for sign, expected in ((-1, {"Red": (3_000, 3_000, 2), "Blue": (10, 10, 1)}), (1, whole)):
        earn(database, "bob", sign * 100, yesterday)
        earn(database, "bob", sign * 1_000, TODAY - timedelta(days=30))
        with database.session() as session:
            recount(session, users["bob"])
        assert sums(database) == expected


def test_what_is_earned_on_the_day_of_joining_counts_although_an_audit_took_what_was_before(
    database: Database, users: dict[str, int]
) -> None:
    earn(database, "ada", 50)
    do(database, teams.found, "ada", "Blue")
    earn(database, "ada", -50)
    with database.session() as session:
        recount(session, users["ada"])
    earn(database, "ada", 7)
    assert sums(database) == {"Blue": (7, 7, 1)}


def test_what_an_audit_gives_back_counts_once_for_who_changed_teams_on_that_day(
    database: Database, users: dict[str, int]
) -> None:
    do(database, teams.found, "ada", "Blue")
    do(database, teams.found, "cleo", "Red")
    do(database, teams.join, "bob", "Blue")
    earn(database, "bob", 10)
    do(database, teams.join, "bob", "Red")
    earn(database, "bob", 7)
    for given in (-17, 17):
        earn(database, "bob", given)
        with database.session() as session:
            recount(session, users["bob"])
    assert sums(database) == {"Blue": (10, 10, 1), "Red": (7, 7, 2)}


def test_teams_rank_by_all_or_by_the_week_and_are_found_by_name(
    database: Database, users: dict[str, int]
) -> None:
    long_ago = NOW - timedelta(days=20)
    for name, team in zip(PEOPLE, ("Blue", "Red", "Green", "Grey"), strict=True):
        do(database, teams.found, name, team, now=long_ago)
    for name, old, new in (("ada", 900, 1), ("bob", 100, 50), ("cleo", 100, 50)):
        earn(database, name, old, TODAY - timedelta(days=19))
        earn(database, name, new)

    def ranks(page: TeamBoardPage) -> list[tuple[int, str]]:
        return [(row.rank, row.name) for row in page.rows]

    assert ranks(board(database)) == [(1, "Blue"), (2, "Red"), (2, "Green"), (4, "Grey")]
    week = board(database, TeamView(since=BoardPeriod.WEEK, viewer=users["dan"]))
    assert ranks(week) == [(1, "Red"), (1, "Green"), (3, "Blue"), (4, "Grey")]
    assert (week.total, week.leads, week.own and week.own.name) == (4, True, "Grey")
    part = board(database, TeamView(limit=1, around=" green "))
    assert (ranks(part), part.offset) == ([(2, "Green")], 2)
    assert ranks(board(database, TeamView(limit=2, offset=3))) == [(4, "Grey")]
    assert board(database, TeamView(around="nobody")).rows == ()


@pytest.mark.usefixtures("users")
def test_a_leader_renames_hands_over_and_closes_and_no_other_does(database: Database) -> None:
    do(database, teams.found, "ada", "Blue")
    do(database, teams.join, "bob", "Blue")
    for work, more in ((teams.rename, ("Navy",)), (teams.hand_over, ("bob",)), (teams.close, ())):
        with pytest.raises(GateRefusal, match="do not lead"):
            do(database, work, "bob", *more)
        with pytest.raises(GateRefusal, match="in no team"):
            do(database, work, "dan", *more)
    with pytest.raises(GateRefusal, match="You lead Blue"):
        do(database, teams.leave, "ada")
    with pytest.raises(GateRefusal, match="no other member"):
        do(database, teams.hand_over, "ada", "dan")
    assert do(database, teams.rename, "ada", "Navy") == "Navy"
    with pytest.raises(GateRefusal, match="once a day"):
        do(database, teams.rename, "ada", "Azure")
    do(database, teams.hand_over, "ada", "bob")
    do(database, teams.leave, "ada")
    earn(database, "bob", 3)
    do(database, teams.join, "ada", "Navy")
    do(database, teams.hand_over, "bob", "ada")
    with pytest.raises(GateRefusal, match="once a day"):
        do(database, teams.hand_over, "ada", "bob")
    do(database, teams.hand_over, "ada", "bob", now=NOW + timedelta(days=1))
    do(database, teams.leave, "ada")
    do(database, teams.close, "bob")
    assert sums(database) == {}
    with pytest.raises(GateRefusal, match="no team named Navy"):
        do(database, teams.join, "ada", "Navy")
    with database.reading() as session:
        actions = list(session.scalars(select(AuditEntry.action).order_by(AuditEntry.id)))
    assert actions == ["team founded", "team renamed", *3 * ["team handed over"], "team closed"]


def test_a_leader_leaves_behind_who_is_banned(database: Database, users: dict[str, int]) -> None:
    do(database, teams.found, "ada", "Blue")
    do(database, teams.join, "bob", "Blue")
    with database.session() as session:
        session.get_one(User, users["bob"]).banned = NOW
    do(database, teams.leave, "ada")
    assert sums(database) == {}
    with database.reading() as session:
        assert teams.team_of(session, users["bob"]) is None


def test_the_team_of_a_leader_who_is_banned_gets_another_or_is_closed(
    database: Database, users: dict[str, int]
) -> None:
    do(database, teams.found, "ada", "Blue")
    do(database, teams.join, "cleo", "Blue")
    do(database, teams.join, "bob", "Blue")
    leaders = []
    for name in ("ada", "cleo"):
        with database.session() as session:
            ban(session, name, reason="spam", at_once=False, actor="mia", now=NOW)
        with database.reading() as session:
            leaders.append(session.scalars(select(Team.founder_id)).one())
    assert leaders == [users["cleo"], users["bob"]]
    with database.session() as session:
        ban(session, "bob", reason="spam", at_once=False, actor="mia", now=NOW)
    assert board(database).total == 0


def waits_for(session: Session) -> bool:
    """Return true if another transaction waits for this one; on SQLite, where all wait at their start, always."""
    assert session.bind is not None
    waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    return session.bind.dialect.name == "sqlite" or bool(session.scalar(waiting))


@pytest.mark.usefixtures("users")
def test_who_leaves_meanwhile_is_not_handed_the_team(database: Database) -> None:
    do(database, teams.found, "ada", "Blue")
    do(database, teams.join, "bob", "Blue")
    with ThreadPoolExecutor(1) as pool:
        with database.session() as session:
            bob = session.scalars(select(User).where(User.name == "bob")).one()
            teams.leave(session, bob, NOW)
            handing = pool.submit(do, database, teams.hand_over, "ada", "bob")
            wait_until(lambda: handing.done() or waits_for(session), "it neither ends nor waits")
        with pytest.raises(GateRefusal, match="no other member"):
            handing.result(DEADLINE)


def test_who_joins_during_an_audit_begins_with_what_it_leaves(
    database: Database, users: dict[str, int]
) -> None:
    do(database, teams.found, "ada", "Blue")
    with ThreadPoolExecutor(1) as pool:
        with database.session() as session:
            session.get_one(Total, users["bob"]).samples -= 100
            session.get_one(Day, (users["bob"], TODAY - timedelta(days=30))).samples -= 100
            recount(session, users["bob"])
            joining = pool.submit(do, database, teams.join, "bob", "Blue")
            wait_until(lambda: joining.done() or waits_for(session), "it neither ends nor waits")
        joining.result(DEADLINE)
    earn(database, "bob", 30)
    assert sums(database) == {"Blue": (30, 30, 2)}


@pytest.mark.usefixtures("users")
def test_no_two_teams_have_names_that_look_alike_even_once_one_is_closed(database: Database) -> None:
    do(database, teams.found, "ada", "Painters")
    do(database, teams.found, "cleo", "Red")
    for closed in (False, True):
        if closed:
            do(database, teams.leave, "ada")
        for work, name in ((teams.found, "bob"), (teams.rename, "cleo")):
            with pytest.raises(GateRefusal, match="looks like it"):
                do(database, work, name, "Pa1nters")
    assert do(database, teams.rename, "cleo", "RED") == "RED", "its own name is no other's"


@pytest.mark.usefixtures("users")
def test_what_fills_the_list_or_the_table_has_limits(database: Database) -> None:
    for number in range(teams.FOUNDED_A_WEEK):
        do(database, teams.found, "ada", f"Team {number + 2}")
    with pytest.raises(GateRefusal, match="founded in a week"):
        do(database, teams.found, "ada", "Another")
    do(database, teams.found, "ada", "Another", now=NOW + timedelta(days=8))
    for _ in range(teams.JOINED_A_DAY):
        do(database, teams.join, "bob", "Another", now=NOW + timedelta(days=9))
        do(database, teams.leave, "bob", now=NOW + timedelta(days=9))
    with pytest.raises(GateRefusal, match="times a day"):
        do(database, teams.join, "bob", "Another", now=NOW + timedelta(days=9))
    with pytest.raises(GateRefusal, match="in no team"):
        do(database, teams.leave, "bob")


@pytest.mark.usefixtures("users")
def test_moderators_remove_a_team_with_an_entry_in_the_audit_log(database: Database) -> None:
    do(database, teams.found, "ada", "Rude")
    earn(database, "ada", 5)
    with database.session() as session:
        number = session.scalars(select(Team.id)).one()
        assert teams.remove(session, number, actor="mia", now=NOW, why="the name") == "Rude"
    assert board(database).total == 0
    with database.session() as session:
        entry = session.scalars(select(AuditEntry).order_by(AuditEntry.id.desc())).first()
        assert entry is not None
        assert (entry.actor, entry.action, entry.subject, entry.detail) == (
            "mia",
            "team removed",
            "Rude",
            "the name",
        )
        with pytest.raises(GateRefusal, match="or it was closed"):
            teams.remove(session, number, actor="mia", now=NOW)
    assert do(database, teams.found, "ada", "Polite") == "Polite"
