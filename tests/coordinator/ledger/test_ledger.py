"""Tests of entering epochs into the ledger, on both databases, also by who repeats itself or dies in the middle."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, func, select, text

from coordinator.database.columns import Base
from coordinator.database.connect import Database
from coordinator.database.tables import Credit, DailyRank, Day, Doubt, Epoch, KnownPeer, Total, User
from coordinator.errors import LedgerError
from coordinator.ledger.credit import EVERY_PEER, NO_PEER, KnownMachine
from coordinator.ledger.ledger import Ledger
from core.swarm.wire.device_class import DeviceClass
from tests.coordinator.forking import at_once, dies_at_statement
from tests.coordinator.ledger.evidence import PEERS, START, claim, epoch_of
from tests.coordinator.ledger_rows import credits_of, rows
from tests.coordinator.statements import counted
from tests.postgres import PostgresServer

OPERATIONS = 1e11
"""Operations for a sample; by our bounds, a processor can do at most 100 samples a second."""
A, B, C = PEERS[:3]
TABLES: tuple[type[Base], ...] = (DailyRank, Day, Total, Doubt, Credit, Epoch, KnownPeer, User)


@pytest.fixture
def ledger(database: Database) -> Ledger:
    return Ledger(database, OPERATIONS)


def join(database: Database, name: str, *peers: str) -> None:
    """Register a user with these peers as the gate does."""
    with database.session() as session:
        user = User(name=name, subject=f"id of {name}", created=START)
        session.add(user)
        session.flush()
        session.add_all(KnownPeer(peer_id=peer, user_id=user.id, created=START) for peer in peers)


def totals(database: Database) -> dict[str, tuple[int, float, int]]:
    with database.reading() as session:
        columns = select(User.name, Total.samples, Total.compute_seconds, Total.epochs).join(Total)
        return {
            name: (samples, seconds, epochs) for name, samples, seconds, epochs in session.execute(columns)
        }


def contents(database: Database) -> list[tuple[Any, ...]]:
    """All rows of the ledger."""
    with database.reading() as session:
        return [tuple(row) for table in TABLES for row in session.execute(select(*table.__table__.columns))]


def test_behind_a_gate_peers_that_never_joined_are_neither_credited_nor_remembered(
    database: Database,
) -> None:
    join(database, "ada", A)
    ledger = Ledger(database, OPERATIONS, has_gate=True)
    assert ledger.record(epoch_of({A: 100, B: 20, C: 60}, 1))
    assert totals(database) == {"ada": (100, 10.0, 1)}
    with database.reading() as session:
        assert list(session.scalars(select(KnownPeer.peer_id))) == [A]
        assert list(session.scalars(select(Epoch.peers))) == [1]
        assert not list(session.scalars(select(Doubt.id)))


def test_a_user_is_credited_for_all_peers_together(database: Database, ledger: Ledger) -> None:
    join(database, "ada", A, B)
    join(database, "bob", C)
    assert ledger.record(epoch_of({A: 100, B: 20, C: 60}, 1))
    assert ledger.record(epoch_of({A: 50, C: 10}, 2))
    assert totals(database) == {"ada": (170, 30.0, 2), "bob": (70, 20.0, 2)}
    with database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Credit)) == 5
        assert session.scalars(select(Epoch.peers).order_by(Epoch.epoch)).all() == [3, 2]


def test_a_peer_that_nobody_stands_behind_has_a_user_of_its_own(database: Database, ledger: Ledger) -> None:
    join(database, f"peer-{B[-6:]}")  # a user who is really called so
    ledger.record(epoch_of({A: 100, B: 20}, 1))
    ledger.record(epoch_of({A: 10}, 2))
    assert totals(database) == {f"peer-{A[-6:]}": (110, 20.0, 2), f"peer-{B[-7:]}": (20, 10.0, 1)}


def test_an_epoch_counts_once_whatever_is_reported_of_it_later(database: Database, ledger: Ledger) -> None:
    assert ledger.record(epoch_of({A: 100}, 1))
    before = contents(database)
    assert not ledger.record(epoch_of({A: 100}, 1))
    assert not ledger.record(epoch_of({A: 900, B: 10}, 1))
    assert contents(database) == before


def test_an_epoch_that_is_done_again_after_a_rollback_counts_again(
    database: Database, ledger: Ledger
) -> None:
    for generation in (0, 1):
        assert ledger.record(epoch_of({A: 100}, 7, generation=generation))
    assert (ledger.newest(0), ledger.newest(1), ledger.newest(2)) == (7, 7, None)
    assert totals(database)[f"peer-{A[-6:]}"][0] == 200


def test_what_nobody_could_be_asked_about_is_kept_without_credits(database: Database, ledger: Ledger) -> None:
    assert ledger.record(epoch_of({}, 3, samples=500, loss=None))
    with database.reading() as session:
        epoch = session.scalars(select(Epoch)).one()
    assert (epoch.epoch, epoch.samples, epoch.loss, epoch.peers) == (3, 500, None, 0)
    assert totals(database) == {}


def test_a_liar_is_doubted_and_its_machine_remembered(database: Database, ledger: Ledger) -> None:
    ledger.record(
        epoch_of({A: 1000, B: 100}, claims={A: claim(300, 20, DeviceClass.GPU_16), B: claim(100, 10)})
    )
    with database.reading() as session:
        doubt = session.scalars(select(Doubt)).one()
        assert (doubt.claimed, doubt.credited, doubt.why) == (
            1000,
            500,
            "its own progress records report less",
        )
        devices = session.execute(
            select(KnownPeer.peer_id, KnownPeer.device).order_by(KnownPeer.peer_id)
        ).all()
    assert [tuple(row) for row in devices] == [(A, "gpu_16"), (B, "cpu")]


def test_a_machine_of_an_earlier_epoch_counts_for_one_who_is_not_audited_now(
    database: Database, ledger: Ledger
) -> None:
    weight = 50_000.0  # a processor can do 3,000 in the time
    gpu = claim(10, 1, DeviceClass.GPU_16)
    ledger.record(epoch_of({A: 10, B: 10}, 1, claims={A: gpu, B: claim(10, 1)}))
    ledger.record(replace(epoch_of({A: weight, B: weight, C: weight}, 2, claims={}), audit=NO_PEER))
    ledger.record(replace(epoch_of({A: weight}, 3, claims={}), audit=EVERY_PEER))
    assert credits_of(database) == {
        (1, A): 10,
        (1, B): 10,
        (2, A): 50_000,
        (2, B): 3_000,
        (2, C): 3_000,
        (3, A): 3_000,  # it was looked for, and was silent
    }


def test_a_machine_that_a_drawn_record_tells_is_remembered_with_the_credit(
    database: Database, ledger: Ledger
) -> None:
    machines = {A: KnownMachine(DeviceClass.GPU_24)}
    ledger.record(replace(epoch_of({A: 10, B: 10}, claims={}), audit=NO_PEER, machines=machines))
    assert {row.peer_id: row.device for row in rows(database, KnownPeer)} == {A: "gpu_24", B: "unknown"}


def test_an_epoch_that_makes_no_sense_leaves_no_trace(database: Database, ledger: Ledger) -> None:
    with pytest.raises(LedgerError):
        ledger.record(epoch_of({A: 1}, samples=-1))
    assert contents(database) == []


def test_days_are_those_of_utc_and_standings_are_written_when_they_are_over(
    database: Database, ledger: Ledger
) -> None:
    join(database, "ada", A)
    join(database, "bob", B)
    midnight = START.replace(hour=0) + timedelta(days=1)
    for number, (hours, weights) in enumerate(
        [(-2, {A: 50, B: 50}), (0, {A: 10}), (47, {B: 100}), (72, {A: 1})]
    ):
        ledger.record(epoch_of(weights, number, time=midnight + timedelta(hours=hours)))
    first = START.date()
    with database.reading() as session:
        days = session.execute(
            select(Day.day, Day.samples).join(User).where(User.name == "ada").order_by(Day.day)
        )
        assert [tuple(row) for row in days] == [
            (_day(first, 0), 50),
            (_day(first, 1), 10),
            (_day(first, 4), 1),
        ]
        ranks = session.execute(select(User.name, DailyRank.day, DailyRank.rank).join(User))
        found = {(name, day): rank for name, day, rank in ranks}
    assert found == {
        ("ada", _day(first, 0)): 1,
        ("bob", _day(first, 0)): 1,
        ("ada", _day(first, 1)): 1,
        ("bob", _day(first, 1)): 2,
        ("ada", _day(first, 2)): 2,
        ("bob", _day(first, 2)): 1,
    }


def _day(first: date, later: int) -> date:
    return first + timedelta(days=later)


def test_two_who_record_the_same_epochs_at_once_enter_each_once(address: str, database: Database) -> None:
    def record() -> None:
        own = Database.open(address)
        for number in range(8):
            Ledger(own, OPERATIONS).record(epoch_of({A: 10, B: 5}, number))

    database.close()  # connections are not shared by processes
    assert at_once(3, record) == [0, 0, 0]
    assert sorted(totals(database).values()) == [(40, 80.0, 8), (80, 80.0, 8)]


def test_who_is_killed_in_the_middle_leaves_no_half_epoch_and_repeats_it(
    address: str, database: Database
) -> None:
    """The writer dies before each of its statements in turn, in the second of two epochs."""
    first, second = epoch_of({A: 10, B: 5}, 1), epoch_of({A: 500, C: 5}, 2, claims={A: claim(1, 1)})
    Ledger(database, OPERATIONS).record(first)
    before = contents(database)

    def record() -> None:
        Ledger(Database.open(address), OPERATIONS).record(second)

    left: list[list[tuple[Any, ...]]] = []
    database.close()
    while dies_at_statement(len(left) + 1, record):
        left.append(contents(database))
        database.close()
    ended = contents(database)
    assert left.count(before) > 8
    assert all(found in (before, ended) for found in left)
    _empty(database)
    for epoch in (first, second):
        Ledger(database, OPERATIONS).record(epoch)
    assert _without_numbers(ended) == _without_numbers(contents(database))


def _empty(database: Database) -> None:
    with database.session() as session:
        for table in TABLES:
            session.execute(delete(table))


def _without_numbers(rows: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
    """Return the rows without ids, because a database may assign those in any order."""
    return [[value for value in row if isinstance(value, str | float)] for row in rows]


@settings(max_examples=15)
@given(
    records=st.lists(
        st.tuples(
            st.integers(0, 1),
            st.integers(0, 3),
            st.dictionaries(st.sampled_from(PEERS[:3]), st.integers(0, 200).map(float), min_size=1),
            st.integers(1, 300),
        ),
        max_size=8,
    )
)
def test_no_sequence_of_records_credits_more_than_was_committed(
    database: Database, records: list[tuple[int, int, dict[str, float], int]]
) -> None:
    _empty(database)
    for generation, number, weights, samples in records:
        ledger = Ledger(database, OPERATIONS)
        ledger.record(epoch_of(weights, number, generation=generation, samples=samples))
    with database.reading() as session:
        credited = select(Credit.generation, Credit.epoch, func.sum(Credit.samples))
        sums = session.execute(credited.group_by(Credit.generation, Credit.epoch)).all()
        for generation, number, samples in sums:
            epoch = session.get_one(Epoch, (generation, number))
            assert samples <= epoch.samples
        assert sum(row[2] for row in sums) == (session.scalar(select(func.sum(Total.samples))) or 0)
        assert sum(row[2] for row in sums) == (session.scalar(select(func.sum(Day.samples))) or 0)


def test_ten_thousand_contributors_take_as_few_statements_as_a_hundred(
    database: Database, ledger: Ledger
) -> None:
    """SQLite's inserts that return what was new take a statement for a thousand rows."""
    many = {f"Qm{number:044d}": 1.0 + number % 7 for number in range(10_000)}
    few = dict(list(many.items())[:100])
    counts = []
    for number, contributors in enumerate((few, many, many), 1):
        with counted() as statements:
            assert ledger.record(epoch_of(contributors, number, seconds=600))
        counts.append(len(statements))
    assert counts[1] <= counts[0] + 9
    assert counts[2] <= counts[0]
    found = totals(database)
    assert len(found) == len(many)
    assert sum(samples for samples, _, _ in found.values()) == sum(few.values()) + 2 * sum(many.values())
    assert {epochs for _, _, epochs in found.values()} == {2, 3}


