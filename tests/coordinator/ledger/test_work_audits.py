"""What audits of work withhold leaves days and totals, and comes back; on both databases."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import delete, select, update

from coordinator.database.connect import Database
from coordinator.database.tables import Credit, Day, KnownPeer, Total, User, Withheld
from coordinator.errors import LedgerError
from coordinator.ledger.ledger import Ledger
from coordinator.ledger.withholding import EnteredVerdict
from coordinator.ledger.work_audits import JudgedWork, enter, lift
from tests.coordinator.ledger.evidence import PEERS, epoch_of
from tests.coordinator.ledger.test_ledger import OPERATIONS, join

A, B, C = PEERS[:3]
NOW = datetime(2026, 11, 20, tzinfo=UTC)
FIRST = datetime(2026, 11, 1, 12, tzinfo=UTC)
HOURS = 8
"""Hours from one epoch to the next: three epochs make a day."""
S, F = EnteredVerdict.SOUND, EnteredVerdict.FALSE


class CreditCourse:
    """A run with two users, ada with two computers and bob with one.

    Ada's samples of an epoch are a power of two, so that each sum tells of which epochs it is.
    """

    def __init__(self, database: Database) -> None:
        self.database, self.ledger = database, Ledger(database, OPERATIONS, has_gate=True, checks_work=True)
        join(database, "ada", A, B)
        join(database, "bob", C)

    def epochs(self, first: int, last: int) -> None:
        for epoch in range(first, last + 1):
            weights = {A: float(1 << epoch), B: float(1 << epoch), C: 5.0}
            assert self.ledger.record(epoch_of(weights, epoch, time=_time(epoch)))

    def audit(self, epoch: int, verdict: EnteredVerdict, peer: str = A) -> int:
        with self.database.session() as session:
            return enter(session, JudgedWork(peer, 0, epoch, 10, 12, verdict, 0.5), NOW).id

    def lift(self, number: int) -> None:
        with self.database.session() as session:
            lift(session, number, "a broken disk of ours", actor="organiser", now=NOW)

    def credited(self) -> set[int]:
        """The epochs that ada's days and total have, which fit each other."""
        with self.database.reading() as session:
            user = session.scalars(select(User.id).where(User.name == "ada")).one()
            days = {day.day: day for day in session.scalars(select(Day).where(Day.user_id == user))}
            total = session.get_one(Total, user)
            held = list(session.scalars(select(Withheld)))
        assert total.compute_seconds == pytest.approx(sum(day.compute_seconds for day in days.values()))
        assert total.epochs == sum(day.epochs for day in days.values())
        assert all(day.epochs > 0 for day in days.values())
        assert all(row.epochs > 0 for row in held)
        by_days = {
            epoch
            for epoch in range(1, 12)
            if (day := days.get(_time(epoch).date())) is not None and day.samples >> (epoch + 1) & 1
        }
        assert total.samples == sum(2 << epoch for epoch in by_days)
        assert total.epochs == len(by_days)
        assert all(day.epochs > 0 for day in days.values())
        assert all(row.epochs > 0 for row in held)
        return by_days


def _time(epoch: int) -> datetime:
    return FIRST + timedelta(hours=HOURS * (epoch - 1))


@pytest.fixture
def course(database: Database) -> CreditCourse:
    return CreditCourse(database)


def test_one_who_was_never_checked_or_found_sound_keeps_everything(course: CreditCourse) -> None:
    course.epochs(1, 4)
    course.audit(2, S)
    course.audit(3, EnteredVerdict.DOUBTFUL)
    course.audit(4, EnteredVerdict.UNVERIFIABLE)
    course.epochs(5, 6)
    assert course.credited() == {1, 2, 3, 4, 5, 6}


def test_false_work_takes_all_of_one_who_was_never_found_sound(course: CreditCourse) -> None:
    course.epochs(1, 5)
    course.audit(4, F, peer=B)
    assert course.credited() == set()
    course.epochs(6, 7)
    assert course.credited() == set()
    with course.database.reading() as session:
        bob = session.scalars(select(Total.samples).join(User).where(User.name == "bob")).one()
    assert bob == 7 * 5


