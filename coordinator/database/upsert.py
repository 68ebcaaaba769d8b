"""Inserting a row that may be there already, in one statement on either database."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from coordinator.database.columns import Base

_Row = Mapping[str, Any]


def insert_if_new(session: Session, table: type[Base], row: _Row) -> bool:
    """Insert a row unless a constraint stands against it; returns whether it was inserted."""
    statement = insert_into(session, table).on_conflict_do_nothing().returning(*table.__table__.primary_key)
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
    statement = insert_into(session, table).on_conflict_do_update(
        index_elements=key, set_=dict(changed), where=condition
    )
    return session.execute(statement.returning(*table.__table__.primary_key), dict(row)).first() is not None


def insert_into(session: Session, table: type[Base]) -> sqlite.Insert | postgresql.Insert:
    """Return an insert into ``table`` that knows ON CONFLICT, which both databases have in the same words."""
    if session.get_bind().dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)