def test_peers_with_the_same_last_letters_get_names_of_their_own(database: Database, ledger: Ledger) -> None:
    same = [f"Q{letter}{'a' * 44}" for letter in "wxyz"]
    for number in (1, 2):
        ledger.record(epoch_of(dict.fromkeys(same, 5.0), number, seconds=0.5))
    assert totals(database) == {f"peer-{'a' * letters}": (10, 1.0, 2) for letters in (6, 7, 8, 9)}


def test_a_peer_whose_whole_id_is_a_users_name_is_that_users(database: Database, ledger: Ledger) -> None:
    for letters in range(6, len(A) + 1):
        join(database, f"peer-{A[-letters:]}")
    ledger.record(epoch_of({A: 100, B: 20}, 1))
    assert set(totals(database)) == {f"peer-{A}", f"peer-{B[-6:]}"}


def test_postgresql_changes_the_totals_of_an_epoch_s_contributors_in_place(postgres: PostgresServer) -> None:
    """Without a vacuum, which the tests' server leaves out, rows that are written elsewhere would add up."""
    peers = {f"Qm{number:044d}": 10.0 for number in range(500)}
    database = Database.open(postgres.new_database())
    ledger = Ledger(database, OPERATIONS)

    def recorded(first: int, last: int) -> tuple[Any, ...]:
        for epoch in range(first, last + 1):
            assert ledger.record(epoch_of(peers, epoch))
        with database.reading() as session:
            sizes = "SELECT pg_relation_size('totals'), pg_indexes_size('totals'), pg_indexes_size('days')"
            return tuple(session.execute(text(sizes)).one())

    before = recorded(1, 4)
    assert recorded(5, 16) == before
    database.close()