def test_false_work_takes_what_came_after_the_last_sound_audit(course: CreditCourse) -> None:
    course.epochs(1, 9)
    course.audit(5, S)
    course.audit(7, F)
    assert course.credited() == {1, 2, 3, 4, 5}
    course.epochs(10, 11)
    assert course.credited() == {1, 2, 3, 4, 5}


def test_credits_of_past_days_may_be_in_files_by_then(course: CreditCourse) -> None:
    course.epochs(1, 9)
    course.audit(7, S)
    with course.database.session() as session:
        session.execute(delete(Credit).where(Credit.epoch < 6))
    course.audit(9, F)
    assert course.credited() == {1, 2, 3, 4, 5, 6, 7}


def test_sound_work_is_credited_again_from_there_on(course: CreditCourse) -> None:
    course.epochs(1, 6)
    course.audit(2, S)
    course.audit(4, F)
    course.epochs(7, 9)
    course.audit(8, S)
    course.epochs(10, 10)
    assert course.credited() == {1, 2, 8, 9, 10}


def test_an_epoch_that_is_recorded_after_its_audit_counts_by_its_place(course: CreditCourse) -> None:
    course.epochs(1, 3)
    course.audit(5, S)
    course.audit(6, F)
    course.epochs(4, 7)
    assert course.credited() == {1, 2, 3, 4, 5}


def test_an_audit_is_entered_once(course: CreditCourse) -> None:
    course.epochs(1, 5)
    numbers = {course.audit(3, S), course.audit(3, F)}
    assert len(numbers) == 1
    assert course.credited() == {1, 2, 3, 4, 5}


def test_false_work_is_that_of_the_user_who_did_it(course: CreditCourse) -> None:
    course.epochs(1, 3)
    with course.database.session() as session:
        bob = session.scalars(select(User.id).where(User.name == "bob")).one()
        session.execute(update(KnownPeer).where(KnownPeer.peer_id == A).values(user_id=bob))
    course.audit(2, F)
    assert course.credited() == set()
    with course.database.reading() as session:
        assert session.get_one(Total, bob).samples == 3 * 5
    course.audit(4, F)
    with course.database.reading() as session:
        assert session.get_one(Total, bob).samples == 0, "what came since was bob's"


def test_what_is_lifted_comes_back(course: CreditCourse) -> None:
    course.epochs(1, 5)
    number = course.audit(3, F)
    course.epochs(6, 7)
    course.lift(number)
    assert course.credited() == {1, 2, 3, 4, 5, 6, 7}
    course.epochs(8, 8)
    assert course.credited() == {1, 2, 3, 4, 5, 6, 7, 8}
    with pytest.raises(LedgerError, match="it was lifted"):
        course.lift(number)


def test_another_verdict_withholds_on_once_the_first_is_lifted(course: CreditCourse) -> None:
    course.epochs(1, 4)
    course.audit(1, S)
    first, second = course.audit(2, F), course.audit(4, F)
    course.epochs(5, 5)
    course.lift(first)
    assert course.credited() == {1}
    course.lift(second)
    assert course.credited() == {1, 2, 3, 4, 5}


def test_what_was_withheld_before_sound_work_comes_back_once_it_is_lifted(course: CreditCourse) -> None:
    course.epochs(1, 6)
    course.audit(1, S)
    number = course.audit(3, F)
    course.audit(5, S)
    assert course.credited() == {1, 5, 6}
    course.lift(number)
    assert course.credited() == {1, 2, 3, 4, 5, 6}


def test_no_other_verdict_can_be_lifted(course: CreditCourse) -> None:
    course.epochs(1, 1)
    for number in (course.audit(1, S), 999):
        with pytest.raises(LedgerError, match="no verdict"):
            course.lift(number)
