"""Tests of statements over many rows, on both databases: what they write, and that they are few."""

from datetime import date

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from coordinator.database.bulk import add_to, insert_all, insert_those_new, one_of
from coordinator.database.connect import Database
from coordinator.database.tables import Day, User
from coordinator.errors import ConflictError
from tests.coordinator.ledger.evidence import START
from tests.coordinator.statements import counted

MANY = 10_000
"""More rows than either database allows parameters, if each row had seven."""
DAY = date(2026, 11, 1)
SUMS = ("samples", "compute_seconds", "epochs")


def people(numbers: range) -> list[dict[str, object]]:
    return [{"name": f"user-{number:05d}", "created": START} for number in numbers]


def days(users: range, samples: int) -> list[dict[str, object]]:
    return [
        {"user_id": user, "day": DAY, "samples": samples * user, "compute_seconds": user / 3, "epochs": 1}
        for user in users
    ]


def test_sums_of_many_users_are_added_to_exactly_and_new_users_get_theirs(database: Database) -> None:
    with database.session() as session:
        insert_all(session, User, people(range(1, MANY + 1)))
        add_to(session, Day, days(range(1, MANY // 2), 1), SUMS)
        add_to(session, Day, days(range(1, MANY + 1), 2), SUMS)
    with database.reading() as session:
        found = session.execute(select(Day.user_id, *(getattr(Day, name) for name in SUMS))).all()
    expected = {user: (3 * user, user / 3 + user / 3, 2) for user in range(1, MANY // 2)}
    expected |= {user: (2 * user, user / 3, 1) for user in range(MANY // 2, MANY + 1)}
    assert {row[0]: tuple(row[1:]) for row in found} == expected


def test_only_new_rows_are_inserted_and_returned(database: Database) -> None:
    with database.session() as session:
        insert_all(session, User, people(range(0, MANY, 2)))
        made = insert_those_new(session, User, people(range(MANY)), (User.id, User.name))
        assert sorted(row.name for row in made) == [f"user-{number:05d}" for number in range(1, MANY, 2)]
        assert insert_those_new(session, User, people(range(MANY))) == []
        assert insert_those_new(session, User, []) == []
        known = {row.name: row.id for row in session.execute(select(User.name, User.id))}
    assert len(known) == MANY
    assert {row.name: row.id for row in made}.items() <= known.items()


def test_one_of_many_values_is_found_and_no_other(database: Database) -> None:
    with database.session() as session:
        insert_all(session, User, people(range(100)))
        wanted = [f"user-{number:05d}" for number in range(50, MANY)]
        condition = one_of(session, User.name, wanted)
        found = session.scalars(select(User.name).where(condition).order_by(User.name)).all()
        assert found == wanted[:50]
        assert not session.scalars(select(User.id).where(one_of(session, User.id, []))).all()
        odd = ['"; DROP TABLE users; --', "user-00007", "\\", "ä'"]
        assert session.scalars(select(User.name).where(one_of(session, User.name, odd))).all() == [
            "user-00007"
        ]


def test_texts_and_missing_values_are_inserted_as_they_are(database: Database) -> None:
    odd = ["NULL", "", " ", 'a "quoted" one', "back\\slash", "{1,2}", "a,b", "ünï", "line\nbreak"]
    rows = [
        {"name": f"{number}{text}", "created": START, "subject": text if number % 2 else None}
        for number, text in enumerate(odd)
    ]
    with database.session() as session:
        insert_all(session, User, rows)
    with database.reading() as session:
        found = session.execute(select(User.name, User.subject).order_by(User.id)).all()
    assert [tuple(row) for row in found] == [(row["name"], row["subject"]) for row in rows]


def test_a_row_against_a_constraint_undoes_all_of_them(database: Database) -> None:
    def twice(session: Session) -> None:
        insert_all(session, User, people(range(10)))
        insert_all(session, User, people(range(9, 20)))

    with pytest.raises(ConflictError):
        database.retrying(twice, lambda _: None)
    with database.reading() as session:
        assert session.scalar(select(func.count()).select_from(User)) == 0


def test_the_rows_of_an_insert_are_one_statement(database: Database) -> None:
    with counted() as statements, database.session() as session:
        insert_all(session, User, people(range(1, MANY + 1)))
        add_to(session, Day, days(range(1, MANY + 1), 1), SUMS)
    assert len([statement for statement in statements if "INSERT" in statement]) == 2
