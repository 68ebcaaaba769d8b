"""Many rows in one statement on either database: inserting, adding to sums, and conditions on long lists.

A statement for each row takes PostgreSQL two to three times as long. There the rows travel as one array for each
column, so a statement has as many parameters as columns, however many rows there are. Most arrays are spelled
here: psycopg searches each value for what needs quotes, which takes several times as long. SQLite is called in the
same process, and repeats a prepared statement without such a cost.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Date,
    Integer,
    Numeric,
    Row,
    String,
    any_,
    bindparam,
    cast,
    func,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import InstrumentedAttribute, Session
from sqlalchemy.sql.elements import KeyedColumnElement

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
        # Not as a text that is cast: where the condition is a filter, PostgreSQL would read that text for each row.
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
        columns = table.__table__.columns
        parameters = {_array(name): _given(columns[name], [row[name] for row in rows]) for name in names}
    connection = session.connection()
    if not returning:
        connection.execute(statement, parameters)
        return []
    return list(connection.execute(statement.returning(*returning), parameters))


def _unnested(table: type[Base], names: Sequence[str]) -> Any:
    """Select the rows from arrays, one for each of the table's columns ``names``."""
    arrays = [_parameter(table.__table__.columns[name]) for name in names]
    given = func.unnest(*arrays).table_valued(*names, name="given").render_derived()
    return select(*(given.c[name] for name in names))


def _parameter(column: KeyedColumnElement[Any]) -> ColumnElement[Any]:
    array = postgresql.ARRAY(column.type)
    if _is_spelled(column):
        return cast(bindparam(_array(column.name), type_=String()), array)
    return bindparam(_array(column.name), type_=array)


def _given(column: KeyedColumnElement[Any], values: list[Any]) -> list[Any] | str:
    """Return the values of a column as the parameter of their array."""
    return _spelled(values) if _is_spelled(column) else values


def _is_spelled(column: KeyedColumnElement[Any]) -> bool:
    return isinstance(column.type, Integer | Numeric | String | Date)


def _spelled(values: Iterable[object]) -> str:
    """Return PostgreSQL's text of an array of numbers, texts and dates."""
    return f"{{{','.join(map(_element, values))}}}"


def _element(value: object) -> str:
    if isinstance(value, str):
        escaped = value.replace("\\", r"\\").replace('"', r"\"")
        return f'"{escaped}"'
    return "NULL" if value is None else str(value)


def _array(column: str) -> str:
    return f"all_{column}"  # another name than the column's, which SQLAlchemy keeps for itself


def _is_postgresql(session: Session) -> bool:
    return session.get_bind().dialect.name == "postgresql"
