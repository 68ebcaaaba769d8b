"""Inserting what may be there already, in one statement on either database."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from coordinator.database.columns import Base

_Row = Mapping[str, Any]


def insert_if_new(session: Session, table: type[Base], row: _Row) -> bool:
    """Insert a row unless a constraint stands against it; returns whether it was inserted."""
    statement = _insert(session, table).on_conflict_do_nothing().returning(*table.__table__.primary_key)
    return session.execute(statement, dict(row)).first() is not None


def insert_or_change(
    session: Session,
    table: type[Base],
    row: _Row,
    changed: Mapping[str, ColumnElement[Any]],
    condition: ColumnElement[bool],
) -> bool:
    """Insert a row; where one of that key is there and meets ``condition``, set its columns as ``changed`` says.

    Return true if either was done.
    """
    key = [column.name for column in table.__table__.primary_key]
    statement = _insert(session, table).on_conflict_do_update(
        index_elements=key, set_=dict(changed), where=condition
    )
    return session.execute(statement.returning(*table.__table__.primary_key), dict(row)).first() is not None


def insert_those_new(session: Session, table: type[Base], rows: Sequence[_Row]) -> None:
    """Insert rows, without those that a constraint stands against."""
    if rows:
        session.execute(_insert(session, table).on_conflict_do_nothing(), [dict(row) for row in rows])


def add_to(session: Session, table: type[Base], rows: Sequence[_Row], sums: Sequence[str]) -> None:
    """Insert rows; where one of that key is there, add to its columns ``sums`` and leave the others."""
    if not rows:
        return
    statement = _insert(session, table)
    changed = {name: table.__table__.columns[name] + statement.excluded[name] for name in sums}
    key = [column.name for column in table.__table__.primary_key]
    whole = statement.on_conflict_do_update(index_elements=key, set_=changed)
    session.connection().execute(whole, [dict(row) for row in rows])


def _insert(session: Session, table: type[Base]) -> sqlite.Insert | postgresql.Insert:
    # Both know ON CONFLICT, in the same words.
    if session.get_bind().dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)
