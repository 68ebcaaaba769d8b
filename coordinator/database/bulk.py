"""Many rows in one statement on either database: inserting, adding to sums, and conditions on long lists.

A statement for each row takes PostgreSQL two to three times as long. There the rows travel as one array for each
column, so a statement has as many parameters as columns, however many rows there are. SQLite is called in the same
process, and repeats a prepared statement without such a cost.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, any_, bindparam, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import InstrumentedAttribute, Session

from coordinator.database.columns import Base
from coordinator.database.upsert import insert_into

BulkRow = Mapping[str, Any]
"""A row to insert: the values of its columns. All rows of one call name the same columns."""


def insert_all(session: Session, table: type[Base], rows: Sequence[BulkRow]) -> None:
    """Insert rows; ConflictError if a constraint stands against one of them."""
    if rows:
        _execute(session, table, insert_into(session, table), rows)


def insert_those_new(
    session: Session,
    table: type[Base],
    rows: Sequence[BulkRow],
    returning: Sequence[InstrumentedAttribute[Any]] = (),
) -> list[Row[*tuple[Any, ...]]]:
    """Insert rows, without those that a constraint stands against.

    Return the columns ``returning`` of those that were inserted, in any order; nothing without ``returning``.
    """
    if not rows:
        return []
    statement = insert_into(session, table).on_conflict_do_nothing()
    return _execute(session, table, statement, rows, returning)


def add_to(session: Session, table: type[Base], rows: Sequence[BulkRow], sums: Sequence[str]) -> None:
    """Insert rows; where one of that key is there, add to its columns ``sums`` and leave the others.

    No two of the rows have the same key.
    """
    if not rows:
        return
    statement = insert_into(session, table)
    changed = {name: table.__table__.columns[name] + statement.excluded[name] for name in sums}
    key = [column.name for column in table.__table__.primary_key]
    _execute(session, table, statement.on_conflict_do_update(index_elements=key, set_=changed), rows)


def one_of(
    session: Session, column: InstrumentedAttribute[Any], values: Sequence[int] | Sequence[str]
) -> ColumnElement[bool]:
    """Return the condition that ``column`` has one of these values, as one parameter however many they are."""
    if _is_postgresql(session):
        return column == any_(bindparam(None, list(values), postgresql.ARRAY(column.type)))
    found = func.json_each(json.dumps(list(values))).table_valued("value")
    return column.in_(select(found.c.value))


def _execute(
    session: Session,
    table: type[Base],
    statement: sqlite.Insert | postgresql.Insert,
    rows: Sequence[BulkRow],
    returning: Sequence[InstrumentedAttribute[Any]] = (),
) -> list[Row[*tuple[Any, ...]]]:
    parameters: dict[str, Any] | list[dict[str, Any]] = [dict(row) for row in rows]
    if _is_postgresql(session):
        names = list(rows[0])
        statement = statement.from_select(names, _unnested(table, names))
        parameters = {_array(name): [row[name] for row in rows] for name in names}
    connection = session.connection()
    if not returning:
        connection.execute(statement, parameters)
        return []
    return list(connection.execute(statement.returning(*returning), parameters))


def _unnested(table: type[Base], names: Sequence[str]) -> Any:
    """Select the rows from arrays, one for each of the table's columns ``names``."""
    columns = [table.__table__.columns[name] for name in names]
    arrays = [bindparam(_array(column.name), type_=postgresql.ARRAY(column.type)) for column in columns]
    given = func.unnest(*arrays).table_valued(*names, name="given").render_derived()
    return select(*(given.c[name] for name in names))


def _array(column: str) -> str:
    return f"all_{column}"  # another name than the column's, which SQLAlchemy keeps for itself


def _is_postgresql(session: Session) -> bool:
    return session.get_bind().dialect.name == "postgresql"
